import { afterAll, describe, expect, test } from "bun:test";
import { tables } from "../../src/books/tables.ts";
import * as Bill from "../../src/domain/link/bill.ts";
import type { Deposit } from "../../src/domain/payment/deposit.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import type { SqlValue } from "../../src/store/columns.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import * as ReusableStore from "../../src/store/tables/invoicing/reusable-link.ts";
import * as StoreStore from "../../src/store/tables/invoicing/store.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { payoutWallet, storeInvoice } from "../support/till/records.ts";
import { usdc } from "../support/usdc.ts";

const dir = makeDataDir();
const db = openDatabase(dir.path);
afterAll(() => {
  closeDatabase(db);
  dir.remove();
});

const sealedSecret = "sealed";
const first = storeInvoice(db);
const newDeposit = (index: number) =>
  ({ ...first.deposit, index, salt: `0x${index}`, address: `0x${index}` as never }) as Deposit;
const deposit = newDeposit(1);
const marked = { status: "void" as const, voidedAt: 4, voidReason: "Ordered twice", markedPaidAt: 3 };
const own = {
  language: "fr" as const,
  reference: "PO-1",
  metadata: { cart: "17" },
  webhookEvents: "standard" as const,
};
const discount = { kind: "amount" as const, amount: usdc("1.00") };
const tax = { category: "exempt" as const, rate: 0, reason: "u1 {" };
const row = { ...tax, taxable: usdc("99.00"), tax: usdc("1.00") };
const invoice = {
  ...first,
  ...own,
  ...marked,
  sequence: 2,
  number: "INV-0002",
  id: "5e0d",
  slug: "second",
  deposit,
  vendorAddress: "2 Side Street",
  lineItems: first.lineItems.map((item) => ({ ...item, unit: "h", discount, tax })),
  discount,
  totals: {
    subtotal: Usdc.asBilled(first.total),
    discount: usdc("1.00"),
    tax: usdc("1.00"),
    total: Usdc.asBilled(first.total),
    rows: [row],
  },
  currency: { code: "EUR", total: usdc("1.00"), rate: "0.8607", source: "caller", fetchedAt: 1 },
  taxInCurrency: { code: "PLN", tax: usdc("1.00"), rate: "4.25", source: "caller", fetchedAt: 1 },
  merchantDetails: { city: "Berlin", country: "DE" },
  vendorDetails: { city: "Paris" },
  paymentTerms: "14 days",
  delivery: { kind: "day" as const, day: "2026-01-01" },
  buyerReference: "17",
  purchaseOrder: "PO-17",
  notes: "Thank you",
  reminders: [-3, 0],
  webhookUrl: "https://shop.example/",
  sentAt: Date.UTC(2026, 0, 2),
  correctedAt: Date.UTC(2026, 0, 4),
};
InvoiceStore.insert(db, invoice, sealedSecret);
const linkDeposit = newDeposit(2);
const link = {
  slug: "checkout",
  merchantEmail: "owner@corner.example",
  businessName: "Corner Shop",
  productDescription: "Coffee",
  walletType: "managed" as const,
  successUrl: "https://shop.example/thanks",
  payerEmail: "jo@initech.example",
  currency: { code: "EUR", total: usdc("20.00"), rate: "0.8607", source: "kraken", fetchedAt: 5 },
  bill: Bill.ofOne(
    { description: "Coffee", quantity: 3, total: usdc("20.00"), tax },
    { pricesIncludeTax: true, code: "USDC" },
  ),
  collect: { fields: ["name" as const], questions: ["Which size?"] },
  payerDetails: { name: "Jo", answers: [{ question: "Which size?", answer: "L" }] },
  receiptNumber: null,
  embedOrigins: ["https://shop.example"],
  webhookUrl: "https://shop.example/",
  deposit: linkDeposit,
  createdAt: Date.UTC(2026, 0, 3),
  reusableId: 1,
  reusableSlug: "reusable",
  quantity: 3,
  expiresAt: Date.UTC(2026, 0, 4),
  ...own,
  ...marked,
};
const reusable = {
  slug: "reusable",
  merchantEmail: link.merchantEmail,
  businessName: link.businessName,
  productDescription: "Coffee, one bag",
  price: { kind: "fixed" as const, each: usdc("12.50"), quantityMax: 3 },
  currency: { code: "EUR", rate: "0.8607" },
  tax,
  collect: link.collect,
  walletType: "byo" as const,
  wallet: payoutWallet,
  successUrl: link.successUrl,
  embedOrigins: link.embedOrigins,
  reference: "B-1",
  metadata: { cart: "18" },
  language: "ja" as const,
  webhookUrl: link.webhookUrl,
  webhookEvents: "standard" as const,
  createdAt: link.createdAt,
  expiresAt: link.expiresAt,
  voidedAt: 7,
  voidReason: "sold out",
};
ReusableStore.insert(db, reusable, sealedSecret);
const store = { id: "store_1", merchantEmail: link.merchantEmail, name: "Tea Shop", createdAt: 0 };
StoreStore.put(db, { ...store, wallet: null, currency: null });
LinkStore.insert(db, link, sealedSecret, { store: { storeId: store.id, metadata: "{}" } });

