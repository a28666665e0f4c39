import * as Currency from "../../domain/bill/currency.ts";
import * as Tax from "../../domain/bill/tax.ts";
import { type Askable, askable } from "../../domain/link/bill.ts";
import { quantityLimit } from "../../domain/link/reusable-link.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Fault } from "../../language/faults.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import { area, choice, choices, line, own } from "../parts/form/controls.tsx";
import { currencyRows } from "../parts/form/currencies.ts";
import type { FormFault } from "../parts/form/form.tsx";
import { type Found, formOf, type Row } from "../parts/form/rows.ts";
import { categoryNames } from "../parts/form/tax-kinds.ts";
import { walletRow } from "../shop/payout.tsx";

const words = { autocomplete: "off", dir: "auto" };
const amount = line({ autocomplete: "off", dir: "ltr", inputmode: "decimal" });
const url = line({ autocomplete: "off", dir: "ltr", inputmode: "url", placeholder: "https://" });

const most = ({ figure }: Locale, unit: string) => figure(Currency.format(Usdc.max, unit));
const amountValues = (locale: Locale, { unit = "USDC" }: Found) => ({
  example: Currency.format(42_200_000n, unit).replace(".", locale.decimalMark),
  most: most(locale, unit),
});
const wrongPrice = (locale: Locale, fault: Found) =>
  locale.say("linkFaultPrice", amountValues(locale, fault));

export const askedNames = {
  name: "linkAskName",
  address: "linkAskAddress",
  tax_id: "taxId",
  phone: "phone",
} as const satisfies Record<Askable, TextKey>;

/** The payer's details to ask for. */
const collectRows = Object.fromEntries(
  askable.map((field) => [`collect_${field}`, { label: askedNames[field], control: own }]),
) as Record<`collect_${Askable}`, Row>;

/** `currency` is empty for USDC; `expires_on` is a day. */
export const linkForm = formOf({
  product_description: {
    label: "linkWhat",
    hint: "linkWhatHint",
    optional: true,
    control: line(words),
    fault: "linkFaultWhat",
  },
  often: {
    label: "linkOften",
    control: choices([
      ["once", "linkOnce", "linkOnceText"],
      ["again", "linkAgain", "linkAgainText"],
    ]),
  },
  price: {
    label: "linkWhoseAmount",
    control: choices([
      ["fixed", "linkFixed", "linkFixedText"],
      ["chosen", "linkChosen", "linkChosenText"],
    ]),
  },
  currency: currencyRows.currency,
  rate: { ...currencyRows.rate, fault: "linkFaultRate" },
  expected_amount: { label: "linkPrice", control: amount, fault: wrongPrice, of: ["amount"] },
  quantity_max: {
    label: "linkQuantity",
    hint: "linkQuantityHint",
    optional: true,
    control: line({ autocomplete: "off", dir: "ltr", inputmode: "numeric" }),
    fault: (locale, { unit = "USDC" }) =>
      locale.say("linkFaultQuantity", {
        most: locale.figure(String(quantityLimit)),
        sum: most(locale, unit),
        unit,
      }),
  },
  amount_min: { label: "linkMin", control: amount, fault: wrongPrice },
  amount_max: {
    label: "linkMax",
    control: amount,
    fault: (locale, fault) => locale.say("linkFaultMax", amountValues(locale, fault)),
  },
  tax_rate: {
    label: "taxRate",
    optional: true,
    control: line({ autocomplete: "off", inputmode: "decimal", dir: "ltr" }),
    fault: "faultTaxRate",
  },
  tax_category: {
    label: "taxKind",
    control: choice(({ say }) => [
      { value: "", label: say("taxKindOfRate") },
      ...Tax.categories.map((value) => ({ value, label: say(categoryNames[value]) })),
    ]),
    fault: "linkFaultTax",
  },
  tax_reason: { label: "taxReason", optional: true, control: line(words), fault: "linkFaultReason" },
  expires_on: {
    label: "linkEndsOn",
    hint: "linkEndsHint",
    optional: true,
    control: line({ ...words, type: "date" }),
    fault: "linkFaultEnds",
    of: ["expires_at"],
  },
  reference: {
    label: "linkReference",
    hint: "linkReferenceHint",
    optional: true,
    control: line(words),
    fault: "linkFaultReference",
  },
  business_name: {
    label: "linkShop",
    hint: "linkShopHint",
    control: line({ autocomplete: "organization", dir: "auto" }),
    fault: "linkFaultShop",
  },
  merchant_email: {
    label: "linkEmail",
    hint: "linkEmailHint",
    control: line({ type: "email", autocomplete: "email", dir: "ltr" }),
    fault: "faultCustomerEmail",
  },
  wallet_type: {
    label: "linkPaidInto",
    control: choices([
      ["managed", "tillsWallet", "linkManagedText"],
      ["byo", "ownWalletTitle", "linkByoText"],
    ]),
  },
  wallet_address: { label: "linkWallet", ...walletRow },
  ...collectRows,
  questions: {
    label: "linkQuestions",
    hint: "linkQuestionsHint",
    optional: true,
    control: area(3, { dir: "auto" }),
    fault: "linkFaultQuestions",
  },
  language: { label: "languageOfTheirs", control: choice(), fault: "settingFaultChoice" },
  success_url: {
    label: "linkSuccess",
    hint: "linkSuccessHint",
    optional: true,
    control: url,
    fault: "linkFaultSuccess",
  },
  embed_origins: {
    label: "linkOrigins",
    hint: "linkOriginsHint",
    optional: true,
    control: area(2, { inputmode: "url", dir: "ltr", spellcheck: "false" }),
    fault: "linkFaultOrigins",
  },
  webhook_url: {
    label: "linkWebhook",
    hint: "linkWebhookHint",
    optional: true,
    control: url,
    fault: "linkFaultWebhook",
  },
});

export type TypedLink = typeof linkForm.empty;

export const emptyForm: TypedLink = { ...linkForm.empty, often: "once", price: "fixed" };

/** Returns the API's faults for the form's fields. `unit` is the price's currency. */
export const formFaults = (faults: readonly Fault[], unit: string, locale: Locale): FormFault[] =>
  linkForm.faults(
    faults.map(({ field, code }) => ({ field, code, unit })),
    locale,
  );
