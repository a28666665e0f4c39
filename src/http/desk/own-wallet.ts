import type { Fault } from "../../pages/desk/parts/form.tsx";
import * as MoneyReport from "../../store/reports/money.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import type { HttpDeps } from "../deps.ts";
import type { Visit } from "./gate.ts";

/**
 * Whoever steals a session, and whoever may only bill, must not have customers pay a wallet of their own. So a form takes
 * one that the settings name, which asks an owner for a proof, or that money was directed to before.
 */
export function ownWalletFault(
  { db }: Pick<HttpDeps, "db">,
  { who, frame }: Visit,
  typed: { wallet_type: string; wallet_address: string },
): Fault | null {
  const address = typed.wallet_address.trim();
  // In development nobody signs in.
  if (who.id === null || typed.wallet_type !== "byo" || address === "") return null;
  const isKnown =
    PreferenceStore.profile(db).payoutWallet === address || MoneyReport.isPayoutWallet(db, address);
  return isKnown ? null : { field: "wallet_address", message: frame.locale.say("ownWalletUnknown") };
}
