/** The sentence of whatever was thrown, with the causes it names. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? "" : `: ${messageOf(thrown.cause)}`;
  return `${thrown.message.replace(fetchQuestion, "")}${cause}`;
}

/** What Bun's fetch asks at the end of the sentence that nothing listens there. */
const fetchQuestion = /\. Is the computer able to access the url\?$/;
