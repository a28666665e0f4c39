import { printable } from "./text/text.ts";
import { world } from "./world.ts";

export const levels = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof levels)[number];
export type LogFormat = "text" | "json";

type Value = string | number | boolean | bigint | null | undefined;
export type Fields<Field extends string = string> = { readonly [Name in Field]?: Value };

/**
 * Writes entries. An `event` is a short name that stays the same for ever, for alarms and searches; the message is a
 * sentence for people, the same in each entry; what differs from entry to entry is in the fields. `Event` says which
 * names each level takes.
 */
export type Log<
  Event extends Record<Level, string> = Record<Level, string>,
  Field extends string = string,
> = { [L in Level]: (event: Event[L], message: string, fields?: Fields<Field>) => void };

type LogOptions = {
  format: LogFormat;
  level: Level;
  /** Takes one finished line without its line break. */
  write: (line: string) => void;
  /** Takes secrets out of messages and values. */
  redact?: Redact;
  now?: () => Date;
};

/** Line breaks and escape sequences in a value must not forge a line or reach the operator's terminal. */
function textField([name, value]: [string, Value]): string {
  const text = printable(String(value));
  return `${name}=${/[\s="]/.test(text) || text === "" ? JSON.stringify(text) : text}`;
}

/** A log of one line per entry: for a person (`text`) or for a machine (`json`). */
export function createLog(options: LogOptions): Log {
  const { format, level, write, redact = (text) => text, now = () => new Date(world.now()) } = options;
  const threshold = levels.indexOf(level);
  const emit = (entryLevel: Level) => {
    if (levels.indexOf(entryLevel) < threshold) return () => {};
    return (event: string, text: string, fields: Fields = {}) => {
      const message = redact(text);
      const entries = Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]): [string, Value] => [name, typeof value === "string" ? redact(value) : value]);
      const time = now().toISOString();
      if (format === "json") {
        const plain = entries.map(([name, value]) => [
          name,
          typeof value === "bigint" ? value.toString() : value,
        ]);
        write(JSON.stringify({ time, level: entryLevel, event, message, ...Object.fromEntries(plain) }));
      } else {
        const tail = entries.map(textField).join(" ");
        write(`${time} ${entryLevel.padEnd(5)} [${event}] ${printable(message)}${tail ? ` ${tail}` : ""}`);
      }
    };
  };
  return { debug: emit("debug"), info: emit("info"), warn: emit("warn"), error: emit("error") };
}

/** Takes secrets out of text for people and logs, and what is beyond `textCharsMax` with them. */
export type Redact = (text: string) => string;

/** Shorter ones would take ordinary words out of sentences, and nobody protects anything with them. */
const secretCharsMin = 6;

/** Nobody reads more of one message; what a node or a server says can be of any length. */
const textCharsMax = 16_384;

/** So much more is looked through, so that of a secret which stands across the end nothing is left. */
const acrossCharsMin = 1_024;

/** An octet that is percent-encoded, also once more by whoever passed it on, is this much longer at most. */
const encodedFactorMax = 9;

/** `http://user:password@host`: whatever stands before the @ is nobody's business. */
const userInfo = /(:\/\/)[^\s/?#@"']+(@)/g;

/**
 * Replaces every one of these secrets, what looks like one by these patterns, and user names in URLs. A secret is
 * found in upper and lower case, and with any of its characters percent-encoded (RFC 3986 section 2.1). Takes time in
 * proportion to the text.
 */
export function createRedact(
  secrets: readonly string[],
  patterns: readonly RegExp[] = [],
  charsMin: number = secretCharsMin,
): Redact {
  const long = [...new Set(secrets)].filter((secret) => secret.length >= charsMin);
  const expressions = [...long.map(anySpelling), ...patterns, userInfo];
  const longest = Math.max(0, ...long.map((secret) => Buffer.byteLength(secret)));
  const acrossChars = Math.max(acrossCharsMin, longest * encodedFactorMax);
  return (text) => {
    const end = Math.min(text.length, textCharsMax);
    const seen = text.slice(0, end + acrossChars);
    const spans = expressions
      .flatMap((expression) => [...seen.matchAll(expression)])
      .map(({ index, 0: all, 1: before = "", 2: after = "" }) => ({
        from: index + before.length,
        to: index + all.length - after.length,
      }))
      .sort((a, b) => a.from - b.from);
    let shown = "";
    let at = 0;
    for (const { from, to } of spans) {
      if (from >= end) break;
      // Two secrets that overlap are one.
      if (from >= at) shown += `${seen.slice(at, from)}***`;
      at = Math.max(at, to);
    }
    return shown + seen.slice(at, Math.max(at, end)) + (text.length > end ? "…" : "");
  };
}

function anySpelling(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const octets = Array.from(Buffer.from(character), (octet) => octet.toString(16).padStart(2, "0"));
    const encoded = octets.map((octet) => `%(?:25){0,2}${octet}`).join("");
    const written = character === " " ? "[ +]" : character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
    return `(?:${written}|${encoded})`;
  });
  return new RegExp(characters.join(""), "giu");
}

/**
 * What may be secret in the URL of a service: providers put their keys into the path, the query or the user name.
 * Path segments count, unless they are as short as a version. All of a text that is no URL.
 */
export function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [text];
  const { username, password, pathname, searchParams, search } = new URL(text);
  const written = [username, password, ...pathname.split("/"), ...search.slice(1).split(/[&=]/)];
  return [...written, ...written.map(decoded), ...searchParams.values()].filter((part) => part !== "");
}

/** What percent-encoding stands for; the text itself where it is malformed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
