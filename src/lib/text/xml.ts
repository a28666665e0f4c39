/** Writes XML that is also laid out for people. Text is escaped; unknown values are left out. */

export type Xml = {
  name: string;
  attributes: Record<string, string>;
  content: string | readonly Xml[];
};

/** An element with text or child elements; null, which is left out, if it would have neither. */
export function element(
  name: string,
  content: string | null | readonly (Xml | null)[],
  attributes: Record<string, string> = {},
): Xml | null {
  if (content === null) return null;
  if (typeof content === "string") return { name, attributes, content };
  const children = content.filter((child) => child !== null);
  return children.length === 0 ? null : { name, attributes, content: children };
}

/** The whole document. Throws if it is empty. */
export function xmlDocument(root: Xml | null): string {
  if (root === null) throw new RangeError("An XML document needs an element");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, "")}`;
}

function written({ name, attributes, content }: Xml, indent: string): string {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const open = `${indent}<${name}${named.join("")}`;
  if (content === "") return `${open}/>\n`;
  if (typeof content === "string") return `${open}>${escaped(content)}</${name}>\n`;
  const inner = content.map((child) => written(child, `${indent}  `)).join("");
  return `${open}>\n${inner}${indent}</${name}>\n`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML 1.0 does not allow (section 2.2), even as an entity. */
const unfit = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Escapes text for an element or an attribute; characters invalid in XML become replacement characters. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(unfit, "\ufffd")
    .replace(/[&<>"]/g, (char) => entities[char] ?? char);
}
