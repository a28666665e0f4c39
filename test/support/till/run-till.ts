import { environment, program } from "./process.ts";

export type Ran = { exitCode: number; stdout: string; stderr: string };

export type RunOptions = {
  env?: Record<string, string | undefined>;
  stdin?: string;
  cwd?: string;
  /** Where standard output goes instead of to the test. */
  stdoutFile?: string;
};

const runTimeoutMs = 60_000;

/** Runs a command of Till as a process of its own, in the `environment`, to its end. */
export async function runTill(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = Bun.spawn([...program, ...args], {
    env: { ...environment, ...options.env },
    ...(options.cwd ? { cwd: options.cwd } : {}),
    stdin: options.stdin === undefined ? "ignore" : Buffer.from(options.stdin),
    stdout: options.stdoutFile === undefined ? "pipe" : Bun.file(options.stdoutFile),
    stderr: "pipe",
    timeout: runTimeoutMs,
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout instanceof ReadableStream ? new Response(child.stdout).text() : "",
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}
