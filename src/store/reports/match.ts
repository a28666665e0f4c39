/** A word takes no more than this, and a search no more words: nobody types so much. */
const wordLengthMax = 100;
const wordsMax = 8;

/**
 * What somebody typed as a query for FTS5: every word of it begins one in the text. `others`: other spellings of the
 * whole, any of which will do. Null when there is no word in it.
 */
export function matchOf(typed: string, others: readonly string[] = []): string | null {
  const words = typed
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, wordsMax);
  const phrase = (word: string) => `"${word.slice(0, wordLengthMax).replaceAll('"', " ")}" *`;
  const all = words.map(phrase).join(" AND ");
  const spellings = [all, ...others.map(phrase)].filter((part) => part !== "");
  return spellings.length === 0 ? null : spellings.map((part) => `(${part})`).join(" OR ");
}
