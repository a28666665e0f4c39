/** Finds the word that was probably meant. */

/** More edits than this make another word. */
const editsMax = 2;

/** The known word with the fewest edits, or the one that `word` begins; null when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: edits(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.min(editsMax, candidate.length - 1))
    .sort((a, b) => a.edits - b.edits);
  return best?.candidate ?? candidates.find((candidate) => word !== "" && candidate.startsWith(word)) ?? null;
}

/** How many letters are to be added, dropped, changed or swapped with their neighbour (optimal string alignment). */
function edits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (line: number[], index: number) => line[index] ?? 0;
      const changed = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(changed, at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(beforeLast, j - 2) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
