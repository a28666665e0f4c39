import { beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { open } from "../../../src/domain/receivable/common.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { operations } from "../../../src/http/docs/openapi.ts";
import * as ApiKeyStore from "../../../src/store/tables/installation/api-key.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as ReceivableStore from "../../../src/store/tables/invoicing/receivable.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import {
  businessRequest,
  invoiceRequest,
  linkRequest,
  overdueInEuros,
  recurringRequest,
  startTestTill,
  untilIs,
  untilQuotable,
} from "../../support/till/till.ts";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));
let ids: Record<string, string>;
let paidIds: Record<string, string>;
let endpointId: string;
let seriesId: string;
let refundId: string;
let givenBackId: string;
let sha256: string;
let refundable: string;

beforeAll(async () => {
  await untilQuotable(till);
  const { body: invoice } = await till.api("POST", "/api/invoices", businessRequest);
  const credit = { reason: "A discount.", lines: [{ line: 1, quantity: 0.1 }] };
  await till.api("POST", `/api/invoices/${invoice.invoice_id}/credit-notes`, credit);
  const { body: link } = await till.api("POST", "/api/links", linkRequest);
  const email = "jo@initech.example";
  ids = { id: invoice.invoice_id, slug: link.slug, email };
  const endpoint = await till.api("POST", "/api/webhook-endpoints", { url: "http://127.0.0.1:9/" });
  endpointId = endpoint.body.id;
  seriesId = (await till.api("POST", "/api/recurring", recurringRequest)).body.id;
  const { body: toRefund } = await till.api("POST", "/api/links", linkRequest);
  refundable = toRefund.slug;
  await chain.pay(toRefund.deposit_address, "25.00");
  const refund = { link: refundable, amount: "1.00" };
  const made = () => till.api("POST", "/api/refunds", refund);
  refundId = (await untilIs(made, { status: 201 })).body.id;
  const given = { link: refundable, amount: "1.00", elsewhere: true };
  givenBackId = (await till.api("POST", "/api/refunds", given)).body.id;
  for (const kind of ["merchants", "customers"]) await till.api("PUT", `/api/${kind}/${email}`, {});
  // Others are paid, and have receipts.
  const { body: paidInvoice } = await till.api("POST", "/api/invoices", invoiceRequest);
  const { body: paidLink } = await till.api("POST", "/api/links", linkRequest);
  const paid = { ...open, markedPaidAt: Date.now() };
  const depositOf = (found: { deposit: { index: number } } | null) => found?.deposit.index ?? -1;
  const invoiceDeposit = depositOf(InvoiceStore.bySlug(till.db, paidInvoice.slug));
  const linkDeposit = depositOf(LinkStore.bySlug(till.db, paidLink.slug));
  ReceivableStore.setClosed(till.db, { kind: "invoice", depositIndex: invoiceDeposit }, paid, "paid");
  ReceivableStore.setClosed(till.db, { kind: "link", depositIndex: linkDeposit }, paid, "confirmed");
  await till.api("GET", `/api/invoices/${paidInvoice.invoice_id}/pdf`);
  const { body: timeline } = await till.api("GET", `/api/invoices/${paidInvoice.invoice_id}/timeline`);
  sha256 = timeline.data.find(({ type }: { type: string }) => type === "document").data.sha256;
  paidIds = { id: paidInvoice.invoice_id, slug: paidLink.slug };
});

const real = (path: string) =>
  path
    .replace("/credit-notes/{id}", "/credit-notes/CN-0001")
    .replace("/webhook-endpoints/{id}", `/webhook-endpoints/${endpointId}`)
    .replace("/recurring/{id}", `/recurring/${seriesId}`)
    .replace("/refunds/{id}/pdf", `/refunds/${givenBackId}/pdf`)
    .replace("/refunds/{id}", `/refunds/${refundId}`)
    .replace("{sha256}", sha256)
    .replace("{table}", "tax-sums")
    .replaceAll(/\{(\w+)\}/g, (_, name) => (/\/receipt|^\/x402/.test(path) ? paidIds : ids)[name] ?? "");

