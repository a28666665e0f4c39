import { confirm as clackConfirm, isCancel, password } from "@clack/prompts";
import { Cancelled, UsageError } from "../command.ts";

/** Questions go to standard error: standard output is for results and may be piped. */
const output = process.stderr;

/** Whether there is a person to ask. */
export function isTerminal(): boolean {
  return process.stdin.isTTY === true && output.isTTY === true;
}

/** Throws a UsageError when the command would ask but nobody is there; `act` is what --yes allows. */
export function refuseUnasked(yes: boolean, act: string): void {
  if (!yes && !isTerminal())
    throw new UsageError(`there is no terminal to ask on; use --yes to ${act} without asking.`);
}

/** Asks yes or no. Throws a Cancelled on Ctrl-C. */
export async function confirm(message: string): Promise<boolean> {
  const answer = await clackConfirm({ message, initialValue: false, output });
  if (isCancel(answer)) throw new Cancelled();
  return answer;
}

/** Asks for a line without echo; `fault` says why an answer is rejected. Throws a Cancelled on Ctrl-C. */
export async function askSecret(
  message: string,
  fault: (text: string) => string | undefined,
): Promise<string> {
  const answer = await password({ message, validate: (text) => fault(text ?? ""), output });
  if (isCancel(answer)) throw new Cancelled();
  return answer;
}
