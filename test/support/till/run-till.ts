import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../../src/cli/run.ts";
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

/** Ends when the last command that was called has ended. */
let lastCall: Promise<unknown> = Promise.resolve();

/**
 * The same in this process, where most commands take a tenth of what it takes to start one. For commands that read no
 * standard input and stop no Till: one after the other, as each has the environment and the output of the process.
 */
export function callTill(args: readonly string[], { env = {} }: Pick<RunOptions, "env"> = {}): Promise<Ran> {
  const call = lastCall.then(() => callNow(args, { ...environment, TMPDIR: tmpdir(), ...env }));
  lastCall = call.catch(() => {});
  return call;
}

async function callNow(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  const own = { env: process.env, umask: process.umask(), log: console.log, error: console.error };
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  process.env = env;
  console.log = (line) => stdout.write(`${line}\n`);
  console.error = (line) => stderr.write(`${line}\n`);
  const late = Promise.withResolvers<never>();
  const fail = () => late.reject(new Error(`till ${args.join(" ")} has not ended after ${runTimeoutMs} ms`));
  const timer = setTimeout(fail, runTimeoutMs);
  try {
    const exitCode = await Promise.race([run([...args]), late.promise]);
    return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    clearTimeout(timer);
    process.env = own.env;
    process.umask(own.umask);
    console.log = own.log;
    console.error = own.error;
    stdout.end();
    stderr.end();
  }
}

/** From now on what is written to a stream goes to a file, and it is no terminal. */
function capture(stream: NodeJS.WriteStream) {
  const file = join(tmpdir(), `till-test-output-${crypto.randomUUID()}`);
  const fd = openSync(file, "ax+");
  const write = (data: string | Uint8Array) => {
    writeSync(fd, Buffer.from(data as string));
    return true;
  };
  const own = Object.getOwnPropertyDescriptors(stream);
  const listeners = stream.listeners("error");
  const changes = { fd, write, isTTY: undefined };
  for (const [name, value] of Object.entries(changes))
    Object.defineProperty(stream, name, { value, configurable: true, writable: true });
  return {
    write,
    text: () => new TextDecoder().decode(readFileSync(file)),
    end() {
      for (const listener of stream.listeners("error") as (() => void)[])
        if (!listeners.includes(listener)) stream.off("error", listener);
      for (const name of Object.keys(changes)) {
        delete (stream as unknown as Record<string, unknown>)[name];
        const before = own[name as keyof typeof own];
        if (before) Object.defineProperty(stream, name, before);
      }
      closeSync(fd);
      rmSync(file);
    },
  };
}
