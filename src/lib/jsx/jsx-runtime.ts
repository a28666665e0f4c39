/// <reference types="@kitajs/html" />
import { Html } from "@elysiajs/html";

/**
 * The result of JSX: an element whose text and attributes are already escaped. A string between tags is a person's text
 * and is escaped; only `Markup` is not. `String(markup)` is the HTML.
 */
export class Markup {
  readonly #html: string;
  constructor(html: string) {
    this.#html = html;
  }
  toString(): string {
    return this.#html;
  }
}

/** The only way around escaping: for constants and carefully built HTML, never for a person's text. */
export const rawHtml = (html: string) => new Markup(html);

export type Child = Markup | string | number | bigint | boolean | null | undefined | readonly Child[];

type Attributes = Readonly<Record<string, unknown>> & { children?: Child };

const voidElements = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

/** A lone surrogate would make the whole page unreadable to some programs. */
const escaped = (text: string) => Html.escapeHtml(text.toWellFormed());

/** Content between tags, as HTML. */
export function htmlOf(child: Child): string {
  if (typeof child === "string") return escaped(child);
  if (child instanceof Markup || typeof child === "number" || typeof child === "bigint") return String(child);
  return Array.isArray(child) ? child.map(htmlOf).join("") : "";
}

function attribute([name, value]: [string, unknown]): string {
  if (name === "children" || value === undefined || value === null || value === false) return "";
  // Attribute values are in double quotes; mail programs that parse styles in their own way do not know `&#x27;`.
  return value === true ? ` ${name}` : ` ${name}="${escaped(String(value)).replaceAll("&#x27;", "'")}"`;
}

type Component = (props: Attributes) => Child;

/** Called by the compiler for each element. */
export function jsx(tag: string | Component, attributes: Attributes): Markup {
  if (typeof tag === "function") {
    const made = tag(attributes);
    return made instanceof Markup ? made : new Markup(htmlOf(made));
  }
  const opening = `<${tag}${Object.entries(attributes).map(attribute).join("")}`;
  return new Markup(
    voidElements.has(tag) ? `${opening}/>` : `${opening}>${htmlOf(attributes.children)}</${tag}>`,
  );
}

/** Like `jsx`, for several children. */
export const jsxs = (tag: string | Component, attributes: Attributes): Markup => jsx(tag, attributes);

export const Fragment = ({ children }: Attributes) => new Markup(htmlOf(children));

type Tags = globalThis.JSX.IntrinsicElements;

export declare namespace JSX {
  type Element = Markup;
  type ElementType = keyof Tags | ((props: never) => Child);
  type ElementChildrenAttribute = { children: unknown };
  type IntrinsicElements = {
    [Tag in keyof Tags]: Omit<Tags[Tag], "children" | "safe" | "attrs" | "class" | "style"> & {
      children?: Child;
      class?: string | undefined;
      style?: string | undefined;
    };
  };
}
