import * as Clack from "@clack/prompts";
import { printable, printableLines } from "../../lib/text/text.ts";
import { Cancelled, UsageError } from "../command.ts";
import { fitted, sayAside, widthOf } from "./output.ts";

/** Questions on a terminal. Each throws a Cancelled on Ctrl-C, Ctrl-D, or a signal that ends the process. */

export type Prompts = ReturnType<typeof openPrompts>;

type TextQuestion = {
  message: string;
  /** The line's initial text. */
  initial?: string | undefined;
  /** The value of an empty line. */
  fallback?: string | undefined;
  /** Shown while the line is empty. */
  hint?: string | undefined;
  /** Returns why an answer is rejected; null if it is fine. */
  fault(answer: string): string | null;
};

type PromptChoice<T extends string> = { value: T; label: string };

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Columns taken by a note's frame. */
const noteFrame = 8;

const endOfInput = "\u0004";

/** Takes over the terminal for a series of questions. */
export function openPrompts() {
  // Escape is too close to other keys to discard everything.
  Clack.settings.aliases.delete("escape");
  const ended = new AbortController();
  const end = () => ended.abort();
  const onKey = (_: unknown, key: { sequence?: string } | undefined) => {
    if (key?.sequence === endOfInput) end();
  };
  for (const signal of endingSignals) process.on(signal, end);
  process.stdin.on("keypress", onKey);

  async function answer<T>(prompt: Promise<T | symbol>): Promise<T> {
    const value = await prompt;
    if (Clack.isCancel(value) || ended.signal.aborted) throw new Cancelled();
    return value as T;
  }

  return {
    text({ message, initial = "", fallback = "", hint = fallback, fault }: TextQuestion): Promise<string> {
      return answer<string>(
        Clack.text({
          message: printable(message),
          initialValue: initial,
          defaultValue: fallback,
          placeholder: printable(hint),
          signal: ended.signal,
          validate: (typed) => fault(typed || fallback) ?? undefined,
        }),
      );
    },
    /** Enter chooses `initial`. */
    select<T extends string>(message: string, choices: PromptChoice<T>[], initial?: T): Promise<T> {
      const options = choices.map(({ value, label }) => ({ value, label: printable(label) }));
      return answer<string>(
        Clack.select<string>({
          message: printable(message),
          options,
          showInstructions: false,
          signal: ended.signal,
          ...(initial === undefined ? {} : { initialValue: initial }),
        }),
      ) as Promise<T>;
    },
    /** Waits for work that cannot be interrupted; a signal ends only the waiting. */
    wait<T>(work: Promise<T>): Promise<T> {
      const { promise, reject } = Promise.withResolvers<never>();
      ended.signal.addEventListener("abort", () => reject(new Cancelled()), { once: true });
      return Promise.race([work, promise]);
    },
    note: (text: string, title: string) =>
      Clack.note(fitted(printableLines(text), widthOf(process.stdout) - noteFrame).join("\n"), title),
    info: (text: string) => Clack.log.info(printableLines(text)),
    warn: (text: string) => Clack.log.warn(printableLines(text)),
    /** Releases the terminal and its signals. */
    close() {
      for (const signal of endingSignals) process.off(signal, end);
      process.stdin.off("keypress", onKey);
    },
  };
}

/** Single questions go to standard error: standard output is for results and may be piped. */
const output = process.stderr;

/** True if there is a person to ask. */
export function isTerminal(): boolean {
  return process.stdin.isTTY === true && output.isTTY === true;
}

/** Throws a UsageError if the command would ask but nobody is there; `act` names what --yes allows. */
export function refuseUnasked(yes: boolean, act: string): void {
  if (!yes && !isTerminal())
    throw new UsageError(`there is no terminal to ask on; use --yes to ${act} without asking.`);
}

/** Asks yes or no. Throws a Cancelled on Ctrl-C. */
export async function confirm(message: string): Promise<boolean> {
  const answer = await Clack.confirm({ message, initialValue: false, output });
  if (Clack.isCancel(answer)) throw new Cancelled();
  return answer;
}

/** Asks, unless `yes`; after a no, says that nothing was done. Throws a Cancelled on Ctrl-C. */
export async function agreed(yes: boolean, message: string, nothingDone: string): Promise<boolean> {
  const isAgreed = yes || (await confirm(message));
  if (!isAgreed) sayAside(nothingDone);
  return isAgreed;
}

/** Asks for a line without echo; `fault` returns why an answer is rejected. Throws a Cancelled on Ctrl-C. */
export async function askSecret(
  message: string,
  fault: (text: string) => string | undefined,
): Promise<string> {
  const answer = await Clack.password({ message, validate: (text) => fault(text ?? ""), output });
  if (Clack.isCancel(answer)) throw new Cancelled();
  return answer;
}
