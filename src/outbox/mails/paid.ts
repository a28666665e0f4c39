import * as Invoice from "../../domain/invoice.ts";
import * as Outcome from "../../domain/outcome.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { PaymentMessageProps } from "../../mail/messages/payment-message.ts";
import type { MailDeps } from "./mail-kind.ts";
import { type Owner, shared } from "./owner.ts";
import { paymentsOf } from "./payments.ts";

/** Whether money has paid all of it, and not only the merchant's word. */
export function isPaidInFull(owner: Owner): boolean {
  const { deposit, voidedAt, markedPaidAt } = shared(owner);
  const outcome = Outcome.compare(deposit);
  return voidedAt === null && markedPaidAt === null && (outcome === "full" || outcome === "excess");
}

/** What a receipt and a notice say alike. */
export function paidProps(deps: MailDeps, invoice: Invoice.Invoice): Omit<PaymentMessageProps, "kind"> {
  const { merchantName, merchantEmail, vendorName, vendorEmail, total, deposit } = invoice;
  const excess = Usdc.remaining(deposit.received, total);
  return {
    merchantName,
    merchantEmail,
    vendorName,
    vendorEmail,
    invoiceNumber: invoice.number,
    total: Usdc.format(total),
    received: Usdc.formatExact(deposit.received),
    excess: excess === 0n ? null : Usdc.formatExact(excess),
    ...paymentsOf(deps, deposit.index),
    network: deps.network,
    invoiceUrl: Invoice.pageUrl(deps.baseUrl, invoice),
    brand: deps.brand,
    language: deps.language,
  };
}
