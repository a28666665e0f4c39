import { inflateSync } from "node:zlib";
import type { PDFDocument as Pdf } from "@pdfme/pdf-lib";
import { plainTrade } from "../../domain/bill/invoice.ts";
import * as Calendar from "../../domain/calendar.ts";
import type { IssuedReceipt } from "../../domain/link/bill.ts";
import type { Link } from "../../domain/link/link.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import * as ReceiptProof from "../../domain/receipt/receipt-proof.ts";
import { pageUrl } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { isTestNetwork, type Network, transactionUrl } from "../../domain/wallet/network.ts";
import { type BillText, billText, soldText } from "../../language/bill.ts";
import { billedOf } from "../../language/bill-currency.ts";
import { type Locale, speak } from "../../language/locale.ts";
import { partiesOf as tradersOf } from "../../language/parties.ts";
import { receiptTitle } from "../../language/tax-words.ts";
import { instant } from "../../lib/time.ts";
import { type Look, lookOf } from "../invoice/invoice-document.ts";
import type { Addressee, Author } from "../invoice/letterhead.ts";

/** Maximum payments on paper; it counts the rest. */
const paymentsMax = 20;

export type DocumentPayment = {
  amount: string;
  /** ISO 8601. */
  madeAt: string;
  from: string;
  txHash: string;
  /** The address to look it up at; null without an explorer. */
  url: string | null;
};

/** Everything a receipt shows. Amounts are USDC without the unit. The same input gives the same bytes. */
export type ReceiptDocument = SoldTo & {
  kind: "receipt";
  received: string;
  /** The money that arrived, or the amount that was due if the merchant says that it was paid in another way. */
  paid: string;
  /** The excess over that; null if none. */
  excess: string | null;
  /** `YYYY-MM-DD` in `timeZone`. */
  paidOn: string;
  timeZone: string;
  /** When the merchant marked it as paid in another way; null when the merchant did not. */
  recordedOn: string | null;
  payments: readonly DocumentPayment[];
  otherPayments: number;
  depositAddress: string;
  networkName: string;
  /** True where USDC is no money. */
  isTestNetwork: boolean;
  /** The payer's page; http or https. */
  pageUrl: string;
  /** JSON for a program, which comes with the file. */
  proof: string;
  /** Unix time in milliseconds; the file's creation date. */
  createdAtMs: number;
  look: Look;
};

/** The goods, the seller and the buyer. */
export type SoldTo = Author &
  BillText & {
    /** `INV-0001`; null for a link. */
    number: string | null;
    /** Its legal title, with its own number and day (`YYYY-MM-DD`); null for a link without tax. */
    issued: { title: string; number: string; on: string } | null;
    /** The merchant's, such as an order number; null without one. */
    reference: string | null;
    /** The customer; null for a link, whose payer nobody knows. */
    customer: Addressee | null;
    /** The product of a link, which has no lines. */
    product: string;
  };

type ReceiptDocumentOptions = { baseUrl: string; network: Network; timeZone: string; look: Look };

/** A receipt as its PDF shows it. */
export function documentOf(receipt: Receipt.Receipt, options: ReceiptDocumentOptions): ReceiptDocument {
  const { baseUrl, network, timeZone } = options;
  const { of, total, excess } = receipt;
  const look = lookOf(options.look, of.language);
  const { deposit, markedPaidAt: recordedAt } = of;
  const received = Usdc.formatExact(deposit.received);
  const paidAt = Receipt.paidAt(receipt);
  const { shown, others } = Receipt.largest(receipt, paymentsMax);
  const proof = ReceiptProof.proofOf(receipt, { network, withDepositProof: false });
  return {
    kind: "receipt",
    ...partiesOf(receipt, speak(look.language)),
    received,
    paid: receipt.completedAt === null ? Usdc.formatExact(Usdc.sum([total, excess])) : received,
    excess: excess === 0n ? null : Usdc.formatExact(excess),
    paidOn: Calendar.dayAt(paidAt, timeZone),
    timeZone,
    recordedOn: recordedAt === null ? null : Calendar.dayAt(recordedAt, timeZone),
    payments: shown.map(({ amount, madeAt, payer, txHash }) => ({
      amount: Usdc.formatExact(amount),
      madeAt: instant(madeAt),
      from: payer,
      txHash,
      url: transactionUrl(network.explorer, txHash),
    })),
    otherPayments: others,
    depositAddress: deposit.address,
    networkName: network.label,
    isTestNetwork: isTestNetwork(network),
    pageUrl: pageUrl(baseUrl, of),
    proof: `${JSON.stringify({ receipt_proof: proof }, null, 2)}\n`,
    createdAtMs: paidAt,
    look,
  };
}

