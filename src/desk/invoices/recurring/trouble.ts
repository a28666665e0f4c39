import type { Fault } from "../../../language/faults.ts";
import type { Locale } from "../../../language/locale.ts";
import type { Series } from "../../../store/tables/invoicing/recurring.ts";
import { formFaults } from "../form/form-faults.ts";
import { seriesForm } from "./parts.ts";

/** What is wrong with an invoice that repeats, in the reader's language. */

/** Why it is not made; null when it is. */
export function troubleIn(locale: Locale, { reason }: Pick<Series, "reason">): string | null {
  if (reason === null) return null;
  const { kind, fault, said } = reason;
  if (kind === "restored") return locale.say("repeatRestored");
  if (fault !== undefined) return faultIn(locale, fault as Fault);
  const text = kind === "rate_unavailable" ? "repeatNoRate" : kind === "too_many_mails" && "repeatMails";
  return locale.say("repeatTrouble", { reason: text ? locale.texts[text] : said });
}

/** A fault of the invoice, as the form of the invoice says it. */
function faultIn(locale: Locale, fault: Fault): string {
  const [advice] = formFaults([{ ...fault, field: fault.field.replace(/^invoice\./, "") }], [], locale);
  return locale.say("repeatTrouble", { reason: advice?.message ?? fault.field });
}

/** What is wrong, beside the fields of the form; of the invoice, which has none here, above it. */
export function saidFaults(faults: readonly Fault[], locale: Locale) {
  let problem: string | null = null;
  const own = seriesForm.faults(faults, locale, (fault) => {
    problem ??= faultIn(locale, fault);
    return null;
  });
  return { faults: own, problem: problem as string | null };
}
