import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../../package.json";
import { breaks, type Node } from "./compatible.ts";
import { documentNow } from "./keep.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests change documents of every shape
type Document = any;

const directory = join(import.meta.dir, "kept");
const kept = (file: string) =>
  JSON.parse(Buffer.from(Bun.gunzipSync(readFileSync(join(directory, file)))).toString()) as Node;
const files = [...new Bun.Glob("*.json.gz").scanSync(directory)].sort();
const now = documentNow() as Node;

describe("a client of an earlier 1.x", () => {
  test("is not broken by this version", () => {
    expect(Object.fromEntries(files.map((file) => [file, breaks(kept(file), now)]))).toEqual(
      Object.fromEntries(files.map((file) => [file, []])),
    );
  });

  test("has its document here, from 1.0 to this minor version", () => {
    const minors = Array.from(
      { length: Number(manifest.version.split(".")[1]) + 1 },
      (_, minor) => `1.${minor}.json.gz`,
    );
    expect(files).toEqual(minors.sort());
  });
});

const schemas = (document: Document) => document.components.schemas;
const invoices = (document: Document) => document.paths["/api/invoices"];

/** Each would break somebody: what it is, how a document comes to it, and what is said of it. */
const breaking: [string, (document: Document) => void, string][] = [
  ["a removed path", (d) => delete d.paths["/api/balance"], "GET /api/balance: is gone"],
  ["a removed method", (d) => delete invoices(d).post, "POST /api/invoices: is gone"],
  [
    "a renamed call",
    (d) => (invoices(d).post.operationId = "make"),
    "POST /api/invoices: has another operationId",
  ],
  [
    "another scope",
    (d) => (invoices(d).post["x-scope"] = "full"),
    "POST /api/invoices: needs a key of another scope",
  ],
  ["a removed status", (d) => delete invoices(d).post.responses["409"], "POST /api/invoices 409: is gone"],
  [
    "a removed kind of answer",
    (d) => delete d.paths["/api/exports/{table}"].get.responses["200"].content["text/csv"],
    "GET /api/exports/{table} 200: text/csv is gone",
  ],
  [
    "a removed field of an answer",
    (d) => delete schemas(d).Invoice.properties.due_date,
    "[].due_date: is gone",
  ],
  [
    "a field of an answer that may be missing",
    (d) => schemas(d).Balance.required.splice(0, 1),
    "GET /api/balance 200.",
  ],
  [
    "a changed type of an answer",
    (d) => (schemas(d).Invoice.properties.overdue = { type: "string" }),
    ".overdue: has another type",
  ],
  [
    "a number that was whole",
    (d) => (schemas(d).Event.properties.created_at = { type: "number" }),
    ".created_at",
  ],
  [
    "null where there was none",
    (d) => {
      const { properties } = schemas(d).Invoice;
      properties.invoice_number = { anyOf: [properties.invoice_number, { type: "null" }] };
    },
    ".invoice_number: has another type",
  ],
  [
    "another format",
    (d) => (schemas(d).Invoice.properties.due_date.format = "date-time"),
    ".due_date: has another type",
  ],
  ["a status that nobody knew", (d) => statusOf(d).push("lost"), ".status: lost is new"],
  ["a removed value of a request", (d) => walletTypes(d).pop(), "byo is refused now"],
  [
    "a new required field of a request",
    (d) => schemas(d).InvoiceRequest.required.push("notes"),
    "body.notes: is required now",
  ],
  [
    "a removed field of a request",
    (d) => delete schemas(d).InvoiceRequest.properties.notes,
    "body.notes: is gone",
  ],
  [
    "a changed type of a request",
    (d) => (schemas(d).InvoiceRequest.properties.notes = { type: "boolean" }),
    "body.notes: has another type",
  ],
  [
    "a shorter text",
    (d) => (schemas(d).InvoiceRequest.properties.reference.maxLength = 10),
    "maxLength is 10 now",
  ],
  [
    "a stricter pattern",
    (d) => (schemas(d).InvoiceRequest.properties.notes.pattern = "^a$"),
    "body.notes: has another pattern",
  ],
  [
    "a body that must be sent",
    (d) => (d.paths["/api/invoices/{id}/send"].post.requestBody = { required: true, content: {} }),
    "a body is required now",
  ],
  ["a removed parameter", (d) => invoices(d).get.parameters.pop(), "GET /api/invoices query"],
  [
    "a new required parameter",
    (d) =>
      invoices(d).get.parameters.push({
        name: "new",
        in: "query",
        required: true,
        schema: { type: "string" },
      }),
    "query new: is required now",
  ],
  ["a removed webhook", (d) => delete d.webhooks["invoice.paid"], "webhook invoice.paid: is gone"],
  [
    "a removed field of a webhook",
    (d) => delete schemas(d).InvoiceEvent.properties.total_amount,
    "webhook invoice.paid.total_amount: is gone",
  ],
  [
    "a removed header of a webhook",
    (d) => d.webhooks["invoice.paid"].post.parameters.pop(),
    "webhook invoice.paid: the header",
  ],
];

/** None of these breaks anybody. */
const harmless: [string, (document: Document) => void][] = [
  ["a new path", (d) => (d.paths["/api/new"] = { get: { operationId: "new", responses: {} } })],
  ["a new status", (d) => (invoices(d).post.responses["418"] = { description: "new" })],
  ["a new field of an answer", (d) => (schemas(d).Invoice.properties.fresh = { type: "string" })],
  [
    "a new optional field of a request",
    (d) => (schemas(d).InvoiceRequest.properties.fresh = { type: "string" }),
  ],
  ["a field of a request that need not be sent any more", (d) => schemas(d).InvoiceRequest.required.pop()],
  ["a new value of a request", (d) => walletTypes(d).push("shared")],
  ["a new kind of event", (d) => schemas(d).EventType.enum.push("invoice.framed")],
  ["a longer text", (d) => (schemas(d).InvoiceRequest.properties.reference.maxLength = 1_000)],
  ["a new webhook", (d) => (d.webhooks["invoice.framed"] = d.webhooks["invoice.paid"])],
  [
    "a new optional parameter",
    (d) => invoices(d).get.parameters.push({ name: "new", in: "query", schema: { type: "string" } }),
  ],
];

const statusOf = (document: Document): string[] => schemas(document).InvoiceState.enum;
const walletTypes = (document: Document): string[] =>
  schemas(document).InvoiceRequest.properties.wallet_type.enum;

const changed = (change: (document: Document) => void): Node => {
  const document = structuredClone(now) as Document;
  change(document);
  return document;
};

describe("what breaks a client", () => {
  test.each(breaking)("%s", (_, change, said) => {
    const found = breaks(now, changed(change));
    expect(found.join("\n")).toContain(said);
  });

  test.each(harmless)("%s does not", (_, change) => {
    expect(breaks(now, changed(change))).toEqual([]);
  });
});
