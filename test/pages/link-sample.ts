import { plainBrand } from "../../src/domain/brand.ts";
import type { CheckoutPageProps } from "../../src/pages/invoice/checkout-page.tsx";
import type { PaymentProps } from "../../src/pages/payment/payment-section.tsx";
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
    receipt: { href: `/pay/${slug}/receipt`, maskedEmail: null },
    brand: plainBrand,
    payment: linkPayment(),
    ...changes,
  };
}

const seen = { pending: "25.00", transfers: [transfer("25.00", { confirmations: 1, confirmed: false })] };

/** Every state that the payer of a link can meet. */
export const linkStates = {
  awaiting: linkPayment(),
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
} as const satisfies Record<string, PaymentProps>;

export type LinkState = keyof typeof linkStates;
export const linkStateNames = Object.keys(linkStates) as LinkState[];
