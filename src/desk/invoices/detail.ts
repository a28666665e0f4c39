import * as Invoice from "../../domain/bill/invoice.ts";
import * as Quoting from "../../domain/bill/rate/quoting.ts";
import * as Reminder from "../../domain/bill/reminder.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Closing from "../../domain/closing.ts";
import type { Format } from "../../domain/einvoice/einvoice.ts";
import type { MissingField } from "../../domain/einvoice/missing.ts";
import { may } from "../../domain/party/person.ts";
import { depth } from "../../domain/payment/transfer.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import { transactionUrl } from "../../domain/wallet/network.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { timelineOf } from "../../http/events/timeline.ts";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import * as CustomerStore from "../../store/tables/invoicing/customer.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import { canCredit, noteRow } from "../credit/list.tsx";
import type { Visit } from "../gate.ts";
import type { FormFault } from "../parts/form/form.tsx";
import { type DetailPayment, type DetailProps, type Hook, invoiceDetailPage } from "./detail-page.tsx";
import type { EInvoiceProps } from "./e-invoice.tsx";

/** Payments named; the rest are only counted. */
const paymentsMax = 50;

type Shown = { problem?: string; note?: string; faults?: readonly FormFault[] };

/** An invoice's page, with what went wrong if anything did. */
export function showInvoice(
  deps: HttpDeps,
  { frame, who }: Visit,
  invoice: Invoice.Invoice,
  { problem, note = "", faults = [] }: Shown = {},
): string {
  const { db, baseUrl } = deps;
  const { payments, others } = paymentsOf(deps, invoice);
  const customer = CustomerStore.byEmail(db, invoice.vendorEmail);
  const timeline = timelineOf(deps, { kind: "invoice", ...invoice });
  return invoiceDetailPage({
    frame,
    invoice,
    can: allowed(deps, invoice, who),
    creditNotes: CreditNoteStore.listByInvoice(db, invoice.sequence).map((note) => noteRow(deps, note)),
    payments,
    otherPayments: others,
    timeline: timeline.map(({ at, type, data }) => ({ at: Date.parse(at), type, data })).reverse(),
    hooks: hooksOf(deps, invoice),
    links: {
      page: Invoice.pageUrl(baseUrl, invoice),
      pdf: Invoice.pdfUrl(baseUrl, invoice),
      receipt:
        Receipt.refusal({ kind: "invoice", invoice }) === null
          ? `${baseUrl}/api/invoices/${invoice.id}/receipt`
          : null,
    },
    eInvoice: eInvoiceProps(deps, (format) => deps.eInvoices.missing(invoice, format)),
    customerHref: customer && `/desk/customers/${customer.id}`,
    note,
    faults,
    problem: problem ?? null,
  });
}

/** What an invoice or a credit note lacks as an e-invoice; `of` says it for one format. */
export function eInvoiceProps(
  { config }: Pick<HttpDeps, "config">,
  of: (format: Format) => readonly MissingField[],
): EInvoiceProps {
  const missing = { "factur-x": of("factur-x"), cii: of("cii"), ubl: of("ubl") };
  return { missing, isOpen: config.eInvoice !== "off" && missing[config.eInvoice].length > 0 };
}

/** What this visitor can do with an invoice now. Anything else is not shown. */
function allowed(deps: HttpDeps, invoice: Invoice.Invoice, { role }: Visit["who"]): DetailProps["can"] {
  const { config, now } = deps;
  const facts: Closing.ClosingFacts = { ...invoice, ...invoice.deposit };
  const canClose = may(role, "close");
  const isPossible = (closing: Closing.Closing) => canClose && Closing.refusal(closing, facts) === null;
  const mails = may(role, "issue") && config.smtpUrl !== null;
  return {
    issue: may(role, "issue"),
    send: mails && invoice.status !== "void",
    remind: mails && Reminder.refusal(invoice) === null,
    credit: canClose && canCredit(deps, invoice),
    void: invoice.voidedAt === null && isPossible({ kind: "void", reason: "" }),
    mark: isPossible({ kind: "mark", as: "paid", note: null }),
    quote:
      may(role, "issue") &&
      Quoting.refusal(invoice, { today: Calendar.dayAt(now(), config.timeZone), isPaying: false }) === null,
    unmark: isPossible({ kind: "mark", as: "unpaid", note: null }),
  };
}

/** Newest first. */
export function paymentsOf(
  { db, config, chainHead }: HttpDeps,
  { deposit }: Pick<Invoice.Invoice, "deposit">,
): { payments: DetailPayment[]; others: number } {
  const { transfers, others } = TransferStore.listLargest(db, deposit.index, { limit: paymentsMax });
  const head = chainHead();
  const { confirmations, network } = config;
  const payments = transfers.reverse().map(({ txHash, amount, confirmed, blockNumber, madeAt }) => ({
    txHash,
    explorerUrl: transactionUrl(network.explorer, txHash),
    amount,
    confirmed,
    confirmations: depth(blockNumber, head ?? blockNumber),
    needed: typeof confirmations === "number" ? confirmations : null,
    madeAt,
  }));
  return { payments, others };
}

/** The newest ones. */
const hooksMax = 50;

/** Newest first. */
export function hooksOf(
  { db }: HttpDeps,
  { deposit, webhookUrl }: Pick<Invoice.Invoice, "deposit" | "webhookUrl">,
): Hook[] {
  if (webhookUrl === null) return [];
  return WebhookEventStore.listByDeposit(db, deposit.index)
    .slice(-hooksMax)
    .reverse()
    .map(({ id, status, body, state, attempts }) => ({ id, name: nameOf(body, status), state, attempts }));
}

/** What a webhook reports: its event's type, or the status in the contract's form. */
function nameOf(body: string, status: string): string {
  const { type } = JSON.parse(body) as { type?: unknown };
  return typeof type === "string" ? type : status;
}
