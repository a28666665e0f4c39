/** English for the log, errors and the command line. Customers read the languages of mails and pages. */

/** `1 payment`, `2 payments`: for nouns with a regular plural. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `csv, json or text`. */
export function alternatives(words: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words);
}

/** `withoutEnd("1.500", "0")` → `"1.5"`, in linear time: `/0+$/` takes quadratic time. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** `look after the node` → `Look after the node.` */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The names of the `{placeholders}` in a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The arguments that fill them: none, or one object with a value for each. */
export type ValuesOf<Text extends string, Value> = [NamesIn<Text>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Text>, Value>>];

export type Values = Readonly<Record<string, string | number>>;

/** Replaces each `{name}` in a text by its value. Names without a value stay. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/**
 * Breaks a line at spaces so that no part is wider than `width` columns; parts after the first are indented by `hang`
 * spaces. Words are never broken: one that does not fit moves to its own line, further left if that helps. A line that
 * fits is unchanged.
 */
export function wrap(line: string, width: number, hang = 0): string[] {
  if (Bun.stringWidth(line) <= width) return [line];
  const [first = "", ...words] = line.split(" ");
  const lines: string[] = [];
  let current = first;
  for (const word of words) {
    const longer = `${current} ${word}`;
    if (Bun.stringWidth(longer) <= width || current.trim() === "") {
      current = longer;
      continue;
    }
    lines.push(current.trimEnd());
    current = " ".repeat(Math.min(hang, Math.max(0, width - Bun.stringWidth(word)))) + word;
  }
  return [...lines, current];
}
