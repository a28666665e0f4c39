import * as Clack from "@clack/prompts";
import { printable, printableLines } from "../../lib/text/text.ts";
import { Cancelled } from "../command.ts";
import { fitted, widthOf } from "./output.ts";

/** Questions on a terminal. Each throws a Cancelled on Ctrl-C, Ctrl-D, or a signal that ends the process. */

export type Prompts = {
  text(question: TextQuestion): Promise<string>;
  /** `initial` is the choice that Enter takes. */
  select<T extends string>(message: string, options: PromptChoice<T>[], initial?: T): Promise<T>;
  /** Waits for work that no question can stop; a signal ends the waiting, not the work. */
  wait<T>(work: Promise<T>): Promise<T>;
  note(text: string, title: string): void;
  info(text: string): void;
  warn(text: string): void;
  /** Gives the terminal and its signals back. */
  close(): void;
};

type TextQuestion = {
  message: string;
  /** What is in the line to begin with. */
  initial?: string | undefined;
  /** What Enter takes when the line is empty. */
  fallback?: string | undefined;
  /** Shown in an empty line. */
  hint?: string | undefined;
  /** Why an answer cannot be taken; null when it can. */
  fault(answer: string): string | null;
};

type PromptChoice<T extends string> = { value: T; label: string };

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** What the frame of a note takes of the terminal's columns. */
const noteFrame = 8;

const endOfInput = "\u0004";

/** Takes the terminal for a row of questions. */
export function openPrompts(): Prompts {
  // Escape is too near to other keys to throw everything away.
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
    text({ message, initial = "", fallback = "", hint = fallback, fault }) {
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
    select<T extends string>(message: string, choices: PromptChoice<T>[], initial?: T) {
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
    wait(work) {
      const { promise, reject } = Promise.withResolvers<never>();
      ended.signal.addEventListener("abort", () => reject(new Cancelled()), { once: true });
      return Promise.race([work, promise]);
    },
    note: (text, title) =>
      Clack.note(fitted(printableLines(text), widthOf(process.stdout) - noteFrame).join("\n"), title),
    info: (text) => Clack.log.info(printableLines(text)),
    warn: (text) => Clack.log.warn(printableLines(text)),
    close() {
      for (const signal of endingSignals) process.off(signal, end);
      process.stdin.off("keypress", onKey);
    },
  };
}
