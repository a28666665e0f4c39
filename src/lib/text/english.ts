/** English for the log, errors and the command line. What customers read is in the languages of mails and pages. */

/** `1 payment`, `2 payments`: for nouns that only take an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `csv, json or text`. */
export function alternatives(words: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words);
}

/** `look after the node` → `Look after the node.` */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
