import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readReceipt } from "../../src/chain/account/transaction.ts";
import { readHoldings } from "../../src/chain/contract/balance.ts";
import { mustBeUsdc, readTokenBalance } from "../../src/chain/contract/token.ts";
import { readBlock, readBlockWithTransactions } from "../../src/chain/node/block.ts";
import { createMulticall } from "../../src/chain/node/multicall.ts";
import { createRpc, type Rpc, RpcError } from "../../src/chain/node/rpc.ts";
import { askAbout } from "../../src/chain/transfer/attest.ts";
import { createTransferReader, topicOf } from "../../src/chain/transfer/transfer-log.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { createChain } from "./chain.ts";
import { answerOf } from "./node.ts";
import { createTime } from "./time.ts";
import { Refused, usdc } from "./token.ts";

const [first, second, nobody] = ["11", "22", "33"].map((digits) =>
  Address.checksum(`0x${digits.repeat(20)}`),
) as [Address.Address, Address.Address, Address.Address];
const payments = [
  { to: first, amount: 750_000_000n },
  { to: second, amount: 1n },
  { to: first, amount: 25_000_000n },
];
const recipients = new Map([first, second].map((address, index) => [topicOf(address), index]));

type Side = {
  rpc: Rpc;
  hashes: string[];
  base: number;
  pay(n: number): Promise<void>;
  reorg(): Promise<void>;
};

/** What Till reads of a chain; what differs from chain to chain has names. */
async function told({ rpc, hashes, base }: Side): Promise<unknown> {
  const head = (await readBlock(rpc, "latest"))?.number ?? 0;
  const blocks = await Promise.all(
    Array.from({ length: head - base + 1 }, (_, n) => readBlockWithTransactions(rpc, base + n)),
  );
  const names = new Map<string, string>([
    ...hashes.map((hash, n) => [hash, `transaction ${n}`] as const),
    ...blocks.map((block, n) => [block?.hash ?? "", `block ${n}`] as const),
  ]);
  const holdings = await readHoldings(rpc, usdc, [first, second, nobody], head);
  const transfers = await createTransferReader(rpc, usdc, 1_000).read({ from: base, to: head }, recipients);
  const receipts = await Promise.all(hashes.map((hash) => readReceipt(rpc, hash)));
  const claims = transfers.map((transfer) => ({
    ...transfer,
    address: transfer.depositIndex === 0 ? first : second,
  }));
  const opinions = [];
  for (const claim of claims)
    for (const one of [claim, { ...claim, amount: (claim.amount + 1n) as typeof claim.amount }]) {
      opinions.push(await askAbout(rpc, usdc, claim.txHash, [one]));
      opinions.push(await askAbout(rpc, usdc, `0x${"ab".repeat(32)}`, [one]));
    }
  await mustBeUsdc(rpc, usdc);
  const answer = {
    blocks: blocks.map((block) => ({ hash: block?.hash, transactions: block?.transactions })),
    beyond: await readBlock(rpc, head + 5),
    holdings: holdings.map(({ parentHash, of }) => ({ parentHash, of })),
    heights: holdings.map(({ number }) => number - base),
    transfers: transfers.map((transfer) => ({ ...transfer, blockNumber: transfer.blockNumber - base })),
    receipts: receipts.map(
      (receipt) =>
        receipt && {
          block: receipt.blockHash,
          height: receipt.blockNumber - base,
          status: receipt.status,
          logs: receipt.logs.map((log) => ({ ...log, address: log.address.toLowerCase() })),
        },
    ),
    opinions: opinions.map((all) => all.map(({ kind }) => kind)),
    balance: await readTokenBalance(rpc, usdc, first),
    together: await createMulticall(rpc).read([{ target: usdc, callData: "0x313ce567" }], "latest"),
  };
  const plain = JSON.stringify(answer, (_, value) => (typeof value === "bigint" ? `${value}` : value), 1);
  return plain.replace(/0x[0-9a-f]{64}/g, (hash) => names.get(hash) ?? hash);
}

describe("the simulated chain tells what Anvil tells", () => {
  let anvil: TestChain;
  const sides: Record<"real" | "simulated", Side> = {} as never;

  beforeAll(async () => {
    anvil = await startTestChain();
    const rpc = createRpc({ url: anvil.rpcUrl });
    const { number: base } = await anvil.blockAt("latest");
    const real: Side = {
      rpc,
      hashes: [],
      base: base + 1,
      async pay(n) {
        const payment = payments[n];
        if (payment) this.hashes.push((await anvil.pay(payment.to, payment.amount)).txHash);
      },
      reorg: () => anvil.reorg(2),
    };
    const time = createTime(1_800_000_000_000);
    const chain = createChain(time, { isAlive: true });
    const simulated: Side = {
      rpc: {
        host: "simulated",
        async request(method, params) {
          try {
            return answerOf(chain.view(time.now()), method, params);
          } catch (thrown) {
            if (!(thrown instanceof Refused)) throw thrown;
            throw new RpcError("simulated", method, thrown.code, thrown.message);
          }
        },
      },
      hashes: [],
      base: chain.view(time.now()).head + 1,
      async pay(n) {
        const payment = payments[n];
        const hash = real.hashes[n] as `0x${string}`;
        const from = (await readReceipt(rpc, hash))?.logs[0]?.topics[1] ?? "";
        if (!payment) return;
        this.hashes.push(hash);
        const to = payment.to.toLowerCase();
        chain.send({ hash, payments: [{ from: `0x${from.slice(-40)}`, to, amount: payment.amount }] });
        await time.run(time.now() + 200);
      },
      reorg: async () => void chain.reorganise(2, () => ({ kind: "gone" })),
    };
    Object.assign(sides, { real, simulated });
  });
  afterAll(() => anvil.stop());

  test("of payments", async () => {
    for (const n of payments.keys()) for (const side of [sides.real, sides.simulated]) await side.pay(n);
    const real = await told(sides.real);
    expect(await told(sides.simulated)).toEqual(real);
    expect(real).toContain('"known"');
    expect(real).toContain('"contradicted"');
  });

  test("of a reorganisation that takes two of them", async () => {
    for (const side of [sides.real, sides.simulated]) await side.reorg();
    const real = await told(sides.real);
    expect(await told(sides.simulated)).toEqual(real);
    expect(real).toContain('"transaction 0"');
    expect(real).not.toContain('"transaction 2"');
  });
});
