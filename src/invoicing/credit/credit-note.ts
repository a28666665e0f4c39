import type { Config } from "../../config/config.ts";
import type { Log } from "../../config/log-events.ts";
import * as Credit from "../../domain/bill/credit.ts";
import * as CreditNote from "../../domain/bill/credit-note.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import * as TaxCurrency from "../../domain/bill/tax-currency.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Closing from "../../domain/receivable/closing.ts";
import * as Common from "../../domain/receivable/common.ts";
import { creditNoteRecord } from "../../domain/record/credit-note.ts";
import * as Usdc from "../../domain/usdc.ts";
import { world } from "../../lib/world.ts";
import { announce, type EventSubject, type RecordSettings } from "../../store/announce.ts";
import type { Db } from "../../store/database.ts";
import { rehearse, stored } from "../../store/group-commit.ts";
import { isIssued } from "../../store/reports/export/export.ts";
import { isOnItsWay } from "../../store/reports/on-its-way.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import type { Claim } from "../../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../../store/tables/installation/idempotency.ts";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import * as DepositStore from "../../store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";

/** A merchant's request. `sendNow`: whether to mail the customer; null to do so if the invoice was mailed. */
export type NewCreditNote = { wanted: Credit.CreditScope; reason: string; sendNow: boolean | null };

/**
 * Why none was created; `void` and `in_flight` describe the invoice, and `changed` means that the total is not the
 * confirmed one.
 */
type CreditRefusal = Credit.RemainderRefusal | { kind: "void" } | { kind: "in_flight" } | { kind: "changed" };

type CreditResult = { ok: true; note: CreditNote.CreditNote } | { ok: false; refusal: CreditRefusal };

/**
 * Creates a final credit note for an invoice, given by sequence, in one transaction with all consequences and the
 * request's claim. Throws a StorageFailed if nothing was stored. A trial leaves nothing behind.
 */
export type CreateCreditNote = (
  invoice: number,
  request: NewCreditNote & { confirmed?: Usdc.Billed | undefined },
  claim: Claim | null,
  isTrial?: boolean,
) => Promise<CreditResult>;

export type CreditNoteDeps = {
  db: Db;
  recordSettings: RecordSettings;
  now: () => number;
  log: Log;
  config: Pick<Config, "creditNoteNumber" | "mailReceipts">;
  /** Called when a webhook may be due. */
  onEventDue: () => void;
  /** Called when a mail may be queued. */
  onMailDue: () => void;
  /** Has the chain watched again for dormant deposits. */
  watchAgain: (deposits: readonly number[]) => unknown;
};

export function createCreditNoteCreator(deps: CreditNoteDeps): CreateCreditNote {
  const { db, now, log } = deps;
  const tell = (result: CreditResult) => {
    if (!result.ok) return;
    const invoice = InvoiceStore.bySequence(db, result.note.invoice);
    log.info("credit_note.created", "a credit note was made", {
      credit_note: result.note.number,
      ...(invoice ? { invoice: invoice.number } : {}),
    });
    // A customer who now owes less may pay at once.
    if (invoice) deps.watchAgain([invoice.deposit.index]);
    deps.onEventDue();
    deps.onMailDue();
  };
  return (sequence, request, claim, isTrial = false) =>
    (isTrial ? rehearse : stored)(db, () => create(deps, sequence, request, claim, now()), tell);
}

function create(
  { db, recordSettings, config }: CreditNoteDeps,
  sequence: number,
  { wanted, reason, sendNow, confirmed }: Parameters<CreateCreditNote>[1],
  claim: Claim | null,
  at: number,
): CreditResult {
  const invoice = InvoiceStore.bySequence(db, sequence);
  if (!invoice) throw new Error(`There is no invoice ${sequence}`);
  const depositIndex = invoice.deposit.index;
  if (invoice.voidedAt !== null) return { ok: false, refusal: { kind: "void" } };
  if (isInFlight(db, invoice)) return { ok: false, refusal: { kind: "in_flight" } };
  const result = insertCreditNote(db, {
    recordSettings,
    numbers: config.creditNoteNumber,
    invoice,
    wanted,
    confirmed,
    reason,
    at,
  });
  if (!result.ok) return result;
  const { note, due } = result;
  if (claim) IdempotencyStore.insert(db, claim, note.id, at);

  const closed = Common.closedOf(invoice);
  const isVoid = Closing.isCreditedWhole({ ...due, ...closed });
  const now = isVoid ? Closing.applied({ kind: "void", reason }, closed, at) : closed;
  const facts = { ...due, ...now, sentAt: invoice.sentAt };
  const status = Invoice.status(facts);
  const subject = ReceivableStore.briefAt(db, depositIndex);
  ReceivableStore.setClosed(db, subject, now, status);
  announceCreditNote(db, recordSettings, subject, note);
  if (isVoid) announce(db, recordSettings, subject, { type: "voided", occasion: String(at), at });

  const isMailed = wasMailed(db, invoice);
  const isOver = isVoid || Invoice.isPaid(status);
  if (isVoid) MailStore.supersedeQueued(db, depositIndex, "invoice");
  if (isOver) MailStore.supersedeQueued(db, depositIndex, "reminder");
  if (sendNow ?? isMailed)
    MailStore.insertOnce(db, { depositIndex, kind: "credit", occasion: note.number, createdAt: at });
  // Money paid for an invoice that is taken back entirely has to be returned.
  const isWhole = invoice.credited + note.totals.total === Invoice.billedTotal(invoice);
  if (config.mailReceipts && !isWhole && !Invoice.isPaid(invoice.status) && Closing.isPaidByMoney(facts))
    MailStore.insertPaid(db, depositIndex, { toPayer: true, createdAt: at });
  return { ok: true, note };
}

