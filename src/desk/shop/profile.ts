import * as Email from "../../domain/party/email.ts";
import * as Party from "../../domain/party/party.ts";
import type { Profile } from "../../domain/party/profile.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { type Db, transact } from "../../store/database.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import { isKnownWallet } from "../../store/reports/desk/money.ts";
import * as OldWallet from "../../store/reports/desk/old-wallet.ts";
import { noteChange } from "../../store/reports/owners.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import type { Gate } from "../gate.ts";
import type { FormFault } from "../parts/form/form.tsx";
import { seenOf } from "../parts/form/form-key.ts";
import type { ProofProps } from "../parts/form/proof.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import {
  formOfShop,
  missingOf,
  payoutOf,
  profileOf,
  readDetails,
  readProfile,
  type ShopForm,
  typedIn,
} from "./profile-form.ts";
import { shopPage } from "./shop-page.tsx";
import { lookAt, mayTake, wasTold } from "./sight.ts";

/** The rest appears once some of them are changed. */
const payingMax = 50;

/** The defaults of new invoices and links. */
export function profileRoutes(deps: HttpDeps, gate: Gate): void {
  const { db } = deps;
  const savedOf = (email: string | null) => (email === null ? null : PartyStore.find(db, "merchant", email));
  /** What the shop made that still pays another wallet. */
  function payingOld(): OldWallet.Paying[] {
    const { email, payoutWallet: wallet } = profileOf(db);
    if (email === null || payoutOf(db) === "") return [];
    const merchant = Email.normalize(email);
    return OldWallet.listPaying(db, { merchant, wallet, now: deps.now(), limit: payingMax });
  }
  function current(): ShopForm {
    const profile = profileOf(db);
    return formOfShop(payoutOf(db), profile, savedOf(profile.email) ?? Party.nothingSaved);
  }
  const page = (
    { frame }: Visit,
    typed: ShopForm,
    { problem = null, ...openQuestion }: Question & { problem?: string | null } = noQuestion(),
  ) =>
    shopPage({
      frame,
      typed,
      shown: seenOf(current()),
      problem,
      ...openQuestion,
      paying: payingOld(),
      missing: PreferenceStore.profile(db).name === null ? null : missingOf(deps, frame.locale),
    });
  /** Shows what somebody else saved since the form was shown; null if nobody did, or if it asks for the same. */
  function changed(visit: Visit, form: URLSearchParams, typed: ShopForm): string | null {
    const is = current();
    const shown = form.get("shown");
    // Who sends none has not filled in the page: nothing in it can be old.
    if (shown === null || shown === seenOf(is) || Bun.deepEquals(typed, is)) return null;
    return page(visit, is, { ...noQuestion(), problem: visit.frame.locale.say("refundChanged") });
  }
  gate.page("/desk/settings/profile", "manage", (visit) => page(visit, current()));
  gate.action(
    "/desk/settings/profile",
    "manage",
    "profile.save",
    async (visit, form): Promise<FormOutcome> => {
      const typed = typedIn(form, visit.frame.locale);
      const old = changed(visit, form, typed);
      if (old !== null) return old;
      const profile = readProfile(typed, visit.frame.locale, deps.rules());
      if (Array.isArray(profile)) return page(visit, typed, noQuestion(profile));
      const wasSaved = savedOf(profile.email) !== null;
      const details = readDetails(typed, profile, visit.frame.locale, wasSaved);
      if (Array.isArray(details)) return page(visit, typed, noQuestion(details));
      const openQuestion = await askBefore(deps, gate, visit, form, profile);
      if (openQuestion !== null) return page(visit, typed, openQuestion);
      // Others may have acted in the meantime.
      const late = changed(visit, form, typed);
      if (late !== null) return late;
      const moved = transact(db, () => {
        if (typed.payout !== "") PreferenceStore.setWalletChosen(db, visit.now);
        if (details !== null) PartyStore.save(db, "merchant", profile.email ?? "", details, visit.now);
        return saveProfile(db, profile, visit);
      });
      deps.onMailDue();
      return { kind: "done", to: "/desk/settings/profile", did: "didSaveShop", ...moved };
    },
  );
}

