import type { CreditNoteDocument } from "../../../src/document/credit-note.ts";
import type { RefundDocument } from "../../../src/document/receipt/refund-receipt.ts";
import type { PdfDocument } from "../../../src/document/worker/pdf.ts";
import { parse } from "../../../src/domain/brand.ts";
import { logos } from "../logos.ts";
import { linkReceiptSample, payment, receiptSample } from "../receipt-sample.ts";
import { filled, fullSample, line, lines, sample } from "../sample.ts";

const { brand } = parse({ name: fullSample.merchantName, color: "#0f766e" });
const own = { ...sample.look, brand: { ...brand, logo: logos.colours } };

const creditNote: CreditNoteDocument = {
  ...fullSample,
  kind: "creditNote",
  title: "Credit note",
  number: "CN-0001",
  invoiceNumber: fullSample.number,
  creditedOn: "2026-02-01",
  reason: "Returned.",
  currency: "EUR",
  toReturn: "12.50",
};

const refund: RefundDocument = {
  ...receiptSample,
  kind: "refund",
  amount: "12.50",
  takenBack: [],
  reason: "Too much",
  refundedOn: "2026-02-02",
  sent: {
    to: receiptSample.depositAddress,
    txHash: payment(1).txHash,
    url: payment(1).url,
    network: "Base",
    isTest: false,
  },
};

/** Documents of each kind, long and short, in English. */
export const kinds = {
  invoice: sample,
  "invoice with everything": { ...fullSample, look: own },
  "invoice with an e-invoice": { ...fullSample, xml: '<?xml version="1.0" encoding="UTF-8"?>\n<x>Ä</x>\n' },
  "invoice with a line that goes over pages": {
    ...fullSample,
    look: own,
    lineItems: [
      ...lines(4),
      { ...line(5), less: "less 10%", rate: "19%", description: filled(6_000) },
      ...lines(3),
    ],
  },
  "void invoice": { ...sample, closed: { kind: "void" as const, reason: "Billed twice.\nSee INV-0041." } },
  "paid invoice": { ...fullSample, payment: { received: "4298.93", remaining: null } },
  "credit note": creditNote,
  receipt: receiptSample,
  "receipt of many payments": {
    ...receiptSample,
    look: own,
    otherPayments: 12,
    payments: Array.from({ length: 18 }, (_, index) => payment(index, "37.50")),
  },
  "receipt of a link": linkReceiptSample,
  "receipt of a refund": refund,
} satisfies Record<string, PdfDocument>;
