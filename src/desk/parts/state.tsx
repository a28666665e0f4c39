import { rawHtml } from "../../lib/jsx/jsx-runtime.ts";

/** The drawing in a state's ring: its shape conveys the same as its colour. */
const drawings = {
  open: '<circle cx="8" cy="8" r="6.25"/>',
  seen: '<circle cx="8" cy="8" r="6.25"/><path d="M8 4.6V8l2.2 1.5"/>',
  partial:
    '<circle cx="8" cy="8" r="6.25"/><path d="M8 4.25a3.75 3.75 0 0 1 0 7.5z" fill="currentColor" stroke="none"/>',
  paid: '<circle cx="8" cy="8" r="7" fill="currentColor" stroke="none"/><path d="M4.9 8.3l2.2 2.2 4-4.6" stroke="#fff"/>',
  excess:
    '<circle cx="8" cy="8" r="7" fill="currentColor" stroke="none"/><path d="M8 5v6M5 8h6" stroke="#fff"/>',
  late: '<circle cx="8" cy="8" r="7" fill="currentColor" stroke="none"/><path d="M8 4.5v4.2M8 11.3v.01" stroke="var(--card)" stroke-width="1.75"/>',
  draft: '<circle cx="8" cy="8" r="6.25" stroke-dasharray="2.2 1.73"/>',
  void: '<circle cx="8" cy="8" r="6.25"/><path d="M3.7 12.3l8.6-8.6"/>',
} as const;

export type StateName = keyof typeof drawings;

/** A state in a list: a drawing and a word; `isShort` shows the word only to screen readers. */
export function State({ name, word, isShort = false }: { name: StateName; word: string; isShort?: boolean }) {
  return (
    <span class={`state state-${name === "excess" ? "paid" : name}`}>
      <svg
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        aria-hidden="true"
      >
        {rawHtml(drawings[name])}
      </svg>
      {isShort ? <span class="visually-hidden">{word}</span> : word}
    </span>
  );
}

const pills = {
  partial: " pill-partial",
  late: " pill-late",
  paid: " pill-paid",
  excess: " pill-paid",
} as const;

/** The same at the head of a page. */
export function Pill({ name, word }: { name: StateName; word: string }) {
  const tone: Partial<Record<StateName, string>> = pills;
  return (
    <span class={`pill${tone[name] ?? (name === "void" || name === "draft" ? " pill-void" : "")}`}>
      {word}
    </span>
  );
}
