import { qrImage } from "../../src/document/qr.ts";
import { plainBrand } from "../../src/domain/brand.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import type { Address } from "../../src/domain/wallet/address.ts";
import { paymentUri } from "../../src/domain/wallet/deposit-address.ts";
import { networks } from "../../src/domain/wallet/network.ts";
import { walletLinks } from "../../src/domain/wallet/wallet-links.ts";
import { type Locale, speak } from "../../src/language/locale.ts";
import { microOf } from "../../src/pages/text.ts";
import type { InvoicePageProps } from "../../src/pay/invoice-details.tsx";
import type { PaymentProps, PaymentTransfer } from "../../src/pay/payment/props.ts";

export const depositAddress = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const { usdc, chainId } = networks.base;

/** 1500.00 USDC asked for, nothing received, less what the test says. */
export function payment(changes: Partial<PaymentProps> = {}): PaymentProps {
  const remaining = changes.remaining ?? "1500.00";
  const amount = Usdc.parse(remaining) ?? Usdc.zero;
  const asked = { usdc, chainId, to: depositAddress as Address, amount };
  const uri = paymentUri(asked);
  const pageUrl = "https://pay.acme.example/i/k7w2m9qd3xv5tb8h";
  return {
    locale: speak("en"),
    status: "sent",
    voidReason: null,
    isMarked: false,
    isUnexpected: false,
    overdue: false,
    expired: false,
    payBy: null,
    price: null,
    dueDate: "2026-11-30",
    total: "1500.00",
    received: "0.00",
    remaining,
    excess: "0.00",
    refunded: null,
    isEven: false,
    owedBack: null,
    lookPath: null,
    pending: null,
    signed: null,
    signedFailed: false,
    canSign: true,
    crossing: { networks: [], newest: null },
    pageUrl,
    networkLabel: "Base",
    depositAddress,
    usdcAddress: usdc,
    chainId,
    leastMicro: `${microOf(remaining) ?? 0n}`,
    remainingMicro: amount.toString(),
    paymentUri: uri,
    paymentQr: qrImage(pageUrl),
    walletCode: "/i/k7w2m9qd3xv5tb8h/wallet.png?1500000000",
    walletLinks: walletLinks(asked, networks.base),
    addressQr: qrImage(depositAddress),
    explorer: "https://basescan.org",
    receiptUrl: "/api/invoices/3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41/receipt",
    refundHref: null,
    receiptNumber: null,
    transfers: [],
    otherTransfers: 0,
    delayed: false,
    ...changes,
  };
}

export function transfer(amount: string, changes: Partial<PaymentTransfer> = {}): PaymentTransfer {
  return {
    txHash: `0x${"9f86d081884c7d65".repeat(4)}`,
    amount,
    from: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    counts: { inMs: 10_000, ofMs: 10_000 },
    confirmed: true,
    madeAt: "2026-11-21T14:05:09.000Z",
    ...changes,
  };
}

export function invoice(changes: Partial<InvoicePageProps> = {}): InvoicePageProps {
  return {
    number: "INV-0042",
    merchantName: "Acme Studio",
    merchantAddress: "1 Main Street\n10115 Berlin",
    merchantEmail: "billing@acme.example",
    vendorName: "Globex Corporation",
    vendorEmail: "ap@globex.example",
    vendorAddress: "742 Evergreen Terrace",
    issueDate: "2026-11-16",
    dueDate: "2026-11-30",
    timeZone: "Europe/Berlin",
    correctedDay: null,
    notes: "Thank you.",
    reference: "PO-4711",
    paymentTerms: null,
    merchantNumbers: [],
    merchantContact: [],
    vendorNumbers: [],
    vendorContact: [],
    tradeFacts: [],
    sums: [],
    credits: [],
    lineItems: [
      { description: "Design work", quantity: "2", unitPrice: "500.00", lineTotal: "1000.00" },
      { description: "Hosting", quantity: "0.5", unitPrice: "1000.00", lineTotal: "500.00" },
    ],
    total: "1500.00",
    due: "1500.00",
    pdfUrl: "http://127.0.0.1:3000/api/invoices/1/pdf",
    originalHref: "/api/originals/1",
    paymentUrl: "/i/abc/payment",
    brand: plainBrand,
    payment: payment(),
    ...changes,
  };
}

