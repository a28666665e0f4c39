import type { DeskSettingName } from "../../config/settings.ts";
import * as RateSource from "../../domain/bill/rate/source.ts";
import { languageCodes, languages } from "../../language/languages.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import { choice, flag, line as plainLine } from "../parts/form/controls.tsx";
import { currencyOptions } from "../parts/form/currencies.ts";
import { formOf, type Row } from "../parts/form/rows.ts";
import { colour, image, several } from "./controls.tsx";
import { server } from "./server.tsx";

const zones = Intl.supportedValuesOf("timeZone");

const named = (value: string, text: TextKey) => (locale: Locale) => ({ value, label: locale.texts[text] });
const options =
  (...all: ((locale: Locale) => { value: string; label: string })[]) =>
  (locale: Locale) =>
    all.map((option) => option(locale));
const asIs = (value: string) => ({ value, label: value });

const line = (...[extra, unit]: Parameters<typeof plainLine>) =>
  plainLine({ autocomplete: "off", ...extra }, unit);

const pattern = { control: line({ dir: "ltr", spellcheck: "false" }), fault: "settingFaultPattern" } as const;

/** The fields of the desk's settings, in the order of their pages. */
export const settingRows = {
  BRAND_NAME: {
    label: "brandName",
    hint: "settingNameHint",
    fault: "settingFaultName",
    control: line({ autocomplete: "organization", maxlength: "60", dir: "auto" }),
  },
  BRAND_COLOR: { label: "brandColour", fault: "settingFaultColour", control: colour },
  BRAND_LOGO: { label: "brandLogo", hint: "settingLogoHint", fault: "settingFaultLogo", control: image },
  LANGUAGE: {
    label: "settingLanguage",
    hint: "settingLanguageHint",
    fault: "settingFaultChoice",
    control: choice(() => languageCodes.map((code) => ({ value: code, label: languages[code].name }))),
  },

  INVOICE_NUMBER: { label: "ruleNumbers", hint: "settingNumbersHint", ...pattern },
  CREDIT_NOTE_NUMBER: { label: "settingCreditNumbers", ...pattern },
  RECEIPT_NUMBER: { label: "settingReceiptNumbers", ...pattern },
  TIMEZONE: {
    label: "ruleTimeZone",
    hint: "settingZoneHint",
    fault: "settingFaultChoice",
    control: choice(() => [asIs("UTC"), ...zones.filter((zone) => zone !== "UTC").map(asIs)]),
  },
  PAPER: {
    label: "rulePaper",
    fault: "settingFaultChoice",
    control: choice(() => [
      { value: "a4", label: "A4" },
      { value: "letter", label: "US Letter" },
    ]),
  },
  CLOSE_PAGES: {
    label: "settingClosePages",
    hint: "settingClosePagesHint",
    fault: "settingFaultMonths",
    control: line({ inputmode: "numeric", dir: "ltr", maxlength: "3" }),
  },
  REMINDERS: {
    label: "ruleReminders",
    hint: "settingRemindersHint",
    fault: "settingFaultDays",
    control: several(
      ["-7", "-3", "0", "3", "7", "14"],
      (days, locale) => {
        const count = Math.abs(Number(days));
        if (count === 0) return locale.say("settingDayDue");
        return locale.say(Number(days) < 0 ? "settingDaysBefore" : "settingDaysLate", { count });
      },
      { more: "settingOtherDays" },
    ),
  },

  BOOKKEEPING_CURRENCY: {
    label: "settingBooks",
    hint: "settingBooksHint",
    fault: "settingFaultChoice",
    control: choice(
      (locale) => [{ value: "", label: locale.say("settingBooksNone") }, ...currencyOptions.options.slice(1)],
      currencyOptions.rest,
    ),
  },
  BOOKKEEPING_RATES: {
    label: "settingBooksRates",
    fault: "settingFaultChoice",
    control: choice(options(named("exchanges", "settingExchanges"), named("ecb", "settingEcb"))),
  },
  TAX_PERIOD: {
    label: "settingTaxPeriod",
    hint: "settingTaxPeriodHint",
    fault: "settingFaultChoice",
    control: choice(options(named("supply", "settingTaxSupply"), named("issue", "settingTaxIssue"))),
  },
  RATES: {
    label: "settingRates",
    hint: "settingRatesHint",
    fault: "settingFaultChoice",
    control: several(RateSource.names, (name) => name.charAt(0).toUpperCase() + name.slice(1), {
      none: "off",
    }),
  },
  TOLERANCE: {
    label: "ruleTolerance",
    hint: "settingToleranceHint",
    fault: "settingFaultAmount",
    control: line({ inputmode: "decimal", dir: "ltr" }, () => "USDC"),
  },

  SMTP_URL: {
    label: "mailServerIs",
    hint: "settingServerHint",
    fault: "settingFaultServer",
    control: server,
  },
  MAIL_FROM: {
    label: "settingFrom",
    hint: "settingFromHint",
    fault: "settingFaultFrom",
    control: line({ dir: "auto", placeholder: "Acme <billing@example.com>" }),
  },
  MAIL_ATTACH_PDF: { label: "settingAttach", fault: "settingFaultChoice", control: flag },
  MAIL_RECEIPTS: {
    label: "ruleReceipts",
    hint: "settingReceiptsHint",
    fault: "settingFaultChoice",
    control: flag,
  },
  E_INVOICE: {
    label: "settingEInvoice",
    hint: "settingEInvoiceHint",
    fault: "settingFaultChoice",
    control: choice(
      options(named("off", "ruleOff"), named("factur-x", "settingFacturX"), named("ubl", "settingUbl")),
    ),
  },
} as const satisfies Readonly<Record<DeskSettingName, Row>>;

export const settingForm = formOf(settingRows);

/** Returns the part of a setting that a log may contain: no password, and no image. */
export function keptText(name: DeskSettingName, text: string): string {
  if (name === "SMTP_URL") return URL.parse(text)?.host ?? "";
  return name === "BRAND_LOGO" && text !== "" ? "data:" : text;
}

/** True if a log contains all of it, so that it can be restored. */
export const isKeptWhole = (name: DeskSettingName): boolean => name !== "SMTP_URL" && name !== "BRAND_LOGO";

/** Returns a setting's value in words, which never contain a secret. */
export function valueText(name: DeskSettingName, text: string, locale: Locale): string {
  if (text === "") return locale.say("notSet");
  if (name === "BRAND_LOGO") return locale.say("brandLogoSet");
  if (text === "true" || text === "false") return locale.say(text === "true" ? "ruleOn" : "ruleOff");
  const option = settingRows[name].control.options?.(locale).find(({ value }) => value === text);
  return option?.label ?? (name === "SMTP_URL" && text.includes("://") ? keptText(name, text) : text);
}
