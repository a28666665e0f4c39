import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { addressesPerCall, readBalances, readHoldings } from "../../../src/chain/contract/balance.ts";
import { createRpc, type Rpc } from "../../../src/chain/node/rpc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { holdingsAnswer } from "../../support/chain/holdings.ts";

const first = Address.checksum("0x1111111111111111111111111111111111111111");
const second = Address.checksum("0x2222222222222222222222222222222222222222");

let chain: TestChain;
let rpc: Rpc;
beforeAll(async () => {
  chain = await startTestChain();
  rpc = createRpc({ url: chain.rpcUrl });
});
afterAll(() => chain.stop());

const read = (addresses: readonly Address.Address[], block: number | "latest" = "latest", through = rpc) =>
  readHoldings(through, chain.usdc, addresses, block);

/** A node that answers so. */
const answering = (answer: unknown): Rpc => ({ host: "node.example", request: async () => answer });

describe("what addresses hold", () => {
  test("is told with the block it is of, and with where there is code", async () => {
    await chain.pay(first, 7n);
    await chain.pay(second, "2.00");
    const head = await chain.blockAt("latest");
    const [part, ...others] = await read([second, chain.usdc, first]);
    expect(others).toEqual([]);
    expect(part).toMatchObject({
      number: head.number,
      parentHash: (await chain.blockAt(head.number - 1)).hash,
      of: [
        { balance: 2_000_000n, hasCode: false },
        { balance: 0n, hasCode: true },
        { balance: 7n, hasCode: false },
      ],
    });
    const { timestamp } = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as {
      timestamp: string;
    };
    expect(part?.timestampSec).toBe(Number(timestamp));
  });

  test("is told as it was at an older block, and not of another one", async () => {
    await chain.pay(first, 1n);
    const { number } = await chain.blockAt("latest");
    const before = await readBalances(rpc, chain.usdc, [first], number);
    await chain.pay(first, 5n);
    await chain.mine(3);
    expect(await readBalances(rpc, chain.usdc, [first], number)).toEqual(before);
    expect((await readBalances(rpc, chain.usdc, [first], "latest"))[0]).toBe(
      ((before[0] ?? 0n) + 5n) as never,
    );
    const newest: Rpc = { ...rpc, request: (method, [call]) => rpc.request(method, [call, "latest"]) };
    await expect(read([first], number, newest)).rejects.toThrow(`when asked for those of block ${number}`);
  });

  test("is told of more addresses than one call takes, in their order", async () => {
    const many = Array.from({ length: addressesPerCall + 1 }, (_, i) =>
      Address.checksum(`0x${(i + 1).toString(16).padStart(40, "a")}`),
    );
    const last = many.at(-1) ?? first;
    await chain.pay(last, 9n);
    await chain.pay(many[500] ?? first, 8n);
    const parts = await read(many);
    expect(parts.map(({ of }) => of.length)).toEqual([addressesPerCall, 1]);
    const balances = parts.flatMap(({ of }) => of.map(({ balance }) => balance as bigint));
    expect([balances[499], balances[500], balances[501], balances.at(-1)]).toEqual([0n, 8n, 0n, 9n]);
  });

  test("is not believed where it cannot be right", async () => {
    const at = { number: 5, timestampSec: 1, parentHash: `0x${"ab".repeat(32)}` };
    const good = holdingsAnswer(at, [{ balance: 1n }, { balance: 2n }]);
    expect(await read([first, second], "latest", answering(good))).toHaveLength(1);
    const nonsense: unknown[] = [
      null,
      {},
      "0x",
      good.slice(0, -1),
      `${good}00`,
      good.replace("ab", "zz"),
      holdingsAnswer(at, [{ balance: 1n }]),
      // More USDC than there is.
      holdingsAnswer(at, [{ balance: 1n }, { balance: 10n ** 17n + 1n }]),
      holdingsAnswer({ ...at, number: 2 ** 53 }, [{ balance: 1n }, { balance: 2n }]),
    ];
    for (const answer of nonsense)
      await expect(read([first, second], "latest", answering(answer))).rejects.toMatchObject({
        name: "BadAnswer",
      });
  });

  test("fails where there is no token", async () => {
    await expect(readHoldings(rpc, second, [first], "latest")).rejects.toThrow();
  });
});
