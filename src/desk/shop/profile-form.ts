import * as Email from "../../domain/party/email.ts";
import type * as Party from "../../domain/party/party.ts";
import { dueDaysMax, type Profile, plainProfile } from "../../domain/party/profile.ts";
import { partyRecord } from "../../domain/record/invoice.ts";
import type * as Address from "../../domain/wallet/address.ts";
import { parseSavedParty } from "../../http/customers.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { type RequestRules, readWallet } from "../../invoicing/request/fields.ts";
import { createFieldReader } from "../../invoicing/request/validation.ts";
import type { Locale } from "../../language/locale.ts";
import { addressOf } from "../../language/parties.ts";
import * as Text from "../../lib/text/text.ts";
import type { Db } from "../../store/database.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import { area, email, line, own } from "../parts/form/controls.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import { partyFault, typedParty } from "../parts/form/party-fields.tsx";
import { type Found, formOf } from "../parts/form/rows.ts";
import { payoutRows } from "./payout.tsx";

/** The limits of the API's fields. */
const nameMax = 200;
const addressMax = 500;
const notesMax = 2_000;

/** The shop's details, and the defaults of its invoices. */
export const shopForm = formOf({
  name: {
    label: "shopName",
    control: line({ autocomplete: "organization", maxlength: String(nameMax), dir: "auto" }),
    fault: ({ say }) => say("profileFaultLine", { max: nameMax }),
  },
  email: {
    label: "email",
    hint: "profileEmailHint",
    control: email,
    fault: "profileFaultEmail",
  },
  address: {
    label: "shopAddress",
    hint: "profileAddressHint",
    control: area(3, { autocomplete: "street-address", maxlength: String(addressMax), dir: "auto" }),
    fault: ({ say }) => say("profileFaultLines", { max: addressMax }),
  },
  payment_terms: {
    label: "paymentTerms",
    control: area(2, { maxlength: "500", dir: "auto" }),
    fault: "faultTerms",
  },
  /** Saved for the mail address, like the terms, and so also for programs' invoices. */
  usd_parity: { label: "partyParity", control: own },
  due_days: {
    label: "profileDueDays",
    control: line({ inputmode: "numeric", maxlength: "3" }, ({ say }) => say("profileDueUnit")),
    fault: ({ say }) => say("profileFaultDays", { max: dueDaysMax }),
  },
  notes: {
    label: "notes",
    hint: "profileNotesHint",
    optional: true,
    control: area(3, { maxlength: String(notesMax), dir: "auto" }),
    fault: ({ say }) => say("profileFaultLines", { max: notesMax }),
  },
  ...payoutRows,
});

/** The form as typed. */
export type ShopForm = typeof shopForm.empty & { details: Party.Party };

/** Returns the shop's details: from the settings, else from whoever billed last. The defaults of invoices and links. */
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

type PaidInto = Record<"wallet_type" | "wallet_address", string>;

/** Returns the wallet in the fields of a new invoice or link. */
export function walletFields(db: Db) {
  const { payoutWallet } = profileOf(db);
  const wallet_type = payoutWallet === null ? ("managed" as const) : ("byo" as const);
  return { wallet_type, wallet_address: payoutWallet ?? "" };
}

/** Returns a copy of what the shop billed, paid into the wallet of today: the one of then may be lost or stolen. */
export function paidToday<Typed extends PaidInto & { merchant_email: string }>(db: Db, typed: Typed): Typed {
  const email = profileOf(db).email ?? "";
  const isTheirs = Email.normalize(typed.merchant_email) !== Email.normalize(email);
  return isTheirs ? typed : { ...typed, ...walletFields(db) };
}

/** Returns the wallet that a form pays if the settings name another one; null if they do not. */
export function otherWallet(db: Db, { wallet_type, wallet_address }: PaidInto): "managed" | string | null {
  const now = walletFields(db);
  const typed = wallet_address.trim();
  const isSame =
    wallet_type === now.wallet_type &&
    (wallet_type !== "byo" || typed.toLowerCase() === now.wallet_address.toLowerCase());
  if (isSame || payoutOf(db) === "") return null;
  return wallet_type === "byo" ? typed || null : "managed";
}

