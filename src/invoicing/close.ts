import type { CreditNote } from "../domain/bill/credit-note.ts";
import * as Closing from "../domain/receivable/closing.ts";
import type { Kind } from "../domain/receivable/common.ts";
import * as Common from "../domain/receivable/common.ts";
import { reportedStatusOf, statusOf } from "../domain/receivable/receivable.ts";
import { announce, type RecordSettings, report } from "../store/announce.ts";
import type { Db } from "../store/database.ts";
import { rehearse, StorageFailed, stored } from "../store/group-commit.ts";
import { counts, isReceiptCounted } from "../store/reports/export/counted.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as CreditNoteStore from "../store/tables/invoicing/credit-note.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as ReceiptStore from "../store/tables/invoicing/receipt.ts";
import * as ReceivableStore from "../store/tables/invoicing/receivable.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import {
  announceCreditNote,
  type CreditNoteDeps,
  insertCreditNote,
  isCreditedByVoid,
} from "./credit/credit-note.ts";
import type { Caller, Once, Trial } from "./once.ts";
import { done, existing, invalid, type Outcome, refused } from "./outcome.ts";
import { parseMarkRequest, parseVoidRequest } from "./request/closing.ts";

/** The invoice or link to close, mark or unmark. */
type ClosingSubject = { kind: Kind; depositIndex: number };

/**
 * Voids an invoice or a link, or marks it as paid or unpaid, in one transaction with all consequences and the request's
 * claim. Returns why it cannot be done; null if it is done, now or before. Throws a StorageFailed if nothing was
 * stored.
 */
export type Close = (
  target: ClosingSubject,
  closing: Closing.Closing,
  claim: Claim | null,
  isTrial?: boolean,
) => Promise<Closing.ClosingRefusal | null>;

/** The use cases void and mark, for invoices and links. */
export function createClosings({ once, close }: { once: Once; close: Close }) {
  const parsers = { void: parseVoidRequest, mark: parseMarkRequest };
  return <T>(
    kind: keyof typeof parsers,
    { name, ...target }: ClosingSubject & { name: string },
    { input, key, read, isTrial = false }: Caller & Trial & { input: unknown; read: () => T },
  ): Promise<Outcome<T>> => {
    const make = async (claim: Claim | null) => {
      const parsed = parsers[kind](input);
      if (!parsed.ok) return invalid(parsed.faults);
      const why = await close(target, parsed.value, claim, isTrial);
      return why === null ? done(read()) : refused({ kind: "closing", why, name });
    };
    return isTrial ? make(null) : once(key, [kind, target, input], make, read);
  };
}

