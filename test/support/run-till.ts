import { fromSource } from "./process.ts";

export type Ran = { exitCode: number; stdout: string; stderr: string };

/** Runs one command to its end, without a terminal and with nothing of this environment but PATH. */
export async function runTill(
  args: readonly string[],
  { env = {}, stdin = "" }: { env?: Record<string, string>; stdin?: string } = {},
): Promise<Ran> {
  const child = Bun.spawn([...fromSource, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 30_000,
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}
