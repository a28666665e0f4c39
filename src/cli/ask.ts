import { confirm as clackConfirm, isCancel, password } from "@clack/prompts";

/** Questions go to standard error: standard output is for results, which may be piped. */
const output = process.stderr;

/** Whether there is a person to ask. */
export function isTerminal(): boolean {
  return process.stdin.isTTY === true && output.isTTY === true;
}

/** Asks yes or no. Ctrl-C is a no. */
export async function confirm(message: string): Promise<boolean> {
  return (await clackConfirm({ message, initialValue: false, output })) === true;
}

/** Asks for a line that is not shown; `fault` says why one cannot be taken. Null after Ctrl-C. */
export async function askSecret(
  message: string,
  fault: (text: string) => string | undefined,
): Promise<string | null> {
  const answer = await password({ message, validate: (text) => fault(text ?? ""), output });
  return isCancel(answer) ? null : answer;
}
