import { join } from "node:path";

const mainFile = join(import.meta.dir, "../../src/main.ts");

/** Till from source, as `bun start` runs it. */
export const fromSource: readonly string[] = [process.execPath, mainFile];

export type TillProcess = {
  readonly pid: number;
  /** All of standard output and standard error so far. */
  output(): string;
  /** The first line of standard output that fits; fails when the process ends before. */
  line(fits: (line: string) => boolean): Promise<string>;
  /** Sends a signal and waits for the exit code. */
  end(signal?: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number>;
  readonly exited: Promise<number>;
};

const lineTimeoutMs = 30_000;

const running = new Set<Bun.Subprocess>();

/** Ends what a failed test left running; for `afterAll`. */
export async function endProcesses(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      child.kill("SIGKILL");
      return child.exited;
    }),
  );
}

/** Starts Till as a process of its own, with nothing of this environment but PATH. */
export function startProcess(
  command: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): TillProcess {
  const child = Bun.spawn([...command], {
    cwd: options.cwd ?? process.cwd(),
    env: { PATH: process.env["PATH"] ?? "", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  void child.exited.then(() => running.delete(child));
  let stdout = "";
  let stderr = "";
  const read = async (stream: ReadableStream<Uint8Array>, take: (text: string) => void) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }));
  };
  const drained = Promise.all([
    read(child.stdout, (text) => {
      stdout += text;
    }),
    read(child.stderr, (text) => {
      stderr += text;
    }),
  ]);
  const output = () => `${stdout}${stderr}`;
  return {
    pid: child.pid,
    output,
    async line(fits) {
      const deadline = performance.now() + lineTimeoutMs;
      for (;;) {
        const found = stdout.split("\n").slice(0, -1).find(fits);
        if (found !== undefined) return found;
        if (child.exitCode !== null) {
          await drained;
          throw new Error(`The process ended with ${child.exitCode}:\n${output()}`);
        }
        if (performance.now() > deadline)
          throw new Error(`No such line within ${lineTimeoutMs} ms:\n${output()}`);
        await Bun.sleep(5);
      }
    },
    async end(signal = "SIGTERM") {
      child.kill(signal);
      return await child.exited;
    },
    exited: child.exited,
  };
}

export type DevReady = { base_url: string; rpc_url: string; usdc_address: string; data_dir: string };

/** Starts `till dev --json` and waits until it is ready. */
export async function startDev(
  command: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<TillProcess & { ready: DevReady }> {
  const env = { TILL_PORT: "0", ...options.env };
  const till = startProcess([...command, "dev", "--json"], { cwd: options.cwd, env });
  try {
    const ready = JSON.parse(await till.line((line) => line.includes('"event":"ready"'))) as DevReady;
    return { ...till, ready };
  } catch (thrown) {
    await till.end("SIGKILL");
    throw thrown;
  }
}
