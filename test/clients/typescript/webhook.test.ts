import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { verifyWebhook, WebhookError } from "../../../clients/typescript/src/index.ts";
import { headersFor } from "../../../src/outbox/webhook/signature.ts";
import { newSecret } from "../../../src/store/secrets.ts";

/** Signed as Till signs; package.test.ts has what it posts. */

const byBody = { signature: "body" } as const;
const secret = newSecret();
const text = '{"type":"invoice.paid","timestamp":"2030-01-31T00:00:00.000Z","data":{"note":"Grüße 💶"}}';
/** The clock stands still: a post is as old as it says. */
const nowSec = Math.floor(Date.now() / 1000);
beforeAll(() => {
  setSystemTime(nowSec * 1000);
});
afterAll(() => {
  setSystemTime();
});
const signed = (body: string | Uint8Array = text, timestampSec = nowSec) =>
  headersFor({ secret, eventId: "evt_1", timestampSec, body });
const { "webhook-signature": right = "", "X-Service-Signature": alone = "" } = signed();
const wrong = `v1,${"A".repeat(43)}=`;

type Asked = Partial<Parameters<typeof verifyWebhook>>;
const withHeader = (name: string, value: string, options = {}): Asked => {
  return [text, { ...signed(), [name]: value }, secret, options];
};
const withId = (id: string) => withHeader("webhook-id", id);
const withTime = (time: string) => withHeader("webhook-timestamp", time);
const withSignature = (value: string) => withHeader("webhook-signature", value);
const withBodys = (value: string) => withHeader("X-Service-Signature", value, byBody);
const at = (sec: number, options = {}): Asked => [text, signed(text, sec), secret, options];
const odd = new Uint8Array([255, 0]);

/** What is answered to which posts. */
const answers: Record<string, Asked[]> = {
  taken: [
    [],
    [text, signed(), [newSecret(), secret]],
    [
      text,
      headersFor({
        secret: newSecret(),
        oldSecrets: [secret],
        eventId: "e",
        timestampSec: nowSec,
        body: text,
      }),
    ],
    ...[at(nowSec - 280), at(nowSec + 280), at(nowSec - 310, { toleranceSec: 600 })],
    withSignature(`v1a,AA ${wrong} ${right}`),
    [text, { "X-Service-Signature": alone }, secret, byBody],
  ],
  wrong_signature: [
    ...[text.replace("Gr", "gr"), `${text} `].map((body): Asked => [body]),
    ...[newSecret(), [newSecret(), newSecret()]].map((given): Asked => [text, signed(), given]),
    ...[withId("evt_2"), withTime(`${nowSec - 1}`), withTime(`0${nowSec}`)],
    ...[withSignature(wrong), withSignature(`${`${wrong} `.repeat(5)}${right}`)],
    withBodys(`sha256=${"0".repeat(64)}`),
  ],
  wrong_time: [
    ...[at(nowSec - 310), at(nowSec + 310), at(nowSec - 20, { toleranceSec: 10 })],
    ...["", "soon", "1e9", `-${nowSec}`, `${nowSec}.5`, "9".repeat(400)].map(withTime),
  ],
  not_signed: [
    [text, {}],
    withId(""),
    ...["", "v1,", right.slice(3), right.slice(0, -1), right.replace("v1", "v2")].map(withSignature),
    // Nobody gets to the weaker signature by leaving out the other.
    [text, { "X-Service-Signature": alone }],
    ...["", alone.slice(7), alone.slice(0, -1), `${alone}, ${alone}`].map(withBodys),
  ],
  not_an_event: ["", "null", "[]", "{}", '{"type":1}', "{", odd].map((body): Asked => [body, signed(body)]),
};

describe("verifyWebhook", () => {
  for (const [answer, posts] of Object.entries(answers))
    test(`answers ${answer}`, async () => {
      for (const [body = text, headers = signed(), given = secret, options] of posts) {
        const codeOf = (error: unknown) => (error instanceof WebhookError ? error.code : error);
        const code = await verifyWebhook(body, headers, given, options).then(() => "taken", codeOf);
        expect({ body, headers, options, code }).toEqual({ body, headers, options, code: answer });
      }
    });

  test("takes a request, bytes or text, and headers as any server has them", async () => {
    const request = new Request("http://shop.example", { method: "POST", body: text, headers: signed() });
    const upper = Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]);
    for (const [body, headers] of [
      [request, request.headers],
      [new TextEncoder().encode(text).buffer, new Headers(signed())],
      [Buffer.from(text), Object.fromEntries(upper)],
    ] as const)
      expect<unknown>(await verifyWebhook(body, headers, secret)).toEqual({
        id: "evt_1",
        event: JSON.parse(text),
      });
    await expect(verifyWebhook(request, request.headers, secret)).rejects.toThrow("The body was read before");
  });

  test("wants the bytes as they came, and says so", async () => {
    const ofNode = { headers: signed(), body: undefined, url: "/" };
    for (const body of [JSON.parse(text), ofNode, {}, null, undefined, 7]) {
      const work = verifyWebhook(body, signed(), secret);
      await expect(work).rejects.toThrow(TypeError);
      await expect(work).rejects.toThrow("Give the bytes as they came");
    }
  });

  test("reads no more than a MiB of a request", async () => {
    let pulled = 0;
    const pull = (controller: ReadableStreamDefaultController) => {
      pulled += 1;
      controller.enqueue(new Uint8Array(64 * 1024));
    };
    const request = new Request("http://shop.example", {
      method: "POST",
      body: new ReadableStream({ pull }),
    });
    await expect(verifyWebhook(request, signed(), secret)).rejects.toThrow(
      "The body is longer than 1048576 bytes.",
    );
    expect(pulled).toBeLessThan(25);
  });

  test("refuses a secret that would be an empty key, without showing it", async () => {
    for (const given of [
      "",
      "whsec_",
      "hunter2",
      "whsec_hunter2!",
      ...["whsec_A", "whsec_AAAAA", "whsec_AA=", "whsec_=", `${secret}\n`],
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
