import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sleep } from "../../lib/loop.ts";
import { freePort } from "../../lib/net/host.ts";
import { world } from "../../lib/world.ts";
import { createRpc, RpcUnreachable } from "../node/rpc.ts";

/** From process start to the first answer; loading the saved state of a long chain takes a while. */
const startTimeoutMs = 30_000;
const startPollMs = 10;
/** From SIGTERM to SIGKILL; the state is saved in between. */
const stopTimeoutMs = 5_000;
/** How often the state is saved while running, in case Anvil itself is killed. */
const stateIntervalSec = 5;
/** Past states kept in memory. Till never asks for one; without a limit Anvil writes them to disk. */
const historyBlocksMax = 256;
/** How often another free port is tried when somebody else takes the one just found. */
const freePortAttemptsMax = 5;
const errorTextCharsMax = 4_000;

const host = "127.0.0.1";
export const anvilChainId = 31337;

export type Anvil = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly pid: number;
  /** Resolves with the exit code once the process is gone, whoever ended it; null if a signal did. */
  readonly exited: Promise<number | null>;
  /** Saves the state, ends the process and waits for it. May be called more than once. */
  stop(): Promise<void>;
};

type AnvilOptions = {
  /** 0 for any free port. */
  port: number;
  /** File to load the chain from, if it exists, and to save it to. Without it the chain is discarded. */
  stateFile?: string;
  /** Seconds between blocks. Without it only transactions make blocks. */
  blockTimeSec?: number;
  /** Whether transactions make blocks in addition to `blockTimeSec`. */
  isMixed?: boolean;
  /** Aborting stops Anvil, ready or not. */
  signal?: AbortSignal;
};

/**
 * Starts Anvil on the loopback interface and waits until it answers JSON-RPC. Throws an AnvilMissing if it is not
 * installed and an AnvilFailed if it does not come up.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const binary = findAnvil();
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    try {
      return await startOn(usablePort(options.port), binary, options);
    } catch (error) {
      const mayRetry = options.port === 0 && attempt < freePortAttemptsMax;
      if (!(mayRetry && error instanceof AnvilFailed && error.portInUse)) throw error;
    }
  }
}

async function startOn(port: number, binary: string, options: AnvilOptions): Promise<Anvil> {
  // Detached, in its own session: Ctrl-C in a terminal reaches every process of the group at once, and Anvil must
  // outlive whatever still uses it. `stop` ends it, or the guard below.
  const cacheDir = mkdtempSync(join(tmpdir(), "till-anvil-"));
  const child = Bun.spawn([binary, ...flags(port, cacheDir, options)], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  child.unref();
  const guard = guardAgainstOrphan(child.pid, cacheDir);
  const errorText = readUpTo(child.stderr, errorTextCharsMax);
  const exited = child.exited.then(() => child.exitCode);
  void exited.then(() => {
    guard?.kill("SIGKILL");
    rmSync(cacheDir, { recursive: true, force: true });
  });

  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= terminate(child);
    return stopping;
  };
  const onAbort = () => void stop();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  void exited.then(() => options.signal?.removeEventListener("abort", onAbort));

  const rpcUrl = `http://${host}:${port}`;
  const waiting = new AbortController();
  try {
    await Promise.race([
      answers(rpcUrl, waiting.signal),
      exited.then(async () => Promise.reject(new AnvilFailed(await errorText))),
    ]);
    options.signal?.throwIfAborted();
  } catch (error) {
    await stop();
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    waiting.abort();
  }
  return { rpcUrl, wsUrl: `ws://${host}:${port}`, pid: child.pid, exited, stop };
}

function flags(port: number, cacheDir: string, { stateFile, blockTimeSec, isMixed }: AnvilOptions): string[] {
  const list = ["--quiet", "--host", host, "--port", `${port}`, "--chain-id", `${anvilChainId}`];
  // Anvil creates a folder for past states even when it may not keep any there, and leaves it behind.
  list.push("--prune-history", `${historyBlocksMax}`, "--cache-path", cacheDir);
  if (stateFile !== undefined) list.push("--state", stateFile, "--state-interval", `${stateIntervalSec}`);
  if (blockTimeSec !== undefined) list.push("--block-time", `${blockTimeSec}`);
  if (isMixed) list.push("--mixed-mining");
  return list;
}

/**
 * A shell that does nothing until this process is gone, however it ended: the pipe between them then closes, and the
 * shell ends Anvil, which saves its state, and cleans up. Windows has no such shell; there Anvil stays when Till is
 * killed.
 */
