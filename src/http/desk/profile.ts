import { type Profile, plainProfile } from "../../domain/party/profile.ts";
import type { Db } from "../../store/database.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";

/** What new invoices and links begin with: what the settings say, and for the rest what was billed last. */
export function profileOf(db: Db): Profile {
  const profile = PreferenceStore.profile(db);
  const { invoice, link, isLinkNewer } = newestBilling(db);
  const newest = isLinkNewer ? link : invoice;
  // Who has written the settings has chosen a wallet, too.
  const isWritten = profile.name !== plainProfile.name || profile.email !== plainProfile.email;
  return {
    ...profile,
    name: profile.name ?? newest?.name ?? null,
    email: profile.email ?? newest?.email ?? null,
    address: profile.address ?? invoice?.address ?? null,
    payoutWallet: isWritten ? profile.payoutWallet : (newest?.payoutWallet ?? null),
  };
}
