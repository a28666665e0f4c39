import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  createTill as createClient,
  type createTill,
  type TillEvent,
  verifyWebhook,
  WebhookError,
} from "../../../clients/typescript/src/index.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { headersFor } from "../../../src/outbox/webhook/signature.ts";
import { newSecret } from "../../../src/store/secrets.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { type Received, type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { invoiceRequest, startTestTill, type TestTill, until } from "../../support/till/till.ts";

describe("what a real Till posts", () => {
  let chain: TestChain;
  let till: TestTill;
  let client: ReturnType<typeof createTill>;
  let receiver: Receiver;
  let endpoint: { id: string; secret: string };

  beforeAll(async () => {
    chain = await startTestChain();
    till = await startTestTill(chain);
    client = createClient({ baseUrl: till.baseUrl });
    receiver = await startReceiver();
    endpoint = await client.post("/api/webhook-endpoints", { body: { url: receiver.url } });
  });
  afterAll(async () => {
    await receiver.stop();
    await till.stop();
    await chain.stop();
  });

  /** The first post that has this in its body. */
  const posted = async (text: string): Promise<Received> => {
    const found = () => receiver.received.find(({ raw }) => raw.includes(text));
    const post = await until(found, (it) => it !== undefined);
    if (post === undefined) throw new Error("unreachable");
    return post;
  };

  test("is verified in both forms, by both signatures, and its event is typed", async () => {
    const body = {
      ...invoiceRequest,
      wallet_type: "managed",
      send_now: false,
      webhook_url: receiver.url,
    } as const;
    const made = await client.post("/api/invoices", { body });
    await chain.pay(Address.checksum(made.deposit_address), "1500.00");

    const standard = await posted('"type":"invoice.paid"');
    const { id, event } = await verifyWebhook(standard.raw, standard.headers, endpoint.secret);
    if (!("type" in event && event.type === "invoice.paid")) throw new Error("another event");
    expect([event.data.invoice.id, event.data.invoice.status]).toEqual([made.invoice_id, "paid"]);
    expect((await client.get("/api/events/{id}", { path: { id } })).type).toBe("invoice.paid");
    const alone = { signature: "body" } as const;
    const byBody = await verifyWebhook(standard.raw, standard.headers, endpoint.secret, alone);
    expect(byBody).toEqual({ id: standard.headers["x-service-signature"] ?? "", event });

    const contract = await posted('"event":"invoice.paid"');
    const secret = made.webhook_secret ?? "";
    for (const options of [{}, alone]) {
      const { event } = await verifyWebhook(contract.raw, contract.headers, secret, options);
      expect<TillEvent>(event).toEqual({
        event: "invoice.paid",
        invoice_id: made.invoice_id,
        invoice_number: made.invoice_number,
        total_amount: "1500.00",
        status: "paid",
      });
    }
    const foreign = verifyWebhook(contract.raw, contract.headers, endpoint.secret);
    await expect(foreign).rejects.toThrow("The signature is not that of this body with this secret.");
  });

  test("is verified with the old secret and the new one after a change", async () => {
    const path = { id: endpoint.id };
    const { secret } = await client.post("/api/webhook-endpoints/{id}/rotate", { path });
    expect((await client.post("/api/webhook-endpoints/{id}/test", { path })).ok).toBe(true);
    const { raw, headers } = await posted('"endpoint.test"');
    for (const known of [secret, endpoint.secret, [newSecret(), secret]]) {
      const { event } = await verifyWebhook(raw, headers, known);
      if (!("type" in event && event.type === "endpoint.test")) throw new Error("another event");
      expect(event.data.endpoint_id).toBe(endpoint.id);
    }
    const before = verifyWebhook(raw, headers, [newSecret(), newSecret()]);
    await expect(before).rejects.toThrow(WebhookError);
  });
});

const secret = newSecret();
const text = '{"type":"invoice.paid","timestamp":"2030-01-31T00:00:00.000Z","data":{"note":"Grüße 💶"}}';
const nowSec = () => Math.floor(Date.now() / 1000);
const signed = (body: string | Uint8Array = text, timestampSec = nowSec()) =>
  headersFor({ secret, eventId: "evt_1", timestampSec, body });

/** The code of the WebhookError; "taken" when there is none. */
const refusalOf = (...[body, headers, given = secret, options]: Partial<Parameters<typeof verifyWebhook>>) =>
  verifyWebhook(body ?? text, headers ?? signed(), given, options).then(
    () => "taken",
    (error: unknown) => (error instanceof WebhookError ? error.code : error),
  );

