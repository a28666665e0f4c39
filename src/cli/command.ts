/** 0 done, 1 it failed, 2 it was called or configured wrongly, 130 a person ended it with Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 130;

/** One flag: what it is called comes from its place in the table. */
export type Flag = {
  /** What its value is called in the help, in brackets when it can be left out. Without one the flag is on or off. */
  value?: string;
  text: string;
  /** It can be given several times. */
  many?: true;
  /** Another name that is taken for it, and that the help does not show. */
  also?: string;
};

export type Flags = Readonly<Record<string, Flag>>;

type Value<F extends Flag> = F extends { value: string }
  ? F extends { many: true }
    ? readonly string[] | undefined
    : string | undefined
  : boolean;

/** What was given for each flag; the empty string for a value in brackets that was left out. */
export type FlagValues<F extends Flags> = { readonly [N in keyof F]: Value<F[N]> };

/** One table for a command: its help, what it takes and what shells complete all come from here. */
export type Command<F extends Flags = Flags> = {
  /** What follows the command's name, one line for each way to call it. */
  calls: readonly string[];
  /** The words of those lines; one in lower case is to be typed as it is. Without this list no word is taken. */
  words?: readonly (readonly [word: string, text: string])[];
  flags: F;
  /** Paragraphs, parted by an empty line. */
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

/** The command itself, or all that share its name. */
export function partsOf(loaded: Command | CommandGroup): readonly Command[] {
  return "actions" in loaded ? Object.values(loaded.actions).map((action) => action.command) : [loaded];
}

/** Gives `run` the types of the flags beside it. */
export function command<const F extends Flags>(definition: Command<F>): Command {
  return definition;
}

/** The flag of every command whose output a program may want to read. */
export const json = { text: "answer as JSON, for programs" } as const;

/** The command was called wrongly. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** A person ended the command with Ctrl-C. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

/** A signal ended the start of a server, which has cleared up. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}
