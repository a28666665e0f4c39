import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../src/chain/dev/dev-chain.ts";
import { topicOf } from "../../src/chain/transfer/transfer-log.ts";
import type * as Address from "../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { encode, send } from "../support/chain/evm.ts";
import { type RpcProxy, startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { newWallet } from "../support/chain/settlement.ts";
import { addPerson, password, type Visitor, visitor } from "../support/desk/desk.ts";
import { ownPort } from "../support/http/port.ts";
import { hurry } from "../support/hurry.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

hurry();

const own = payers[4] as Address.Address;

let chain: TestChain;
let node: RpcProxy;
let till: TestTill;
let owner: Visitor;
/** How far Till's clock is ahead. */
let aheadMs = 0;
beforeAll(async () => {
  chain = await startTestChain();
  node = startRpcProxy(chain.rpcUrl);
  const port = String(ownPort());
  till = await startTestTill(
    { rpcUrl: node.url, wsUrl: chain.wsUrl },
    { TILL_PORT: port, TILL_BASE_URL: `http://localhost:${port}`, TILL_CONFIRMATIONS: "4" },
    { isDev: false, now: () => Date.now() + aheadMs },
  );
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
});
afterAll(async () => {
  await till.stop();
  await node.stop();
  await chain.stop();
});

/** A refund of 6.00 that was approved, to be paid from the merchant's own wallet. */
async function approved() {
  const made = await till.createInvoice({
    ...{ wallet_type: "byo", wallet_address: own },
    line_items: [{ description: "Coffee", quantity: 1, unit_price: "20.00" }],
  });
  await chain.pay(made["deposit_address"] as Address.Address, "26.00");
  await chain.mine(8);
  await until(
    async () => (await till.api("GET", `/api/invoices/${made["invoice_id"]}`)).body,
    ({ status }) => status === "excess",
  );
  const address = newWallet();
  const { body } = await till.api("POST", "/api/refunds", { invoice: made["invoice_number"], address });
  const answer = await owner.post(`/desk/refunds/${body.id}/approve`, { address, proof: password });
  expect(answer.status).toBe(303);
  return {
    id: String(body.id),
    address,
    status: async () => (await till.api("GET", `/api/refunds/${body.id}`)).body.status,
    pay: () => {
      const data = encode(usdcArtifact.abi, "transfer", [address, 6_000_000n]);
      return send(chain, { from: own, to: chain.usdc, data });
    },
  };
}

test("a merchant is not asked to send a refund again before the chain is sure to have lost their transfer", async () => {
  const { status, pay } = await approved();
  await pay();
  await until(status, (now) => now === "sent");
  await chain.reorg(1);
  // Time itself: Till looks for the transfer more than once in it.
  await Bun.sleep(1_000);
  expect(await status()).toBe("sent");
  // However long Till was stopped, or had no node.
  aheadMs += 2 * 86_400_000;
  await chain.rpc("anvil_mine", ["0x8"]);
  await until(status, (now) => now === "approved");
  aheadMs = 0;
});

describe("a node that returns the logs of ten blocks at a time", () => {
  /** The address to which the node does not show transfers yet. */
  let hidden: Address.Address | null = null;
  /** The last block in whose logs it was asked for them. */
  let askedTo = 0;
  /** The first one. */
  let askedFrom = 0;
  beforeAll(() => {
    node.answer = ({ method, params: [filter] }) => {
      if (method !== "eth_getLogs") return undefined;
      const { fromBlock, toBlock, topics } = Object(filter);
      if (Number(toBlock) - Number(fromBlock) >= 10)
        return { error: { code: -32600, message: "at most 10 blocks" } };
      if (hidden === null || topics[2] !== topicOf(hidden)) return undefined;
      askedTo = Math.max(askedTo, Number(toBlock));
      askedFrom = Math.min(askedFrom, Number(fromBlock));
      return { result: [] };
    };
  });

  const mineSlowly = (blocks: number) => chain.rpc("anvil_mine", [`0x${blocks.toString(16)}`, "0xa"]);

  test("shows a merchant's transfer long after it was approved", async () => {
    const { status, pay } = await approved();
    await chain.mine(100);
    await pay();
    await chain.mine(4);
    await until(status, (now) => now === "confirmed", 60_000);
  });

  test("is not asked again after a restart for what it was asked before", async () => {
    const { id, address, status, pay } = await approved();
    hidden = address;
    const begun = () =>
      Number(
        till.db
          .query<{ block: bigint }, [string]>("SELECT begun_block AS block FROM refund WHERE id = ?")
          .get(id)?.block,
      );
    const approvedAt = begun();
    await mineSlowly(1_000);
    await until(begun, (block) => block >= approvedAt + 500, 60_000);
    await till.pause();
    askedFrom = Number.POSITIVE_INFINITY;
    await till.resume();
    await until(
      () => askedFrom,
      (block) => block < Number.POSITIVE_INFINITY,
      60_000,
    );
    expect(askedFrom).toBeGreaterThan(approvedAt + 500);
    hidden = null;
    await pay();
    await chain.mine(4);
    await until(status, (now) => now === "confirmed", 60_000);
  });

  test("shows one whose logs came late", async () => {
    const { address, status, pay } = await approved();
    hidden = address;
    await pay();
    await mineSlowly(20);
    const { number } = await chain.blockAt("latest");
    await until(
      () => askedTo,
      (block) => block >= number,
      60_000,
    );
    hidden = null;
    await mineSlowly(100);
    await until(status, (now) => now === "confirmed", 60_000);
  });
});
