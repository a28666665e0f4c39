import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublicClient, http, parseAbi } from "viem";
import { type Anvil, startAnvil } from "../../../src/chain/dev/anvil.ts";
import {
  attachDevChain,
  type DevChain,
  NotADevChain,
  payers,
  setEthBalance,
  startDevChain,
} from "../../../src/chain/dev/dev-chain.ts";
import { pay } from "../../../src/chain/dev/pay.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { nextSecond } from "../../support/chain/chain.ts";
import { until } from "../../support/till/till.ts";

const erc20 = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function transfer(address, uint256) returns (bool)",
]);
const shop = Address.checksum("0x00000000000000000000000000000000000000aa");
const tenUsdc = Usdc.fromMicro(10_000_000n);

let dir: string;
let started: Anvil[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "till-dev-chain-test-"));
});
afterEach(async () => {
  await Promise.all(started.map((chain) => chain.stop()));
  started = [];
  await rm(dir, { recursive: true });
});

async function start({ dataDir = null as string | null, confirmations = 1 } = {}): Promise<DevChain> {
  const chain = await startDevChain({ dataDir, port: 0, confirmations });
  started.push(chain);
  return chain;
}

const client = ({ rpcUrl }: { rpcUrl: string }) => createPublicClient({ transport: http(rpcUrl) });
const usdcOf = (chain: DevChain, account: Address.Address) =>
  client(chain).readContract({
    address: chain.usdc,
    abi: erc20,
    functionName: "balanceOf",
    args: [account],
  });

