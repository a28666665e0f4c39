import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { headersFor } from "../../src/outbox/webhook/signature.ts";
import { newSecret } from "../../src/store/secrets.ts";

const body = '{"event":"invoice.paid","note":"Grüße 💶"}';
const timestampSec = Math.floor(Date.now() / 1000);
const signed = (secret: string, sent: Uint8Array | string = body) =>
  headersFor({ secret, eventId: "evt_1", timestampSec, body: sent });

describe("headersFor", () => {
  test("signs the raw bytes with the secret's text, as a receiver computes it", () => {
    const secret = newSecret();
    const expected = createHmac("sha256", Buffer.from(secret, "utf8"))
      .update(Buffer.from(body, "utf8"))
      .digest("hex");
    expect(signed(secret)["X-Service-Signature"]).toBe(`sha256=${expected}`);
  });

  test("matches a signature made with openssl", async () => {
    const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    const openssl = Bun.spawn(["openssl", "dgst", "-sha256", "-hmac", secret, "-r"], {
      stdin: Buffer.from(body),
    });
    const [digest = ""] = (await new Response(openssl.stdout).text()).split(" ");
    expect(signed(secret)["X-Service-Signature"]).toBe(`sha256=${digest}`);
  });

  test("is accepted by a Standard Webhooks library", () => {
    for (let i = 0; i < 20; i++) {
      const secret = newSecret();
      expect(new Webhook(secret).verify(body, signed(secret))).toEqual(JSON.parse(body));
    }
  });

  test("is rejected by it when one byte, the id or the time differs", () => {
    const secret = newSecret();
    const webhook = new Webhook(secret);
    const headers = signed(secret);
    expect(() => webhook.verify(body.replace("Gr", "gr"), headers)).toThrow();
    expect(() => webhook.verify(body, { ...headers, "webhook-id": "evt_2" })).toThrow();
    expect(() => webhook.verify(body, { ...headers, "webhook-timestamp": `${timestampSec + 1}` })).toThrow();
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
  });

  test("signs text and its UTF-8 bytes alike, and bytes that are not text as they are", () => {
    const secret = newSecret();
    expect(signed(secret, new TextEncoder().encode(body))).toEqual(signed(secret));
    const bytes = new Uint8Array([0xff, 0x00, 0xfe]);
    const expected = createHmac("sha256", secret).update(bytes).digest("hex");
    expect(signed(secret, bytes)["X-Service-Signature"]).toBe(`sha256=${expected}`);
  });

  test("refuses a secret that would sign with an empty key, without showing it", () => {
    for (const secret of ["", "whsec_", "hunter2", "whsec_!!!!"]) {
      expect(() => signed(secret)).toThrow("A webhook secret must be whsec_ and base64");
    }
  });
});
