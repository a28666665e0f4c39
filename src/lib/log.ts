import type { Redact } from "./redact.ts";
import { printable } from "./text/text.ts";

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
  const { format, level, write, redact = (text) => text, now = () => new Date() } = options;
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
