import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { bodyBytesMax } from "../../../src/http/access/guard.ts";
import { examplesAt } from "../../../src/http/docs/examples.ts";
import { operations } from "../../../src/http/docs/openapi.ts";
import { problemExamples } from "../../../src/http/docs/problem-examples.ts";
import { verifySample, webhookDocsAt, webhookHeaders } from "../../../src/http/docs/webhook-docs.ts";
import { headersFor } from "../../../src/outbox/webhook/signature.ts";
import * as ApiKeyStore from "../../../src/store/tables/installation/api-key.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { sendRaw } from "../../support/http/raw-http.ts";
import { shared } from "../../support/per-file.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import {
  type Answer,
  invoiceRequest,
  linkRequest,
  overdueInEuros,
  recurringRequest,
  startTestTill,
  type TestTill,
  untilQuotable,
} from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };
const ajv = new Ajv({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true });
addFormats(ajv);
ajv.addVocabulary(["components"]);

let till: TestTill;
// Before the chain ends.
afterAll(() => till.stop());
const chain = shared(startTestChain);
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
let document: any;
/** Its calls and webhooks, with what they refer to in its place, but for schemas. */
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
let calls: any;

beforeAll(async () => {
  // On the day of the examples: what they name as to come is to come.
  const aheadMs = Date.parse("2026-11-24T12:00:00Z") - Date.now();
  till = await startTestTill(chain, {}, { now: () => Date.now() + aheadMs });
  await untilQuotable(till);
  document = (await till.api("GET", "/openapi.json")).body;
  calls = inPlace({ paths: document.paths, webhooks: document.webhooks });
});

function inPlace(part: unknown): unknown {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map(inPlace);
  if ("$ref" in part) return inPlace(find(part.$ref));
  return Object.fromEntries(
    Object.entries(part).map(([name, found]) => [name, name === "schema" ? found : inPlace(found)]),
  );
}

/** What `#/components/…` refers to. */
const find = (ref: unknown) =>
  String(ref)
    .split("/")
    .slice(1)
    .reduce((part, name) => part[name], document);

const validators = new Map<string, ValidateFunction>();

/** What a JSON schema of the document says against a value; empty when it takes it. */
function faults(schema: object, value: unknown): string[] {
  const key = JSON.stringify(schema);
  const { schemas } = document.components;
  const validate = validators.get(key) ?? ajv.compile({ ...schema, components: { schemas } });
  validators.set(key, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> };

/** Every pair of a schema and an example in a part of the document, with where it stands. */
function examplesIn(part: unknown, at: string[] = []): { at: string; schema: object; value: unknown }[] {
  if (typeof part !== "object" || part === null) return [];
  const { schema, example, examples } = part as Partial<Media>;
  const here = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples ?? {}).map(({ value }) => value),
  ].map((value) => ({ at: at.join(" "), schema: schema ?? {}, value }));
  return [...here, ...Object.entries(part).flatMap(([name, found]) => examplesIn(found, [...at, name]))];
}

