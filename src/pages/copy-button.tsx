import { Html } from "@elysiajs/html";
import { attr } from "./text.ts";

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
      data-copy={attr(text)}
      data-word-copied={attr(words.copied)}
      data-word-not-copied={attr(words.notCopied)}
      data-say-copied={attr(words.sayCopied)}
      data-say-not-copied={attr(words.sayNotCopied)}
      aria-label={attr(words.name)}
      hidden
    >
      {Html.escapeHtml(words.label)}
    </button>
  );
}
