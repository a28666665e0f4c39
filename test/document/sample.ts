import type { InvoiceDocument } from "../../src/document/invoice/invoice-document.ts";
import { plainBrand } from "../../src/domain/brand.ts";
import type { BillLine } from "../../src/language/bill.ts";

export function line(index: number): BillLine {
  const lineTotal = (index * 125).toFixed(2);
  return { description: `Consulting, day ${index}`, quantity: String(index), unitPrice: "125.00", lineTotal };
}

export function lines(count: number): BillLine[] {
  return Array.from({ length: count }, (_, index) => line(index + 1));
}

export const sample: InvoiceDocument = {
  number: "INV-0042",
  issueDate: "2026-01-05",
  dueDate: "2026-02-04",
  merchantName: "Nordlicht Studio GmbH",
  merchantAddress: "Lindenstraße 14\n10969 Berlin\nGermany",
  merchantEmail: "billing@nordlicht.example",
  vendorName: "Acme Corporation",
  vendorEmail: "accounts@acme.example",
  vendorAddress: "500 Market Street\nSan Francisco, CA 94105",
  lineItems: lines(3),
  sums: [],
  credits: [],
  due: null,
  total: "750.00",
  notes: "Thank you for your business.",
  reference: "PO-4711",
  paymentTerms: null,
  merchantNumbers: [],
  merchantContact: [],
  vendorNumbers: [],
  vendorContact: [],
  tradeFacts: [],
  payment: null,
  closed: null,
  depositAddress: "0x7a3F4b9C1d2E5f60718293A4b5C6d7E8f9012345",
  paymentUri:
    "ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=0x7a3F4b9C1d2E5f60718293A4b5C6d7E8f9012345&uint256=750000000",
  invoiceUrl: "https://pay.nordlicht.example/i/7hq2k9xw3mzt5bcd",
  networkName: "Base",
  isTestNetwork: false,
  createdAtMs: Date.UTC(2026, 0, 5, 8),
  look: { paper: "a4", language: "en", brand: plainBrand },
};

/** `text` over and over, cut to exactly `length` characters. */
export function filled(length: number, text = "A long text that has to be wrapped; "): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