describe("the examples of /openapi.json", () => {
  test("are there for every call: its parameters, its body, its answer and its errors", () => {
    for (const { method, path, gives } of operations) {
      const { parameters, requestBody, responses } = calls.paths[path][method];
      const places = [
        ...parameters,
        ...(requestBody ? [requestBody.content["application/json"]] : []),
        ...Object.entries<{ content: Record<string, Media> }>(responses)
          .filter(([status]) => !(typeof gives === "string" && status === "200"))
          .flatMap(([, { content }]) => Object.values(content)),
      ];
      for (const place of places) {
        const count = (place.example === undefined ? 0 : 1) + Object.keys(place.examples ?? {}).length;
        expect([method, path, place.name ?? "", count > 0]).toEqual([method, path, place.name ?? "", true]);
      }
    }
    expect(Object.keys(document.webhooks)).toEqual([
      "invoice.paid",
      "link.paid",
      "standard-invoice-event",
      "standard-link-event",
    ]);
  });

  test("fit their schemas", () => {
    const found = examplesIn(calls);
    expect(found.length).toBeGreaterThan(100);
    for (const { at, schema, value } of found) {
      expect(Object.keys(schema)).not.toBeEmpty();
      expect([at, faults(schema, value)]).toEqual([at, []]);
    }
  });

  /** A path with an invoice or a link that is new. */
  async function real(path: string): Promise<string> {
    if (!path.includes("{")) return path;
    if (path.includes("{email}")) return path.replace("{email}", "jo@initech.example");
    if (path.startsWith("/api/webhook-endpoints")) {
      const { body } = await till.api("POST", "/api/webhook-endpoints", { url: "https://shop.example/till" });
      return path.replace("{id}", body.id);
    }
    if (path.startsWith("/api/recurring")) {
      const { body } = await till.api("POST", "/api/recurring", recurringRequest);
      return path.replace("{id}", body.id);
    }
    const isInvoice = path.startsWith("/api/invoices");
    const made = isInvoice
      ? await till.createInvoice(path.endsWith("/quote") ? overdueInEuros : {})
      : (await till.api("POST", "/api/links", linkRequest)).body;
    return path.replace(/\{\w+\}/, isInvoice ? made.invoice_id : made.slug);
  }

  /** The same of what was paid too much. */
  async function refundable({ invoice, link, ...rest }: Record<string, unknown>) {
    const { slug } = (await till.api("POST", "/api/links", linkRequest)).body;
    const { invoice_number } = await till.createInvoice();
    till.db.run("UPDATE receivable SET received_amount = expected_amount + 20000000");
    return invoice === undefined ? { ...rest, link: link && slug } : { ...rest, invoice: invoice_number };
  }

  const withKey = () => ({
    authorization: `Bearer ${createApiKey(till.db, "test", Date.now()).key}`,
  });

  test("are requests that a real Till takes, and answers of the form that it gives", async () => {
    let taken = 0;
    for (const [name, { requests = {} }] of Object.entries(examplesAt(till.baseUrl).calls)) {
      const [method = "", path = ""] = name.split(" ");
      const described = calls.paths[path][method.toLowerCase()];
      for (const [title, example] of Object.entries(requests)) {
        const body = path === "/api/refunds" ? await refundable(example as Record<string, unknown>) : example;
        const isSaved = path.endsWith("{email}");
        const answer = await till.api(
          method,
          await real(path),
          isSaved ? { ...body, email: undefined } : body,
          path === "/api/keys" ? withKey() : {},
        );
        for (const { id } of ApiKeyStore.list(till.db)) ApiKeyStore.revoke(till.db, id, Date.now());
        if (path.endsWith("/quote") && title === "Smallest request") continue;
        const status = isSaved || method === "PATCH" || /(void|mark|quote)$/.test(path) ? 200 : 201;
        expect([name, title, answer.status]).toEqual([name, title, status]);
        const { schema, examples } = described.responses[status].content["application/json"];
        expect(faults(schema, answer.body)).toEqual([]);
        taken += 1;
        if (title === "Request with all fields" && status === 201) {
          // The day of issue of the examples is past, of which an answer warns.
          const { warnings: _, ...given } = answer.body;
          expect(Object.keys(given)).toEqual(Object.keys(examples.answer.value));
        }
      }
    }
    expect(taken).toBeGreaterThan(30);
  });
});

describe("the schema of a new invoice", () => {
  const schemaOf = () =>
    document.paths["/api/invoices"].post.requestBody.content["application/json"].schema as object;
  const { vendor_name, vendor_email, ...rest } = invoiceRequest;

  test.each([
    ["who pays as the vendor", { ...rest, vendor_name, vendor_email }, true],
    ["who pays as the customer", { ...rest, customer_name: vendor_name, customer_email: vendor_email }, true],
    [
      "optional fields that are null",
      { ...invoiceRequest, notes: null, customer_address: null, webhook_events: null },
      true,
    ],
    ["nobody who pays", rest, false],
    ["a required field that is null", { ...invoiceRequest, merchant_name: null }, false],
    ["a field that there is not", { ...invoiceRequest, color: "red" }, false],
  ])("says of %s what Till says", async (_, body, isTaken) => {
    expect(faults(schemaOf(), body).length === 0).toBe(isTaken);
    const { status } = await till.api("POST", "/api/invoices", { send_now: false, ...body });
    expect(status).toBe(isTaken ? 201 : 400);
  });
});

