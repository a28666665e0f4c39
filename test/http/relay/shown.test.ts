import { describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import type { TypedData } from "../../../src/settle/relay/relayer.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { newSigner, type Signer } from "../../support/chain/signer.ts";
import { authorization, challengeOf, makeCredential } from "../../support/http/mpp.ts";
import {
  decoded,
  encoded,
  makePayment,
  type NewLink,
  newLink,
  payingTill,
  type SignedFields,
  show,
} from "../../support/http/x402.ts";
import { shared } from "../../support/per-file.ts";
import { type Answer, untilIs } from "../../support/till/till.ts";

const price = 25_000_000n;

const chain = shared(startTestChain);
const till = shared(() => payingTill(chain, {}, { now: () => Date.now() + aheadMs }));
let aheadMs = 0;

type Owed = Pick<NewLink, "slug" | "path" | "page" | "to"> & { id?: string };

async function invoice(): Promise<Owed> {
  const line_items = [{ description: "Design", quantity: 1, unit_price: "25.00" }];
  const { slug = "", invoice_id: id = "", deposit_address = "" } = await till.createInvoice({ line_items });
  return { id, slug, path: `/x402/${slug}`, page: `/i/${slug}`, to: Address.checksum(deposit_address) };
}

const get = (path: string, headers = {}) => till.api("GET", path, undefined, headers);
const received = async ({ to }: Owed) => {
  const row = till.db
    .query<{ got: bigint }, [string]>("SELECT received_amount AS got FROM receivable WHERE address = ?")
    .get(to);
  return row?.got ?? 0n;
};
const isCredited = (owed: Owed, amount = price) => untilIs(() => received(owed), amount);

/** What a payer signs, as anybody who sees it can show it to the token, and how they bring it to Till. */
type Signed = { fields: SignedFields; bring: () => Promise<Answer> };

const ways = {
  async x402({ path }: Owed, signer: Signer, amount?: bigint): Promise<Signed> {
    const { accepts } = decoded((await get(path)).headers.get("payment-required"));
    const made = await makePayment(signer, accepts[0], amount === undefined ? {} : { amount });
    return { fields: made.payload, bring: () => get(path, { "payment-signature": encoded(made) }) };
  },
  async mpp({ path }: Owed, signer: Signer, amount?: bigint): Promise<Signed> {
    const challenge = challengeOf((await get(path)).headers);
    const made = await makeCredential(signer, challenge, amount === undefined ? {} : { amount });
    const { signature, type: _, ...said } = made.payload as Record<string, string>;
    const fields = { authorization: said, signature: String(signature) };
    return { fields, bring: () => get(path, { authorization: authorization(made) }) };
  },
};

/** That a payment moved money, in the terms of the protocol by which it was brought. */
function expectPaid({ status, headers, body }: Answer, transaction: string, says = "confirmed"): void {
  expect({ status, body }).toMatchObject({ status: 200, body: { status: says, transaction } });
  const isX402 = headers.has("payment-response");
  const told = decoded(headers.get(isX402 ? "payment-response" : "payment-receipt"));
  expect(told).toMatchObject(
    isX402 ? { success: true, transaction } : { status: "success", reference: transaction },
  );
  expect(told).not.toHaveProperty("errorReason");
}

async function shown(owed: Owed, by: keyof typeof ways = "x402") {
  const signer = await newSigner(chain, price);
  const { fields, bring } = await ways[by](owed, signer);
  const transaction = await show(chain, fields);
  await isCredited(owed);
  return { transaction, bring, signer };
}

describe.each(["x402", "mpp"] as const)("by %s, an authorisation that a stranger showed first", (by) => {
  test("has paid: its payer is told of its transaction, each time", async () => {
    const owed = await newLink(till);
    const { transaction, bring } = await shown(owed, by);
    for (let i = 0; i < 2; i++) expectPaid(await bring(), transaction);
  });

  test("has not paid when it was a part of what is due, which counts, whenever it is brought", async () => {
    const owed = await newLink(till);
    const signer = await newSigner(chain, price);
    // More than what is due after it.
    const part = 15_000_000n;
    const { fields, bring } = await ways[by](owed, signer, part);
    await till.pause();
    await show(chain, fields);
    await till.resume();
    const refused = async () => {
      const { status, headers } = await bring();
      expect([402, 409]).toContain(status);
      expect(headers.has("payment-receipt")).toBe(false);
      const result = headers.get("payment-response");
      if (by === "x402") expect(decoded(result)).toMatchObject({ success: false });
    };
    await refused();
    await isCredited(owed, part);
    await refused();
    const { accepts } = decoded((await get(owed.path)).headers.get("payment-required"));
    expect(accepts[0].amount).toBe(String(price - part));
  });

  test("has not paid when only the same amount came from the same account", async () => {
    const owed = await newLink(till);
    const signer = await newSigner(chain, 2n * price);
    const { bring } = await ways[by](owed, signer);
    const other = await ways.x402(owed, signer);
    await show(chain, other.fields);
    await isCredited(owed);
    const { status, headers, body } = await bring();
    expect({ status, body }).toMatchObject({ status: 200, body: { status: "confirmed" } });
    expect(headers.has("payment-receipt")).toBe(false);
    if (by === "x402") expect(decoded(headers.get("payment-response"))).toMatchObject({ success: false });
  });
});

describe("an authorisation that a stranger showed first", () => {
  test("has paid after more came than was due", async () => {
    const owed = await newLink(till);
    const { transaction, bring } = await shown(owed);
    await chain.pay(owed.to, "1.00");
    await isCredited(owed, price + 1_000_000n);
    expectPaid(await bring(), transaction);
  });

  test("has paid an invoice that was voided since", async () => {
    const owed = await invoice();
    const signer = await newSigner(chain, price);
    const { fields, bring } = await ways.x402(owed, signer);
    await till.api("POST", `/api/invoices/${owed.id}/void`, { reason: "Sent by mistake" });
    const transaction = await show(chain, fields);
    await isCredited(owed);
    expectPaid(await bring(), transaction);
  });

  test("has paid a link whose time is over, and after the time of the authorisation", async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const owed = await newLink(till, { expires_at });
    const { transaction, bring } = await shown(owed);
    aheadMs = 7_200_000;
    const answer = await bring();
    aheadMs = 0;
    expectPaid(answer, transaction);
  });

  test("has paid where Till pays no fees of others any more", async () => {
    const owed = await newLink(till);
    const { transaction, bring } = await shown(owed);
    await till.pause();
    await till.resume({ mode: "off" });
    expectPaid(await bring(), transaction);
    await till.pause();
    await till.resume();
  });

  test("has paid before the books have it", async () => {
    const owed = await newLink(till);
    const signer = await newSigner(chain, price);
    const { fields, bring } = await ways.x402(owed, signer);
    await till.pause();
    const transaction = await show(chain, fields);
    await till.resume();
    const { body } = await bring();
    expect(["confirming", "confirmed"]).toContain(body.status);
    expect(body.transaction).toBe(transaction);
    await isCredited(owed);
    expectPaid(await bring(), transaction);
  });
});

test("on the page, who signed what a stranger showed first is told of its transaction", async () => {
  const owed = await newLink(till);
  const signer = await newSigner(chain, price);
  const typed = (await till.api("POST", `${owed.page}/authorization`, { payer: signer.address }))
    .body as TypedData;
  const signature = await signer.key.signTypedData(typed as never);
  const tx_hash = await show(chain, { authorization: typed.message as Record<string, string>, signature });
  await isCredited(owed);
  const body = { authorization: typed.message, signature };
  expect(await till.api("POST", `${owed.page}/relay`, body)).toMatchObject({
    status: 202,
    body: { state: "confirmed", tx_hash },
  });
});
