import type { Wallet } from "../chain/account/wallet.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import * as Email from "../domain/party/email.ts";
import * as Outcomes from "../domain/payment/outcome.ts";
import * as Refund from "../domain/payment/refund.ts";
import * as Standing from "../domain/payment/standing.ts";
import { faceOf, type Receivable } from "../domain/receivable/receivable.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import { type Fault, why } from "../language/faults.ts";
import { speak } from "../language/locale.ts";
import { isToken, newId, newToken, tokenHash, type Vault } from "../lib/crypto.ts";
import type { Site } from "../store/announce.ts";
import type { Db } from "../store/database.ts";
import { StorageFailed, stored } from "../store/group-commit.ts";
import { tellOwners } from "../store/reports/owners.ts";
import { receivableAt } from "../store/reports/receivable.ts";
import { claimUrlOf, makeRefund, moveRefund } from "../store/reports/refund.ts";
import { placeOf } from "../store/secrets.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as RefundStore from "../store/tables/invoicing/refund.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import { voidForRefund } from "./close.ts";
import type { CreditNoteDeps } from "./credit-note.ts";
import { mailRefusal, type TakeMail } from "./invoices.ts";
import { openedWallet } from "./next-deposit.ts";
import type { By, Once, Trial } from "./once.ts";
import { done, existing, invalid, type Outcome, type RefundRefusal, refused } from "./outcome.ts";
import type { RequestRules } from "./request/fields.ts";
import { type AddressRules, type NewRefund, parseRefund, readAddress } from "./request/refund.ts";
import type { Reading } from "./request/validation.ts";

type Stored = RefundStore.StoredRefund;

/** Everything that is done with refunds, for every door; as `Invoices`. Nothing of it moves money. */
export type Refunds = {
  /** Of what the request names: faults when that is nothing. */
  request(of: Receivable | Fault, asked: unknown, by: By & Trial): Promise<Outcome<Stored>>;
  /** Makes a new link for the customer, who names the address there, and mails it, or hands it out. The one before ends. */
  ask(refund: Stored, how: "mail" | "link"): Promise<Outcome<{ refund: Stored; url: string }>>;
  /** Whether the refund can go to an address, as somebody wrote it. */
  readAddress(refund: Stored, typed: string): Reading<Address>;
  /** Says where it goes. Only a person may change what was said. */
  nameAddress(refund: Stored, address: Address, by: Refund.AddressBy): Promise<Outcome<Stored>>;
  /** From now on Till may send it, or looks for the transfer. `seen`: what was approved must still be so. */
  approve(refund: Stored, seen: Pick<Stored, "address">): Promise<Outcome<Stored>>;
  /** It was given back outside of Till. */
  giveElsewhere(refund: Stored, note: string | null): Promise<Outcome<Stored>>;
  cancel(refund: Stored, by: By): Promise<Outcome<Stored>>;
  find(id: string): Stored | null;
  /** The refund of a customer's link; null for any other text. */
  ofLink(token: string): Stored | null;
};

type RefundsDeps = {
  db: Db;
  site: Site;
  now: () => number;
  log: Log;
  config: CreditNoteDeps["config"] & Pick<Config, "language">;
  once: Once;
  rules: () => RequestRules;
  wallet: Promise<Wallet>;
  takeMail: TakeMail;
  /** How long a refund waits, in ms. `vouchedAt`: since when the customer's own word stands for its address; null: nobody's. */
  waitMs: (vouchedAt: number | null) => number;
  onEventDue: () => void;
  onMailDue: () => void;
  /** A refund was approved. */
  onApproved: () => void;
};

