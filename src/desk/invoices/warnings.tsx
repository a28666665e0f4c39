import type { Warning } from "../../domain/bill/warning.ts";
import type { Locale, TextKey } from "../../language/locale.ts";

const words = {
  no_tax_id: "warnTaxId",
  no_buyer_tax_id: "warnBuyerTaxId",
  no_delivery_date: "warnDelivery",
  delivery_far: "warnDeliveryFar",
  earlier_period: "warnEarlierPeriod",
  issue_back: "warnIssueBack",
  issue_ahead: "warnIssueAhead",
  due_past: "warnDuePast",
  due_far: "warnDueFar",
  no_tax_rate_known: "warnTaxRate",
  tax_by_line: "warnByLine",
  french_rules: "warnFrance",
} as const satisfies Record<Warning["code"], TextKey>;

type Props = { locale: Locale; warnings: readonly Warning[] };

function sentenceOf(warning: Warning, locale: Locale): string {
  if (warning.code === "tax_by_line") {
    const { tax, lines } = warning.values;
    return locale.say(words.tax_by_line, { tax: locale.figure(tax), lines: locale.figure(lines) });
  }
  if (warning.code === "no_tax_rate_known") return locale.say(words.no_tax_rate_known, warning.values);
  return locale.say(words[warning.code]);
}

/** The usual problems of such an invoice; empty if there are none. */
export function Warnings({ locale, warnings }: Props) {
  if (warnings.length === 0) return "";
  return (
    <div class="notice">
      <div>
        <strong>{locale.say("worthALook")}</strong>
        <ul>
          {warnings.map((warning) => (
            <li>{sentenceOf(warning, locale)}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
