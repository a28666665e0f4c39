import type { Fault } from "../../../language/faults.ts";
import type { Locale } from "../../../language/locale.ts";
import type { Series } from "../../../store/tables/invoicing/recurring.ts";
import { formFaults } from "../form/form-faults.ts";
import { seriesForm } from "./parts.ts";

/** Problems of a repeating invoice, in the reader's language. */

/** Returns why it is not created; null if it is. */
export function troubleIn(locale: Locale, { reason }: Pick<Series, "reason">): string | null {
  if (reason === null) return null;
  const { kind, fault, said } = reason;
  if (kind === "restored") return locale.say("repeatRestored");
  if (fault !== undefined) return faultIn(locale, fault as Fault);
  const text = kind === "rate_unavailable" ? "repeatNoRate" : kind === "too_many_mails" && "repeatMails";
  return locale.say("repeatTrouble", { reason: text ? locale.texts[text] : said });
}

/** Returns a fault of the invoice in the words of the invoice's form. */
function faultIn(locale: Locale, fault: Fault): string {
  const [advice] = formFaults([{ ...fault, field: fault.field.replace(/^invoice\./, "") }], [], locale);
  return locale.say("repeatTrouble", { reason: advice?.message ?? fault.field });
}

/** Returns the faults for the form's fields; one of the invoice, which has no fields here, goes above the form. */
export function saidFaults(faults: readonly Fault[], locale: Locale) {
  let problem: string | null = null;
  const own = seriesForm.faults(faults, locale, (fault) => {
    problem ??= faultIn(locale, fault);
    return null;
  });
  return { faults: own, problem: problem as string | null };
}