describe("GET /openapi.json", () => {
  test("describes just the methods that the server takes", async () => {
    const { body: document } = await till.api("GET", "/openapi.json");
    expect(document.openapi).toBe("3.1.0");
    for (const [path, described] of Object.entries(document.paths)) {
      const other = "delete" in (described as object) ? "PUT" : "DELETE";
      const refused = await till.api(other, real(path));
      expect(refused.status).toBe(405);
      const methods = Object.keys(described as object).map((method) => method.toUpperCase());
      const allowed = refused.headers.get("allow")?.split(", ") ?? [];
      expect(methods.sort()).toEqual(
        allowed.filter((method) => method !== "HEAD" && method !== "OPTIONS").sort(),
      );
    }
  });

  test("names the calls that take an Idempotency-Key", async () => {
    const { body: document } = await till.api("GET", "/openapi.json");
    const taking = operations.filter(({ method, path }) =>
      document.paths[path][method].parameters.some(
        ({ $ref }: { $ref?: string }) => $ref === "#/components/parameters/IdempotencyKey",
      ),
    );
    expect(taking.length).toBeGreaterThan(20);
    for (const { method, path } of taking) {
      const refused = await till.api(
        method.toUpperCase(),
        real(path),
        {},
        { "idempotency-key": "two words" },
      );
      expect(refused.body.code).toBe("invalid_idempotency_key");
    }
  });

  test("describes what the server really answers", async () => {
    const { data: happened } = (await till.api("GET", "/api/events")).body;
    const overdue = await till.createInvoice(overdueInEuros);
    const { key } = createApiKey(till.db, "test", Date.now());
    const headers = { authorization: `Bearer ${key}` };
    const { id: another } = createApiKey(till.db, "another", Date.now());
    // What is void takes no mark, what is deleted nothing at all.
    const isEnd = ({ method, path }: { method: string; path: string }) =>
      Number(/void$/.test(path) || method === "delete");
    const inTurn = operations.toSorted((a, b) => isEnd(a) - isEnd(b));
    for (const { method, path, gives, status } of inTurn) {
      if (path.endsWith("/redeliver") || path === "/health/ready") continue;
      if (path.endsWith("/void"))
        await till.api("POST", real(path.replace("/void", "/mark")), { as: "unpaid" }, headers);
      const body = {
        "/api/invoices": invoiceRequest,
        "/api/links": linkRequest,
        "/api/recurring": recurringRequest,
        "/api/recurring/{id}": { status: "paused" },
        "/api/webhook-endpoints": { url: "http://127.0.0.1:9/" },
        "/api/webhook-endpoints/{id}": { status: "paused" },
        comments: { text: "They called." },
        void: { reason: "Billed twice." },
        mark: { as: "paid" },
        "credit-notes": { reason: "A discount.", lines: [{ line: 1, quantity: 0.1 }] },
        "{email}": { details: { city: "Berlin" } },
        quote: { rate: "0.85" },
        "/api/invoices/{id}": { reference: "PO-7" },
        "/api/refunds": { link: refundable, amount: "2.00" },
        "/api/keys": { name: "made", scope: "shop" },
      }[/(comments|void|mark|quote|credit-notes|\{email\})$/.exec(path)?.[0] ?? path];
      const ofOverdue = path.replace("{id}", overdue["invoice_id"] ?? "");
      const url = () => {
        if (path === "/api/events/{id}") return `/api/events/${happened[0].id}`;
        if (path === "/api/keys/{id}") return `/api/keys/${another}`;
        return path.endsWith("/quote") ? ofOverdue : real(path);
      };
      const query = path.endsWith("/e-invoice") ? "?format=factur-x" : "";
      const sent = method === "get" ? undefined : body;
      const answer = await till.api(method.toUpperCase(), url() + query, sent, headers);
      expect(answer.status).toBe(status);
      if (typeof gives === "string") expect(answer.headers.get("content-type")).toStartWith(gives);
      else expect([...Value.Errors(gives, answer.body)].map((error) => error.path)).toEqual([]);
    }
    for (const { id } of ApiKeyStore.list(till.db)) ApiKeyStore.revoke(till.db, id, Date.now());
  });
});

describe("GET /docs", () => {
  test("lists every call, with nothing from elsewhere", async () => {
    const { status, body, headers } = await till.api("GET", "/docs");
    expect(status).toBe(200);
    for (const { path } of operations) expect(body).toContain(path);
    expect(body).toContain("line_items[].unit_price");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("says what fields are for, and what holds when they are left out", async () => {
    const { body: page } = await till.api("GET", "/docs");
    const { body: document } = await till.api("GET", "/openapi.json");
    const schema = document.components.schemas.InvoiceRequest;
    for (const [field, meaning] of [
      ["wallet_address", "omitted with"],
      ["issue_date", "default: today"],
      ["send_now", "true when left out"],
    ] as const) {
      expect(page).toContain(meaning);
      expect(schema.properties[field].description).toContain(meaning);
      expect(schema.properties[field]).not.toHaveProperty("means");
    }
  });
});
