import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type * as Address from "../../../../src/domain/wallet/address.ts";
import * as WalletStore from "../../../../src/store/tables/installation/wallet.ts";
import * as LinkStore from "../../../../src/store/tables/invoicing/link.ts";
import { startTestChain } from "../../../support/chain/chain.ts";
import { balanceOf } from "../../../support/chain/evm.ts";
import { startRpcProxy } from "../../../support/chain/rpc-proxy.ts";
import { newSigner } from "../../../support/chain/signer.ts";
import { decoded, encoded, type Made, makePayment, newLink, payingTill } from "../../../support/http/x402.ts";
import { shared } from "../../../support/per-file.ts";
import { cross } from "../../../support/till/moves.ts";
import { linkRequest, type TestTill, until, untilIs } from "../../../support/till/till.ts";

const price = 25_000_000n;

const chain = shared(startTestChain);
/** For each test its own: what is on its way with one is none of the other's. */
let till: TestTill;
beforeEach(async () => {
  await chain.rpc("evm_setAutomine", [true]);
  till = await payingTill(chain);
});
afterEach(() => till.stop());

const get = (path: string, headers = {}) => till.api("GET", path, undefined, headers);
const send = (path: string, made: Made) => get(path, { "payment-signature": encoded(made) });
const resultOf = (headers: Headers) => decoded(headers.get("payment-response"));
const held = (to: Address.Address) => balanceOf(chain, chain.usdc, to);
const statusOf = async (slug: string) => (await till.api("GET", `/api/payments/status/${slug}`)).body.status;

async function payment(path: string): Promise<Made> {
  const signer = await newSigner(chain, price);
  return makePayment(signer, decoded((await get(path)).headers.get("payment-required")).accepts[0]);
}

/** From now on blocks come only when they are asked for. */
const holdBlocks = () => chain.rpc("evm_setAutomine", [false]);
/** Resolves when a payment was handed to the node. */
const isSent = (path: string) =>
  until(
    async () => (await get(path)).headers,
    (headers) => headers.has("payment-response") && resultOf(headers).transaction !== "",
  );

describe("while a payment is on its way", () => {
  test("nobody is asked for another one, and it is answered with its block", async () => {
    const { slug, path, to } = await newLink(till);
    const [made, other] = [await payment(path), await payment(path)];
    await holdBlocks();
    const answer = send(path, made);
    await isSent(path);
    for (const asked of [get(path), send(path, other)]) {
      const { status, body, headers } = await asked;
      expect({ status, code: body.code }).toEqual({ status: 409, code: "busy" });
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(headers.has("payment-required")).toBe(false);
      expect(resultOf(headers)).toMatchObject({
        success: false,
        errorReason: "settlement_pending",
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      });
      expect(resultOf(headers)).not.toHaveProperty("payer");
    }
    const again = send(path, made);
    // Who asks later is answered later: by now it waits, too.
    await get(path);
    await chain.mine(1);
    const [first, second] = [await answer, await again];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(resultOf(second.headers)).toEqual(resultOf(first.headers));
    expect(await held(to)).toBe(price);
    await untilIs(() => statusOf(slug), "confirmed");
    expect(await send(path, other)).toMatchObject({ status: 200, body: { status: "confirmed" } });
    expect(await held(to)).toBe(price);
  });

  test("from another network, and covers all that is due, nobody is asked for as much", async () => {
    const { slug, path } = await newLink(till);
    const made = await payment(path);
    cross(till.db, LinkStore.bySlug(till.db, slug)?.deposit.index ?? -1, price, Date.now());
    for (const { status, body, headers } of [await get(path), await send(path, made)]) {
      expect({ status, code: body.code }).toEqual({ status: 409, code: "busy" });
      expect(headers.has("payment-required") || headers.has("www-authenticate")).toBe(false);
      expect(resultOf(headers)).toMatchObject({ errorReason: "settlement_pending", transaction: "" });
    }
    // A part stands for nothing, as on the page.
    till.db.run("UPDATE crossing SET amount = amount / 2");
    expect(await payment(path)).toMatchObject({ accepted: { amount: `${price}` } });
  });

  test("who waits is answered when Till stops, and gets the end of it after", async () => {
    const { path, to } = await newLink(till);
    const made = await payment(path);
    await holdBlocks();
    const answer = send(path, made);
    await isSent(path);
    const stopped = till.pause();
    const { status, headers } = await answer;
    expect(status).toBe(409);
    const { transaction, payer } = resultOf(headers);
    expect(payer).toBeString();
    await stopped;
    await till.resume();
    expect((await get(path)).status).toBe(409);
    await chain.mine(1);
    const end = await send(path, made);
    expect(end.status).toBe(200);
    expect(resultOf(end.headers)).toMatchObject({ success: true, transaction, payer });
    expect(await held(to)).toBe(price);
  });

  test("nobody is sent to pay in another way when the merchant ends this one", async () => {
    const { slug, path, to } = await newLink(till);
    const made = await payment(path);
    await holdBlocks();
    const answer = send(path, made);
    await isSent(path);
    await Promise.all([till.pause(), answer]);
    await till.resume({ mode: "off" });
    expect(await get(path)).toMatchObject({ status: 409, body: { code: "busy" } });
    await chain.mine(1);
    expect(await send(path, made)).toMatchObject({ status: 200 });
    await untilIs(() => statusOf(slug), "confirmed");
    expect(await get(path)).toMatchObject({ status: 200, body: { status: "confirmed" } });
    expect(await get((await newLink(till)).path)).toMatchObject({ status: 404 });
    expect(await held(to)).toBe(price);
    await till.pause();
    await till.resume();
  });

  test("who waits is told to come back in time, and one that fails makes room for another", async () => {
    await till.stop();
    till = await payingTill(chain, {}, { x402WaitMs: 500 });
    const { path, to } = await newLink(till);
    const [made, other] = [await payment(path), await payment(path)];
    await holdBlocks();
    const { status, headers } = await send(path, made);
    expect(status).toBe(409);
    expect(resultOf(headers).errorReason).toBe("settlement_pending");
    await isSent(path);
    const { payload } = made as Made & { payload: { authorization: { from: string } } };
    await chain.rpc("anvil_dealERC20", [payload.authorization.from, chain.usdc, "0x0"]);
    await chain.rpc("evm_setAutomine", [true]);
    await chain.mine(1);
    const failed = await until(
      () => send(path, made),
      (answer) => answer.status !== 409,
    );
    expect(failed.status).toBe(402);
    expect(resultOf(failed.headers).success).toBe(false);
    const paid = await until(
      () => send(path, other),
      (answer) => answer.status !== 409,
    );
    expect(paid.status).toBe(200);
    expect(await held(to)).toBe(price);
  });
});

