/**
 * Breaks a line at spaces so that no part is wider than `width` columns; the parts after the first begin with `hang`
 * spaces. A word is never broken: one that is too wide for its place moves to a line of its own, further left if that
 * helps. A line that fits stays as it is.
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
