/** The sentence of whatever was thrown, with the causes it names. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? "" : `: ${messageOf(thrown.cause)}`;
  return `${thrown.message}${cause}`;
}
