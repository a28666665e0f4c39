import type { CreditNote } from "../domain/bill/credit-note.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import type * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import * as Closing from "../domain/closing.ts";
import type * as Event from "../domain/event/event.ts";
import * as Link from "../domain/link/link.ts";
import { announce, type EventSubject, reportInvoice, reportLink, type Site } from "../store/announce.ts";
import type { Db } from "../store/database.ts";
import { StorageFailed, stored, tried } from "../store/group-commit.ts";
import { counts, isReceiptCounted } from "../store/reports/export/counted.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import type { DepositName } from "../store/tables/invoicing/deposit.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as ReceiptStore from "../store/tables/invoicing/receipt.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import {
  announceCreditNote,
  type CreditNoteDeps,
  insertCreditNote,
  isCreditedByVoid,
} from "./credit-note.ts";
import type { By, Once, Trial } from "./once.ts";
import { done, existing, invalid, type Outcome, refused } from "./outcome.ts";
import { parseMarkRequest, parseVoidRequest } from "./request/closing.ts";

/** The invoice or link to close, mark or unmark. */
type ClosingSubject = { kind: Event.Kind; depositIndex: number };

/**
 * Voids an invoice or a link, marks it as paid or unmarks it, in one transaction with all consequences and the
 * request's claim. Returns why it cannot be done; null when it is done, or was before. Throws a StorageFailed when
 * nothing was stored.
 */
export type Close = (
  target: ClosingSubject,
  closing: Closing.Closing,
  claim: Claim | null,
  isTrial?: boolean,
) => Promise<Closing.ClosingRefusal | null>;

/** The use cases void and mark, of invoices and links. */
export function createClosings({ once, close }: { once: Once; close: Close }) {
  const parsers = { void: parseVoidRequest, mark: parseMarkRequest };
  return <T>(
    deed: keyof typeof parsers,
    { name, ...target }: ClosingSubject & { name: string },
    { asked, key, read, isTrial = false }: By & Trial & { asked: unknown; read: () => T },
  ): Promise<Outcome<T>> => {
    const make = async (claim: Claim | null) => {
      const parsed = parsers[deed](asked);
      if (!parsed.ok) return invalid(parsed.faults);
      const why = await close(target, parsed.value, claim, isTrial);
      return why === null ? done(read()) : refused({ kind: "closing", why, name });
    };
    return isTrial ? make(null) : once(key, [deed, target, asked], make, read);
  };
}

export function createClose(deps: Omit<CreditNoteDeps, "watchAgain">): Close {
  const { db, site, config, now, log, onEventDue, onMailDue } = deps;
  return async (target, closing, claim, isTrial = false) => {
    const doing = (isTrial ? tried : stored)(
      db,
      () => {
        const at = now();
        const owner = ownerOf(db, site, target);
        const { refunded, refunding } = DepositStore.credited(db, target.depositIndex);
        const given = refunded + refunding;
        const refusal = Closing.refusal(closing, { ...owner.facts, given });
        if (refusal !== null) return { refusal, change: null };
        if (claim) IdempotencyStore.insert(db, claim, String(target.depositIndex), at);
        if (closing.kind === "void" && owner.facts.voidedAt !== null) return { refusal, change: null };
        const before = bookedDay(db, target);
        const change = close(db, site, config, { owner, closing, at });
        const after = bookedDay(db, target);
        const isClosed = (day: string | null) => day !== null && PreferenceStore.isClosed(db, day);
        if (before !== after && (isClosed(before) || isClosed(after))) throw new ClosedDays();
        return { refusal, change };
      },
      ({ change }) => {
        if (change === null) return;
        log.info("closing", "the merchant voided or marked an invoice or a link", change);
        onEventDue();
        onMailDue();
      },
    );
    return doing.then(
      ({ refusal }) => refusal,
      (thrown) => {
        if (!(thrown instanceof StorageFailed && thrown.cause instanceof ClosedDays)) throw thrown;
        return closing.kind === "void" ? "closed" : "closed_mark";
      },
    );
  };
}

/** Undoes what would change the books of days that are closed. */
class ClosedDays extends Error {
  override readonly name = "ClosedDays";
}

/** The day in whose books an invoice or the receipt of a link counts; null while it counts in none. */
function bookedDay(db: Db, { kind, depositIndex }: ClosingSubject): string | null {
  if (kind === "invoice") {
    const invoice = existing(InvoiceStore.byDeposit(db, depositIndex));
    return counts(db, invoice) ? invoice.issueDate : null;
  }
  const receipt = ReceiptStore.byDeposit(db, depositIndex);
  const link = existing(LinkStore.byDeposit(db, depositIndex));
  return receipt !== null && isReceiptCounted({ link: { ...link, paidAt: null } }) ? receipt.issueDate : null;
}

/** Voids a link although money has come for it: for a refund of that money, in whose transaction it is. */
export function voidForRefund(
  db: Db,
  site: Site,
  config: CreditNoteDeps["config"],
  { depositIndex, reason, at }: { depositIndex: number; reason: string; at: number },
): void {
  const owner = ownerOf(db, site, { kind: "link", depositIndex });
  close(db, site, config, { owner, closing: { kind: "void", reason }, at });
}

