import type { FormFault } from "../../../pages/desk/parts/form/form.tsx";
import * as MoneyReport from "../../../store/reports/desk/money.ts";
import * as PreferenceStore from "../../../store/tables/desk/preference.ts";
import type { HttpDeps } from "../../deps.ts";
import type { Visit } from "../gate.ts";

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
export function isUnknownWallet({ db }: Pick<HttpDeps, "db">, { who }: Visit, address: string): boolean {
  if (who.id === null || PreferenceStore.profile(db).payoutWallet === address) return false;
  return !MoneyReport.isPayoutWallet(db, address);
}
