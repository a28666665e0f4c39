import type { Wallet } from "../../chain/account/wallet.ts";
import type { Log } from "../../config/log-events.ts";
import * as Refund from "../../domain/payment/refund.ts";
import type { Receivable } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import type { Fault } from "../../language/faults.ts";
import { isToken, tokenHash } from "../../lib/crypto.ts";
import { StorageFailed, stored } from "../../store/group-commit.ts";
import { tellOwners } from "../../store/reports/owners.ts";
import { receivableAt } from "../../store/reports/receivable.ts";
import { claimUrlOf, moveRefund } from "../../store/reports/refund.ts";
import type { Claim } from "../../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../../store/tables/installation/idempotency.ts";
import * as RefundStore from "../../store/tables/invoicing/refund.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import * as CheckpointStore from "../../store/tables/watch/checkpoint.ts";
import { openedWallet } from "../next-deposit.ts";
import type { Caller, Once, Trial } from "../once.ts";
import { done, existing, invalid, type Outcome, type RefundRefusal, refused } from "../outcome.ts";
import type { RequestRules } from "../request/fields.ts";
import { type AddressRules, parseRefund, readAddress } from "../request/refund.ts";
import type { Reading } from "../request/validation.ts";
import { mailClaim, newClaim, vouchedAt } from "./claim.ts";
import { makeNew, type NewRefundDeps, tooManyMails } from "./new-refund.ts";

type Stored = RefundStore.StoredRefund;

/** The use cases of refunds, for every interface; see `Invoices`. None of them moves money. */
export type Refunds = {
  /** Requests a refund for the invoice or link that the request names; a fault if there is none. */
  request(of: Receivable | Fault, input: unknown, by: Caller & Trial): Promise<Outcome<Stored>>;
  /**
   * Creates a new link where the customer names the address, and mails it or hands it out. The previous link ends.
   * Refused once there is an address.
   */
  ask(refund: Stored, how: "mail" | "link"): Promise<Outcome<{ refund: Stored; url: string }>>;
  /** Parses an address as somebody wrote it, and checks whether the refund can go there. */
  readAddress(refund: Stored, typed: string): Reading<Address>;
  /** Sets the address. Only a person may change one that was set. */
  nameAddress(refund: Stored, address: Address, by: Refund.AddressBy): Promise<Outcome<Stored>>;
  /**
   * Approves it: from now on Till may send it, or looks for the transfer. `seen`: must still match what was approved.
   */
  approve(refund: Stored, seen: Pick<Stored, "address">): Promise<Outcome<Stored>>;
  /** Records that it was given back outside of Till. */
  giveElsewhere(refund: Stored, note: string | null): Promise<Outcome<Stored>>;
  cancel(refund: Stored, by: Caller): Promise<Outcome<Stored>>;
  find(id: string): Stored | null;
  /** The refund of a customer's link; null for any other text. */
  ofLink(token: string): Stored | null;
};

type RefundsDeps = NewRefundDeps & {
  log: Log;
  once: Once;
  rules: () => RequestRules;
  wallet: Promise<Wallet>;
  /**
   * How long a refund waits, in ms. `vouchedAt`: when the customer's own word began to vouch for its address; null if
   * it does not.
   */
  waitMs: (vouchedAt: number | null) => number;
  onEventDue: () => void;
  onMailDue: () => void;
  /** Called when a refund was approved. */
  onApproved: () => void;
};