export function createClose(deps: Omit<CreditNoteDeps, "watchAgain">): Close {
  const { db, recordSettings, config, now, log, onEventDue, onMailDue } = deps;
  return async (target, closing, claim, isTrial = false) => {
    const doing = (isTrial ? rehearse : stored)(
      db,
      () => {
        const at = now();
        const brief = ReceivableStore.briefAt(db, target.depositIndex);
        const { refunded, refunding } = DepositStore.credited(db, target.depositIndex);
        const given = refunded + refunding;
        const refusal = Closing.refusal(closing, { ...brief, given });
        if (refusal !== null) return { refusal, change: null };
        if (claim) IdempotencyStore.insert(db, claim, String(target.depositIndex), at);
        if (closing.kind === "void" && brief.voidedAt !== null) return { refusal, change: null };
        const before = closedDays(db, target);
        const change = close(db, recordSettings, config, { brief, closing, at });
        if (!Bun.deepEquals(before, closedDays(db, target))) throw new ClosedDays();
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

/** Rolls back a change that would affect the books of closed days. */
class ClosedDays extends Error {
  override readonly name = "ClosedDays";
}

/** The closed days in whose books an invoice and its credit notes count, or a link's receipt. */
const closedDays = (db: Db, target: ClosingSubject): string[] =>
  bookedDays(db, target).filter((day) => PreferenceStore.isClosed(db, day));

function bookedDays(db: Db, { kind, depositIndex }: ClosingSubject): string[] {
  if (kind === "invoice") {
    const invoice = existing(InvoiceStore.byDeposit(db, depositIndex));
    if (!counts(db, invoice)) return [];
    const notes = CreditNoteStore.listByInvoice(db, invoice.sequence);
    return [invoice, ...notes].map(({ issueDate }) => issueDate);
  }
  const receipt = ReceiptStore.byDeposit(db, depositIndex);
  const link = existing(LinkStore.byDeposit(db, depositIndex));
  return receipt !== null && isReceiptCounted({ link: { ...link, paidAt: null } }) ? [receipt.issueDate] : [];
}

/** Voids a link although money has come for it: for a refund of that money, in the refund's transaction. */
export function voidForRefund(
  db: Db,
  recordSettings: RecordSettings,
  config: CreditNoteDeps["config"],
  { depositIndex, reason, at }: { depositIndex: number; reason: string; at: number },
): void {
  const brief = ReceivableStore.briefAt(db, depositIndex);
  close(db, recordSettings, config, { brief, closing: { kind: "void", reason }, at });
}

type ClosingChange = { brief: ReceivableStore.Brief; closing: Closing.Closing; at: number };

function close(
  db: Db,
  recordSettings: RecordSettings,
  config: CreditNoteDeps["config"],
  { brief, closing, at }: ClosingChange,
) {
  const { kind, depositIndex, status: from } = brief;
  const closed = Closing.applied(closing, Common.closedOf(brief), at);
  const creditNote =
    closing.kind === "void"
      ? creditRest(db, recordSettings, config, { brief, reason: closing.reason, at })
      : null;
  const facts = { ...brief, ...closed };
  const to = statusOf(kind, facts);
  ReceivableStore.setClosed(db, brief, closed, to);
  ReceiptStore.issue(db, depositIndex, at, recordSettings);
  const data = closing.kind === "mark" && closing.note !== null ? { note: closing.note } : {};
  announce(db, recordSettings, brief, {
    type: Closing.eventOf(closing),
    occasion: String(at),
    data,
    from,
    at,
  });
  if (creditNote) announceCreditNote(db, recordSettings, brief, creditNote);
  // A status that money alone caused may never have been reported.
  report(db, brief, { status: reportedStatusOf(kind, facts), at });
  if (closed.voidedAt !== null || closed.markedPaidAt !== null)
    for (const kind of ["invoice", "reminder"] as const) MailStore.supersedeQueued(db, depositIndex, kind);
  if (closing.kind === "void" && (brief.sentAt !== null || MailStore.mayHaveArrived(db, depositIndex)))
    MailStore.insertOnce(db, { depositIndex, kind: "void", createdAt: at });
  // Money may have paid it anyway while it was marked.
  if (config.mailReceipts && Closing.isPaidByMoney(facts)) {
    MailStore.insertPaid(db, depositIndex, { toPayer: brief.payerEmail !== null, createdAt: at });
  }
  return { ...ReceivableStore.namedAs(brief), from, to };
}

/** Credits the rest of an invoice with tax that is being voided; null if nothing needs crediting. */
function creditRest(
  db: Db,
  recordSettings: RecordSettings,
  config: CreditNoteDeps["config"],
  { brief, reason, at }: { brief: ReceivableStore.Brief; reason: string; at: number },
): CreditNote | null {
  const invoice = InvoiceStore.byDeposit(db, brief.depositIndex);
  if (invoice === null || !isCreditedByVoid(db, invoice)) return null;
  const result = insertCreditNote(db, {
    recordSettings,
    numbers: config.creditNoteNumber,
    invoice,
    wanted: { kind: "rest" },
    reason,
    at,
  });
  return result.ok ? result.note : null;
}
