import { setEthBalance, startDevChain } from "../../../src/chain/dev/dev-chain.ts";
import { pay } from "../../../src/chain/dev/pay.ts";
import { readBlock } from "../../../src/chain/node/block.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import type { BlockRef } from "../../../src/domain/payment/block.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { ownPort } from "../http/port.ts";
import { until } from "../till/till.ts";
import { usdc } from "../usdc.ts";
import { startBeat } from "./beat.ts";

export type TestChain = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly pid: number;
  readonly usdc: Address;
  /** Pays `"1500.00"` USDC, or an exact amount in micro-USDC. Payments run one after the other. */
  pay(to: Address, amount: string | bigint): Promise<{ txHash: `0x${string}`; blockNumber: bigint }>;
  mine(blocks: number): Promise<void>;
  blockAt(tag: number | "latest"): Promise<BlockRef>;
  /** Replaces the last `depth` blocks by empty ones. */
  reorg(depth: number): Promise<void>;
  /** Gives an account ETH for gas: 10 ETH unless told. */
  giveEth(account: Address, wei?: bigint): Promise<void>;
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
};

const tenEth = 10n ** 19n;

const makeBlocks: readonly string[] = ["anvil_mine", "anvil_reorg", "evm_mine"];

/**
 * A real Anvil on a free port with USDC, Multicall3 and funded payers, forgotten when it stops. With `blockMs` it makes a
 * block so often, as Base does, whether anything happens or not; but none while it makes others or is reorganised, as
 * with a clock of its own Anvil sometimes loses blocks then.
 */
export async function startTestChain({
  blockMs = null,
}: {
  blockMs?: number | null;
} = {}): Promise<TestChain & AsyncDisposable> {
  const chain = await startDevChain({ dataDir: null, port: ownPort(), confirmations: 1 });
  const rpc = createRpc({ url: chain.rpcUrl });
  const ask = async (method: string, params: readonly unknown[] = []) => await rpc.request(method, params);
  const beat = blockMs === null ? null : await startBeat(ask, blockMs);
  const call: TestChain["rpc"] = (method, params) =>
    beat && makeBlocks.includes(method) ? beat.between(() => ask(method, params)) : ask(method, params);
  async function stop(): Promise<void> {
    await beat?.stop();
    await chain.stop();
  }
  let lastPayment: Promise<unknown> = Promise.resolve();
  return {
    rpcUrl: chain.rpcUrl,
    wsUrl: chain.wsUrl,
    pid: chain.pid,
    usdc: chain.usdc,
    pay(to, amount) {
      const micro = typeof amount === "bigint" ? Usdc.fromMicro(amount) : usdc(amount);
      const send = () => pay({ rpcUrl: chain.rpcUrl, usdcAddress: chain.usdc, to, amount: micro });
      const payment = lastPayment.then(send, send);
      lastPayment = payment;
      return payment;
    },
    async mine(blocks) {
      await call("anvil_mine", [`0x${blocks.toString(16)}`]);
    },
    async blockAt(tag) {
      const block = await readBlock(rpc, tag);
      if (!block) throw new Error(`There is no block ${tag}.`);
      return { number: block.number, hash: block.hash };
    },
    async reorg(depth) {
      await call("anvil_reorg", [depth, []]);
    },
    giveEth: (account, wei = tenEth) => setEthBalance(chain.rpcUrl, account, wei),
    rpc: call,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Waits until a chain that begins from now on differs from all before: its first block holds the second. */
export async function nextSecond(): Promise<void> {
  const second = () => Math.floor(Date.now() / 1_000);
  const now = second();
  await until(second, (later) => later > now);
}