export function createRefunds(deps: RefundsDeps): Refunds {
  const { db, recordSettings, now, log, once } = deps;
  const find = (id: string) => existing(RefundStore.byId(db, id));
  const tell = () => {
    deps.onEventDue();
    deps.onMailDue();
  };
  const rulesOf = (owner: Receivable): AddressRules => ({
    ...deps.rules(),
    isOwn: (address) => address === owner.deposit.payoutWallet,
  });
  const no = (refund: Stored, reason: RefundRefusal) =>
    refused({ kind: "refund", why: reason, name: refund.id });

  /** Changes the current state of a refund, in one transaction, unless `may` says why not. */
  async function onto(
    { id }: Stored,
    may: (refund: Stored) => RefundRefusal | null,
    change: (refund: Stored, at: number) => Parameters<typeof RefundStore.update>[2],
    then: (refund: Stored, at: number) => void = () => {},
    claim: Claim | null = null,
  ): Promise<Outcome<Stored>> {
    const outcome = await stored(db, () => {
      const refund = find(id);
      const reason = may(refund);
      if (reason !== null) return no(refund, reason);
      const at = now();
      const moved = moveRefund(db, recordSettings, refund, change(refund, at), at);
      then(moved, at);
      if (claim) IdempotencyStore.insert(db, claim, id, at);
      return done(moved);
    });
    if (!outcome.ok) return outcome;
    const { amount, state } = outcome.value;
    const fields = { refund: id, amount: Usdc.formatExact(amount), to: state };
    log.info("refund.changed", "a refund was changed", fields);
    tell();
    return outcome;
  }

  const ifOpen = (refund: Stored) => (Refund.isOpen(refund) ? null : "not_open");

  return {
    find: (id) => RefundStore.byId(db, id),
    ofLink: (token) => (isToken(token) ? RefundStore.byClaim(db, tokenHash(token)) : null),

    request: (owner, input, { key, isTrial = false }) =>
      once(
        key,
        ["refund", input],
        async (claim) => {
          if ("field" in owner) return invalid([owner]);
          const { index } = owner.deposit;
          const parsed = parseRefund(input, rulesOf(owner));
          if (!parsed.ok) return invalid(parsed.faults);
          const { vault } = await openedWallet(deps.wallet);
          let outcome: Outcome<Stored> | null = null;
          await stored(db, () => {
            outcome = makeNew(deps, index, parsed.value, { vault, isTrial });
            // That also reopens a link that was voided for it.
            if (!outcome.ok || isTrial) throw new Undone();
            if (claim) IdempotencyStore.insert(db, claim, outcome.value.id, now());
          }).catch((thrown) => {
            if (!(thrown instanceof StorageFailed && thrown.cause instanceof Undone)) throw thrown;
          });
          tell();
          return existing<Outcome<Stored>>(outcome);
        },
        find,
      ),

    async ask(refund, how) {
      const { vault } = await openedWallet(deps.wallet);
      const tooMany = how === "mail" ? tooManyMails(deps, receivableAt(db, refund.depositIndex)) : null;
      if (tooMany) return tooMany;
      const outcome = await onto(
        refund,
        (current) => {
          // Whoever asks again from an old page does not know that the customer has answered.
          if (!Refund.isOpen(current) || current.address !== null) return "not_open";
          return how === "mail" && current.email === null ? "no_address" : null;
        },
        ({ id, claims }, at) => ({
          ...newClaim(vault, id, at),
          claims: claims + 1,
          isMailed: how === "mail",
        }),
        (current, at) => how === "mail" && mailClaim(db, current, at),
      );
      if (!outcome.ok) return outcome;
      return done({ refund: outcome.value, url: claimUrlOf(recordSettings.baseUrl, outcome.value, vault) });
    },

    readAddress: ({ depositIndex }, typed) => readAddress(typed, rulesOf(receivableAt(db, depositIndex))),

    nameAddress: (refund, address, by) =>
      onto(
        refund,
        (current) => {
          if (by === "person") return ifOpen(current);
          // A link works once, and only the newest one.
          const isGone =
            current.claimHash !== refund.claimHash ||
            current.address !== null ||
            (current.claimEndsAt ?? 0) < now();
          return ifOpen(current) ?? (isGone ? "gone" : null);
        },
        () => ({ address, addressBy: by, failure: null }),
        ({ depositIndex, id, claims }, at) =>
          by !== "person" &&
          MailStore.insertOnce(db, {
            depositIndex,
            kind: "notice",
            occasion: `refund.${id}.${claims}`,
            createdAt: at,
          }),
      ),

    async approve(refund, { address }) {
      const outcome = await onto(
        refund,
        (current) => {
          if (!Refund.isOpen(current)) return "not_open";
          if (current.address === null) return "no_address";
          return current.address === address ? null : "not_open";
        },
        (current, at) => ({
          state: "approved",
          failure: null,
          approvedAt: at,
          readyAt: at + deps.waitMs(vouchedAt(current, receivableAt(db, current.depositIndex))),
          begunBlock: CheckpointStore.latest(db)?.number ?? 0,
        }),
        ({ id, depositIndex, approvedAt, readyAt }, at) => {
          if ((readyAt ?? 0) <= (approvedAt ?? 0)) return;
          tellOwners(db, id, at, [receivableAt(db, depositIndex).merchantEmail]);
        },
      );
      if (outcome.ok) deps.onApproved();
      return outcome;
    },

    giveElsewhere: (refund, note) =>
      onto(
        refund,
        (current) => (Refund.mayCancel(current) ? null : "not_open"),
        (current) => ({ way: "elsewhere", state: "confirmed", note: note ?? current.note }),
      ),

    cancel: (refund, { key }) =>
      once(
        key,
        ["refund cancel", refund.id],
        (claim) =>
          onto(
            refund,
            (current) => (Refund.mayCancel(current) ? null : "not_open"),
            () => ({ state: "cancelled" }),
            undefined,
            claim,
          ),
        find,
      ),
  };
}

/** Rolls back the transaction of a refund that is refused. */
class Undone extends Error {
  override readonly name = "Undone";
}
