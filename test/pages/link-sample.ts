import type { LineItem } from "../../src/domain/bill/invoice.ts";
import * as Quantity from "../../src/domain/bill/quantity.ts";
import * as Tax from "../../src/domain/bill/tax.ts";
import { plainBrand } from "../../src/domain/brand.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import { soldText } from "../../src/language/bill.ts";
import type { LanguageCode } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import type { BeginPageProps } from "../../src/pay/begin-page.tsx";
import type { CheckoutPageProps } from "../../src/pay/checkout-page.tsx";
import type { PaymentProps } from "../../src/pay/payment/props.ts";
import { payment, transfer } from "./sample.ts";

/** 25.00 USDC asked for by a payment link, nothing received, less what the test says. */
export function linkPayment(changes: Partial<PaymentProps> = {}): PaymentProps {
  return payment({ dueDate: null, total: "25.00", remaining: "25.00", ...changes });
}

export function checkout(changes: Partial<CheckoutPageProps> = {}): CheckoutPageProps {
  const slug = changes.slug ?? "abc";
  return {
    businessName: "Acme Coffee",
    productDescription: "Ethiopia Guji, 500 g",
    reference: "PO-4711",
    slug,
    statusUrl: `/api/payments/status/${slug}`,
    paymentUrl: `/pay/${slug}/payment`,
    successUrl: "https://shop.example/thanks",
    parentOrigin: null,
    embedded: false,
    details: null,
    receipt: { href: `/pay/${slug}/receipt`, maskedEmail: null },
    brand: plainBrand,
    payment: linkPayment(),
    sold: null,
    reusable: null,
    ...changes,
  };
}

const seen = { pending: "25.00", transfers: [transfer("25.00", { confirmed: false })] };

const price = {
  code: "EUR",
  total: "21.52",
  rate: "1 USDC = 0.8607 EUR · Kraken, Coinbase and Bitstamp · 21 Nov 2026, 14:05 UTC",
  holds: { at: "2026-11-22T14:05:00.000Z", left: null },
  isOver: false,
};

const payBy = { at: "2026-11-21T14:30:00.000Z", left: "in 25 minutes" };

/** Every state that the payer of a link can meet. */
export const linkStates = {
  awaiting: linkPayment(),
  ending: linkPayment({ payBy }),
  inEuros: linkPayment({ price }),
  unpriced: linkPayment({ price: { ...price, holds: null, isOver: true } }),
  paidInEuros: linkPayment({
    status: "paid",
    received: "25.00",
    remaining: "0.00",
    price,
    transfers: [transfer("25.00")],
  }),
  late: linkPayment({ delayed: true, chainId: 84532, networkLabel: "Base Sepolia" }),
  seen: linkPayment(seen),
  partial: linkPayment({
    status: "partial",
    received: "10.00",
    remaining: "15.00",
    transfers: [transfer("10.00")],
  }),
  paid: linkPayment({
    status: "paid",
    received: "25.00",
    remaining: "0.00",
    transfers: [transfer("25.00")],
  }),
  excess: linkPayment({
    status: "excess",
    received: "30.00",
    remaining: "0.00",
    excess: "5.00",
    transfers: [transfer("30.00")],
  }),
  expired: linkPayment({ expired: true }),
  expiredPartial: linkPayment({
    expired: true,
    status: "partial",
    received: "10.00",
    remaining: "15.00",
    transfers: [transfer("10.00")],
  }),
  error: linkPayment({ status: "error" }),
  seenAgain: linkPayment({ status: "error", ...seen }),
  void: linkPayment({ status: "void", voidReason: "Sold out." }),
  voidButPaid: linkPayment({ status: "void", voidReason: "Sold out.", isUnexpected: true, ...seen }),
  marked: linkPayment({ status: "paid", isMarked: true }),
} as const satisfies Record<string, PaymentProps>;

/** Two things in a language, with the tax in them, as a page says it. */
export function sold(code: LanguageCode = "en") {
  const tax = { category: "standard", rate: 190_000, reason: null } as const;
  const line = (description: string, pieces: bigint, each: string, total: string): LineItem => ({
    description,
    quantity: (pieces * Quantity.one) as Quantity.Quantity,
    unitPrice: Usdc.parse(each) ?? Usdc.zero,
    lineTotal: Usdc.parse(total) ?? Usdc.zero,
    ...{ unit: null, discount: null, tax },
  });
  const lines = [
    line("Ethiopia Guji, 500 g", 2n, "10.00", "20.00"),
    line("Filter papers, unbleached, for the large dripper", 1n, "5.00", "5.00"),
  ];
  const totals = Tax.totalsOf(lines, { discount: null, pricesIncludeTax: true, minor: 10_000n });
  return soldText(
    { lines, totals, pricesIncludeTax: true },
    { merchantDetails: { country: "DE" }, currency: null, taxInCurrency: null },
    speak(code),
  );
}

export type LinkState = keyof typeof linkStates;
export const linkStateNames = Object.keys(linkStates) as LinkState[];

/** The page of a reusable link: 12.50 USDC for one of at most 10 pieces, less what the test says. */
export function begin(changes: Partial<BeginPageProps> = {}): BeginPageProps {
  return {
    businessName: "Acme Coffee",
    productDescription: "Ethiopia Guji, 500 g",
    reference: null,
    slug: "abc",
    parentOrigin: null,
    embedded: false,
    brand: plainBrand,
    locale: speak("en"),
    currency: null,
    price: { kind: "fixed", each: "12.50", quantityMax: 10 },
    payBy: null,
    token: "23456789abcdefgh",
    typed: { quantity: "1", amount: "", email: "" },
    asksEmail: true,
    fault: null,
    notice: null,
    ...changes,
  };
}

/** Every state of it that a visitor can meet, in a language. */
export function beginStates(code: LanguageCode = "en"): Record<string, BeginPageProps> {
  const locale = speak(code);
  const chosen = { kind: "chosen", min: "1.00", max: "5000.00" } as const;
  const price = { kind: "fixed", each: "12.50", quantityMax: 1 } as const;
  const typed = { quantity: "11", amount: "1.500", email: "anna" };
  const max = { max: 10 };
  const example = `12${locale.decimalMark}50`;
  return {
    quantity: begin({ locale }),
    one: begin({ locale, price }),
    amount: begin({ locale, price: chosen }),
    "quantity-fault": begin({
      locale,
      typed,
      fault: { field: "quantity", sentence: locale.say("quantityFault", max) },
    }),
    "amount-fault": begin({
      locale,
      price: chosen,
      typed,
      fault: { field: "amount", sentence: locale.say("amountForm", { example }) },
    }),
    euros: begin({ locale, currency: "EUR" }),
    "euros-amount": begin({ locale, price: chosen, currency: "EUR" }),
    busy: begin({ locale, notice: locale.say("tooManyBegun", { minutes: 6 }) }),
  };
}
