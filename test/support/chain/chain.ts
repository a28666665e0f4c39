import { startAnvil } from "../../../src/chain/dev/anvil.ts";
import { attachDevChain, setEthBalance, startDevChain } from "../../../src/chain/dev/dev-chain.ts";
import { pay } from "../../../src/chain/dev/pay.ts";
import { readBlock } from "../../../src/chain/node/block.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import type { BlockRef } from "../../../src/domain/payment/block.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { ownPort } from "../http/port.ts";
import { until } from "../till/till.ts";
import { usdc } from "../usdc.ts";

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

/**
 * A real Anvil on a free port with USDC, Multicall3 and funded payers, forgotten when it stops. With `blockMs` it makes a
 * block so often, as Base does, whether anything happens or not.
 */
export async function startTestChain({
  confirmations = 1,
  blockMs = null,
}: {
  confirmations?: number;
  blockMs?: number | null;
} = {}): Promise<TestChain & AsyncDisposable> {
  const chain =
    blockMs === null
      ? await startDevChain({ dataDir: null, port: ownPort(), confirmations })
      : await startSteady(blockMs);
  const rpc = createRpc({ url: chain.rpcUrl });
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
      await rpc.request("anvil_mine", [`0x${blocks.toString(16)}`]);
    },
    async blockAt(tag) {
      const block = await readBlock(rpc, tag);
      if (!block) throw new Error(`There is no block ${tag}.`);
      return { number: block.number, hash: block.hash };
    },
    async reorg(depth) {
      await rpc.request("anvil_reorg", [depth, []]);
    },
    giveEth: (account, wei = tenEth) => setEthBalance(chain.rpcUrl, account, wei),
    rpc: (method, params = []) => rpc.request(method, params),
    stop: () => chain.stop(),
    [Symbol.asyncDispose]: () => chain.stop(),
  };
}

/** Waits until a chain that begins from now on differs from all before: its first block holds the second. */
export async function nextSecond(): Promise<void> {
  const second = () => Math.floor(Date.now() / 1_000);
  const now = second();
  await until(second, (later) => later > now);
}

async function startSteady(blockMs: number) {
  const anvil = await startAnvil({ port: ownPort(), blockTimeSec: blockMs / 1_000 });
  return { ...anvil, ...(await attachDevChain(anvil.rpcUrl)) };
}
