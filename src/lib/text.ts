/** Control characters (C0 but tab and line breaks, DEL, C1) have no place in a name or an address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const breaks = /[\t\r\n\u2028\u2029]/;

/** Why a person's text cannot be taken, as the end of a sentence; null when it can. */
export function refusal(text: string, { lineBreaks }: { lineBreaks: boolean }): string | null {
  if (!text.isWellFormed()) return "must not contain half of a character (a lone surrogate)";
  if (controls.test(text)) return "must not contain control characters";
  if (!lineBreaks && breaks.test(text)) return "must be a single line";
  if (text.trim() === "") return "must not be blank";
  return null;
}
