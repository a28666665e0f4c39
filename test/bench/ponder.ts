import { cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "../../src/domain/wallet/address.ts";
import type { LongChain } from "./long-chain.ts";
import { hasPeer, peersDir, startServer } from "./server.ts";

/** Ponder takes a block that is this far below the head for final. */
export const finalDepthBlocks = 30;

const indexedMsMax = 60_000;
/** In so many milliseconds it is asked again whether it is done. */
const askAgainMs = 20;

export type PonderRun = {
  chain: Pick<LongChain, "rpcUrl" | "usdc">;
  deposits: readonly Address[];
  /** Both included. The last one has to be final for Ponder. */
  from: number;
  to: number;
  /** How often the node is in its configuration: to each of them it makes 20 calls a second at first. */
  nodes: number;
};

/** Ponder, with its project in a directory that it may write to; null when it is not installed. */
export function preparePonder(dir: string) {
  if (!hasPeer("ponder")) return null;
  const root = join(dir, "ponder");
  const store = join(dir, "ponder-store");
  const deposits = join(dir, "deposits");
  cpSync(join(peersDir, "ponder"), root, { recursive: true });
  symlinkSync(join(peersDir, "node_modules"), join(root, "node_modules"));

  /** Indexes the blocks with nothing stored before; returns the milliseconds without its start, and the transfers. */
  return async (run: PonderRun): Promise<{ ms: number; transfers: number }> => {
    rmSync(store, { recursive: true, force: true });
    // Ponder hands over addresses in lower case.
    writeFileSync(deposits, run.deposits.join("\n").toLowerCase());
    const program = join(peersDir, "node_modules/ponder/dist/esm/bin/ponder.js");
    const flags = ["--root", root, "--log-level", "error", "--hostname", "127.0.0.1", "--schema", "bench"];
    // It answers /health when all is prepared, and in the same moment begins to read the chain.
    const server = await startServer(
      ["node", program, "start", ...flags],
      {
        PONDER_TELEMETRY_DISABLED: "true",
        BENCH_DIR: store,
        BENCH_URLS: Array(run.nodes).fill(run.chain.rpcUrl).join(),
        BENCH_USDC: run.chain.usdc,
        BENCH_FROM: String(run.from),
        BENCH_TO: String(run.to),
        BENCH_DEPOSITS: deposits,
      },
      "/health",
    );
    try {
      const startedAt = performance.now();
      while (!(await fetch(`${server.baseUrl}/ready`)).ok) {
        if (performance.now() - startedAt > indexedMsMax) throw new Error("Ponder does not become ready");
        await Bun.sleep(askAgainMs);
      }
      const ms = performance.now() - startedAt;
      return { ms, transfers: Number(await (await fetch(`${server.baseUrl}/transfers`)).text()) };
    } finally {
      await server.stop();
    }
  };
}
