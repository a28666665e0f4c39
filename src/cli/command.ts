import * as Address from "../domain/wallet/address.ts";
import { sayWhy } from "../language/faults.ts";

/** 0: done; 1: failed; 2: will fail each time until somebody fixes the cause; 130: ended with Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 130;

/** One flag, named by its key in the table. */
export type Flag = {
  /** The name of its value in the help; in brackets if optional. Without it the flag is on or off. */
  value?: string;
  text: string;
  /** May be given several times. */
  many?: true;
  /** An alternative name, accepted but not shown in the help. */
  also?: string;
};

export type Flags = Readonly<Record<string, Flag>>;

type Value<F extends Flag> = F extends { value: string }
  ? F extends { many: true }
    ? readonly string[] | undefined
    : string | undefined
  : boolean;

/** Each flag's value; an empty string for a bracketed value that was left out. */
export type FlagValues<F extends Flags> = { readonly [N in keyof F]: Value<F[N]> };

/** One table per command: its help, its parsing and shell completion all come from here. */
export type Command<F extends Flags = Flags> = {
  /** The arguments after the command's name, one line per form. */
  calls: readonly string[];
  /** The words in those lines; lower-case ones are typed literally. Without this list the command takes no words. */
  words?: readonly (readonly [word: string, text: string])[];
  flags: F;
  /** Paragraphs, separated by an empty line. */
  about?: string;
  examples?: readonly string[];
  run(values: FlagValues<F>, words: readonly string[]): Promise<ExitCode>;
};

/** Commands that share a name, such as `till wallet show`. */
export type CommandGroup = {
  actions: Readonly<Record<string, { summary: string; command: Command }>>;
  about?: string;
  examples: readonly string[];
};

/** Commands by name, loaded on demand. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;
export type CommandEntry = { summary: string; load: () => Promise<Command | CommandGroup> };

/** Returns the command itself, or the commands that share its name. */
export function partsOf(loaded: Command | CommandGroup): readonly Command[] {
  return "actions" in loaded ? Object.values(loaded.actions).map((action) => action.command) : [loaded];
}

/** Types the flags for `run`. */
export function command<const F extends Flags>(definition: Command<F>): Command {
  return definition;
}

/** The flag of every command whose output programs may read. */
export const json = { text: "answer as JSON, for programs" } as const;

/** Returns a command's only word. Throws a UsageError with this sentence if there is none, or more than one. */
export function onlyWord([word, ...more]: readonly string[], sentence: string): string {
  if (word === undefined || more.length > 0) throw new UsageError(sentence);
  return word;
}

/** Parses an address. Throws a UsageError that shows the right form. */
export function parseAddress(text: string, what: string): Address.Address {
  const parsed = Address.parse(text);
  if (parsed.ok) return parsed.address;
  throw new UsageError(`${what} ${sayWhy(parsed.why)}.`);
}

/** Parses a block number for `option`. Throws a UsageError for anything else. */
export function parseBlock(option: string, text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw notA(option, text, "the number of a block, such as 23000000");
}

/** Returns the error for a value that is not `wanted`. */
export const notA = (option: string, text: string, wanted: string) =>
  new UsageError(`${option} is ${JSON.stringify(text)}; it must be ${wanted}.`);

/** The command was called wrongly. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** A person ended the command with Ctrl-C. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

/** A signal ended a server's start, which has cleaned up. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}
