import * as Invoice from "../../domain/bill/invoice.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Event from "../../domain/event/event.ts";
import * as Outcome from "../../domain/payment/outcome.ts";
import * as Closing from "../../domain/receivable/closing.ts";
import { faceOf, ofInvoice, type Receivable } from "../../domain/receivable/receivable.ts";
import { otherChain } from "../../domain/wallet/elsewhere.ts";
import { counterMessage } from "../../mail/messages/counter-message.tsx";
import { elsewhereMessage } from "../../mail/messages/elsewhere-message.tsx";
import { type InvoicePurpose, invoiceMessage } from "../../mail/messages/invoice-message.tsx";
import { type PaymentOccasion, paymentMessage } from "../../mail/messages/payment-message.tsx";
import { refundMessage } from "../../mail/messages/refund-message.tsx";
import { type VoidOrCredit, voidMessage } from "../../mail/messages/void-message.tsx";
import type { Attachment, Message, Written } from "../../mail/smtp/message.ts";
import type { Db } from "../../store/database.ts";
import { reminderRefusal } from "../../store/reports/on-its-way.ts";
import { claimUrlOf } from "../../store/reports/refund.ts";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import * as RefundStore from "../../store/tables/invoicing/refund.ts";
import * as CounterDayStore from "../../store/tables/outbox/counter-day.ts";
import type * as MailStore from "../../store/tables/outbox/mail.ts";
import * as ElsewhereStore from "../../store/tables/settle/elsewhere.ts";
import * as DepositTransferStore from "../../store/tables/watch/deposit-transfer.ts";
import * as LostTransferStore from "../../store/tables/watch/lost-transfer.ts";
import {
  attachmentsOf,
  creditNoteAttachmentsOf,
  isPdf,
  receiptAttachmentsOf,
  refundAttachmentsOf,
} from "./attachments.ts";
import { invoiceOf, type MailDeps } from "./owner.ts";

/** A reminder as it would be sent now, without attachments. Throws like `writeMail`. */
export const reminderNow = (deps: MailDeps, invoice: Invoice.Invoice): Written =>
  invoiceMessage(deps, {
    purpose: "reminder",
    invoice,
    isOverdue: Invoice.isOverdue(invoice, Calendar.dayAt(deps.now(), deps.timeZone)),
    hasPdf: deps.pdfOf !== null,
  });

/** One kind of mail: when it holds, its recipient, and its text. */
type MailTemplate = {
  /** Returns whether the mail is still true of its owner; otherwise a queued mail is not sent. */
  holds(owner: Receivable, occasion: string, db: Db): boolean;
  /** Throws for an owner this kind is not for. */
  write(
    deps: MailDeps,
    owner: Receivable,
    options: { occasion: string; withPdf: boolean },
  ): Message | Promise<Message>;
};

