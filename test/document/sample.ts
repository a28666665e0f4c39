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
  kind: "invoice",
  correctedDay: null,
  title: "Invoice",
  number: "INV-0042",
  tax: "Tax",
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
  net: null,
  owedBack: null,
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

/** An invoice in euros between two businesses, with everything that can be said of it. */
export const fullSample: InvoiceDocument = {
  ...sample,
  merchantContact: [
    { label: "Contact", value: "Mara Linde" },
    { label: "Phone", value: "+49 30 1234567" },
  ],
  merchantNumbers: [
    { label: "VAT ID", value: "DE136695976" },
    { label: "Tax ID", value: "37/123/45678" },
    { label: "Company no.", value: "HRB 123456 B, AG Charlottenburg" },
  ],
  vendorAddress: "24 rue de Rivoli\n3e étage\n75004 Paris\nFrance",
  vendorNumbers: [
    { label: "VAT ID", value: "FR40303265045" },
    { label: "Company no.", value: "303 265 045" },
  ],
  vendorContact: [
    { label: "Contact", value: "Claire Dubois" },
    { label: "Phone", value: "+33 1 23 45 67 89" },
  ],
  tradeFacts: [
    { label: "Delivery period", value: "1 – 31 October 2026" },
    { label: "Buyer reference", value: "KST-4711" },
    { label: "Purchase order", value: "PO-2026-118" },
  ],
  lineItems: [
    {
      ...line(1),
      description: "Design of the shop window\nThree rounds of drafts",
      less: "less 10%",
      rate: "19%",
    },
    { ...line(2), rate: "7%" },
    { ...line(3), rate: "0%" },
  ],
  sums: [
    { label: "Subtotal", amount: "3,276.00" },
    { label: "Discount", amount: "−50.00" },
    { label: "Tax 19% on 2,068.93", amount: "393.10" },
    { label: "Tax 7% on 1,157.07", amount: "80.99" },
  ],
  total: "4298.93",
  billed: { code: "EUR", total: "3700.09", rate: "1 USDC = 0.8607 EUR · rate set by the merchant" },
  paymentTerms: "30 days net. 2% discount within 10 days.",
};

/** `text` over and over, cut to exactly `length` characters. */
export function filled(length: number, text = "A long text that has to be wrapped; "): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
