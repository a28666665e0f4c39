import type { TestTill } from "../till/till.ts";
import type { Visitor } from "./desk.ts";

/** A browser without scripts and without a window, which takes a fiftieth of what a real one takes for a page. */
export type Walk = {
  /** The page that is open: its path with what is asked of it, and what the server sent. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  open(path: string): Promise<void>;
  /** What an element says in one line, `main` unless told; empty where there is none. */
  text(selector?: string): string;
  /** The same of each that fits. */
  texts(selector: string): string[];
  /** What a field holds, by its id or its name; of choices the one that is made. Null where there is none. */
  value(field: string): string | null;
  /** Types into fields by their ids or names, chooses, or ticks: an empty text takes a tick away. */
  fill(fields: Readonly<Record<string, string>>): void;
  /** Follows the first link or presses the first button that is called so; in a form whose action ends so, if told. */
  press(name: string | RegExp, action?: string): Promise<void>;
  /** Presses the button of this `name` and `value`. */
  choose(name: string, value: string): Promise<void>;
  /** What is shown in a frame of the page. */
  frame(id: string): Promise<Walk>;
  /** Another tab that shows the same, with what is filled in: whoever goes back and sends a form once more. */
  copy(): Walk;
};

/** An element that can be filled in or pressed, or a form. `isOn`: a form that is sent has its value. */
type Part = {
  tag: string;
  attributes: Readonly<Record<string, string>>;
  form: Part | null;
  text: string;
  value: string;
  isOn: boolean;
};

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0" };
const decode = (text: string) =>
  text.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name = "") =>
    code === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Number(code)),
  );
const inOneLine = (text: string) => decode(text).replaceAll(/\s+/g, " ").trim();

function textsOf(html: string, selector: string): string[] {
  const texts: string[] = [];
  new HTMLRewriter()
    .on(selector, {
      element: () => void texts.push(""),
      text: ({ text }) => void texts.push((texts.pop() ?? "") + text),
    })
    .transform(html);
  return texts.map(inOneLine);
}

const isTick = ({ attributes }: Part) => /^(checkbox|radio)$/.test(attributes["type"] ?? "");
const isField = ({ tag }: Part) => tag === "input" || tag === "select" || tag === "textarea";
const nameOf = ({ attributes, text }: Part) => attributes["aria-label"] ?? inOneLine(text);

function partsOf(html: string): Part[] {
  const parts: Part[] = [];
  const open: Part[] = [];
  const formOf = (id: string | undefined) =>
    (id === undefined ? open : parts).findLast(({ tag, attributes }) =>
      id === undefined ? tag === "form" : attributes["id"] === id,
    ) ?? null;
  new HTMLRewriter()
    .on("form, input, select, option, textarea, button, a, iframe", {
      element(element) {
        const pairs = [...element.attributes].map(([name = "", value = ""]) => [name, decode(value)]);
        const attributes: Record<string, string> = Object.fromEntries(pairs);
        const part = {
          tag: element.tagName,
          attributes,
          form: formOf(attributes["form"]),
          text: "",
          value: attributes["value"] ?? "",
          isOn: true,
        };
        if (isTick(part)) part.isOn = "checked" in attributes;
        const select = open.at(-1);
        if (part.tag === "option" && select && (select.text === "" || "selected" in attributes)) {
          select.text = "chosen";
          select.value = part.value;
        }
        parts.push(part);
        if (part.tag === "input") return;
        open.push(part);
        element.onEndTag(() => void open.splice(open.indexOf(part)));
      },
      text({ text }) {
        const part = open.at(-1);
        if (part === undefined || part.tag === "form") return;
        part.text += text;
        if (part.tag === "textarea") part.value = decode(part.text).replace(/^\n/, "");
      },
    })
    .transform(html);
  return parts;
}

/** What the browser sends of a form, once `button` is pressed. */
function entriesOf(parts: readonly Part[], button: Part): URLSearchParams {
  const entries = new URLSearchParams();
  for (const part of parts) {
    const { name, disabled } = part.attributes;
    const isSent = part === button || (isField(part) && part.form === button.form && part.isOn);
    if (isSent && name !== undefined && disabled === undefined) entries.append(name, part.value);
  }
  return entries;
}