describe("verifyWebhook", () => {
  test("takes a request, bytes or text, and headers as any server has them", async () => {
    const bytes = new TextEncoder().encode(text);
    const request = new Request("http://shop.example/till", {
      method: "POST",
      body: text,
      headers: signed(),
    });
    const seen: unknown[] = [];
    for (const [body, headers] of [
      [request, request.headers],
      [bytes, new Headers(signed())],
      [bytes.buffer, signed()],
      [Buffer.from(text), Object.fromEntries(new Headers(signed()))],
      [
        text,
        Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value])),
      ],
    ] as const)
      seen.push(await verifyWebhook(body, headers, secret));
    expect(seen).toEqual(seen.map(() => ({ id: "evt_1", event: JSON.parse(text) })));
    const again = verifyWebhook(request, request.headers, secret);
    await expect(again).rejects.toThrow("The body was read before: give its bytes instead of the request");
  });

  test("refuses what differs in one byte, its id, its time or its secret", async () => {
    const { "webhook-signature": signature = "" } = signed();
    for (const [body, changes, given] of [
      [text.replace("Gr", "gr"), {}],
      [`${text} `, {}],
      [text, { "webhook-id": "evt_2" }],
      [text, { "webhook-timestamp": `${nowSec() - 1}` }],
      [text, { "webhook-timestamp": `0${nowSec()}` }],
      [text, { "webhook-signature": signature.replace(/,./, (it) => (it === ",A" ? ",B" : ",A")) }],
      [text, {}, newSecret()],
    ] as const)
      expect(await refusalOf(body, { ...signed(), ...changes }, given)).toBe("wrong_signature");
    expect(await refusalOf()).toBe("taken");
  });

  test("takes one right signature among the first five, and no other kind", async () => {
    const { "webhook-signature": right = "" } = signed();
    const wrong = `v1,${"A".repeat(43)}=`;
    const told = (signature: string) => refusalOf(text, { ...signed(), "webhook-signature": signature });
    expect(await told(`v1a,AAAA ${wrong} ${right}`)).toBe("taken");
    expect(await told(`${`${wrong} `.repeat(5)}${right}`)).toBe("wrong_signature");
    for (const malformed of [
      "",
      right.slice(3),
      `v1,${right.slice(3, -2)}`,
      "v1,",
      right.replace("v1", "v2"),
    ])
      expect(await told(malformed)).toBe("not_signed");
  });

  test("refuses what is too old or from the future, whatever the clock's form", async () => {
    const at = (timestampSec: number, options = {}) =>
      refusalOf(text, signed(text, timestampSec), secret, options);
    expect([await at(nowSec() - 290), await at(nowSec() + 290)]).toEqual(["taken", "taken"]);
    expect([await at(nowSec() - 310), await at(nowSec() + 310)]).toEqual(["wrong_time", "wrong_time"]);
    expect(await at(nowSec() - 310, { toleranceSec: 600 })).toBe("taken");
    expect(await at(nowSec() - 20, { toleranceSec: 10 })).toBe("wrong_time");
    for (const time of ["", "soon", "1e9", `-${nowSec()}`, `${nowSec()}.5`, "9".repeat(400)])
      expect([time, await refusalOf(text, { ...signed(), "webhook-timestamp": time })]).toEqual([
        time,
        "wrong_time",
      ]);
  });

  test("is not brought to the weaker signature by leaving out the other", async () => {
    const { "X-Service-Signature": alone = "" } = signed(text, 1);
    expect(await refusalOf(text, { "X-Service-Signature": alone })).toBe("not_signed");
    const byBody = { signature: "body" } as const;
    expect(await refusalOf(text, { "X-Service-Signature": alone }, secret, byBody)).toBe("taken");
    const wrong = `sha256=${"0".repeat(64)}`;
    expect(await refusalOf(text, { "X-Service-Signature": wrong }, secret, byBody)).toBe("wrong_signature");
    for (const malformed of [
      "",
      alone.slice(7),
      alone.slice(0, -1),
      `${alone}, ${alone}`,
      alone.toUpperCase(),
    ])
      expect(await refusalOf(text, { "X-Service-Signature": malformed }, secret, byBody)).toBe("not_signed");
  });

  test("reads bytes that are no UTF-8 as they are, and no more than a MiB of a request", async () => {
    const odd = new Uint8Array([0xff, 0x00, 0xfe]);
    expect(await refusalOf(odd, signed(odd))).toBe("not_an_event");
    for (const body of ["", "null", "[]", '"invoice.paid"', "{}", '{"type":1}', "{"])
      expect([body, await refusalOf(body, signed(body))]).toEqual([body, "not_an_event"]);
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    const request = new Request("http://shop.example/till", { method: "POST", body: endless });
    expect(await refusalOf(request, signed())).toBe("too_large");
    expect(pulled).toBeLessThan(25);
  });

  test("refuses a secret that would be an empty key, without showing it", async () => {
    for (const given of [
      "",
      "whsec_",
      "hunter2",
      "whsec_hunter2!",
      [],
      [secret, "hunter2"],
      undefined as never,
    ]) {
      const work = verifyWebhook(text, signed(), given);
      await expect(work).rejects.toThrow(TypeError);
      await expect(work).rejects.not.toThrow("hunter2");
    }
  });
});
