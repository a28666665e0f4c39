import * as Party from "../../domain/party/party.ts";
import type * as Address from "../../domain/wallet/address.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { transact } from "../../store/database.ts";
import * as MoneyReport from "../../store/reports/desk/money.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import type { FormOutcome, Gate, Visit } from "../gate.ts";
import type { FormFault } from "../parts/form/form.tsx";
import type { ProofProps } from "../parts/form/proof.tsx";
import { formOf, missingOf, payoutOf, profileOf, readDetails, readProfile, typedIn } from "./profile-form.ts";
import { type ShopForm, shopPage } from "./shop-page.tsx";
import { lookAt, wasTold } from "./sight.ts";

/** The defaults of new invoices and links. */
export function profileRoutes(deps: HttpDeps, gate: Gate): void {
  const { db } = deps;
  const savedOf = (email: string | null) => (email === null ? null : PartyStore.find(db, "merchant", email));
  const page = ({ frame }: Visit, typed: ShopForm, asked: Asked = unasked()) =>
    shopPage({
      frame,
      typed,
      ...asked,
      missing: PreferenceStore.profile(db).name === null ? null : missingOf(deps, frame.locale),
    });
  gate.page("/desk/settings/profile", "manage", (visit) => {
    const profile = profileOf(db);
    return page(visit, formOf(payoutOf(db), profile, savedOf(profile.email) ?? Party.nothingSaved));
  });
  gate.action(
    "/desk/settings/profile",
    "manage",
    "profile.save",
    async (visit, form): Promise<FormOutcome> => {
      const typed = typedIn(form);
      const profile = readProfile(typed, visit.frame.locale, deps.rules());
      if (Array.isArray(profile)) return page(visit, typed, unasked(profile));
      const wasSaved = savedOf(profile.email) !== null;
      const details = readDetails(typed, profile, visit.frame.locale, wasSaved);
      if (Array.isArray(details)) return page(visit, typed, unasked(details));
      const asked = await askForWallet(deps, gate, visit, form, profile.payoutWallet);
      if (asked !== null) return page(visit, typed, asked);
      const isMoved = profile.payoutWallet !== PreferenceStore.profile(db).payoutWallet;
      transact(db, () => {
        PreferenceStore.setProfile(db, profile, visit.now);
        if (typed.payout !== "") PreferenceStore.setWalletChosen(db, visit.now);
        if (details !== null) PartyStore.save(db, "merchant", profile.email ?? "", details, visit.now);
      });
      const moved = isMoved ? { subject: profile.payoutWallet ?? "managed" } : {};
      return { kind: "done", to: "/desk/settings/profile", did: "didSaveShop", ...moved };
    },
  );
}

/** What is asked before a wallet is taken: a proof, with what was seen of the wallet. */
export type Asked = { proof: ProofProps; faults: FormFault[]; remark: string | null };

/** Nothing is asked yet. */
export const unasked = (faults: FormFault[] = []): Asked => ({
  proof: { kind: "none" },
  faults,
  remark: null,
});

/**
 * What to ask before the money of new invoices goes to a wallet that it never went to; null when nothing. A thief with a
 * session must not redirect it. Its owner hears first what a node says of it.
 */
export async function askForWallet(
  deps: Pick<HttpDeps, "db" | "treasury" | "config">,
  gate: Gate,
  visit: Visit,
  form: URLSearchParams,
  wallet: Address.Address | null,
): Promise<Asked | null> {
  if (wallet === null || !isUnknownWallet(deps, visit, wallet)) return null;
  const seen = await lookAt(deps, visit.frame, wallet);
  const { fault: refusal, remark } = seen;
  if (refusal !== null) return unasked([{ field: "wallet", message: refusal }]);
  const purpose = `payout ${wallet}`;
  const isTold = form.has("proof") && form.get("told") === wallet && wasTold(form, seen);
  const fault = isTold ? await gate.proving.check(visit, purpose, form) : null;
  if (isTold && fault === null) return null;
  return { proof: gate.proving.ask(visit, purpose), faults: fault ? [fault] : [], remark };
}

/**
 * A thief with a session, or staff who may only bill, must not direct payments to a wallet of their own. So forms
 * accept only the wallet of the settings, which takes an owner's proof, or one that money already went to.
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

/** Whether neither the settings nor any deposit address pays this wallet. In development nobody signs in. */
function isUnknownWallet({ db }: Pick<HttpDeps, "db">, { who }: Visit, address: string): boolean {
  if (who.id === null || PreferenceStore.profile(db).payoutWallet === address) return false;
  return !MoneyReport.isPayoutWallet(db, address);
}