/**
 * Saves the profile, and records whom it stops notifying and where new money goes. Returns the new wallet for the
 * audit, if it changed.
 */
export function saveProfile(
  db: Db,
  profile: Profile,
  { who: { name: by }, now }: Visit,
): { subject?: string } {
  const before = PreferenceStore.profile(db);
  const isFirst = newestBilling(db) === null;
  PreferenceStore.setProfile(db, profile, now);
  if (profile.email !== before.email)
    noteChange(db, { kind: "shop", subject: profile.email ?? "–", email: before.email }, by, now);
  if (profile.payoutWallet === before.payoutWallet) return {};
  const subject = profile.payoutWallet ?? "managed";
  if (!isFirst) noteChange(db, { kind: "wallet", subject }, by, now);
  return { subject };
}

/** A question before saving: a proof, and a remark on the wallet if money never went there. */
export type Question = {
  proof: ProofProps;
  faults: FormFault[];
  remark: string | null;
  isNewWallet: boolean;
};

/** Nothing to ask yet. */
export const noQuestion = (faults: FormFault[] = []): Question => ({
  proof: { kind: "none" },
  faults,
  remark: null,
  isNewWallet: false,
});

/**
 * Returns what to ask before another wallet receives the money of new invoices, or another mail address is notified of
 * outgoing money; null if nothing. A thief with a session must do neither. For a wallet that money never went to, the
 * owner first sees what a node says about it; once something was billed, the wallet has to wait like an address for
 * withdrawals, because it is one.
 */
export async function askBefore(
  deps: Pick<HttpDeps, "db" | "treasury" | "config" | "now">,
  gate: Gate,
  visit: Visit,
  form: URLSearchParams,
  { payoutWallet: wallet, email }: Pick<Profile, "payoutWallet" | "email">,
): Promise<Question | null> {
  const { db } = deps;
  const before = PreferenceStore.profile(db);
  const isNewWallet = wallet !== null && isUnknownWallet(deps, visit, wallet);
  const isMoved = isNewWallet || (newestBilling(db) !== null && wallet !== profileOf(db).payoutWallet);
  const isUntold = before.email !== null && email !== before.email;
  if (!isMoved && !isUntold) return null;
  const seen = isNewWallet ? await lookAt(deps, visit.frame, wallet) : null;
  if (seen?.fault) return noQuestion([{ field: "wallet", message: seen.fault }]);
  if (isNewWallet && !(await mayTake(deps, wallet)))
    return noQuestion([{ field: "wallet", message: visit.frame.locale.say("walletWaits") }]);
  const purpose = `profile ${wallet} ${email}`;
  const proof = gate.proving.ask(visit, purpose);
  const isShown = seen === null || (form.get("told") === wallet && wasTold(form, seen));
  const isAnswer = proof.kind === "none" || (form.has("proof") && isShown);
  const fault = isAnswer ? await gate.proving.check(visit, purpose, form) : null;
  if (isAnswer && fault === null) return null;
  return { proof, faults: fault ? [fault] : [], remark: seen?.remark ?? null, isNewWallet };
}

/**
 * Returns the fault of a wallet that a form may not use. A thief with a session, or staff who may only bill, must not
 * direct payments to their own wallet. So forms accept only the wallet of the settings, which takes an owner's proof,
 * or one that money already went to.
 */
export function ownWalletFault(
  deps: Pick<HttpDeps, "db">,
  visit: Visit,
  typed: { wallet_type: string; wallet_address: string },
): FormFault | null {
  const address = typed.wallet_address.trim();
  if (typed.wallet_type !== "byo" || address === "" || !isUnknownWallet(deps, visit, address)) return null;
  return { field: "wallet_address", message: visit.frame.locale.say("ownWalletUnknown") };
}

/** True if neither the settings nor any deposit address pays this wallet. In development nobody signs in. */
const isUnknownWallet = ({ db }: Pick<HttpDeps, "db">, { who }: Visit, address: string): boolean =>
  who.id !== null && !isKnownWallet(db, address);
