import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sleep } from "../../lib/loop.ts";
import { freePort } from "../../lib/net/host.ts";
import { world } from "../../lib/world.ts";
import { createRpc, RpcUnreachable } from "../node/rpc.ts";

/** From the start of the process to the first answer; the saved state of a long chain takes a while to load. */
const startTimeoutMs = 30_000;
const startPollMs = 10;
/** Between SIGTERM and SIGKILL. Saving the state happens in between. */
const stopTimeoutMs = 5_000;
/** How often the state is saved while running, for the case that Anvil itself is killed. */
const stateIntervalSec = 5;
/** States of past blocks kept in memory. Till never asks for one; without a limit Anvil writes them to disk. */
const historyBlocksMax = 256;
/** How often another free port is tried when somebody else took the one that had just been free. */
const freePortAttemptsMax = 5;
const errorTextCharsMax = 4_000;

const host = "127.0.0.1";
export const anvilChainId = 31337;

export type Anvil = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly pid: number;
  /** Resolves with the exit code when the process is gone, whoever ended it; null when a signal did. */
  readonly exited: Promise<number | null>;
  /** Ends the process and waits for it; the state is saved first. May be called more than once. */
  stop(): Promise<void>;
};

type AnvilOptions = {
  /** 0 takes any free port. */
  port: number;
  /** Where the chain is loaded from, if the file exists, and saved to. Without it the chain is forgotten. */
  stateFile?: string;
  /** A block every so many seconds. Without it only transactions make blocks. */
  blockTimeSec?: number;
  /** Whether transactions make blocks although there is a `blockTimeSec`. */
  isMixed?: boolean;
  /** Aborting stops Anvil, ready or not. */
  signal?: AbortSignal;
};

/**
 * Starts Anvil on the loopback interface and waits until it answers JSON-RPC.
 * Throws an AnvilMissing when there is no Anvil on this machine and an AnvilFailed when it does not come up.
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
  // Detached, in a session of its own: the Ctrl-C of a terminal reaches every process of its group at once, and
  // Anvil must outlive whatever is still using it. `stop` ends it, or the guard below.
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
  // Anvil makes a folder for states of the past even when it may not keep any there, and leaves it behind.
  list.push("--prune-history", `${historyBlocksMax}`, "--cache-path", cacheDir);
  if (stateFile !== undefined) list.push("--state", stateFile, "--state-interval", `${stateIntervalSec}`);
  if (blockTimeSec !== undefined) list.push("--block-time", `${blockTimeSec}`);
  if (isMixed) list.push("--mixed-mining");
  return list;
}

/**
 * A shell that does nothing until this process is gone, however it ended: then the pipe between them closes, and
 * the shell ends Anvil, which saves its state, and clears up. Windows has no such shell; there Anvil stays when Till
 * is killed.
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
 * The port to use. A port that is taken has to be found out before Anvil starts: otherwise whatever listens there
 * would answer in Anvil's place, for instance the user's own Anvil on 8545. Throws an AnvilFailed.
 */
function usablePort(wanted: number): number {
  try {
    return freePort(host, wanted);
  } catch (error) {
    throw new AnvilFailed(`port ${wanted} of ${host} cannot be used`, { portInUse: true, cause: error });
  }
}

/** Keeps reading to the end, so that the writer never has to wait, but keeps only the beginning. */
async function readUpTo(stream: ReadableStream<Uint8Array>, charsMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    if (text.length < charsMax) text += decoder.decode(chunk, { stream: true });
  }
  return text.slice(0, charsMax).trim();
}

/** Anvil ended before it was ready, or never became ready; the reason is in its own words where it gave one. */
export class AnvilFailed extends Error {
  override readonly name = "AnvilFailed";
  readonly portInUse: boolean;
  constructor(reason: string, options: { portInUse?: boolean } & ErrorOptions = {}) {
    super(`Anvil, the local test chain, did not start: ${reason || "it ended without a message"}`, options);
    // Anvil has only words for it, when somebody took the port just before it could.
    this.portInUse = options.portInUse ?? /address already in use/i.test(reason);
  }
}

/**
 * The binary in Anvil's platform package, as it was installed beside the running code, else the one on PATH.
 * Not the package's launcher: it does not pass signals on. Throws an AnvilMissing.
 */
export function findAnvil(from: string = import.meta.dir, path?: string): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const platform = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  try {
    // Some installers let only the launcher's package see the platform package, so it is looked up from there.
    const launcher = dirname(Bun.resolveSync("@foundry-rs/anvil/package.json", from));
    return join(dirname(Bun.resolveSync(`${platform}/package.json`, launcher)), "bin", "anvil");
  } catch {
    const onPath = Bun.which("anvil", path === undefined ? {} : { PATH: path });
    if (onPath === null) throw new AnvilMissing();
    return onPath;
  }
}

/** There is no Anvil on this machine. */
export class AnvilMissing extends Error {
  override readonly name = "AnvilMissing";
  constructor() {
    super(
      "Anvil, the local test chain, is not installed. Install Foundry so that `anvil` is on PATH " +
        "(https://getfoundry.sh), or set TILL_RPC_URL to an Anvil that is already running.",
    );
  }
}
