import type { DocumentPayment, ReceiptDocument } from "../../src/document/receipt/receipt-document.ts";
import { plainBrand } from "../../src/domain/brand.ts";
import { lines } from "./sample.ts";

const hex = (index: number, digits: number) =>
  Bun.SHA256.hash(String(index), "hex").repeat(2).slice(0, digits);

export function payment(index: number, amount = "750.00"): DocumentPayment {
  const txHash = `0x${hex(index, 64)}`;
  return {
    amount,
    madeAt: new Date(Date.UTC(2026, 0, 20, 14, index % 60)).toISOString(),
    from: `0x${hex(index + 1_000, 40)}`,
    txHash,
    url: `https://basescan.org/tx/${txHash}`,
  };
}

export const receiptSample: ReceiptDocument = {
  kind: "receipt",
  issued: null,
  number: "INV-0042",
  reference: null,
  merchantName: "Nordlicht Studio GmbH",
  merchantAddress: "Lindenstraße 14\n10969 Berlin\nGermany",
  merchantEmail: "billing@nordlicht.example",
  customer: {
    vendorName: "Acme Corporation",
    vendorAddress: "500 Market Street\nSan Francisco, CA 94105",
    vendorEmail: "accounts@acme.example",
    vendorNumbers: [],
  },
  lineItems: lines(3),
  tax: "Tax",
  sums: [],
  credits: [],
  net: null,
  product: "",
  total: "750.00",
  received: "750.00",
  paid: "750.00",
  excess: null,
  owedBack: null,
  paidOn: "2026-01-20",
  timeZone: "Europe/Berlin",
  recordedOn: null,
  payments: [payment(1)],
  otherPayments: 0,
  depositAddress: "0x7a3F4b9C1d2E5f60718293A4b5C6d7E8f9012345",
  networkName: "Base",
  isTestNetwork: false,
  pageUrl: "https://pay.nordlicht.example/i/7hq2k9xw3mzt5bcd",
  proof: '{"receipt_proof":{"version":1}}\n',
  createdAtMs: Date.UTC(2026, 0, 20, 14, 1),
  look: { paper: "a4", language: "en", brand: plainBrand },
};

/** A payment link's, whose payer nobody knows. */
export const linkReceiptSample: ReceiptDocument = {
  ...receiptSample,
  number: null,
  merchantName: "Corner Shop",
  merchantAddress: null,
  merchantEmail: null,
  customer: null,
  lineItems: [],
  product: "Ethiopia Guji, 500 g",
  total: "25.00",
  received: "25.00",
  paid: "25.00",
  payments: [payment(2, "25.00")],
  pageUrl: "https://pay.nordlicht.example/pay/p4x9c2rm6wd8kv3z",
};