const columnsOf = (sql: string) => db.query<Record<string, SqlValue>, []>(sql).get() ?? {};

async function exported(name: string): Promise<unknown[]> {
  const [table] = tables.filter((each) => each.name === name);
  const settings = {
    timeZone: "UTC",
    rpcUrls: [],
    valueCurrency: null,
    taxPeriod: "supply" as const,
    codes: { account: "", taxTypes: {} },
    datev: PreferenceStore.datevCodes(db),
    onGap: () => {},
    baseUrl: "https://pay.example",
  };
  const selection = { db, chainId: 8453, days: { from: null, to: null }, ...settings };
  const rows: unknown[][] = [];
  for await (const row of table?.rows(selection) ?? []) rows.push(Object.values(row));
  return rows.at(-1) ?? [];
}

describe.each([
  ["invoice", "invoices", "SELECT * FROM invoice WHERE sequence = 2", []],
  ["link", "links", "SELECT * FROM link", []],
])("of the columns of the table %s", (_, name, sql, setLater) => {
  test("none is left out when a record is stored", () => {
    const empty = Object.entries(columnsOf(sql)).filter(([, stored]) => stored === null);
    expect(empty.map(([column]) => column)).toEqual(setLater);
  });

  test("none that is text is left out of the export, but for what concerns programs", async () => {
    const cells = (await exported(name)).map(String);
    const missing = Object.entries(columnsOf(sql))
      .filter(([, stored]) => typeof stored === "string" && !cells.some((cell) => cell.includes(stored)))
      .map(([column]) => column);
    const forPrograms = [
      "discount",
      "totals",
      "webhook_url",
      "webhook_secret",
      "reminders",
      "language",
      "webhook_events",
      "success_url",
      "merchant_address",
      "merchant_details",
      "vendor_details",
      "delivery",
      "tax_in_currency",
      "currency",
      "bill",
      "collect",
      "payer_details",
      "store_id",
      "store_metadata",
    ];
    expect(missing.filter((column) => !forPrograms.includes(column))).toEqual([]);
  });
});

test("records come back as they were stored", () => {
  expect(InvoiceStore.byId(db, invoice.id)).toEqual(invoice);
  expect(LinkStore.bySlug(db, link.slug)).toEqual({ ...link, id: 1 });
  expect(ReusableStore.bySlug(db, reusable.slug)).toEqual({ ...reusable, id: 1 });
  const price = { kind: "chosen" as const, min: usdc("1.00"), max: usdc("2.00") };
  const chosen = { ...reusable, slug: "chosen", price, walletType: "managed" as const, wallet: null };
  ReusableStore.insert(db, chosen, sealedSecret);
  expect(ReusableStore.bySlug(db, "chosen")).toEqual({ ...chosen, id: 2 });
});
