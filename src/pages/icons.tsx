import type { Child } from "../lib/jsx/jsx-runtime.ts";

/** Icons beside words that say the same, so screen readers skip them. */
const frame = {
  viewBox: "0 0 24 24",
  class: "icon",
} as const;

const paths = {
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  clock: "M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z",
  alert:
    "M12 8v5m0 3.5v.01M10.3 4.2L2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0z",
  download: "M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  outside: "M8 16L17 7M9 7h8v8",
} as const;

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg {...frame} aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

type NoticeProps = {
  icon?: keyof typeof paths;
  /** Added to the class of a notice. */
  className?: string;
  isAlert?: boolean;
  /** Id of the part, in a section whose script replaces its parts. */
  part?: string;
  children: Child;
};

/** A remark in its own box. */
export function Notice({ icon = "alert", className = "", isAlert = false, part, children }: NoticeProps) {
  return (
    <p class={`notice${className}`} {...(isAlert ? { role: "alert" } : {})} data-part={part ?? false}>
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  );
}

/** The button's labels, and their announcements for screen readers. */
export type CopyWords = {
  label: string;
  copied: string;
  notCopied: string;
  /** The button's accessible name: "Copy the amount". */
  name: string;
  sayCopied: string;
  sayNotCopied: string;
};

/** For the script, one per line: the labels after a press, and the announcements where they differ. */
export const copyWords = (copied: string, notCopied: string, ...said: readonly string[]): string =>
  [copied, notCopied, ...said].join("\n");

type CopyButtonProps = { id: string; text: string; words: CopyWords; className?: string };

/** Only the script can copy, so the script shows the button. */
export function CopyButton({ id, text, words, className = "copy" }: CopyButtonProps) {
  return (
    <button
      type="button"
      class={className}
      id={id}
      data-copy={text}
      data-words={copyWords(words.copied, words.notCopied, words.sayCopied, words.sayNotCopied)}
      aria-label={words.name}
      hidden
    >
      {words.label}
    </button>
  );
}
