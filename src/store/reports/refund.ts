import * as Currency from "../../domain/bill/currency.ts";
import * as TaxCurrency from "../../domain/bill/tax-currency.ts";
import type * as Event from "../../domain/event/event.ts";
import { partOf, type TakenBack } from "../../domain/link/bill.ts";
import type { Link } from "../../domain/link/link.ts";
import * as Outcome from "../../domain/payment/outcome.ts";
import * as Refund from "../../domain/payment/refund.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import { refundRecord } from "../../domain/record.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Vault } from "../../lib/crypto.ts";
import { announce, type EventSubject, type Site } from "../announce.ts";
import type { Db } from "../database.ts";
import { placeOf } from "../secrets.ts";
import * as InvoiceStore from "../tables/invoicing/invoice.ts";
import * as LinkStore from "../tables/invoicing/link.ts";
import * as ReceiptStore from "../tables/invoicing/receipt.ts";
import * as RefundStore from "../tables/invoicing/refund.ts";
import * as MailStore from "../tables/outbox/mail.ts";
import { ownerOf } from "./receipt.ts";

/** The event of a state that a refund has come to. One that is requested again was on its way. */
const eventOf: Record<Refund.State, Event.AnnouncedType> = {
  requested: "refund_failed",
  approved: "refund_approved",
  sent: "refund_sent",
  confirmed: "refunded",
  cancelled: "refund_cancelled",
};

/** The receiver of the events of an invoice or a link. */
export function eventSubjectOf(db: Db, owner: Receipt.ReceiptSubject): EventSubject {
  const record = Receipt.recordOf(owner);
  const sealedSecret =
    owner.kind === "invoice"
      ? InvoiceStore.sealedSecret(db, owner.invoice.sequence)
      : LinkStore.sealedSecret(db, owner.link.id);
  return { ...record, kind: owner.kind, depositIndex: record.deposit.index, sealedSecret };
}

/** Null where a refund took back nothing of a link, or there is no numbered receipt. */
export function takenBack(
  db: Db,
  { id, credited }: Pick<Refund.Refund, "id" | "credited">,
  { bill, deposit, currency }: Link,
): TakenBack | null {
  const receipt = ReceiptStore.byDeposit(db, deposit.index);
  if (credited === 0n || bill === null || receipt === null) return null;
  // Short by no more than the tolerance counts as all of it.
  const paid = Outcome.isAll(deposit) ? Usdc.least(deposit.received, deposit.expected) : deposit.expected;
  const shares = { paid, before: RefundStore.creditedBefore(db, id), usdc: credited };
  const { totals, taxBefore } = partOf(bill, shares, Currency.minorOf(Currency.codeOf({ currency })));
  const { issueDate, seller } = receipt;
  const sold = { issueDate, merchantDetails: seller.details, totals: bill.totals, currency };
  const { taxInCurrency = null } = bill;
  return {
    ...{ receipt, totals },
    taxInCurrency: TaxCurrency.ofNote({ ...sold, taxInCurrency }, taxBefore, totals.tax),
  };
}

/** The page where the customer of a refund names an address. Throws a SealBroken. */
export function claimUrlOf(
  baseUrl: string,
  { id, claimToken }: Pick<RefundStore.StoredRefund, "id" | "claimToken">,
  vault: Vault,
): string {
  if (claimToken === null) throw new Error(`Refund ${id} has no link`);
  return Refund.claimUrl(baseUrl, vault.open(claimToken, placeOf.refund(id)));
}

/** Stores a new refund and tells of it. Call it in a transaction. */
export function makeRefund(
  db: Db,
  site: Site,
  refund: Omit<RefundStore.StoredRefund, "number">,
): RefundStore.StoredRefund {
  const made = RefundStore.insert(db, refund);
  tell(db, site, made, made.state === "confirmed" ? "refunded" : "refund_requested", made.createdAt);
  return made;
}

/** Changes a refund, and tells of a new state, from `at` on (Unix milliseconds). Call it in a transaction. */
export function moveRefund(
  db: Db,
  site: Site,
  refund: RefundStore.StoredRefund,
  change: Parameters<typeof RefundStore.update>[2],
  at: number,
): RefundStore.StoredRefund {
  const hasEnded = change.state === "confirmed" || change.state === "cancelled";
  const endedAt = hasEnded ? at : change.state === undefined ? refund.endedAt : null;
  const moved = RefundStore.update(db, refund, { ...change, endedAt }, at);
  if (moved.state !== refund.state) tell(db, site, moved, eventOf[moved.state], at);
  return moved;
}

function tell(
  db: Db,
  site: Site,
  refund: RefundStore.StoredRefund,
  type: Event.AnnouncedType,
  at: number,
): void {
  const { id, depositIndex, email } = refund;
  const owner = ownerOf(db, depositIndex);
  announce(db, site, eventSubjectOf(db, owner), {
    ...{ type, at },
    occasion: `${id} ${at}`,
    data: { refund: refundRecord(site.baseUrl, owner, refund) },
  });
  if (type === "refunded" && email !== null)
    MailStore.insertOnce(db, { depositIndex, kind: "refund", occasion: `${id}.done`, createdAt: at });
}
