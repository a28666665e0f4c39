import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as WalletStore from "../../../../src/store/tables/installation/wallet.ts";
import { startTestChain } from "../../../support/chain/chain.ts";
import { balanceOf } from "../../../support/chain/evm.ts";
import { newSigner, type Signer } from "../../../support/chain/signer.ts";
import { authorization, type Credential, challengeOf, makeCredential } from "../../../support/http/mpp.ts";
import {
  decoded,
  encoded,
  makePayment,
  type NewLink,
  newLink,
  payingTill,
} from "../../../support/http/x402.ts";
import { shared } from "../../../support/per-file.ts";
import { startTestTill, type TestTill, until, untilIs } from "../../../support/till/till.ts";

const price = 25_000_000n;
const problems = "https://paymentauth.org/problems/";

let till: TestTill;
// Before the chain ends.
afterAll(() => till.stop());
const chain = shared(startTestChain);
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
beforeAll(async () => {
  till = await payingTill(chain, {}, { now });
});

const get = (path: string, headers: Record<string, string> = {}) => till.api("GET", path, undefined, headers);
const send = (path: string, sent: unknown) => get(path, { authorization: authorization(sent) });
const held = ({ to }: NewLink) => balanceOf(chain, chain.usdc, to);
const receiptOf = (headers: Headers) => decoded(headers.get("payment-receipt"));
const sentByTill = async () =>
  Number(await chain.rpc("eth_getTransactionCount", [WalletStore.gasAddress(till.db), "latest"]));
const asked = async (path: string) => challengeOf((await get(path)).headers);

async function payment(owed: NewLink, signer?: Signer, signed = {}): Promise<Credential> {
  return makeCredential(signer ?? (await newSigner(chain, price)), await asked(owed.path), signed);
}

describe("a 402", () => {
  test("asks for a charge with an authorisation, beside what x402 asks for", async () => {
    const { path, to } = await newLink(till, { product_description: "Ethiopia Guji, 500 g – Kaffee ☕" });
    const before = Date.now();
    const { status, headers, body } = await get(path);
    expect(status).toBe(402);
    const challenge = challengeOf(headers);
    expect(challenge).toMatchObject({ realm: "127.0.0.1", method: "evm", intent: "charge" });
    expect(challenge.request).toEqual({
      amount: "25000000",
      currency: chain.usdc,
      description: "Ethiopia Guji, 500 g – Kaffee ☕",
      methodDetails: {
        chainId: 31_337,
        credentialTypes: ["authorization"],
        decimals: 6,
        permit2Address: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
      },
      recipient: to,
    });
    expect(Date.parse(challenge.expires ?? "")).toBeWithin(before + 299_000, Date.now() + 300_001);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.has("payment-receipt")).toBe(false);
    expect(body).toMatchObject({ x402Version: 1 });
    expect(decoded(headers.get("payment-required")).x402Version).toBe(2);
  });

  test("is readable from other sites' pages, whose programs may send a credential", async () => {
    const { path, slug } = await newLink(till);
    const { headers } = await get(path);
    expect(headers.get("access-control-expose-headers")).toContain("WWW-Authenticate, Payment-Receipt");
    for (const asking of [path, `/pay/${slug}`]) {
      const preflight = await fetch(`${till.baseUrl}${asking}`, {
        method: "OPTIONS",
        headers: { "access-control-request-headers": "authorization" },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
    }
  });

  test("is for programs: a page's URL asks those who say how they pay, and nobody else", async () => {
    const { slug } = await newLink(till);
    expect((await get(`/pay/${slug}`, { accept: "*/*" })).status).toBe(200);
    const asking = await get(`/pay/${slug}`, { accept: "*/*", "accept-payment": "evm/charge" });
    expect(asking.status).toBe(402);
    expect(decoded(asking.headers.get("payment-required")).resource.url).toBe(`${till.baseUrl}/pay/${slug}`);
    const posted = { method: "POST", headers: { "accept-payment": "evm/charge" } };
    expect((await fetch(`${till.baseUrl}/pay/${slug}`, posted)).status).toBe(402);
    const long = await get(`/x402/${slug}?${"a".repeat(600)}`);
    expect(decoded(long.headers.get("payment-required")).resource.url).toBe(`${till.baseUrl}/x402/${slug}`);
  });
});

describe("the headers of a 402", () => {
  const bytesOf = (headers: Headers) =>
    [...headers].reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value) + 4, 0);
  for (const character of ["a", '"', "Ü", "日", "🙂", "👨‍👩‍👧", "\\"])
    test(`fit into what a proxy takes, with a description of ${character}`, async () => {
      const description = character.repeat(200 / character.length);
      const owed = await newLink(till, { product_description: description });
      const poor = await newSigner(chain, 1n);
      const query = `?${"q".repeat(200 - `${till.baseUrl}/pay/${owed.slug}?`.length)}`;
      const first = await get(`/pay/${owed.slug}${query}`, { "accept-payment": "evm/charge" });
      const answers = [first, await get(owed.path), await send(owed.path, await payment(owed, poor))];
      const accepted = decoded(first.headers.get("payment-required")).accepts[0];
      for (const [name, version] of [
        ["payment-signature", 2],
        ["x-payment", 1],
      ] as const) {
        const made = { ...(await makePayment(poor, accepted)), x402Version: version };
        const { scheme, network } = accepted;
        answers.push(await get(owed.path, { [name]: encoded({ ...made, scheme, network }) }));
      }
      for (const { status, headers } of answers) {
        expect(status).toBe(402);
        expect(bytesOf(headers)).toBeLessThan(3.5 * 1024);
        const { description: said } = decoded(headers.get("payment-required")).resource;
        expect(description).toStartWith(said);
        expect(challengeOf(headers).request["description"]).toBe(said);
      }
      expect(first.body.accepts[0].description).toBe(description);
      expect((await send(owed.path, await payment(owed))).status).toBe(200);
    });
});