/** All that an invoice in euros between two businesses says besides. */
export function everyField({ say, days }: Locale): Partial<InvoicePageProps> {
  return {
    merchantNumbers: [
      { label: say("vatId"), value: "DE136695976" },
      { label: say("taxId"), value: "37/123/45678" },
      { label: say("registration"), value: "HRB 123456 B" },
    ],
    merchantContact: [
      { label: say("contactPerson"), value: "Mara Linde" },
      { label: say("phone"), value: "+49 30 1234567" },
    ],
    vendorNumbers: [{ label: say("vatId"), value: "FR40303265045" }],
    vendorContact: [{ label: say("contactPerson"), value: "Claire Dubois" }],
    tradeFacts: [
      { label: say("deliveryPeriod"), value: days("2026-10-01", "2026-10-31") },
      { label: say("buyerReference"), value: "KST-4711" },
      { label: say("purchaseOrder"), value: "PO-2026-118" },
    ],
    paymentTerms: "30 days net.",
    sums: [
      { label: say("subtotal"), amount: "1,500.00" },
      { label: say("discount"), amount: "−50.00" },
      { label: say("taxOn", { tax: "VAT", rate: "19", amount: "1,000.00" }), amount: "190.00" },
      { label: say("taxOn", { tax: "VAT", rate: "7", amount: "450.00" }), amount: "31.50" },
    ],
    billed: {
      code: "EUR",
      total: "1671.50",
      rate: "1 USDC = 0.8607 EUR · Kraken, Coinbase, Bitstamp · 22 Nov 2026, 21:03 UTC",
    },
  };
}

const seen = transfer("1500.00", { confirmed: false });

/** Every state that a payer can meet. */
export const states = {
  awaiting: payment(),
  overdue: payment({ overdue: true, delayed: true }),
  signed: payment({ signed: { amount: "1500.00", txHash: seen.txHash } }),
  signedFailed: payment({ signedFailed: true }),
  crossing: payment({
    crossing: {
      networks: [{ chainId: 1, label: "Ethereum" }],
      newest: { state: "late", network: "Ethereum", amount: "1500.00", at: "2026-11-21T14:05:09.000Z" },
    },
  }),
  seen: payment({ pending: "1500.00", transfers: [seen] }),
  partial: payment({
    status: "partial",
    received: "500.00",
    remaining: "1000.00",
    transfers: [transfer("500.00")],
  }),
  partialOverdue: payment({
    status: "partial",
    overdue: true,
    received: "500.00",
    remaining: "1000.00",
    transfers: [transfer("500.00")],
  }),
  paid: payment({
    status: "paid",
    received: "1500.00",
    remaining: "0.00",
    transfers: [transfer("1500.00")],
  }),
  excess: payment({
    status: "excess",
    overdue: true,
    received: "1520.00",
    remaining: "0.00",
    excess: "20.00",
    transfers: [transfer("1520.00")],
  }),
  creditedSince: payment({
    status: "paid",
    total: "1200.00",
    received: "1500.00",
    remaining: "0.00",
    excess: "300.00",
    owedBack: speak("en").say("owedBack", {
      total: "1,200.00 USDC",
      amount: "300.00 USDC",
      merchant: "Acme Ltd",
    }),
    transfers: [transfer("1500.00")],
  }),
  void: payment({ status: "void", voidReason: "Billed twice.\nPlease see INV-0041." }),
  voidButPaid: payment({
    status: "void",
    voidReason: "Billed twice.",
    isUnexpected: true,
    pending: "1500.00",
    transfers: [seen],
  }),
  marked: payment({ status: "paid", isMarked: true }),
  markedButPaid: payment({
    status: "paid",
    isMarked: true,
    isUnexpected: true,
    received: "500.00",
    remaining: "1000.00",
    transfers: [transfer("500.00")],
  }),
} as const satisfies Record<string, PaymentProps>;

/** Texts that would do harm where they are taken for HTML or for script. */
export const attacks = [
  "<script>alert(1)</script>",
  "</title></style></script><img src=x onerror=alert(1)>",
  `"><img src=x onerror=alert(1)>`,
  "' onfocus='alert(1)' autofocus='",
  "&lt;script&gt;&quot;&#34;",
  "javascript:alert(1)",
  "\ud800 half a character",
];
