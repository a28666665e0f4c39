import { join } from "node:path";
import { closeDatabase, type Db, openDatabase } from "../../../src/store/database.ts";
import { ownPort } from "../http/port.ts";
import { install, makeDataDir, passphrase } from "./data-dir.ts";
import type { Answer } from "./till.ts";

const mainFile = join(import.meta.dir, "../../../src/main.ts");

/** Till as a program: the executable that `TEST_TILL` names, as users have it; else from source, as `bun start` does. */
export const program: readonly string[] = process.env["TEST_TILL"]
  ? [process.env["TEST_TILL"]]
  : [process.execPath, mainFile];

/** What a program of Till has of this environment: PATH, and how long its code waits before it is compiled well. */
export const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name === "PATH" || name.startsWith("BUN_JSC_")),
) as Record<string, string>;

export type TillProcess = {
  readonly pid: number;
  /** All of standard output and standard error so far. */
  output(): string;
  /** Standard output alone, as a script reads it. */
  stdout(): string;
  /** The first line of standard output that fits; fails when the process ends before. */
  line(fits: (line: string) => boolean): Promise<string>;
  /** Sends a signal and waits for the exit code. */
  end(signal?: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number>;
  readonly exited: Promise<number>;
};

const lineTimeoutMs = 90_000;

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

/** Starts Till as a process of its own, in the `environment`. */
export function startProcess(
  command: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): TillProcess {
  const child = Bun.spawn([...command], {
    cwd: options.cwd ?? process.cwd(),
    env: { ...environment, ...options.env },
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
  // A busy machine may report the end before the last of the output.
  const exited = drained.then(() => child.exited);
  return {
    pid: child.pid,
    output,
    stdout: () => stdout,
    async line(fits) {
      const deadline = performance.now() + lineTimeoutMs;
      for (;;) {
        const hasEnded = child.exitCode !== null || child.signalCode !== null;
        if (hasEnded) await exited;
        const found = stdout.split("\n").slice(0, -1).find(fits);
        if (found !== undefined) return found;
        if (hasEnded)
          throw new Error(`The process ended with ${child.exitCode ?? child.signalCode}:\n${output()}`);
        if (performance.now() > deadline)
          throw new Error(`No such line within ${lineTimeoutMs} ms:\n${output()}`);
        await Bun.sleep(5);
      }
    },
    async end(signal = "SIGTERM") {
      child.kill(signal);
      return await exited;
    },
    exited,
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

export type ServedTill = {
  readonly dataDir: string;
  readonly pid: number;
  output(): string;
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The answer to a GET as it came. */
  text(path: string): Promise<string>;
  /** Looks into the database, as another program. */
  books<T>(work: (db: Db) => T): T;
  /** Every record of a list of the API. */
  all(path: string): Promise<Answer["body"][]>;
  /** Ends the process and keeps its data. */
  pause(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Starts it again on the same data and port, with other settings if told; resolves when it is ready. */
  resume(changes?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** `till serve` as a process of its own, which can be killed and started again. */
export async function startServedTill(
  chain: { rpcUrl: string; wsUrl: string },
  changes: Record<string, string> = {},
): Promise<ServedTill> {
  const dir = makeDataDir();
  const dataDir = join(dir.path, "data");
  const port = String(ownPort());
  const env = {
    TILL_CHAIN: "anvil",
    TILL_TAX_RATES: "off",
    TILL_RPC_URL: chain.rpcUrl,
    TILL_RPC_WS_URL: chain.wsUrl,
    TILL_DATA_DIR: dataDir,
    TILL_WALLET_PASSPHRASE: passphrase,
    ...changes,
    TILL_PORT: port,
  };
  await install(dataDir);
  let output = "";
  async function start(others: Record<string, string> = {}): Promise<TillProcess> {
    const till = startProcess([...program, "serve"], { env: { ...env, ...others } });
    await till.line((line) => line.includes("[ready]"));
    return till;
  }
  let till: TillProcess | null = await start();
  const api: ServedTill["api"] = async (method, path, body, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  async function pause(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const ending = till;
    till = null;
    const code = await ending?.end(signal);
    output += ending?.output() ?? "";
    if (signal === "SIGTERM" && ending && code !== 0)
      throw new Error(`till serve ended with ${code}:\n${output}`);
  }
  async function stop(): Promise<void> {
    if (till) await pause("SIGKILL");
    dir.remove();
  }
  return {
    dataDir,
    get pid() {
      return till?.pid ?? 0;
    },
    output: () => output + (till?.output() ?? ""),
    api,
    books(work) {
      const db = openDatabase(dataDir);
      try {
        return work(db);
      } finally {
        closeDatabase(db);
      }
    },
    async all(path) {
      const records: Answer["body"][] = [];
      for (let after = ""; ; ) {
        const separator = path.includes("?") ? "&" : "?";
        const { body } = await api("GET", `${path}${separator}limit=100${after}`);
        records.push(...body.data);
        if (!body.has_more) return records;
        const last = body.data.at(-1);
        after = `&starting_after=${last.id ?? last.slug}`;
      }
    },
    text: async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
    pause,
    async resume(others) {
      till = await start(others);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
