/** What the button shows, and what a screen reader hears. */
export type CopyWords = {
  label: string;
  copied: string;
  notCopied: string;
  /** What it is for: "Copy the amount". */
  name: string;
  sayCopied: string;
  sayNotCopied: string;
};

/** For the script, a line each: what the button shows after it was pressed, and what is said where that is not it. */
export const copyWords = (copied: string, notCopied: string, ...said: readonly string[]): string =>
  [copied, notCopied, ...said].join("\n");

/** Only the script can copy, so only the script shows it. */
export function CopyButton({
  id,
  text,
  words,
  className = "copy",
}: {
  id: string;
  text: string;
  words: CopyWords;
  className?: string;
}) {
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
