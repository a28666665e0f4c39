import { Html } from "@elysiajs/html";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The first letter of a business, in place of the logo that Till does not know. */
export function Monogram({ name }: { name: string }) {
  const [first] = graphemes.segment(name.trim());
  return (
    <span class="monogram" aria-hidden="true" safe>
      {(first?.segment ?? "").toUpperCase()}
    </span>
  );
}