const sellerLabels = {
  merchant_name: "shopName",
  merchant_email: "email",
  merchant_address: "shopAddress",
} as const;

/** Returns the seller in the fields of a new invoice. An address known in parts counts as one. */
export function sellerOf(db: Db, locale: Locale): Record<keyof typeof sellerLabels, string> {
  const { name, email, address } = profileOf(db);
  const saved = email === null ? null : PartyStore.find(db, "merchant", email);
  return {
    merchant_name: name ?? "",
    merchant_email: email ?? "",
    merchant_address: address ?? addressOf(saved?.details ?? null, locale) ?? "",
  };
}

/** Returns the missing details without which no invoice can be created; null if there are none. */
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

/** Returns the choice that the desk shows: none until somebody has chosen where the money goes. */
export const payoutOf = (db: Db): "own" | "managed" | "" => {
  if (profileOf(db).payoutWallet !== null) return "own";
  return PreferenceStore.isWalletChosen(db) || newestBilling(db) !== null ? "managed" : "";
};

export const formOfShop = (payout: string, profile: Profile, saved: Party.SavedParty): ShopForm => ({
  details: saved.details ?? {},
  payment_terms: saved.paymentTerms ?? "",
  usd_parity: saved.usdParity ? "on" : "",
  name: profile.name ?? "",
  email: profile.email ?? "",
  address: profile.address ?? "",
  due_days: String(profile.dueDays),
  notes: profile.notes ?? "",
  payout,
  wallet: profile.payoutWallet ?? "",
});

export const typedIn = (form: URLSearchParams, locale: Locale): ShopForm => ({
  ...shopForm.read(form, locale),
  details: typedParty(form, "details"),
});

/** Returns the typed profile, or every fault in it. Empty fields count as missing. */
export function readProfile(typed: ShopForm, locale: Locale, rules: RequestRules): Profile | FormFault[] {
  const found: Found[] = [];
  const text = (name: "name" | "address" | "notes", max: number): string | null => {
    const value = typed[name];
    if (value === "") return null;
    if (value.length > max || Text.fault(value, { lineBreaks: name !== "name" }) !== null)
      found.push({ field: name });
    return value;
  };
  const [name, address, notes] = [
    text("name", nameMax),
    text("address", addressMax),
    text("notes", notesMax),
  ];
  const email = typed.email === "" ? null : Email.parse(typed.email);
  if (email?.ok === false) found.push({ field: "email" });
  const dueDays = /^\d{1,3}$/.test(typed.due_days) ? Number(typed.due_days) : Number.NaN;
  if (!(dueDays <= dueDaysMax)) found.push({ field: "due_days" });
  const payoutWallet = typed.payout === "own" ? walletOf(typed.wallet, rules, found) : null;
  if (found.length > 0) return shopForm.faults(found, locale);
  return { name, email: email?.ok ? email.email : null, address, dueDays, notes, payoutWallet };
}

/** Returns the typed seller's details, also for receipts and programs; null if there is and was nothing to save. */
export function readDetails(
  { details, payment_terms, usd_parity }: ShopForm,
  { name, email, address }: Profile,
  locale: Locale,
  wasSaved: boolean,
): Party.SavedParty | FormFault[] | null {
  const isEmpty = Object.keys(details).length === 0 && payment_terms === "" && usd_parity === "";
  if (isEmpty && (email === null || (address === null && !wasSaved))) return null;
  if (email === null) return [{ field: "email", message: locale.say("partyEmailFirst") }];
  const parsed = parseSavedParty("merchant", email, {
    name,
    address,
    details: partyRecord(details),
    payment_terms,
    usd_parity: usd_parity !== "",
  });
  if (parsed.ok) return parsed.value;
  return shopForm.faults(
    parsed.faults,
    locale,
    (fault) => partyFault(fault, locale) ?? { field: "payment_terms", message: locale.say("faultTerms") },
  );
}

/** Returns the typed wallet of the merchant's own; null for Till's, and if it is invalid. */
export function walletOf(text: string, rules: RequestRules, found: Found[]): Address.Address | null {
  const reader = createFieldReader([]);
  const wallet = readWallet(reader, { wallet_type: "byo", wallet_address: text || undefined }, rules);
  found.push(...reader.faults);
  return wallet;
}