/** Returns whether a payment will count in a moment, and decides how much to return. */
export const isInFlight = (
  db: Db,
  { deposit: { index, pending } }: Pick<Invoice.Invoice, "deposit">,
): boolean => Usdc.shows(pending) || isOnItsWay(db, index);

/** Announces a credit note, once all its changes are made. */
export function announceCreditNote(
  db: Db,
  recordSettings: RecordSettings,
  subject: EventSubject,
  note: CreditNote.CreditNote,
): void {
  const invoice = InvoiceStore.ofCreditNote(db, note);
  const data = { credit_note: creditNoteRecord(recordSettings.baseUrl, invoice, note) };
  announce(db, recordSettings, subject, {
    type: "credited",
    occasion: note.number,
    data,
    at: note.createdAt,
  });
}

/**
 * Returns whether an invoice was mailed, may have been, or is being mailed, so that its credit notes are mailed too.
 */
export const wasMailed = (
  db: Db,
  { sentAt, deposit }: Pick<Invoice.Invoice, "sentAt" | "deposit">,
): boolean => sentAt !== null || MailStore.mayArrive(db, deposit.index);

/** Returns whether voiding an invoice also credits what is left of it: it has tax, and somebody may have seen it. */
export const isCreditedByVoid = (db: Db, invoice: Invoice.Invoice): boolean =>
  invoice.totals !== null &&
  invoice.totals.rows.length > 0 &&
  invoice.credited < Invoice.billedTotal(invoice) &&
  isIssued(db, invoice);

/**
 * Stores one more credit note and reduces the amount due. Call it in the transaction of its creation; the caller sets
 * the status. Returns the totals afterwards.
 */
export function insertCreditNote(
  db: Db,
  request: {
    recordSettings: RecordSettings;
    numbers: InvoiceNumber.Pattern;
    invoice: Invoice.Invoice;
    wanted: Credit.CreditScope;
    confirmed?: Usdc.Billed | undefined;
    reason: string;
    at: number;
  },
):
  | { ok: true; note: CreditNote.CreditNote; due: DepositStore.DepositTotals }
  | { ok: false; refusal: CreditRefusal } {
  const { invoice, reason, at } = request;
  const { deposit } = invoice;
  const notes = CreditNoteStore.listByInvoice(db, invoice.sequence);
  const work = Credit.work(invoice, notes, request.wanted);
  if (!work.ok) return work;
  const { lines, totals } = work;
  if (request.confirmed !== undefined && request.confirmed !== totals.total)
    return { ok: false, refusal: { kind: "changed" } };
  const { usdc, toReturn } = CreditNote.effect(invoice, totals.total);
  const sequence = CreditNoteStore.nextSequence(db);
  const note: CreditNote.CreditNote = {
    id: world.randomUUID(),
    sequence,
    number: InvoiceNumber.of(request.numbers, sequence),
    invoice: invoice.sequence,
    issueDate: PreferenceStore.openDay(db, Calendar.dayAt(at, request.recordSettings.timeZone)),
    reason,
    lines,
    totals,
    taxInCurrency: TaxCurrency.ofNote(
      invoice,
      notes.reduce((sum, { totals: { tax } }) => sum + tax, 0n),
      totals.tax,
    ),
    usdc,
    toReturn,
    createdAt: at,
  };
  CreditNoteStore.insert(db, note);
  InvoiceStore.addCredited(db, invoice.sequence, totals.total);
  return { ok: true, note, due: DepositStore.credit(db, deposit.index, { usdc, toReturn }) };
}
