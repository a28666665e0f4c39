import type { Config } from "../../config/config.ts";
import * as Email from "../../domain/party/email.ts";
import * as Outcomes from "../../domain/payment/outcome.ts";
import * as Refund from "../../domain/payment/refund.ts";
import * as Standing from "../../domain/payment/standing.ts";
import { faces } from "../../domain/receivable/faces.ts";
import { faceOf, type Receivable } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { why } from "../../language/faults.ts";
import { speak } from "../../language/locale.ts";
import { newId, type Vault } from "../../lib/crypto.ts";
import type { RecordSettings } from "../../store/announce.ts";
import type { Db } from "../../store/database.ts";
import { isOnItsWay } from "../../store/reports/on-its-way.ts";
import { receivableAt } from "../../store/reports/receivable.ts";
import { makeRefund } from "../../store/reports/refund.ts";
import type * as RefundStore from "../../store/tables/invoicing/refund.ts";
import { voidForRefund } from "../close.ts";
import type { CreditNoteDeps } from "../credit/credit-note.ts";
import { mailRefusal, type TakeMail } from "../invoices.ts";
import type { Refused } from "../outcome.ts";
import { done, invalid, type Outcome, refused } from "../outcome.ts";
import type { NewRefund } from "../request/refund.ts";
import { mailClaim, newClaim } from "./claim.ts";

type Stored = RefundStore.StoredRefund;

export type NewRefundDeps = {
  db: Db;
  recordSettings: RecordSettings;
  now: () => number;
  config: CreditNoteDeps["config"] & Pick<Config, "language">;
  takeMail: TakeMail;
};

/** Counts a mail about a refund against its invoice or link, as whoever begins refunds chooses the recipient. */
export const tooManyMails = ({ takeMail }: Pick<NewRefundDeps, "takeMail">, owner: Receivable) =>
  mailRefusal(takeMail, { id: faceOf(owner).id, merchantEmail: owner.merchantEmail });

/** How the money goes back. */
function wayOf(request: NewRefund, owner: Receivable): Refund.Way {
  if (request.elsewhere) return "elsewhere";
  return owner.walletType === "managed" ? "till" : "wallet";
}

/**
 * Voids a partly paid link, as nobody should pay the rest of what is given back. Returns why that is impossible; null
 * if it is done, or not needed.
 */
function voidIfPart(deps: NewRefundDeps, owner: Receivable, request: NewRefund, at: number): Refused | null {
  const { db, recordSettings, config } = deps;
  const { deposit, voidedAt, markedPaidAt } = owner;
  const isPart = voidedAt === null && markedPaidAt === null && !Outcomes.isAll(deposit);
  if (faces[owner.kind].hasCreditNotes || !isPart || !Usdc.shows(deposit.received)) return null;
  if (Usdc.shows(deposit.pending) || isOnItsWay(db, deposit.index))
    return refused({ kind: "refund", why: "in_flight", name: faceOf(owner).name });
  const { say } = speak(owner.language ?? config.language);
  const reason = request.reason ?? say("refundedTitle");
  voidForRefund(db, recordSettings, config, { depositIndex: deposit.index, reason, at });
  return null;
}

/** Makes a refund within a transaction, or returns why not. */
export function makeNew(
  deps: NewRefundDeps,
  depositIndex: number,
  request: NewRefund,
  { vault, isTrial }: { vault: Vault; isTrial: boolean },
): Outcome<Stored> {
  const { db, recordSettings, now } = deps;
  const at = now();
  const inFlight = voidIfPart(deps, receivableAt(db, depositIndex), request, at);
  if (inFlight) return inFlight;
  const owner = receivableAt(db, depositIndex);
  const { name, customerEmail } = faceOf(owner);
  const way = wayOf(request, owner);
  const sums = Refund.amountOf(Standing.of(owner), { amount: request.amount, way, kind: owner.kind });
  if (!sums.ok) {
    if (sums.why.kind === "too_much")
      return invalid([{ field: "amount", ...why("refund_most", { max: Usdc.formatExact(sums.why.most) }) }]);
    return refused({ kind: "refund", why: sums.why.kind, name });
  }
  const id = newId("rfd");
  const email = request.email ?? customerEmail;
  if (request.ask && email === null) return invalid([{ field: "ask", ...why("refund_unasked") }]);
  const isMailed = email !== null && (request.ask || request.elsewhere);
  const tooMany = isMailed && !isTrial ? tooManyMails(deps, owner) : null;
  if (tooMany) return tooMany;
  const noClaim = { claimHash: null, claimToken: null, claimEndsAt: null };
  const made = makeRefund(db, recordSettings, {
    id,
    depositIndex,
    way,
    amount: sums.amount,
    credited: sums.credited,
    merchant: Email.normalize(owner.merchantEmail),
    state: request.elsewhere ? "confirmed" : "requested",
    reason: request.reason,
    note: request.note,
    email,
    address: request.address,
    addressBy: request.address === null ? null : "person",
    ...(request.ask ? newClaim(vault, id, at) : noClaim),
    claims: request.ask ? 1 : 0,
    isMailed: request.ask,
    approvedAt: null,
    readyAt: null,
    begunBlock: null,
    failure: null,
    withdrawalId: null,
    txHash: null,
    blockNumber: null,
    createdAt: at,
    changedAt: at,
    endedAt: request.elsewhere ? at : null,
  });
  if (request.ask) mailClaim(db, made, at);
  return done(made);
}