describe("the examples of webhooks", () => {
  const [first] = webhookDocsAt("https://pay.example");
  const { signed } = examplesAt("");
  const sent = { ...signed, eventId: signed.id, body: first?.example ?? "" };

  test("have the headers that Till would send with that body", () => {
    expect(Object.fromEntries(webhookHeaders.map(({ name, example }) => [name, example]))).toEqual(
      headersFor(sent),
    );
  });

  test("are verified by the code that is shown, and only when nothing was changed", async () => {
    const dir = makeDataDir();
    try {
      const file = join(dir.path, "verify.mjs");
      writeFileSync(file, verifySample);
      const { isFromTill } = await import(file);
      const signature = headersFor(sent)["X-Service-Signature"];
      const verdict = (body: string, given: string | undefined, secret = sent.secret) =>
        isFromTill(Buffer.from(body), given, secret);
      expect(verdict(sent.body, signature)).toBe(true);
      expect(verdict(`${sent.body} `, signature)).toBe(false);
      expect(verdict(sent.body, signature, "whsec_AAAA")).toBe(false);
      expect(verdict(sent.body, "sha256=é")).toBe(false);
      expect(verdict(sent.body, undefined)).toBe(false);
    } finally {
      dir.remove();
    }
  });
});

describe("the examples of errors", () => {
  const exampleOf = (code: string) => problemExamples.find((example) => example.code === code)?.body;

  /** Each as a caller gets it; those of a broken disk, wallet or renderer are made in the tests of faults. */
  test("are what Till answers", async () => {
    await using limited = await startTestTill(node, { TILL_LIMIT_READS: "1" }, { limitClock: () => 0 });
    await using closed = await startTestTill(node, { TILL_BASE_URL: "https://pay.example.com" });
    const conflict = { "idempotency-key": "order-1" };
    const { invoice_id: unpaid } = await till.createInvoice();
    await till.api(
      "POST",
      "/api/links",
      examplesAt("").calls["POST /api/links"]?.requests?.["Smallest request"],
      conflict,
    );
    const read = () => limited.api("GET", "/api/payments/status/nothing");
    await read();
    const tooMany = await read();
    const { due_date, ...undated } = invoiceRequest;
    const line_items = [{ ...invoiceRequest.line_items[0], quantity: 0 }];
    const post = (body: unknown, headers = {}) => till.api("POST", "/api/invoices", body, headers);
    const raw = await sendRaw(
      till.config.port,
      "GET /%zz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    );
    const answers: Record<string, Answer["body"]> = {
      validation_failed: (await post({ ...undated, line_items })).body,
      malformed_json: (await post("{")).body,
      invalid_idempotency_key: (await post({}, { "idempotency-key": "two words" })).body,
      malformed_request: JSON.parse(raw.slice(raw.indexOf("{"))),
      key_required: (await closed.api("GET", "/api/invoices")).body,
      foreign_host: (await till.api("GET", "/", undefined, { host: "evil.example" })).body,
      foreign_origin: (await post({}, { origin: "https://evil.example" })).body,
      not_found: (await till.api("GET", "/api/invoices/nothing")).body,
      method_not_allowed: (await till.api("DELETE", "/api/invoices")).body,
      not_paid: (await till.api("GET", `/api/invoices/${unpaid}/receipt`)).body,
      idempotency_conflict: (await till.api("POST", "/api/links", {}, conflict)).body,
      body_too_large: (await post(" ".repeat(bodyBytesMax + 1))).body,
      not_json: (await post("{}", { "content-type": "text/plain" })).body,
      rate_limited: tooMany.body,
    };
    for (const [code, body] of Object.entries(answers)) {
      const example = exampleOf(code);
      const numbers = (text = "") => text.replace(/http:[^ ]*\d|\d+ (reads|seconds?)/g, "N");
      expect({ ...body, detail: numbers(body.detail) }).toEqual({
        ...example,
        detail: numbers(example?.detail),
      });
    }
  });
});
