/** 0 done, 1 it failed, 2 it was called or configured wrongly. */
export type ExitCode = 0 | 1 | 2;

export type Command = {
  /** The help page below the summary. */
  help: string;
  run(args: string[]): Promise<ExitCode>;
};

/** The command was called wrongly. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
