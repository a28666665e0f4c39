import { countMax } from "../../../domain/bill/recurring.ts";
import type { Fault } from "../../../language/faults.ts";
import type { Locale } from "../../../language/locale.ts";
import type { Series } from "../../../store/tables/invoicing/recurring.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import { formFaults } from "../form/form-faults.ts";

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

const texts = {
  starts_on: "faultRepeatStart",
  ends_on: "faultRepeatEnd",
  due_days: "faultRepeatDue",
} as const;

/** What is wrong, beside the fields of the form; of the invoice, which has none here, above it. */
export function saidFaults(faults: readonly Fault[], locale: Locale) {
  const own: FormFault[] = [];
  let problem: string | null = null;
  for (const fault of faults) {
    const { field } = fault;
    if (field === "count")
      own.push({ field, message: locale.say("faultRepeatCount", { max: countMost(locale) }) });
    else if (field in texts) own.push({ field, message: locale.say(texts[field as keyof typeof texts]) });
    else problem ??= faultIn(locale, fault);
  }
  return { faults: own, problem };
}

const countMost = ({ figure }: Locale) => figure(String(countMax));
