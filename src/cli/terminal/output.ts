import { writeSync } from "node:fs";
import { styleText } from "node:util";
import { messageOf } from "../../lib/error.ts";
import { wrap } from "../../lib/text/english.ts";
import { printable, printableLines } from "../../lib/text/text.ts";

/**
 * All output of commands. Any value may come from somebody else, so all are made printable here; colours are added
 * afterwards, only on a terminal and without NO_COLOR.
 */

/** Width of a terminal that does not report it. */
const columnsDefault = 80;

/** Retry interval for output that is blocked, as by a paused terminal. */
const blockedMs = 10;

/**
 * Prints a line, and returns once it is written: `console.log` silently drops what it cannot write, for instance to a
 * full disk, and the line may be a secret that is shown once. Ignores readers that have left, like `head`. Throws an
 * OutputLost.
 */
export function print(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(process.stdout.fd, bytes, written);
    } catch (thrown) {
      const code = thrown instanceof Error && "code" in thrown ? thrown.code : null;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw new OutputLost(thrown);
      Bun.sleepSync(blockedMs);
    }
  }
}

/** Prints a sentence, or several lines of text. */
export function say(text: string): void {
  for (const line of fitted(printableLines(text), widthOf(process.stdout))) print(line);
}

/** Prints to standard error, for people: standard output may be piped. */
export function sayAside(text: string): void {
  const lines = fitted(printableLines(text), widthOf(process.stderr));
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** Returns the width for people; unlimited for programs. */
export function widthOf(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY ? stream.columns || columnsDefault : Number.POSITIVE_INFINITY;
}

/**
 * Returns a text's lines, wrapped between words to fit the width, so that the terminal breaks no hash or address.
 * Wrapped text keeps its column: behind the indentation, and behind a label followed by two spaces.
 */
export function fitted(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    const [column = ""] = /^ *(?:- |[^ ]+(?: [^ ]+){0,2} {2,})?/.exec(line) ?? [];
    return wrap(line, width, column.length);
  });
}

/** Prints one line of JSON, in which no character affects a terminal. */
export function sayJson(value: unknown): void {
  print(printable(JSON.stringify(value)));
}

/** Prints a response, as JSON for programs, else as text, or as `text` prints it. Returns the exit code. */
export function answer(json: boolean, record: unknown, text: string | (() => void), ok = true): 0 | 1 {
  if (json) sayJson(record);
  else if (typeof text === "string") say(text);
  else text();
  return ok ? 0 : 1;
}

/** True if people see colours: standard output is a terminal with colours, and NO_COLOR is not set. */
export function hasColors(): boolean {
  return styleText("bold", "") !== "";
}

/** The output was lost, although the command did its work. */
export class OutputLost extends Error {
  override readonly name = "OutputLost";
  constructor(cause: unknown) {
    super(`the answer cannot be written to standard output: ${messageOf(cause)}`);
  }
}

/** Nobody wonders before this. */
const silentMs = 4_000;

/** Waits for work, and after a while says on a terminal what it is waiting for. */
export async function patiently<T>(sentence: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return await work;
  const timer = setTimeout(() => process.stderr.write(`${sentence}\n`), silentMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
