import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Hex, serializeErc6492Signature } from "viem";
import * as WalletStore from "../../../../src/store/tables/installation/wallet.ts";
import { startTestChain } from "../../../support/chain/chain.ts";
import { balanceOf } from "../../../support/chain/evm.ts";
import { newSigner, type Signer } from "../../../support/chain/signer.ts";
import {
  type Accepted,
  decoded,
  encoded,
  type Made,
  makePayment,
  type NewLink,
  newLink,
  payingTill,
} from "../../../support/http/x402.ts";
import { shared } from "../../../support/per-file.ts";
import { type Answer, linkRequest, untilIs } from "../../../support/till/till.ts";

const price = 25_000_000n;

const chain = shared(startTestChain);
const till = shared(() => payingTill(chain, {}, { now: () => Date.now() + aheadMs }));
let aheadMs = 0;

const get = (path: string, headers: Record<string, string> = {}) => till.api("GET", path, undefined, headers);
const requiredOf = ({ headers }: Answer) => decoded(headers.get("payment-required"));
const resultOf = ({ headers }: Answer) => decoded(headers.get("payment-response"));
const due = async (path: string): Promise<Accepted> => requiredOf(await get(path)).accepts[0];
const send = (path: string, payment: unknown) => get(path, { "payment-signature": encoded(payment) });
const statusOf = async ({ slug }: NewLink) =>
  (await till.api("GET", `/api/payments/status/${slug}`)).body.status;
const held = ({ to }: NewLink) => balanceOf(chain, chain.usdc, to);
const sentByTill = async () =>
  Number(await chain.rpc("eth_getTransactionCount", [WalletStore.gasAddress(till.db), "latest"]));

async function payment(owed: NewLink, signer?: Signer, signed = {}): Promise<Made> {
  return makePayment(signer ?? (await newSigner(chain, price)), await due(owed.path), signed);
}

describe("who sends no payment", () => {
  test("is told what is due, in both versions, by any method", async () => {
    const { slug, path, to } = await newLink(till, {
      product_description: "Ethiopia Guji, 500 g – Kaffee ☕",
    });
    const answer = await get(path);
    expect(answer.status).toBe(402);
    const { x402Version, resource, accepts, extensions } = requiredOf(answer);
    expect(x402Version).toBe(2);
    expect(resource).toMatchObject({
      url: `${till.baseUrl}/x402/${slug}`,
      description: "Ethiopia Guji, 500 g – Kaffee ☕",
    });
    expect(accepts).toEqual([
      {
        scheme: "exact",
        network: "eip155:31337",
        amount: "25000000",
        asset: chain.usdc,
        payTo: to,
        maxTimeoutSeconds: 300,
        extra: { name: "USD Coin", version: "2" },
      },
    ]);
    expect(extensions["payment-identifier"].info).toEqual({ required: false });
    expect(answer.body).toMatchObject({
      x402Version: 1,
      accepts: [{ maxAmountRequired: "25000000", payTo: to, resource: `${till.baseUrl}/x402/${slug}` }],
    });
    for (const method of ["POST", "HEAD"]) {
      const { status, headers } = await fetch(`${till.baseUrl}${path}`, { method });
      expect([method, status]).toEqual([method, 402]);
      expect(headers.get("payment-required")).toBe(answer.headers.get("payment-required"));
    }
  });

  test("keeps nothing that a cache could show to others", async () => {
    const { path } = await newLink(till);
    for (const { headers } of [await get(path), await get("/x402/nothing"), await send(path, {})]) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-expose-headers")).toContain("PAYMENT-REQUIRED");
    }
  });

  test("gets the page where it takes a page or anything, and JSON where it takes JSON alone", async () => {
    const link = await newLink(till);
    const invoice = await till.createInvoice();
    for (const page of [`/pay/${link.slug}`, `/i/${invoice["slug"]}`]) {
      for (const accept of ["*/*", "text/html", "text/html,application/json,*/*;q=0.8"]) {
        const { status, headers } = await get(page, { accept });
        expect([page, accept, status]).toEqual([page, accept, 200]);
        expect(headers.get("content-type")).toStartWith("text/html");
        expect(headers.get("link")).toContain(`/x402/${page.split("/")[2]}>; rel="payment"`);
      }
      for (const method of ["GET", "HEAD"]) {
        const asked = { method, headers: { accept: "application/json" } };
        expect((await fetch(`${till.baseUrl}${page}`, asked)).status).toBe(402);
      }
    }
  });

  test("is told that nothing is due of what is paid, void, or not there", async () => {
    const [marked, void_] = [await newLink(till), await newLink(till)];
    await till.api("POST", `/api/links/${marked.slug}/mark`, { as: "paid" });
    await till.api("POST", `/api/links/${void_.slug}/void`, { reason: "Sold out." });
    const paid = await get(marked.path);
    expect(paid).toMatchObject({ status: 200, body: { status: "confirmed", transaction: null } });
    expect((await fetch(paid.body.receipt_url)).status).toBe(200);
    expect(await get(void_.path)).toMatchObject({ status: 410, body: { code: "gone" } });
    expect((await get("/x402/nothing")).status).toBe(404);
    const over = await newLink(till, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await get(over.path)).status).toBe(402);
    aheadMs = 3_600_001;
    const late = await get(over.path);
    aheadMs = 0;
    expect(late.status).toBe(410);
  });

  test("is sent to the page of a reusable link, and finds no invoice by its number", async () => {
    const { body } = await till.api("POST", "/api/links", { ...linkRequest, reusable: true });
    const reusable = await get(`/x402/${body.slug}`);
    expect(reusable.status).toBe(404);
    expect(reusable.body.detail).toContain(`/pay/${body.slug}`);
    const { invoice_number } = await till.createInvoice();
    expect((await get(`/x402/invoices/${invoice_number}`)).status).toBe(404);
  });
});