const kinds: Record<MailStore.MailKind, MailTemplate> = {
  /** Sends an invoice to the customer. */
  invoice: {
    // The merchant may have voided it since.
    holds: (owner) => owner.voidedAt === null,
    write: (deps, owner, { withPdf }) => bill(deps, invoiceOf(owner), "invoice", withPdf),
  },

  /** Asks the customer for the remaining amount of an invoice. */
  reminder: {
    holds: (owner, _, db) => reminderRefusal(db, invoiceOf(owner)) === null,
    write: (deps, owner, { withPdf }) => bill(deps, invoiceOf(owner), "reminder", withPdf),
  },

  /** Tells the customer that an invoice is no longer owed. */
  void: {
    // A void invoice stays void.
    holds: () => true,
    write(deps, owner, { withPdf }) {
      const invoice = invoiceOf(owner);
      // With tax there is a credit note for the rest, which this mail includes.
      const note = CreditNoteStore.listByInvoice(deps.db, invoice.sequence).findLast(
        ({ createdAt }) => createdAt === invoice.voidedAt,
      );
      return takeBack(deps, invoice, { kind: "void", note: note ?? null }, withPdf);
    },
  },

  /** Sends a credit note to the customer; its number is the occasion. */
  credit: {
    // A credit note never changes.
    holds: () => true,
    write(deps, owner, { occasion, withPdf }) {
      const note = CreditNoteStore.byNumber(deps.db, occasion);
      if (!note) throw new Error(`There is no credit note ${occasion}`);
      return takeBack(deps, invoiceOf(owner), { kind: "credit", note }, withPdf);
    },
  },

  /** Tells the payer that everything is paid, or how much is left. */
  receipt: {
    holds: (owner, occasion, db) => isTrue(owner, occasionOf(occasion), db) && addressOf(owner) !== null,
    async write(deps, owner, { occasion, withPdf }) {
      if (occasionOf(occasion) === "partial") return bill(deps, invoiceOf(owner), "part", false);
      const to = addressOf(owner);
      if (to === null) throw new Error("Nobody wants a receipt of this link");
      const attachments = withPdf ? await receiptAttachmentsOf(deps, owner) : [];
      const hasPdf = attachments.length > 0;
      const written = paidMessage(deps, owner, { kind: "receipt", occasion: "paid", hasPdf });
      return { ...fromSeller(owner, written), to, attachments };
    },
  },

  /** Asks the customer for the address of a refund, or tells them that it is completed. */
  refund: {
    holds(_, occasion, db) {
      const { refund, what, count } = refundIn(occasion, db);
      if (what === "done") return refund.state === "confirmed";
      return refund.state === "requested" && refund.address === null && refund.claims === count;
    },
    async write(deps, owner, { occasion, withPdf }) {
      const { refund, what } = refundIn(occasion, deps.db);
      if (refund.email === null) throw new Error("Nobody is told of this refund");
      const isDone = what === "done";
      const url = isDone ? null : claimUrlOf(deps.baseUrl, refund, await deps.vault());
      const attachments = isDone && withPdf ? await refundAttachmentsOf(deps, refund, owner) : [];
      const kind = isDone ? "done" : "claim";
      const hasPdf = attachments.length > 0;
      const written = refundMessage(deps, { refund, about: owner, kind, url, hasPdf });
      return { ...fromSeller(owner, written), to: refund.email, attachments };
    },
  },

  /** Reports a day's counter sales to the merchant. */
  counter: {
    holds: (owner, occasion, db) => CounterDayStore.list(db, owner.deposit.index, occasion).length > 0,
    write(deps, owner, { occasion }) {
      const [day = ""] = occasion.split(".");
      const sales = CounterDayStore.list(deps.db, owner.deposit.index, occasion);
      const written = counterMessage(deps, { day, sales, business: faceOf(owner).seller });
      return { ...written, to: owner.merchantEmail, replyTo: null, fromName: null };
    },
  },

  /** Tells the merchant of a payment, of one on another chain, or that a customer named the address of a refund. */
  notice: {
    holds(owner, occasion, db) {
      if (ElsewhereStore.isOccasion(occasion)) return foundBy(owner, occasion, db) !== null;
      if (!occasion.startsWith(refundNotice)) return isTrue(owner, occasionOf(occasion), db);
      const { refund } = refundIn(occasion.slice(refundNotice.length), db);
      return refund.state === "requested" && refund.address !== null;
    },
    write(deps, owner, { occasion }) {
      if (ElsewhereStore.isOccasion(occasion)) {
        const found = foundBy(owner, occasion, deps.db);
        const chain = found && otherChain(deps.network.name, found.chainId);
        if (!found || !chain) throw new Error(`Nothing is there any more: ${occasion}`);
        const url = `${deps.baseUrl}/desk/money/elsewhere/${found.id}`;
        const written = elsewhereMessage(deps, { about: owner, amount: found.amount, chain, url });
        return { ...written, to: owner.merchantEmail, replyTo: null, fromName: null };
      }
      if (occasion.startsWith(refundNotice)) {
        const { refund } = refundIn(occasion.slice(refundNotice.length), deps.db);
        const url = `${deps.baseUrl}/desk/refunds/${refund.id}`;
        const written = refundMessage(deps, { refund, about: owner, kind: "named", url });
        return { ...written, to: owner.merchantEmail, replyTo: refund.email, fromName: null };
      }
      const written = paidMessage(deps, owner, { kind: "notice", occasion: occasionOf(occasion) });
      return { ...written, to: owner.merchantEmail, replyTo: addressOf(owner), fromName: null };
    },
  },
};

/** The sender that a payer may reply to: for a link nobody, as it does not reveal the merchant's address. */
function fromSeller(owner: Receivable, written: Written) {
  const { seller: fromName, sellerEmail: replyTo } = faceOf(owner);
  return { ...written, fromName, replyTo };
}

