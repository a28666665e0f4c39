/** A list in parts of `size`, in order; the last one may be shorter. Of an empty list there is none. */
export function chunks<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, at) => list.slice(at * size, (at + 1) * size));
}
