import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import usdcArtifact from "../../../../assets/contracts/artifacts/DevUsdc.json";
import * as Address from "../../../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../../../support/chain/chain.ts";
import { balanceOf, encode, stranger } from "../../../support/chain/evm.ts";
import { mint } from "../../../support/chain/settlement.ts";
import { newSigner, type Signer } from "../../../support/chain/signer.ts";
import { decoded, encoded, type Made, makePayment, payingTill, show } from "../../../support/http/x402.ts";
import { linkRequest, type TestTill, until } from "../../../support/till/till.ts";

const price = 25_000_000n;

let chain: TestChain;
let till: TestTill;
let aheadMs = 0;
beforeEach(async () => {
  aheadMs = 0;
  chain = await startTestChain();
  till = await payingTill(chain, {}, { now: () => Date.now() + aheadMs });
});
afterEach(async () => {
  await till.stop();
  await chain.stop();
});

const get = (path: string, headers = {}) => till.api("GET", path, undefined, headers);
const send = (path: string, made: Made) => get(path, { "payment-signature": encoded(made) });
const resultOf = ({ headers }: { headers: Headers }) => decoded(headers.get("payment-response"));
const held = (to: Address.Address) => balanceOf(chain, chain.usdc, to);

/** Takes an account's money by a transaction that comes before any of Till's. */
async function drain({ address }: Signer): Promise<void> {
  await chain.rpc("anvil_impersonateAccount", [address]);
  await chain.giveEth(address);
  const data = encode(usdcArtifact.abi, "transfer", [stranger, price]);
  const call = { from: address, to: chain.usdc, data, gas: "0x30d40", maxFeePerGas: "0x4a817c8000" };
  await chain.rpc("eth_sendTransaction", [{ ...call, maxPriorityFeePerGas: "0x4a817c8000" }]);
}

/** A named payment that reverted, as its payer's money left in the same block. */
async function reverted() {
  const { slug, deposit_address } = (await till.api("POST", "/api/links", linkRequest)).body;
  const [path, to] = [`/x402/${slug}`, Address.checksum(deposit_address)];
  const signer = await newSigner(chain, price);
  const { accepts } = decoded((await get(path)).headers.get("payment-required"));
  const unnamed = await makePayment(signer, accepts[0]);
  const name = { "payment-identifier": { info: { required: false, id: "order_0000000002" } } };
  const made = { ...unnamed, extensions: name };
  await chain.rpc("evm_setAutomine", [false]);
  const first = send(path, made);
  await until(
    () => get(path),
    (answer) => answer.headers.has("payment-response") && resultOf(answer).transaction !== "",
  );
  await drain(signer);
  await chain.rpc("evm_setAutomine", [true]);
  await chain.mine(1);
  const failed = await first;
  expect(failed.status).toBe(402);
  expect(resultOf(failed)).toMatchObject({ errorReason: "invalid_exact_evm_transaction_failed" });
  return { slug, path, to, signer, accepted: accepts[0], unnamed, made, failed };
}

const isConfirmed = (slug: string) =>
  until(
    async () => (await till.api("GET", `/api/payments/status/${slug}`)).body.status,
    (status) => status === "confirmed",
  );

describe("a named payment that reverted", () => {
  test("pays when it is sent again with money, as one without a name does", async () => {
    const { path, to, signer, made } = await reverted();
    const poor = await send(path, made);
    expect([poor.status, resultOf(poor).errorReason]).toEqual([
      402,
      "invalid_exact_evm_insufficient_balance",
    ]);
    await mint(chain, signer.address, price);
    const paid = await send(path, made);
    expect([paid.status, resultOf(paid).success]).toEqual([200, true]);
    expect(await held(to)).toBe(price);
  });

  test("is told by its name once its authorisation is over, and leaves the name to another", async () => {
    const { path, to, signer, accepted, made, failed } = await reverted();
    await mint(chain, signer.address, price);
    aheadMs = 400_000;
    expect(resultOf(await send(path, made))).toEqual(resultOf(failed));
    expect(await held(to)).toBe(0n);
    aheadMs = 0;
    const other = await makePayment(await newSigner(chain, price), accepted);
    expect((await send(path, { ...other, extensions: made.extensions })).status).toBe(200);
    expect(await held(to)).toBe(price);
  });

  test("is told as paid when the same payment was sent without its name, and paid", async () => {
    const { slug, path, to, signer, unnamed, made } = await reverted();
    await mint(chain, signer.address, price);
    const paid = await send(path, unnamed);
    expect(paid.status).toBe(200);
    await isConfirmed(slug);
    for (const ahead of [0, 400_000]) {
      aheadMs = ahead;
      const again = await send(path, made);
      expect([again.status, resultOf(again)]).toEqual([200, resultOf(paid)]);
    }
    expect(await held(to)).toBe(price);
  });

  test("is told as paid when somebody else showed it to the token", async () => {
    const { slug, path, to, signer, made } = await reverted();
    await mint(chain, signer.address, price);
    const transaction = await show(chain, made.payload);
    await isConfirmed(slug);
    for (const ahead of [0, 400_000]) {
      aheadMs = ahead;
      const again = await send(path, made);
      expect(again).toMatchObject({ status: 200, body: { status: "confirmed", transaction } });
      expect(resultOf(again)).toMatchObject({ success: true, transaction, payer: signer.address });
    }
    expect(await held(to)).toBe(price);
  });

  test("is told as failed when another payment has paid", async () => {
    const { path, to, accepted, made } = await reverted();
    expect((await send(path, await makePayment(await newSigner(chain, price), accepted))).status).toBe(200);
    const again = await send(path, made);
    expect([again.status, resultOf(again).success]).toEqual([200, false]);
    expect(await held(to)).toBe(price);
  });
});