const noBill = { lineItems: [], tax: "", sums: [], credits: [], net: null, owedBack: null };

/** Returns the parties and goods as the payer's page names them. */
export function partiesOf({ of, issued, total }: Receipt.Receipt, locale: Locale): SoldTo {
  if (of.kind === "link") {
    const { businessName, productDescription, reference, quantity, bill, currency } = of;
    const product = productDescription?.trim() || businessName;
    return {
      merchantName: businessName,
      merchantAddress: null,
      merchantEmail: null,
      number: null,
      reference,
      customer: null,
      issued: null,
      ...noBill,
      ...(bill === null
        ? {}
        : soldText(
            bill,
            {
              merchantDetails: issued?.seller.details ?? null,
              currency,
              taxInCurrency: issued?.taxInCurrency ?? null,
            },
            locale,
          )),
      total: Usdc.formatExact(total),
      ...billedOf(of, locale),
      product: quantity === 1 ? product : `${quantity} × ${product}`,
      ...(issued === null ? {} : issuedOf(issued, of, locale)),
    };
  }
  const { merchantName, merchantEmail, vendorName, vendorEmail, number, reference } = of;
  const { merchantAddress, merchantNumbers, vendorAddress, vendorNumbers } = tradersOf(of, locale);
  return {
    merchantName,
    merchantAddress,
    merchantEmail,
    merchantNumbers,
    number,
    issued: null,
    reference,
    customer: { vendorName, vendorAddress, vendorEmail, vendorNumbers },
    ...billText(of, locale),
    product: "",
  };
}

/** Returns the parties and the legal title of a numbered receipt. */
function issuedOf({ number, issueDate, seller, buyer }: IssuedReceipt, { bill }: Link, locale: Locale) {
  const { details: merchantDetails } = seller;
  const { merchantAddress, merchantNumbers } = tradersOf(
    { ...plainTrade, merchantDetails, merchantAddress: seller.address ?? "", vendorAddress: null },
    locale,
  );
  const titled = { merchantDetails, totals: bill?.totals ?? null, hasBuyer: buyer !== null };
  return {
    merchantName: seller.name,
    merchantAddress: merchantAddress || null,
    merchantNumbers,
    issued: { title: receiptTitle(titled, locale), number, on: issueDate },
    customer: buyer && {
      vendorName: buyer.name ?? "",
      vendorAddress: buyer.address ?? null,
      vendorEmail: null,
      vendorNumbers: buyer.tax_id ? [{ label: locale.say("taxId"), value: buyer.tax_id }] : [],
    },
  };
}

/** Names a document by all that it says: a payment that moved to another block makes another one. */
export function documentKey(
  document: Pick<ReceiptDocument, "pageUrl"> & { kind: "receipt" | "refund" },
): string {
  return `receipt ${document.pageUrl} ${Bun.hash(JSON.stringify(document)).toString(36)}`;
}

/** The name of the attachment. */
const fileName = "till-receipt.json";

/** A proof of 200 transfers has 80 kB. */
const proofBytesMax = 1_048_576;

/** Puts the proof into a receipt's file, as an attachment that any program for PDFs lists and saves. */
export async function attachProof({ proof, createdAtMs }: ReceiptDocument, pdf: Pdf): Promise<void> {
  const date = new Date(createdAtMs);
  await pdf.attach(new TextEncoder().encode(proof), fileName, {
    mimeType: "application/json",
    creationDate: date,
    modificationDate: date,
  });
}

/** The text of the proof in a receipt's PDF; null when there is none. Throws when the file is no PDF or is damaged. */
export async function readAttachedProof(pdf: Uint8Array): Promise<string | null> {
  const { PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFString } = await import(
    "@pdfme/pdf-lib"
  );
  const { context } = await PDFDocument.load(pdf, { updateMetadata: false });
  // Programs that write a PDF again order its names as they like, so each file in it is looked at.
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict) || object.lookup(PDFName.of("EF")) === undefined) continue;
    const name = object.lookup(PDFName.of("UF")) ?? object.lookup(PDFName.of("F"));
    const isText = name instanceof PDFString || name instanceof PDFHexString;
    if (!isText || name.decodeText() !== fileName) continue;
    const stream = object.lookup(PDFName.of("EF"), PDFDict).lookup(PDFName.of("F"));
    if (!(stream instanceof PDFRawStream)) return null;
    const isPacked = stream.dict.lookup(PDFName.of("Filter")) !== undefined;
    const bytes = isPacked
      ? inflateSync(stream.contents, { maxOutputLength: proofBytesMax })
      : stream.contents.subarray(0, proofBytesMax);
    return new TextDecoder().decode(bytes);
  }
  return null;
}