const refundNotice = "refund.";

/** What came on another chain and is still there; null if it is not. */
const foundBy = ({ deposit }: Receivable, occasion: string, db: Db) =>
  ElsewhereStore.listOf(db, deposit.index).find(
    (found) => found.movedAt === null && ElsewhereStore.occasionOf(found) === occasion,
  ) ?? null;

/** Parses an occasion such as `rfd_….claim.2` into the refund and its stage. Throws if there is no such refund. */
function refundIn(occasion: string, db: Db) {
  const [id = "", what, count] = occasion.split(".");
  const refund = RefundStore.byId(db, id);
  if (!refund) throw new Error(`There is no refund ${id}`);
  return { refund, what: what === "done" ? what : "claim", count: Number(count) } as const;
}

type MailKey = Pick<MailStore.DueMail, "kind" | "occasion">;

/** Returns whether a mail is still true of its owner. */
export const holds = (mail: MailKey, owner: Receivable, db: Db): boolean =>
  kinds[mail.kind].holds(owner, mail.occasion, db);

/** Writes a mail about its owner's current state. */
export async function writeMail(
  deps: MailDeps,
  mail: MailKey,
  owner: Receivable,
  { withPdf } = { withPdf: true },
): Promise<Message> {
  return await kinds[mail.kind].write(deps, owner, { occasion: mail.occasion, withPdf });
}

function toCustomer(invoice: Invoice.Invoice, written: Written, attachments: Attachment[]): Message {
  return { ...fromSeller(ofInvoice(invoice), written), to: invoice.vendorEmail, attachments };
}

/** A mail about the remaining amount of an invoice. */
async function bill(
  deps: MailDeps,
  invoice: Invoice.Invoice,
  purpose: InvoicePurpose,
  withPdf: boolean,
): Promise<Message> {
  const attachments = withPdf ? await attachmentsOf(deps, invoice) : [];
  const isOverdue = Invoice.isOverdue(invoice, Calendar.dayAt(deps.now(), deps.timeZone));
  const hasPdf = attachments.some(isPdf);
  return toCustomer(invoice, invoiceMessage(deps, { purpose, invoice, isOverdue, hasPdf }), attachments);
}

/** A mail about something that is no longer owed. */
async function takeBack(
  deps: MailDeps,
  invoice: Invoice.Invoice,
  what: VoidOrCredit,
  withPdf: boolean,
): Promise<Message> {
  const attachments = withPdf && what.note ? await creditNoteAttachmentsOf(deps, invoice, what.note) : [];
  const hasPdf = attachments.some(isPdf);
  return toCustomer(invoice, voidMessage(deps, { ...what, invoice, hasPdf }), attachments);
}

const addressOf = (owner: Receivable) => faceOf(owner).customerEmail;

/** Parses a stored occasion; `""` is full payment. */
const occasionOf = (stored: string): PaymentOccasion =>
  occasions.find((occasion) => occasion === stored) ?? "paid";

const occasions = ["partial", "excess", "unexpected", "reversed"] as const;

/** Returns whether it is still so, by confirmed money rather than the merchant's mark. */
function isTrue(owner: Receivable, occasion: PaymentOccasion, db: Db): boolean {
  const { deposit, ...closed } = owner;
  const outcome = Outcome.compare(deposit);
  const isClosed = Event.closedAt(closed) !== null;
  if (occasion === "reversed") return !Outcome.isAll(deposit) && LostTransferStore.any(db, deposit.index);
  if (occasion === "unexpected") return isClosed && outcome !== "none";
  return occasion === "paid"
    ? Closing.isPaidByMoney({ ...closed, ...deposit })
    : !isClosed && outcome === occasion;
}

/** Maximum payments listed in a mail; the rest are only counted. */
const shownMax = 20;

/** The text of receipts and notices about confirmed payments. */
function paidMessage(
  deps: MailDeps,
  about: Receivable,
  which: { kind: "receipt" | "notice"; occasion: PaymentOccasion; hasPdf?: boolean },
): Written {
  const shown = { limit: shownMax, confirmedOnly: true };
  const { transfers, others } = DepositTransferStore.listLargest(deps.db, about.deposit.index, shown);
  return paymentMessage(deps, { ...which, about, payments: transfers, otherPayments: others });
}