function guardAgainstOrphan(pid: number, cacheDir: string): Bun.Subprocess | null {
  if (process.platform === "win32") return null;
  const script =
    'read -r line; kill -TERM "$1"; n=0; while [ $n -lt 100 ] && kill -0 "$1" 2>/dev/null; do ' +
    'n=$((n + 1)); sleep 0.1; done; rm -rf "$2"';
  const guard = Bun.spawn(["/bin/sh", "-c", script, "till-anvil-guard", `${pid}`, cacheDir], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  return guard;
}

async function terminate(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGTERM");
  const forced = world.setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
  await child.exited;
  world.clearTimeout(forced);
}

async function answers(rpcUrl: string, signal: AbortSignal): Promise<void> {
  const deadline = world.now() + startTimeoutMs;
  const rpc = createRpc({ url: rpcUrl, timeoutMs: startTimeoutMs, signal });
  for (;;) {
    try {
      await rpc.request("eth_chainId", []);
      return;
    } catch (error) {
      if (signal.aborted || !(error instanceof RpcUnreachable)) throw error;
      if (world.now() > deadline) throw new AnvilFailed(`no answer within ${startTimeoutMs} ms`);
      await sleep(startPollMs);
    }
  }
}

/**
 * The port to use. A port in use must be detected before Anvil starts: otherwise whatever listens there would answer in
 * its place, such as the user's own Anvil on 8545. Throws an AnvilFailed.
 */
function usablePort(wanted: number): number {
  try {
    return freePort(host, wanted);
  } catch (error) {
    throw new AnvilFailed(`port ${wanted} of ${host} cannot be used`, { portInUse: true, cause: error });
  }
}

/** Reads to the end, so that the writer never blocks, but keeps only the beginning. */
async function readUpTo(stream: ReadableStream<Uint8Array>, charsMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    if (text.length < charsMax) text += decoder.decode(chunk, { stream: true });
  }
  return text.slice(0, charsMax).trim();
}

/** Anvil ended before it was ready, or never became ready; includes its own message if it gave one. */
export class AnvilFailed extends Error {
  override readonly name = "AnvilFailed";
  readonly portInUse: boolean;
  constructor(reason: string, options: { portInUse?: boolean } & ErrorOptions = {}) {
    super(`Anvil, the local test chain, did not start: ${reason || "it ended without a message"}`, options);
    // If somebody took the port just before Anvil could, only Anvil's message says so.
    this.portInUse = options.portInUse ?? /address already in use/i.test(reason);
  }
}

/**
 * The binary of Anvil's platform package, if installed next to the running code, otherwise the one on PATH. Not the
 * package's launcher, which does not pass on signals. Throws an AnvilMissing.
 */
export function findAnvil(from: string = import.meta.dir, path?: string): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const platform = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  try {
    // Some installers expose the platform package only to the launcher's package, so it is resolved from there.
    const launcher = dirname(Bun.resolveSync("@foundry-rs/anvil/package.json", from));
    return join(dirname(Bun.resolveSync(`${platform}/package.json`, launcher)), "bin", "anvil");
  } catch {
    const onPath = Bun.which("anvil", path === undefined ? {} : { PATH: path });
    if (onPath === null) throw new AnvilMissing();
    return onPath;
  }
}

/** Anvil is not installed on this machine. */
export class AnvilMissing extends Error {
  override readonly name = "AnvilMissing";
  constructor() {
    super(
      "Anvil, the local test chain, is not installed. Install Foundry so that `anvil` is on PATH " +
        "(https://getfoundry.sh), or set TILL_RPC_URL to an Anvil that is already running.",
    );
  }
}