/** What is to be closed, invoice or link. */
type Owner = {
  name: DepositName;
  subject: EventSubject;
  facts: Closing.ClosingFacts;
  status: string;
  /** Credits all that is left of an invoice with tax when it is voided. */
  credit(reason: string, numbers: InvoiceNumber.Pattern, at: number): CreditNote | null;
  /** Stores what the merchant declared; returns the resulting status. */
  store(closed: Invoice.Closure, at: number): string;
  /** Sends the contract's webhook for a status that money alone produced and that was never reported. */
  report(closed: Invoice.Closure, at: number): void;
  /** Whether the customer was mailed it, or may have been. */
  wasMailed: boolean;
  /** Whether to mail a receipt once money has paid all of it. */
  wantsReceipt: boolean;
};

function close(
  db: Db,
  site: Site,
  config: CreditNoteDeps["config"],
  { owner, closing, at }: { owner: Owner; closing: Closing.Closing; at: number },
) {
  const { subject, facts, name, status: from } = owner;
  const { depositIndex } = subject;
  const closed = Closing.applied(closing, Invoice.closedOf(facts), at);
  const creditNote =
    closing.kind === "void" ? owner.credit(closing.reason, config.creditNoteNumber, at) : null;
  const to = owner.store(closed, at);
  const data = closing.kind === "mark" && closing.note !== null ? { note: closing.note } : {};
  announce(db, site, subject, { type: Closing.eventOf(closing), occasion: String(at), data, from, at });
  if (creditNote) announceCreditNote(db, site, subject, creditNote);
  owner.report(closed, at);
  if (closed.voidedAt !== null || closed.markedPaidAt !== null)
    for (const kind of ["invoice", "reminder"] as const) MailStore.supersedeQueued(db, depositIndex, kind);
  if (closing.kind === "void" && owner.wasMailed)
    MailStore.insertOnce(db, { depositIndex, kind: "void", createdAt: at });
  // Money may have paid it anyway while it was marked.
  if (config.mailReceipts && Closing.isPaidByMoney({ ...facts, ...closed }))
    MailStore.insertPaid(db, depositIndex, { toPayer: owner.wantsReceipt, createdAt: at });
  return { ...name, from, to };
}

function ownerOf(db: Db, site: Site, { kind, depositIndex }: ClosingSubject): Owner {
  return kind === "invoice" ? invoiceOf(db, site, depositIndex) : linkOf(db, site, depositIndex);
}

function invoiceOf(db: Db, site: Site, depositIndex: number): Owner {
  const invoice = InvoiceStore.payableByDeposit(db, depositIndex);
  if (!invoice) throw new Error(`Deposit ${depositIndex} belongs to no invoice`);
  const { number, status, sequence } = invoice;
  const facts = invoice;
  const subject: EventSubject = { kind: "invoice", depositIndex, ...invoice };
  return {
    name: { invoice: number },
    subject,
    facts,
    status,
    credit(reason, numbers, at) {
      const issued = InvoiceStore.bySequence(db, sequence);
      if (issued === null || !isCreditedByVoid(db, issued)) return null;
      const request = { site, numbers, invoice: issued, wanted: { kind: "rest" }, reason, at } as const;
      const result = insertCreditNote(db, request);
      return result.ok ? result.note : null;
    },
    store(closed) {
      const next = Invoice.status({ ...facts, ...closed });
      InvoiceStore.setClosed(db, sequence, closed, next);
      return next;
    },
    report(closed, at) {
      const reported = Invoice.reportedStatus({ ...facts, ...closed });
      if (reported !== null) reportInvoice(db, subject, invoice, { status: reported, at });
    },
    wasMailed: invoice.sentAt !== null || MailStore.mayHaveArrived(db, depositIndex),
    wantsReceipt: true,
  };
}

/** Links are not mailed. */
function linkOf(db: Db, site: Site, depositIndex: number): Owner {
  const link = LinkStore.byDeposit(db, depositIndex);
  if (!link) throw new Error(`Deposit ${depositIndex} belongs to no link`);
  const facts = { ...link, ...link.deposit, hasLost: TransferStore.anyLost(db, depositIndex) };
  const sealedSecret = LinkStore.sealedSecret(db, link.id);
  const subject: EventSubject = { kind: "link", depositIndex, sealedSecret, ...link };
  return {
    name: { link: link.slug },
    subject,
    facts,
    status: link.status,
    credit: () => null,
    store(closed, at) {
      const next = Link.status({ ...facts, ...closed });
      LinkStore.setClosed(db, link.id, closed, next);
      ReceiptStore.issue(db, { ...link, status: next }, at, site);
      return next;
    },
    report(closed, at) {
      const reported = Link.reportedStatus({ ...facts, ...closed });
      if (reported !== null) reportLink(db, subject, link, { status: reported, at });
    },
    wasMailed: false,
    wantsReceipt: link.payerEmail !== null,
  };
}
