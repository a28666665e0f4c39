import * as Email from "../../domain/party/email.ts";
import type * as Party from "../../domain/party/party.ts";
import { dueDaysMax, type Profile, plainProfile } from "../../domain/party/profile.ts";
import { partyRecord } from "../../domain/record/invoice.ts";
import type * as Address from "../../domain/wallet/address.ts";
import { parseSavedParty } from "../../http/customers.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { type RequestRules, readWallet } from "../../invoicing/request/fields.ts";
import { createFieldReader } from "../../invoicing/request/validation.ts";
import type { Fault } from "../../language/faults.ts";
import type { Locale } from "../../language/locale.ts";
import { addressOf } from "../../language/parties.ts";
import * as Text from "../../lib/text/text.ts";
import type { Db } from "../../store/database.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import { type FormFault, typedText } from "../parts/form/form.tsx";
import { partyFault, typedParty } from "../parts/form/party-fields.tsx";
import type { ShopForm } from "./shop-page.tsx";

/** The limits of the API's fields. */
const nameMax = 200;
const addressMax = 500;
const notesMax = 2_000;

/** Who the shop is: the settings, and otherwise who billed last. New invoices and links begin with it. */
export function profileOf(db: Db): Profile {
  const profile = PreferenceStore.profile(db);
  const newest = newestBilling(db);
  // Saved settings include a choice of address and wallet.
  const isWritten = profile.name !== plainProfile.name || profile.email !== plainProfile.email;
  return {
    ...profile,
    name: profile.name ?? newest?.name ?? null,
    email: profile.email ?? newest?.email ?? null,
    address: isWritten ? profile.address : (newest?.address ?? null),
    payoutWallet:
      isWritten || PreferenceStore.isWalletChosen(db) ? profile.payoutWallet : (newest?.payoutWallet ?? null),
  };
}

const sellerLabels = {
  merchant_name: "shopName",
  merchant_email: "email",
  merchant_address: "shopAddress",
} as const;

/** Who bills, in the fields of a new invoice. An address that is known in parts is one. */
export function sellerOf(db: Db, locale: Locale): Record<keyof typeof sellerLabels, string> {
  const { name, email, address } = profileOf(db);
  const saved = email === null ? null : PartyStore.find(db, "merchant", email);
  return {
    merchant_name: name ?? "",
    merchant_email: email ?? "",
    merchant_address: address ?? addressOf(saved?.details ?? null, locale) ?? "",
  };
}

/** What no invoice can be made without, and nobody has said yet; null for nothing. */
export function missingOf(
  { db, invoices }: Pick<HttpDeps, "db" | "invoices">,
  locale: Locale,
): string | null {
  const checked = invoices.check(sellerOf(db, locale));
  const faults = checked.ok || checked.refusal.kind !== "invalid" ? [] : checked.refusal.faults;
  const missing = Object.entries(sellerLabels).filter(([name]) => faults.some(({ field }) => field === name));
  if (missing.length === 0) return null;
  return locale.say("profileMissing", { what: missing.map(([, label]) => locale.texts[label]).join(", ") });
}

/** What the desk shows as chosen: nothing, until somebody has said where the money goes. */
export const payoutOf = (db: Db): ShopForm["payout"] => {
  if (profileOf(db).payoutWallet !== null) return "own";
  return PreferenceStore.isWalletChosen(db) || newestBilling(db) !== null ? "managed" : "";
};

export const payoutIn = (form: URLSearchParams): ShopForm["payout"] =>
  (["own", "managed"] as const).find((payout) => payout === form.get("payout")) ?? "";

export const formOf = (payout: ShopForm["payout"], profile: Profile, saved: Party.SavedParty): ShopForm => ({
  details: saved.details ?? {},
  payment_terms: saved.paymentTerms ?? "",
  usd_parity: saved.usdParity,
  name: profile.name ?? "",
  email: profile.email ?? "",
  address: profile.address ?? "",
  due_days: String(profile.dueDays),
  notes: profile.notes ?? "",
  payout,
  wallet: profile.payoutWallet ?? "",
});

export const typedIn = (form: URLSearchParams): ShopForm => ({
  details: typedParty(form, "details"),
  payment_terms: typedText(form, "payment_terms"),
  usd_parity: form.has("usd_parity"),
  name: typedText(form, "name"),
  email: typedText(form, "email"),
  address: typedText(form, "address"),
  due_days: typedText(form, "due_days"),
  notes: typedText(form, "notes"),
  payout: payoutIn(form),
  wallet: typedText(form, "wallet"),
});

/** The typed profile, or every fault in it. An empty field counts as not given. */
export function readProfile(typed: ShopForm, locale: Locale, rules: RequestRules): Profile | FormFault[] {
  const faults: FormFault[] = [];
  const text = (name: "name" | "address" | "notes", max: number, lineBreaks: boolean): string | null => {
    const value = typed[name];
    if (value === "") return null;
    if (value.length <= max && Text.fault(value, { lineBreaks }) === null) return value;
    faults.push({
      field: name,
      message: locale.say(lineBreaks ? "profileFaultLines" : "profileFaultLine", { max }),
    });
    return null;
  };
  const name = text("name", nameMax, false);
  const email = typed.email === "" ? null : Email.parse(typed.email);
  if (email?.ok === false) faults.push({ field: "email", message: locale.say("profileFaultEmail") });
  const address = text("address", addressMax, true);
  const dueDays = /^\d{1,3}$/.test(typed.due_days) ? Number(typed.due_days) : Number.NaN;
  if (!(dueDays <= dueDaysMax))
    faults.push({ field: "due_days", message: locale.say("profileFaultDays", { max: dueDaysMax }) });
  const notes = text("notes", notesMax, true);
  const payoutWallet = typed.payout === "own" ? walletOf(typed.wallet, locale, rules, faults) : null;
  if (faults.length > 0) return faults;
  return { name, email: email?.ok ? email.email : null, address, dueDays, notes, payoutWallet };
}

/** What was typed about the seller for receipts and programs, too; null when there is nothing to save, and was nothing. */
export function readDetails(
  { details, payment_terms, usd_parity }: ShopForm,
  { name, email, address }: Profile,
  locale: Locale,
  wasSaved: boolean,
): Party.SavedParty | FormFault[] | null {
  const isEmpty = Object.keys(details).length === 0 && payment_terms === "" && !usd_parity;
  if (isEmpty && (email === null || (address === null && !wasSaved))) return null;
  if (email === null) return [{ field: "email", message: locale.say("partyEmailFirst") }];
  const parsed = parseSavedParty("merchant", email, {
    name,
    address,
    details: partyRecord(details),
    payment_terms,
    usd_parity,
  });
  if (parsed.ok) return parsed.value;
  return parsed.faults.map(
    (fault) => partyFault(fault, locale) ?? { field: "payment_terms", message: locale.say("faultTerms") },
  );
}

const walletTexts: Partial<Record<Fault["code"], "faultWalletMissing" | "walletDeposit">> = {
  wallet_missing: "faultWalletMissing",
  wallet_deposit: "walletDeposit",
};

/** The wallet of the merchant's own that was typed; null for Till's, and with a fault. */
export function walletOf(
  text: string,
  locale: Locale,
  rules: RequestRules,
  faults: FormFault[],
): Address.Address | null {
  const reader = createFieldReader([]);
  const wallet = readWallet(reader, { wallet_type: "byo", wallet_address: text || undefined }, rules);
  faults.push(
    ...reader.faults.map(({ code }) => ({
      field: "wallet",
      message: locale.say(walletTexts[code] ?? "faultWallet"),
    })),
  );
  return wallet;
}
