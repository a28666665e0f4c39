import { printable } from "./text/text.ts";
import { world } from "./world.ts";

export const levels = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof levels)[number];
export type LogFormat = "text" | "json";

type Value = string | number | boolean | bigint | null | undefined;
export type Fields<Field extends string = string> = { readonly [Name in Field]?: Value };

/**
 * Writes entries. An `event` is a short name that never changes, for alarms and searches; the message is a sentence for
 * people, the same in each entry; variable data is in the fields. `Event` defines the names of each level.
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
  /** Removes secrets from messages and values. */
  redact?: Redact;
  now?: () => Date;
};

/** Line breaks and escape sequences in a value must not forge a line or reach the operator's terminal. */
function textField([name, value]: [string, Value]): string {
  const text = printable(String(value));
  return `${name}=${/[\s="]/.test(text) || text === "" ? JSON.stringify(text) : text}`;
}

/** Creates a log with one line per entry: for people (`text`) or machines (`json`). */
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

/** Removes secrets, and anything beyond `textCharsMax`, from text for people and logs. */
export type Redact = (text: string) => string;

/** Shorter ones would remove ordinary words from sentences, and protect nothing. */
const secretCharsMin = 6;

/** Nobody reads more of one message, and messages of nodes and servers can be of any length. */
const textCharsMax = 16_384;

/** This much more is searched, so that nothing remains of a secret across the end. */
const acrossCharsMin = 1_024;

/** Maximum growth of an octet that is percent-encoded, perhaps twice on its way here. */
const encodedFactorMax = 9;

/** `http://user:password@host`: everything before the @ is hidden. */
const userInfo = /(:\/\/)[^\s/?#@"']+(@)/g;

/**
 * Replaces these secrets, matches of these patterns, and user names in URLs. Finds a secret in upper and lower case,
 * and with any of its characters percent-encoded (RFC 3986 section 2.1). Takes linear time.
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
      // Overlapping secrets are merged.
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
 * Possible secrets in a service's URL: providers put keys into the path, the query or the user name. Path segments
 * count, unless they are as short as a version. The whole text if it is not a URL.
 */
export function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [text];
  const { username, password, pathname, searchParams, search } = new URL(text);
  const written = [username, password, ...pathname.split("/"), ...search.slice(1).split(/[&=]/)];
  return [...written, ...written.map(decoded), ...searchParams.values()].filter((part) => part !== "");
}

/** Decodes percent-encoding; returns malformed text unchanged. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