export function createRefunds(deps: RefundsDeps): Refunds {
  const { db, site, now, log, once, config } = deps;
  const find = (id: string) => existing(RefundStore.byId(db, id));
  /** Counts a mail about a refund as one about its invoice or link: whoever begins refunds says whom they mail. */
  const tooManyMails = (owner: Receivable) =>
    mailRefusal(deps.takeMail, { id: faceOf(owner).id, merchantEmail: owner.merchantEmail });
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

  /** Changes one refund as it is now, in one transaction, unless `may` says why not. */
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
      const moved = moveRefund(db, site, refund, change(refund, at), at);
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

  /** A link for the customer of a refund: its token sealed for the mail, and its hash to be found by. */
  function newClaim(vault: Vault, id: string, at: number) {
    const token = newToken();
    return {
      claimHash: tokenHash(token),
      claimToken: vault.seal(token, placeOf.refund(id)),
      claimEndsAt: at + Refund.claimMs,
    };
  }

  const mailClaim = ({ depositIndex, id, claims }: Stored, createdAt: number) =>
    MailStore.insertOnce(db, {
      ...{ depositIndex, kind: "refund", createdAt },
      occasion: `${id}.claim.${claims}`,
    });

  /** Makes it within a transaction, or says why not. */
  function make(depositIndex: number, wish: NewRefund, vault: Vault, isTrial: boolean): Outcome<Stored> {
    const at = now();
    let owner = receivableAt(db, depositIndex);
    const { deposit, voidedAt, markedPaidAt } = owner;
    // Nobody pays the rest of what is given back.
    const isPart = voidedAt === null && markedPaidAt === null && !Outcomes.isAll(deposit);
    if (owner.kind === "link" && isPart && Usdc.shows(deposit.received)) {
      if (Usdc.shows(deposit.pending)) return refused({ kind: "refund", why: "in_flight", name: owner.slug });
      const { say } = speak(owner.language ?? config.language);
      voidForRefund(db, site, config, { depositIndex, reason: wish.reason ?? say("refundedTitle"), at });
      owner = receivableAt(db, depositIndex);
    }
    const { name, customerEmail } = faceOf(owner);
    const way = wish.elsewhere ? "elsewhere" : owner.walletType === "managed" ? "till" : "wallet";
    const sums = Refund.amountOf(Standing.of(owner), { amount: wish.amount, way, kind: owner.kind });
    if (!sums.ok) {
      if (sums.why.kind === "too_much")
        return invalid([
          { field: "amount", ...why("refund_most", { max: Usdc.formatExact(sums.why.most) }) },
        ]);
      return refused({ kind: "refund", why: sums.why.kind, name });
    }
    const id = newId("rfd");
    const email = wish.email ?? customerEmail;
    if (wish.ask && email === null) return invalid([{ field: "ask", ...why("refund_unasked") }]);
    const isMailed = email !== null && (wish.ask || wish.elsewhere);
    const tooMany = isMailed && !isTrial ? tooManyMails(owner) : null;
    if (tooMany) return tooMany;
    const made = makeRefund(db, site, {
      ...{ id, depositIndex, way, email, claims: wish.ask ? 1 : 0, isMailed: wish.ask },
      ...{ amount: sums.amount, credited: sums.credited },
      merchant: Email.normalize(owner.merchantEmail),
      state: wish.elsewhere ? "confirmed" : "requested",
      ...{ reason: wish.reason, note: wish.note },
      ...{ address: wish.address, addressBy: wish.address === null ? null : "person" },
      ...(wish.ask ? newClaim(vault, id, at) : { claimHash: null, claimToken: null, claimEndsAt: null }),
      ...{ approvedAt: null, readyAt: null, begunBlock: null, failure: null },
      ...{ withdrawalId: null, txHash: null, blockNumber: null, createdAt: at, changedAt: at },
      endedAt: wish.elsewhere ? at : null,
    });
    if (wish.ask) mailClaim(made, at);
    return done(made);
  }

  return {
    find: (id) => RefundStore.byId(db, id),
    ofLink: (token) => (isToken(token) ? RefundStore.byClaim(db, tokenHash(token)) : null),

    request: (owner, asked, { key, isTrial = false }) =>
      once(
        key,
        ["refund", asked],
        async (claim) => {
          if ("field" in owner) return invalid([owner]);
          const { index } = owner.deposit;
          const parsed = parseRefund(asked, rulesOf(owner));
          if (!parsed.ok) return invalid(parsed.faults);
          const { vault } = await openedWallet(deps.wallet);
          let outcome: Outcome<Stored> | null = null;
          await stored(db, () => {
            outcome = make(index, parsed.value, vault, isTrial);
            // A link that was voided for it is open again then.
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
      const tooMany = how === "mail" ? tooManyMails(receivableAt(db, refund.depositIndex)) : null;
      if (tooMany) return tooMany;
      const outcome = await onto(
        refund,
        (current) => ifOpen(current) ?? (how === "mail" && current.email === null ? "no_address" : null),
        ({ id, claims }, at) => ({
          ...newClaim(vault, id, at),
          claims: claims + 1,
          isMailed: how === "mail",
          ...{ address: null, addressBy: null },
        }),
        (asked, at) => how === "mail" && mailClaim(asked, at),
      );
      if (!outcome.ok) return outcome;
      return done({ refund: outcome.value, url: claimUrlOf(site.baseUrl, outcome.value, vault) });
    },

    readAddress: ({ depositIndex }, typed) => readAddress(typed, rulesOf(receivableAt(db, depositIndex))),

    nameAddress: (refund, address, by) =>
      onto(
        refund,
        (current) => {
          if (by === "person") return ifOpen(current);
          // A link is good once, and only the newest.
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
            ...{ depositIndex, kind: "notice", createdAt: at },
            occasion: `refund.${id}.${claims}`,
          }),
      ),

    async approve(refund, { address }) {
      const outcome = await onto(
        refund,
        (current) =>
          ifOpen(current) ??
          (current.address === null ? "no_address" : current.address === address ? null : "not_open"),
        (current, at) => ({
          state: "approved",
          failure: null,
          approvedAt: at,
          readyAt: at + deps.waitMs(vouchedAt(current, receivableAt(db, current.depositIndex))),
          begunBlock: RefundStore.newestBlock(db),
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

/**
 * When the customer was asked by mail who said where it goes: who reads that mail said so, and nobody with the desk alone
 * can have. Null where that is not sure: anybody may name an address at a link, and who has the desk can correct the
 * customer's email to one of their own.
 */
const vouchedAt = ({ addressBy, email, claimEndsAt }: Stored, owner: Receivable): number | null =>
  addressBy === "mail" &&
  claimEndsAt !== null &&
  owner.kind === "invoice" &&
  owner.vendorEmail === email &&
  owner.correctedAt === null
    ? claimEndsAt - Refund.claimMs
    : null;

/** Takes back the transaction of a refund that cannot be. */
class Undone extends Error {
  override readonly name = "Undone";
}
