import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openWallet } from "../../src/chain/account/wallet.ts";
import { closeDatabase, type Db, openDatabase } from "../../src/store/database.ts";
import { walletFile } from "../../src/store/files/data-dir.ts";
import * as WalletStore from "../../src/store/tables/installation/wallet.ts";
import type { TestChain } from "../support/chain/chain.ts";
import { ownPort } from "../support/http/port.ts";
import { passphrase } from "../support/till/data-dir.ts";
import { program } from "../support/till/process.ts";

export type Server = {
  readonly pid: number;
  readonly baseUrl: string;
  stop(): Promise<void>;
};

const project = join(import.meta.dir, "../..");
const startMsMax = 60_000;
/** The most that a limit can be set to: in a minute, and at once. */
const limitMax = "1000000";

const running = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a program that listens on the port in `PORT` or `TILL_PORT`, and waits until it answers `path`. */
export async function startServer(
  command: readonly string[],
  env: Record<string, string>,
  path = "/",
): Promise<Server> {
  const port = String(ownPort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = Bun.spawn([...command], {
    env: { PATH: process.env["PATH"] ?? "", ...env, PORT: port, TILL_PORT: port },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.add(child);
  void child.exited.then(() => running.delete(child));
  const deadline = performance.now() + startMsMax;
  for (;;) {
    const answer = await fetch(baseUrl + path).catch(() => null);
    await answer?.arrayBuffer();
    if (answer) break;
    if (child.exitCode !== null) throw new Error(`${command.join(" ")} ended with ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`${command.join(" ")} does not answer`);
    await Bun.sleep(5);
  }
  return {
    pid: child.pid,
    baseUrl,
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** The memory, in bytes, that the JavaScript engine of a server that is set up so takes the machine to have. */
export function collectsAsWith(file: "Dockerfile" | "docs/run.md"): string {
  const [, bytes] = /BUN_JSC_forceRAMSize=(\d+)/.exec(readFileSync(join(project, file), "utf8")) ?? [];
  if (bytes === undefined) throw new Error(`${file} does not say how much memory there is to be`);
  return bytes;
}

/** What `till serve` needs to know, with every limit at work and none of them reached. */
export function tillEnvironment(chain: Pick<TestChain, "rpcUrl" | "wsUrl">, dataDir: string) {
  const limits = [
    "READS",
    "WRITES",
    "FAILED_KEYS",
    "PDFS",
    "PDFS_AT_ONCE",
    "MAILS_MERCHANT",
    "MAILS_INVOICE",
  ];
  return {
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: chain.rpcUrl,
    TILL_RPC_WS_URL: chain.wsUrl,
    TILL_DATA_DIR: dataDir,
    TILL_WALLET_PASSPHRASE: passphrase,
    TILL_SETTLE: "manual",
    BUN_JSC_forceRAMSize: collectsAsWith("Dockerfile"),
    ...Object.fromEntries(limits.map((name) => [`TILL_LIMIT_${name}`, limitMax])),
  };
}

/** Makes a data directory with a wallet unless there is one, and puts into its database what `fill` does. */
export async function makeData<T>(dataDir: string, fill: (db: Db) => T): Promise<T> {
  const db = openDatabase(dataDir);
  try {
    const wallet = await openWallet({ file: walletFile(dataDir), passphrase });
    if (WalletStore.gasAddress(db) === null) WalletStore.setGasAddress(db, wallet.gasAddress);
    return fill(db);
  } finally {
    closeDatabase(db);
  }
}

export function startTillServer(
  chain: Pick<TestChain, "rpcUrl" | "wsUrl">,
  dataDir: string,
): Promise<Server> {
  return startServer([...program, "serve"], tillEnvironment(chain, dataDir), "/health/live");
}

/** Builds the executable, as somebody does who is to run it; returns its file. */
export function buildTill(): string {
  runBun("scripts/build.ts");
  return join(project, "dist/till");
}

/** Makes an executable of a program of the peers. */
export function buildPeer(name: string, outfile: string): string {
  runBun("build", "--compile", join(peersDir, name), "--outfile", outfile);
  return outfile;
}

function runBun(...args: string[]): void {
  const { success } = Bun.spawnSync([process.execPath, ...args], {
    cwd: project,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (!success) throw new Error(`bun ${args.join(" ")} failed`);
}

export const peersDir = join(import.meta.dir, "peers");

/** Whether a package of the peers is there, and can be loaded by the program that would run it. */
export function hasPeer(name: string): boolean {
  return existsSync(join(peersDir, "node_modules", name, "package.json"));
}

/** A server of the directory of peers: in Bun, or in Node for what is made for it. */
export function startPeer(file: string, env: Record<string, string>): Promise<Server> {
  return startServer([file.endsWith(".mjs") ? "node" : process.execPath, join(peersDir, file)], env);
}

/** Memory that a process holds, in MB. */
export function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) / 1024;
}
