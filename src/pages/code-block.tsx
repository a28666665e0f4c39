import type { Child } from "../lib/jsx/jsx-runtime.ts";
import { CopyButton, type CopyWords } from "./icons.tsx";

type CodeBlockProps = {
  /** Id of the copy button; unique on the page. */
  id: string;
  title: string;
  code: string;
  /** JSON is shown in colours. */
  language?: "json" | "text";
};

const words: CopyWords = {
  label: "Copy",
  copied: "Copied",
  notCopied: "Not copied",
  name: "Copy",
  sayCopied: "Copied",
  sayNotCopied: "It could not be copied. Please select it and copy it by hand.",
};

/** Code to read or to copy. Long code scrolls on its own, also by keyboard. */
export function CodeBlock({ id, title, code, language = "text" }: CodeBlockProps) {
  return (
    <figure class="code">
      <figcaption>
        <span>{title}</span>
        <CopyButton id={id} text={code} words={{ ...words, name: `Copy: ${title}` }} />
      </figcaption>
      <pre tabindex="0">
        <code>{language === "json" ? coloured(code) : code}</code>
      </pre>
    </figure>
  );
}

/** A JSON object's name, a text, or a number or word. */
const token = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g;

/** JSON as markup, with its names, texts and numbers in separate spans. */
function coloured(json: string): Child {
  const parts: Child[] = [];
  let done = 0;
  for (const match of json.matchAll(token)) {
    const [all, text, colon] = match;
    const quoted = colon === undefined ? "json-text" : "json-name";
    const kind = text === undefined ? "json-number" : quoted;
    const value = text ?? all;
    parts.push(json.slice(done, match.index), <span class={kind}>{value}</span>);
    done = match.index + value.length;
  }
  return [...parts, json.slice(done)];
}