describe("startDevChain", () => {
  test("gives each payer 1,000,000.00 USDC and ETH, at Base's USDC address, without making a block", async () => {
    const chain = await start();
    expect(chain.usdc as string).toBe("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    expect(payers.length).toBeGreaterThanOrEqual(5);
    for (const payer of payers) {
      expect(await usdcOf(chain, payer)).toBe(1_000_000_000_000n);
      expect(await client(chain).getBalance({ address: payer })).toBeGreaterThanOrEqual(10n ** 21n);
    }
    expect(await client(chain).getBlockNumber()).toBe(0n);
  });

  test("answers a multicall at Multicall3's address", async () => {
    const chain = await start();
    await setEthBalance(chain.rpcUrl, shop, 12n);
    const multicallAddress = "0xcA11bde05977b3631167028862bE2a173976CA11";
    const multicall3 = parseAbi([
      "function getEthBalance(address) view returns (uint256)",
      "function getChainId() view returns (uint256)",
      "function getBlockNumber() view returns (uint256)",
    ]);
    const results = await client(chain).multicall({
      multicallAddress,
      contracts: [
        { address: chain.usdc, abi: erc20, functionName: "balanceOf", args: [payers[1] ?? shop] },
        { address: multicallAddress, abi: multicall3, functionName: "getEthBalance", args: [shop] },
        { address: multicallAddress, abi: multicall3, functionName: "getChainId" },
        { address: multicallAddress, abi: multicall3, functionName: "getBlockNumber" },
        // Fails, as the caller has no USDC, and must not take the others with it.
        { address: chain.usdc, abi: erc20, functionName: "transfer", args: [shop, 1n] },
      ],
    });
    expect(results.slice(0, 4).map(({ result }) => result)).toEqual([1_000_000_000_000n, 12n, 31337n, 0n]);
    expect(results[4]?.status).toBe("failure");
  });

  test("continues the chain of its data directory: blocks, logs and balances", async () => {
    const dataDir = join(dir, "made", "on", "demand");
    const first = await start({ dataDir });
    const payment = await pay({ rpcUrl: first.rpcUrl, usdcAddress: first.usdc, to: shop, amount: tenUsdc });
    const block = await client(first).getBlock();
    await first.stop();

    const second = await start({ dataDir });
    expect((await client(second).getBlock({ blockNumber: 1n })).hash).toBe(block.hash);
    expect(await usdcOf(second, shop)).toBe(10_000_000n);
    expect(await usdcOf(second, payers[0] ?? shop)).toBe(999_990_000_000n);
    const logs = await client(second).getLogs({ address: second.usdc, fromBlock: 0n });
    expect(logs.map(({ transactionHash }) => transactionHash)).toEqual([payment.txHash]);

    await pay({ rpcUrl: second.rpcUrl, usdcAddress: second.usdc, to: shop, amount: tenUsdc });
    expect(await usdcOf(second, shop)).toBe(20_000_000n);
  });

  test("keeps its first block, in whatever order Anvil saved those of later starts", async () => {
    const dataDir = join(dir, "restarted");
    const file = join(dataDir, "anvil-state.json");
    const first = await start({ dataDir });
    const { hash } = await client(first).getBlock({ blockNumber: 0n });
    await first.stop();
    await nextSecond();
    await (await start({ dataDir })).stop();
    const state = await Bun.file(file).json();
    expect(state.blocks).toHaveLength(2);

    for (const blocks of [state.blocks, state.blocks.toReversed()]) {
      await Bun.write(file, JSON.stringify({ ...state, blocks }));
      const again = await start({ dataDir });
      expect((await client(again).getBlock({ blockNumber: 0n })).hash).toBe(hash);
      await again.stop();
    }
  });

  test("begins now, so that two new chains differ in their first block", async () => {
    const before = Math.floor(Date.now() / 1_000);
    const first = await client(await start()).getBlock({ blockNumber: 0n });
    expect(Number(first.timestamp)).toBeGreaterThanOrEqual(before);
    expect(Number(first.timestamp)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000));
    await nextSecond();
    const second = await client(await start()).getBlock({ blockNumber: 0n });
    expect(second.hash).not.toBe(first.hash);
  });

  test("makes blocks by itself when payments wait for more than one", async () => {
    const chain = await start({ confirmations: 3 });
    const payment = await pay({ rpcUrl: chain.rpcUrl, usdcAddress: chain.usdc, to: shop, amount: tenUsdc });
    await until(
      () => client(chain).getBlockNumber({ cacheTime: 0 }),
      (number) => number > payment.blockNumber,
    );
  });

  test("has a payment in a block at once, however rarely blocks come", async () => {
    const anvil = await startAnvil({ port: 0, blockTimeSec: 3_600, isMixed: true });
    started.push(anvil);
    const { usdc } = await attachDevChain(anvil.rpcUrl);
    await pay({ rpcUrl: anvil.rpcUrl, usdcAddress: usdc, to: shop, amount: tenUsdc });
    expect(await usdcOf({ ...anvil, usdc }, shop)).toBe(10_000_000n);
  });
});

describe("attachDevChain", () => {
  test("puts USDC, Multicall3 and funds on an Anvil that is running, and changes nothing the second time", async () => {
    const anvil = await startAnvil({ port: 0 });
    started.push(anvil);
    const { usdc } = await attachDevChain(anvil.rpcUrl);
    const chain = { ...anvil, usdc };
    await pay({ rpcUrl: anvil.rpcUrl, usdcAddress: usdc, to: shop, amount: tenUsdc });
    await attachDevChain(anvil.rpcUrl);
    expect(await usdcOf(chain, shop)).toBe(10_000_000n);
    expect(await usdcOf(chain, payers[0] ?? shop)).toBe(999_990_000_000n);
    expect(await client(chain).getBlockNumber()).toBe(1n);
  });

  test("refuses a chain with another id and leaves it untouched", async () => {
    const anvil = await startAnvil({ port: 0 });
    started.push(anvil);
    await client(anvil).request({ method: "anvil_setChainId", params: [8453] } as never);
    await expect(attachDevChain(anvil.rpcUrl)).rejects.toBeInstanceOf(NotADevChain);
    await expect(attachDevChain(anvil.rpcUrl)).rejects.toThrow("chain id 8453");
    const code = await client(anvil).getCode({ address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" });
    expect(code).toBeUndefined();
  });
});
