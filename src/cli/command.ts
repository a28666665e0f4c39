/** 0 done, 1 it failed, 2 it was called or configured wrongly, 130 a person ended it with Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 130;

export type Command = {
  /**
   * The help page below the summary. Shells complete what it names: the words after `till COMMAND` in its usage lines
   * and every `--flag`.
   */
  help: string;
  run(args: string[]): Promise<ExitCode>;
};

/** The command was called wrongly. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** A person ended the command with Ctrl-C. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}
