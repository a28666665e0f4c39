import { join } from "node:path";
import type { Address } from "../../src/domain/wallet/address.ts";
import { peersDir } from "./server.ts";

export type ViemWatcher = {
  /** When the next event is handed over, by this process's clock in ms; never before it is asked for. */
  next(timeoutMs: number): Promise<number>;
  stop(): void;
};

const readyMsMax = 10_000;

/** viem's own watcher of USDC payments, in a process of its own: over WebSocket or by polling, as the URL says. */
export async function startViemWatcher(options: {
  url: string;
  usdc: Address;
  to: readonly Address[];
}): Promise<ViemWatcher> {
  let told: ((at: number) => void) | null = null;
  const child = Bun.spawn([process.execPath, join(peersDir, "viem-watch.ts")], {
    env: {
      PATH: process.env["PATH"] ?? "",
      BENCH_URL: options.url,
      BENCH_USDC: options.usdc,
      BENCH_TO: options.to.join(),
    },
    stdio: ["ignore", "ignore", "inherit"],
    ipc: () => told?.(performance.now()),
  });
  process.on("exit", () => child.kill("SIGKILL"));
  const next = (timeoutMs: number) =>
    new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("viem heard of no payment")), timeoutMs);
      told = (at) => {
        told = null;
        clearTimeout(timer);
        resolve(at);
      };
    });
  await next(readyMsMax);
  return { next, stop: () => child.kill("SIGKILL") };
}