type Tab = { path: string; answer: Response; html: string; parts: Part[] };
const blank = (): Tab => ({ path: "", answer: new Response(), html: "", parts: [] });

/** Somebody at the desk: who is signed in, or anybody in development; in English unless told. */
export function walk(
  till: TestTill,
  { who = null, language = "en" }: { who?: Visitor | null; language?: string } = {},
  tab: Tab = blank(),
): Walk {
  let { path, answer, html, parts } = tab;

  async function go(to: string, body?: URLSearchParams): Promise<void> {
    const url = new URL(to, new URL(path, till.localUrl));
    const headers = {
      "accept-language": language,
      origin: till.baseUrl,
      "sec-fetch-site": "same-origin",
      ...(who?.cookie ? { cookie: `till=${who.cookie}` } : {}),
    };
    answer = await fetch(new URL(url.pathname + url.search, till.localUrl), {
      headers,
      redirect: "manual",
      ...(body ? { method: "POST", body } : {}),
    });
    path = url.pathname + url.search;
    const next = answer.headers.get("location");
    if (next !== null) return go(next);
    // What stands there for who runs no script is a part of the page.
    html = (await answer.text()).replaceAll(/<\/?noscript>/g, "");
    parts = partsOf(html);
  }

  async function use(pressed: Part | undefined, name: string | RegExp): Promise<void> {
    if (pressed === undefined) {
      const there = parts.filter(({ tag }) => tag === "a" || tag === "button").map(nameOf);
      throw new Error(`${path} has no ${name}: ${there.join(" | ")}`);
    }
    const { attributes, form } = pressed;
    if ("disabled" in attributes) throw new Error(`${name} cannot be pressed at ${path}`);
    if (pressed.tag === "a") return go(attributes["href"] ?? "");
    const action = attributes["formaction"] ?? form?.attributes["action"] ?? path;
    const entries = entriesOf(parts, pressed);
    const method = attributes["formmethod"] ?? form?.attributes["method"];
    if (method === "post") return go(action, entries);
    return go(`${action.split("?")[0]}?${entries}`);
  }

  const fieldsOf = (key: string) => {
    const byId = parts.filter((part) => isField(part) && part.attributes["id"] === key);
    return byId.length > 0 ? byId : parts.filter((part) => isField(part) && part.attributes["name"] === key);
  };

  return {
    get path() {
      return path;
    },
    get status() {
      return answer.status;
    },
    get headers() {
      return answer.headers;
    },
    get html() {
      return html;
    },
    open: (to) => go(to),
    text: (selector = "main") => textsOf(html, selector)[0] ?? "",
    texts: (selector) => textsOf(html, selector),
    value(key) {
      const fields = fieldsOf(key);
      const field = fields.find(({ isOn }) => isOn);
      return field?.value ?? (fields.length > 0 ? "" : null);
    },
    fill(typed) {
      for (const [key, value] of Object.entries(typed)) {
        const [first, ...more] = fieldsOf(key);
        if (first === undefined) throw new Error(`${path} has no field ${key}`);
        if (first.attributes["type"] === "radio")
          for (const each of [first, ...more]) each.isOn = each.value === value;
        else if (isTick(first)) first.isOn = value !== "";
        else first.value = value;
      }
    },
    press: (name, action) =>
      use(
        parts.find(
          (part) =>
            (part.tag === "a" || part.tag === "button") &&
            (typeof name === "string" ? nameOf(part) === name : name.test(nameOf(part))) &&
            (action === undefined || part.form?.attributes["action"]?.endsWith(action) === true),
        ),
        name,
      ),
    choose: (name, value) =>
      use(
        parts.find(
          ({ tag, attributes }) =>
            tag === "button" && attributes["name"] === name && attributes["value"] === value,
        ),
        `${name}=${value}`,
      ),
    async frame(id) {
      const frame = parts.find(({ tag, attributes }) => tag === "iframe" && attributes["id"] === id);
      const inside = walk(till, { who, language });
      await inside.open(frame?.attributes["src"] ?? "");
      return inside;
    },
    copy() {
      const copies = new Map(parts.map((part) => [part, { ...part }]));
      const copied = [...copies.values()];
      for (const part of copied) part.form = part.form && (copies.get(part.form) ?? null);
      return walk(till, { who, language }, { path, answer, html, parts: copied });
    },
  };
}
