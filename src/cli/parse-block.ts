import { UsageError } from "./command.ts";

/** The number of a block that a person gave with `option`. Throws a UsageError for anything else. */
export function parseBlock(option: string, text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new UsageError(
    `${option} is ${JSON.stringify(text)}; it must be the number of a block, such as 23000000.`,
  );
}