describe("a credential", () => {
  test("pays, is the same when it is sent again, even after its time", async () => {
    const owed = await newLink(till);
    const made = await payment(owed);
    const first = await send(owed.path, made);
    // One confirmation is enough here, and the watcher may be faster than the answer.
    expect([first.status, first.body.status]).toEqual([200, expect.stringMatching(/^confirm(ing|ed)$/)]);
    const receipt = receiptOf(first.headers);
    expect(receipt).toMatchObject({
      status: "success",
      method: "evm",
      chainId: 31_337,
      challengeId: made.challenge["id"],
      reference: first.body.transaction,
    });
    const before = await sentByTill();
    expect(receiptOf((await send(`/pay/${owed.slug}`, made)).headers)).toEqual(receipt);
    await untilIs(
      async () => (await till.api("GET", `/api/payments/status/${owed.slug}`)).body.status,
      "confirmed",
    );
    aheadMs = 400_000;
    const late = await send(owed.path, made);
    aheadMs = 0;
    expect(receiptOf(late.headers)).toEqual(receipt);
    expect(late.body.status).toBe("confirmed");
    expect(await sentByTill()).toBe(before);
    expect(await held(owed)).toBe(price);
    const timeline = await till.api("GET", `/api/links/${owed.slug}/timeline`);
    expect(JSON.stringify(timeline.body)).toContain("by MPP");
  });

  test("is recognised after a restart", async () => {
    const owed = await newLink(till);
    const made = await payment(owed);
    await till.pause();
    await till.resume();
    expect((await send(owed.path, made)).status).toBe(200);
  });

  test("waits for its block, and nobody is asked for another meanwhile", async () => {
    await till.stop();
    till = await payingTill(chain, {}, { now, x402WaitMs: 500 });
    const owed = await newLink(till);
    const [made, other] = [await payment(owed), await payment(owed)];
    await chain.rpc("evm_setAutomine", [false]);
    const first = send(owed.path, made);
    await until(
      () => get(owed.path),
      ({ headers }) => headers.has("payment-response"),
    );
    for (const { status, headers, body } of [await send(owed.path, other), await first]) {
      expect({ status, code: body.code }).toEqual({ status: 409, code: "busy" });
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect([headers.has("www-authenticate"), headers.has("payment-receipt")]).toEqual([false, false]);
    }
    await chain.rpc("evm_setAutomine", [true]);
    await chain.mine(1);
    const paid = await until(
      () => send(owed.path, made),
      (answer) => answer.status !== 409,
    );
    expect(receiptOf(paid.headers).challengeId).toBe(made.challenge["id"]);
    expect(await held(owed)).toBe(price);
    await till.stop();
    till = await payingTill(chain, {}, { now });
  });

  describe("is refused, nothing sent, and asked for anew", () => {
    let owed: NewLink;
    let signer: Signer;
    beforeAll(async () => {
      owed = await newLink(till);
      signer = await newSigner(chain, price);
    });
    const challenged = (made: Credential, changed: object): Credential => ({
      ...made,
      challenge: { ...made.challenge, ...changed },
    });
    const paying = (made: Credential, changed: object): Credential => ({
      ...made,
      payload: { ...made.payload, ...changed },
    });
    const other = (made: Credential, change: (request: Record<string, unknown>) => object) => {
      const request = JSON.parse(Buffer.from(String(made.challenge["request"]), "base64url").toString());
      const changed = Buffer.from(JSON.stringify({ ...request, ...change(request) })).toString("base64url");
      return challenged(made, { request: changed });
    };
    type Change = (made: Credential, signer: Signer, owed: NewLink) => Credential | Promise<Credential>;
    const cases: Record<string, [string, Change]> = {
      "when it is for another link": [
        "invalid-challenge",
        async (_, signer, { to }) => payment(await newLink(till), signer, { to }),
      ],
      "when its amount was made less": ["invalid-challenge", (made) => other(made, () => ({ amount: "1" }))],
      "when it was made to last": [
        "invalid-challenge",
        (made) => challenged(made, { expires: "2099-01-01T00:00:00.000Z" }),
      ],
      "when its mark is made up": ["invalid-challenge", (made) => challenged(made, { id: "A".repeat(43) })],
      "when it is of another realm": [
        "invalid-challenge",
        (made) => challenged(made, { realm: "127.0.0.1|evm" }),
      ],
      "when its nonce is not of the challenge": [
        "verification-failed",
        (_, signer, owed) => payment(owed, signer, { nonce: `0x${"12".repeat(32)}` }),
      ],
      "when it pays less than was asked for": [
        "verification-failed",
        (_, signer, owed) => payment(owed, signer, { amount: price - 1n }),
      ],
      "when it pays somebody else": [
        "verification-failed",
        async (_, signer, owed) => payment(owed, signer, { to: (await newLink(till)).to }),
      ],
      "when its signature is another's": [
        "verification-failed",
        async (made, _, owed) => paying(made, { signature: (await payment(owed)).payload["signature"] }),
      ],
      "when the money is not there": [
        "verification-failed",
        async (_, __, owed) => payment(owed, await newSigner(chain, 1n)),
      ],
      "when its authorisation is over": [
        "payment-expired",
        (_, signer, owed) => payment(owed, signer, { validBeforeSec: 1_000 }),
      ],
      "when it is a hash": [
        "malformed-credential",
        (made) => ({ ...made, payload: { type: "hash", hash: `0x${"12".repeat(32)}` } }),
      ],
    };
    for (const [what, [kind, change]] of Object.entries(cases))
      test(what, async () => {
        const sent = await change(await payment(owed, signer), signer, owed);
        const before = await sentByTill();
        const { status, headers, body } = await send(owed.path, sent);
        expect({ status, type: body.type }).toEqual({ status: 402, type: `${problems}${kind}` });
        expect(headers.get("content-type")).toBe("application/problem+json");
        expect(body.challengeId).toBe(challengeOf(headers).id);
        expect(headers.has("payment-receipt")).toBe(false);
        expect(await sentByTill()).toBe(before);
      });

    test("when its time is over", async () => {
      const made = await payment(owed, signer, { validBeforeSec: Math.floor(Date.now() / 1_000) + 1_800 });
      aheadMs = 301_000;
      const { status, headers, body } = await send(owed.path, made);
      aheadMs = 0;
      expect({ status, type: body.type }).toEqual({ status: 402, type: `${problems}payment-expired` });
      expect(challengeOf(headers).id).not.toBe(String(made.challenge["id"]));
      expect(await held(owed)).toBe(0n);
      expect((await send(owed.path, await payment(owed, signer))).status).toBe(200);
    });

    test("when a part has come since", async () => {
      const owed = await newLink(till);
      const made = await payment(owed);
      await chain.pay(owed.to, "10.00");
      await untilIs(async () => (await asked(owed.path)).request["amount"], "15000000");
      const { status, headers, body } = await send(owed.path, made);
      expect({ status, type: body.type }).toEqual({ status: 402, type: `${problems}invalid-challenge` });
      expect(challengeOf(headers).request["amount"]).toBe("15000000");
    });
  });

  test("for another method is told so, and what is none is asked for anew", async () => {
    const owed = await newLink(till);
    const made = await payment(owed);
    for (const changed of [{ method: "tempo" }, { intent: "session" }]) {
      const { status, body } = await send(owed.path, {
        ...made,
        challenge: { ...made.challenge, ...changed },
      });
      expect({ status, type: body.type }).toEqual({ status: 400, type: `${problems}method-unsupported` });
    }
    const text = authorization(made).slice("Payment ".length);
    const cut = fc.nat({ max: text.length - 2 }).map((at) => text.slice(0, at));
    const json = fc.json().map((value) => Buffer.from(value).toString("base64url"));
    const printable = fc.string({ unit: "grapheme-ascii", maxLength: 400 });
    const wrong = fc.constantFrom("", "=", "a".repeat(9_000), `${text}=`, authorization([made]).slice(8));
    await fc.assert(
      fc.asyncProperty(fc.oneof(cut, json, printable, wrong), async (value) => {
        const header = `Payment ${value.replaceAll(/[^\x20-\x7e]/g, "?")}`.trim();
        const { status, body } = await get(owed.path, { authorization: header });
        expect([header, status, body.type]).toEqual([header, 402, `${problems}malformed-credential`]);
      }),
      { numRuns: 200, seed: 1 },
    );
    expect(await held(owed)).toBe(0n);
  });

  test("is no key where one is needed", async () => {
    const owed = await newLink(till);
    const made = await payment(owed);
    const locked = await startTestTill(chain, { TILL_BASE_URL: "https://till.example" });
    const headers = { authorization: authorization(made) };
    const answer = await locked.api("GET", "/api/invoices", undefined, headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toStartWith("Bearer ");
    await locked.stop();
  });

  test("is found beside a key, and pays", async () => {
    const ways = [(own: string) => `Bearer till_x, ${own}`, (own: string) => `${own}, Bearer till_x`];
    for (const way of ways) {
      const owed = await newLink(till);
      const both = way(authorization(await payment(owed)));
      expect((await get(`/pay/${owed.slug}`, { authorization: both })).status).toBe(200);
      expect(await held(owed)).toBe(price);
    }
  });

  test("pays by no other method than GET and POST", async () => {
    const owed = await newLink(till);
    const headers = { authorization: authorization(await payment(owed)) };
    for (const method of ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"])
      for (const path of [owed.path, `/pay/${owed.slug}`]) {
        const { status, headers: answered } = await fetch(`${till.baseUrl}${path}`, { method, headers });
        expect([method, path, status]).not.toEqual([method, path, 200]);
        expect(answered.has("payment-receipt")).toBe(false);
      }
    expect(await held(owed)).toBe(0n);
    const posted = await fetch(`${till.baseUrl}/pay/${owed.slug}`, { method: "POST", headers });
    expect(posted.status).toBe(200);
    expect(await held(owed)).toBe(price);
  });

  test("is not looked for in a key, which the payment's URL does not read", async () => {
    const owed = await newLink(till);
    for (const scheme of ["Bearer", "Basic", "Payments"]) {
      const { status, body } = await get(owed.path, { authorization: `${scheme} till_x` });
      expect([scheme, status, body.x402Version]).toEqual([scheme, 402, 1]);
    }
  });
});