test("one that was sent twice has one answer, though no fee can be paid when the second comes", async () => {
  const node = startRpcProxy(chain.rpcUrl);
  let aheadMs = 0;
  await till.stop();
  till = await payingTill(
    chain,
    { TILL_RPC_URL: node.url, TILL_RPC_WS_URL: undefined },
    { now: () => Date.now() + aheadMs },
  );
  /** Holds the next call of a method. */
  function hold(method: string) {
    const [asked, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    node.answer = async (call) => {
      if (call.method !== method) return;
      node.answer = null;
      asked.resolve();
      await freed.promise;
    };
    return { isAsked: asked.promise, free: () => freed.resolve() };
  }
  const { path } = await newLink(till);
  const made = await payment(path);
  const first = hold("eth_getTransactionCount");
  const answer = send(path, made);
  await first.isAsked;
  // What is known of the gas account is old by now.
  aheadMs = 31_000;
  const second = hold("eth_getBalance");
  const again = send(path, made);
  await second.isAsked;
  first.free();
  const { status, headers } = await answer;
  expect(status).toBe(200);
  await chain.rpc("anvil_setBalance", [WalletStore.gasAddress(till.db), "0x0"]);
  second.free();
  const twin = await again;
  expect([twin.status, resultOf(twin.headers)]).toEqual([200, resultOf(headers)]);
  await till.stop();
  await node.stop();
});

test("one client has no more on its way than may fail in an hour", async () => {
  await till.stop();
  till = await payingTill(chain, {}, { x402WaitMs: 500 });
  const links = await Promise.all(Array.from({ length: 6 }, () => newLink(till)));
  const made: Made[] = [];
  for (const { path } of links) made.push(await payment(path));
  await holdBlocks();
  const sent = () => Promise.all(links.map(({ path }, at) => send(path, made[at] as Made)));
  const codes = (answers: Awaited<ReturnType<typeof sent>>) =>
    answers.map(({ body }) => body.code ?? body.status).sort();
  expect(codes(await sent())).toEqual(["busy", "busy", "busy", "queue", "queue", "queue"]);
  await chain.rpc("evm_setAutomine", [true]);
  await chain.mine(1);
  const paid = await until(sent, (answers) => answers.every(({ status }) => status === 200));
  expect(paid).toHaveLength(6);
});

describe("when a payment could not be carried out", () => {
  test("none is asked for without ETH, and none that is too small", async () => {
    const { path } = await newLink(till);
    const small = (await till.api("POST", "/api/links", { ...linkRequest, expected_amount: "0.04" })).body
      .slug;
    expect(await get(`/x402/${small}`)).toMatchObject({ status: 422, body: { code: "minimum" } });
    const made = await payment(path);
    const gasAccount = WalletStore.gasAddress(till.db);
    await till.pause();
    await chain.rpc("anvil_setBalance", [gasAccount, "0x0"]);
    await till.resume();
    for (const answer of [await get(path), await send(path, made)]) {
      expect(answer).toMatchObject({ status: 503, body: { code: "reserve" } });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  test("none is asked for while the node is away", async () => {
    const node = startRpcProxy(chain.rpcUrl);
    await till.stop();
    till = await payingTill(chain, { TILL_RPC_URL: node.url, TILL_RPC_WS_URL: undefined });
    const { path } = await newLink(till);
    const made = await payment(path);
    await till.pause();
    await node.stop();
    await till.resume();
    for (const answer of [await get(path), await send(path, made)]) {
      expect(answer).toMatchObject({ status: 503, body: { code: "node_unreachable" } });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
  });
});