describe("a payment", () => {
  test("is the same when it is sent again, and for no other link", async () => {
    const [link, other] = [await newLink(till), await newLink(till)];
    const made = await payment(link);
    const first = await send(link.path, made);
    expect(first.status).toBe(200);
    const before = await sentByTill();
    const again = await send(link.path, made);
    expect(again.status).toBe(200);
    expect(resultOf(again)).toEqual(resultOf(first));
    const elsewhere = await send(other.path, made);
    expect(elsewhere.status).toBe(402);
    expect(resultOf(elsewhere)).toMatchObject({
      success: false,
      errorReason: "invalid_exact_evm_recipient_mismatch",
      transaction: "",
    });
    const renamed = await send(other.path, { ...made, accepted: await due(other.path) });
    expect(resultOf(renamed).errorReason).toBe("invalid_exact_evm_recipient_mismatch");
    expect(await sentByTill()).toBe(before);
    expect(await held(other)).toBe(0n);
    await untilIs(() => statusOf(link), "confirmed");
    expect((await send(link.path, made)).body.status).toBe("confirmed");
  });

  test("is not taken for what was due before a part came", async () => {
    const link = await newLink(till);
    const made = await payment(link);
    await chain.pay(link.to, "10.00");
    await untilIs(() => statusOf(link), "partial");
    const before = await sentByTill();
    const answer = await send(link.path, made);
    expect(answer.status).toBe(402);
    const required = requiredOf(answer);
    expect(required.error).toBe("invalid_exact_evm_payload_authorization_value_mismatch");
    expect(required.accepts[0].amount).toBe("15000000");
    expect(await sentByTill()).toBe(before);
    expect((await send(link.path, await payment(link))).status).toBe(200);
    expect(await held(link)).toBe(price);
  });

  test("keeps the name that its program gave it", async () => {
    const link = await newLink(till);
    const named = (made: Made, id: string) => ({
      ...made,
      extensions: { "payment-identifier": { info: { required: false, id } } },
    });
    const made = await payment(link);
    for (const id of ["short", "a".repeat(129), "not a name, I say"])
      expect(await send(link.path, named(made, id))).toMatchObject({
        status: 400,
        body: { code: "invalid_payment", detail: expect.stringContaining("16 to 128") },
      });
    const broken = { ...named(made, "short"), payload: {} };
    expect((await send(link.path, broken)).body.detail).toContain("none of x402");
    const other = await payment(link);
    const first = await send(link.path, named(made, "order_0000000001"));
    expect(first.status).toBe(200);
    await till.pause();
    await till.resume();
    expect(resultOf(await send(link.path, named(made, "order_0000000001")))).toEqual(resultOf(first));
    const { authorization } = made.payload;
    const resigned = { ...made, payload: { authorization, signature: `0x${"12".repeat(65)}` } };
    for (const clashing of [other, resigned]) {
      const clash = await send(link.path, named(clashing, "order_0000000001"));
      expect(clash).toMatchObject({ status: 409, body: { code: "identifier" } });
    }
    expect(await held(link)).toBe(price);
  });

  test("of a smart wallet whose maker Till does not know is refused in x402's words", async () => {
    const link = await newLink(till);
    const made = await payment(link);
    const { signature, authorization } = made.payload as { signature: Hex; authorization: object };
    const wrapped = serializeErc6492Signature({ address: link.to, data: "0x12345678", signature });
    const answer = await send(link.path, { ...made, payload: { authorization, signature: wrapped } });
    expect([answer.status, resultOf(answer).errorReason]).toEqual([402, "eip6492_factory_not_allowed"]);
  });

  describe("is refused, and nothing sent,", () => {
    let link: NewLink;
    let signer: Signer;
    beforeAll(async () => {
      link = await newLink(till);
      signer = await newSigner(chain, price);
    });
    const withExtra = (made: Made, extra: object): Made => ({
      ...made,
      accepted: { ...made.accepted, extra: { ...made.accepted.extra, ...extra } },
    });
    const accepting = (made: Made, changed: Partial<Accepted>): Made => ({
      ...made,
      accepted: { ...made.accepted, ...changed },
    });
    const cases: Record<
      string,
      [string, (made: Made, signer: Signer, link: NewLink) => Made | Promise<Made>]
    > = {
      "of another scheme": ["invalid_exact_evm_scheme", (made) => accepting(made, { scheme: "upto" })],
      "on another chain": [
        "invalid_exact_evm_network_mismatch",
        (made) => accepting(made, { network: "eip155:8453" }),
      ],
      "in another token": [
        "invalid_payment_requirements",
        (made) => accepting(made, { asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e" }),
      ],
      "by the name of the token on Base Sepolia": [
        "invalid_exact_evm_token_name_mismatch",
        (made) => withExtra(made, { name: "USDC" }),
      ],
      "by another version of the token": [
        "invalid_exact_evm_token_version_mismatch",
        (made) => withExtra(made, { version: "1" }),
      ],
      "for less than it says": [
        "invalid_exact_evm_payload_authorization_value_mismatch",
        (_, signer, link) => payment(link, signer, { amount: price - 1n }),
      ],
      "for more than the database can be asked for": [
        "invalid_exact_evm_payload_authorization_value_mismatch",
        (made) => {
          const { authorization, signature } = made.payload;
          return {
            ...made,
            payload: { signature, authorization: { ...authorization, value: "9".repeat(78) } },
          } as Made;
        },
      ],
      "after its time": [
        "invalid_exact_evm_payload_authorization_valid_before",
        (_, signer, link) => payment(link, signer, { validBeforeSec: 1_000 }),
      ],
      "before its time": [
        "invalid_exact_evm_payload_authorization_valid_after",
        (_, signer, link) =>
          payment(link, signer, { validAfterSec: 4_000_000_000, validBeforeSec: 4_000_000_100 }),
      ],
      "for ever": [
        "invalid_exact_evm_payload_authorization_valid_before",
        (_, signer, link) => payment(link, signer, { validBeforeSec: Number.MAX_SAFE_INTEGER }),
      ],
      "with the signature of another chain or name": [
        "invalid_exact_evm_signature",
        async (made, signer) => {
          const { authorization } = made.payload as { authorization: Record<string, string> };
          const { asset, extra } = made.accepted;
          const domain = {
            ...extra,
            name: "USDC",
            chainId: 31_337,
            verifyingContract: asset as `0x${string}`,
          };
          const [address, uint256] = ["address", "uint256"];
          const types = {
            TransferWithAuthorization: [
              { name: "from", type: address },
              { name: "to", type: address },
              { name: "value", type: uint256 },
              { name: "validAfter", type: uint256 },
              { name: "validBefore", type: uint256 },
              { name: "nonce", type: "bytes32" },
            ],
          };
          const primaryType = "TransferWithAuthorization";
          const signature = await signer.key.signTypedData({
            domain,
            types,
            primaryType,
            message: authorization,
          });
          return { ...made, payload: { authorization, signature } };
        },
      ],
      "of an account without the money": [
        "invalid_exact_evm_insufficient_balance",
        async (_, __, link) => payment(link, await newSigner(chain, price - 1n)),
      ],
    };
    for (const [what, [reason, change]] of Object.entries(cases)) {
      test(what, async () => {
        const sent = await change(await payment(link, signer), signer, link);
        const before = await sentByTill();
        const answer = await send(link.path, sent);
        expect(answer.status).toBe(402);
        expect(resultOf(answer)).toMatchObject({ success: false, errorReason: reason, transaction: "" });
        expect(requiredOf(answer).error).toBe(reason);
        expect(await sentByTill()).toBe(before);
      });
    }

    test("and its payer can pay after all of that", async () => {
      expect((await send(link.path, await payment(link, signer))).status).toBe(200);
    });
  });

  test("for another token, whose name is no text, is refused as any", async () => {
    const link = await newLink(till);
    const made = await payment(link);
    for (const name of ["asset", "payTo"]) {
      const accepted = { ...made.accepted, [name]: { toString: 1, valueOf: 1 } };
      expect((await send(link.path, { ...made, accepted })).status).toBe(402);
    }
  });

  test("that is none is told so, whatever is in its header", async () => {
    const link = await newLink(till);
    const { path } = link;
    const made = await payment(link);
    const json = fc.json().map((text) => Buffer.from(text).toString("base64"));
    const cut = fc.nat({ max: encoded(made).length - 2 }).map((at) => encoded(made).slice(0, at));
    const printable = fc.string({ unit: "grapheme-ascii", maxLength: 400 });
    const wrong = fc.constantFrom(
      "",
      "=",
      "a".repeat(9_000),
      encoded({ ...made, x402Version: 3 }),
      encoded({ ...made, payload: { ...made.payload, signature: "0x1" } }),
      encoded({ ...made, payload: { signature: "0x00", permit2Authorization: {} } }),
      encoded([made]),
      encoded(made).replaceAll("e", "é"),
    );
    const header = fc.oneof(json, cut, printable, wrong);
    await fc.assert(
      fc.asyncProperty(header, fc.constantFrom("payment-signature", "x-payment"), async (value, name) => {
        const sent = value.replaceAll(/[^\x20-\x7e]/g, "?").trim();
        const { status, body, headers } = await get(path, { [name]: sent });
        expect([sent, status, body.code]).toEqual([sent, 400, "invalid_payment"]);
        expect(headers.get(name === "x-payment" ? "x-payment-response" : "payment-response")).not.toBeNull();
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});
