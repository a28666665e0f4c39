import { qrSvg } from "../document/qr.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Invoice from "../domain/invoice.ts";
import { paymentUri } from "../domain/payment-uri.ts";
import * as Quantity from "../domain/quantity.ts";
import { depth } from "../domain/transfer.ts";
import * as Usdc from "../domain/usdc.ts";
import type { InvoicePageProps } from "../pages/invoice-page.tsx";
import type { PaymentProps } from "../pages/payment-section.tsx";
import * as TransferStore from "../store/transfer.ts";
import type { HttpDeps } from "./deps.ts";
import { pdfUrl } from "./invoice-record.ts";

/** What the hosted invoice page shows. */
export function invoicePageProps(deps: HttpDeps, invoice: Invoice.Invoice, nonce: string): InvoicePageProps {
  return {
    number: Invoice.number(invoice.sequence),
    merchantName: invoice.merchantName,
    merchantAddress: invoice.merchantAddress,
    merchantEmail: invoice.merchantEmail,
    vendorName: invoice.vendorName,
    vendorAddress: invoice.vendorAddress,
    issueDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    timeZone: deps.config.timeZone,
    notes: invoice.notes,
    lineItems: invoice.lineItems.map((item) => ({
      description: item.description,
      quantity: Quantity.format(item.quantity),
      unitPrice: Usdc.format(item.unitPrice),
      lineTotal: Usdc.format(item.lineTotal),
    })),
    total: Usdc.format(invoice.total),
    pdfUrl: pdfUrl(deps.baseUrl, invoice),
    paymentUrl: `/i/${invoice.slug}/payment`,
    nonce,
    payment: paymentProps(deps, invoice),
  };
}

/** The part of the page that changes as money arrives. */
export function paymentProps(deps: HttpDeps, invoice: Invoice.Invoice): PaymentProps {
  const { config, db } = deps;
  const { network, confirmations } = config;
  const { address, received, pending } = invoice.deposit;
  const remaining = Usdc.remaining(invoice.total, received);
  const uri = paymentUri({ usdc: network.usdc, chainId: network.chainId, to: address, amount: remaining });
  const head = deps.chainHead();
  return {
    status: invoice.status,
    overdue: Invoice.isOverdue(invoice, Calendar.dayAt(deps.now(), config.timeZone)),
    dueDate: invoice.dueDate,
    total: Usdc.format(invoice.total),
    received: Usdc.format(received),
    remaining: Usdc.formatExact(remaining),
    excess: Usdc.format(Usdc.remaining(received, invoice.total)),
    pending: pending === 0n ? null : Usdc.formatExact(pending),
    networkLabel: network.label,
    depositAddress: address,
    usdcAddress: network.usdc,
    chainId: network.chainId,
    remainingMicro: remaining.toString(),
    paymentUri: uri,
    paymentQr: qrSvg(uri),
    addressQr: qrSvg(address),
    explorer: network.explorer,
    transfers: TransferStore.listByDeposit(db, invoice.deposit.index).map((transfer) => ({
      txHash: transfer.txHash,
      amount: Usdc.formatExact(transfer.amount),
      confirmations: depth(transfer.blockNumber, head ?? transfer.blockNumber),
      confirmationsNeeded: typeof confirmations === "number" ? confirmations : null,
      confirmed: transfer.confirmed,
      seenAt: new Date(transfer.seenAt).toISOString(),
    })),
    delayed: deps.chainProblems().length > 0,
  };
}
