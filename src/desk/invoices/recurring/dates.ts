import * as Recurring from "../../../domain/bill/recurring.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import type { Outcome } from "../../../invoicing/outcome.ts";
import { overdue } from "../../../invoicing/recurring/series.ts";
import { requestFieldsOf } from "../../../invoicing/request/recurring.ts";
import type { Locale } from "../../../language/locale.ts";
import * as DraftStore from "../../../store/tables/desk/draft.ts";
import * as IdempotencyStore from "../../../store/tables/installation/idempotency.ts";
import type { Series } from "../../../store/tables/invoicing/recurring.ts";
import type { Gate } from "../../gate.ts";
import { keyOf, newKey, seenOf } from "../../parts/form/form-key.ts";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import type { FormOutcome, Visit } from "../../parts/page/visit.ts";
import { invoiceHref } from "../../parts/place.ts";
import { profileOf } from "../../shop/profile-form.ts";
import { copyOf } from "../form/like.ts";
import { billFrom, billWalletFault } from "../form/template.ts";
import { type KeptForm, keptForm } from "../form/typed.ts";
import { type DatesForm, datesForm, type Feedback } from "./dates-form.tsx";
import {
  billHref,
  datesHref,
  done,
  formPath,
  listPath,
  seriesForm,
  seriesHref,
  type TypedSeries,
} from "./parts.ts";
import { saidFaults } from "./trouble.ts";

/** The bill to repeat: copied from an invoice, or typed for the series and kept as a draft. */
type Bill = KeptForm & { draft: number | null; like: { number: string; issueDate: string } | null };

type Typed = [typed: TypedSeries, told?: Feedback];

/** The forms for when an invoice repeats: for a new series, and for an existing one. */
export function datesRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, invoices, recurring, config } = deps;

  /** Once deleted, a draft's id may be another's, so a submitted form also names its key. */
  function draftIn(fields: URLSearchParams, isSent: boolean, locale: Locale): Bill | null {
    const draft = DraftStore.find(db, fields.get("draft"));
    if (draft === null) return null;
    const kept = keptForm(draft, locale);
    return isSent && kept.key !== fields.get("key") ? null : { ...kept, draft: draft.id, like: null };
  }

  function billIn(fields: URLSearchParams, isSent: boolean, locale: Locale): Bill | null {
    const name = fields.get("like");
    const like = name === null ? null : invoices.find(name);
    if (like === null) return draftIn(fields, isSent, locale);
    const key = isSent ? keyOf(fields) : newKey();
    return { typed: copyOf(db, like, locale.decimalMark), key, repeat: "new", draft: null, like };
  }

  gate.page(formPath, "issue", ({ frame, query }) => {
    const bill = billIn(query, false, frame.locale);
    if (bill === null) return null;
    const due_days = String(profileOf(db).dueDays);
    return newPage(frame, bill, { ...beginning(bill, frame.when.today), due_days, key: bill.key });
  });
  gate.action(formPath, "issue", "recurring.make", async (visit, form) => {
    const { locale } = visit.frame;
    const bill = billIn(form, true, locale);
    if (bill === null) {
      // Sent twice: its draft is gone already.
      const earlier = IdempotencyStore.find(db, `desk-${keyOf(form)}`, visit.now);
      const series = earlier && recurring.find(earlier.resource);
      return series && done(series, "didRepeat");
    }
    const typed = readSeries(form, locale);
    const walletFault = billWalletFault(deps, visit, bill);
    if (walletFault) return newPage(visit.frame, bill, typed, { problem: walletFault.message });
    const body = requestOf(billFrom(bill.typed, locale.decimalMark), typed);
    const made = await recurring.make(body, { key: `desk-${typed.key}` });
    if (!made.ok) return newPage(visit.frame, bill, ...feedback(typed, made, locale));
    if (bill.draft !== null) DraftStore.remove(db, bill.draft);
    return done(made.value, "didRepeat");
  });

  const one = `${listPath}/:id/change`;
  const find = ({ params }: Visit) => {
    const series = recurring.find(params["id"] ?? "");
    return series?.status === "ended" ? null : series;
  };
  const billOf = ({ id }: Series, ...fields: Parameters<typeof draftIn>) => {
    const bill = draftIn(...fields);
    return bill?.repeat === id ? bill : null;
  };

  gate.page(one, "issue", (visit) => {
    const series = find(visit);
    if (series === null) return null;
    const bill = billOf(series, visit.query, false, visit.frame.locale);
    return changePage(visit.frame, series, bill, typedOf(series, bill?.key ?? newKey()));
  });
  gate.action(one, "issue", "recurring.change", async (visit, form): Promise<FormOutcome | null> => {
    const series = find(visit);
    if (series === null) return null;
    const { locale, when } = visit.frame;
    const bill = billOf(series, form, true, locale);
    const typed = readSeries(form, locale);
    const again = (feedback: Feedback, shown = typed) =>
      changePage(visit.frame, series, bill, shown, feedback);
    const invoice = bill === null ? series.invoice : billFrom(bill.typed, locale.decimalMark, series.invoice);
    const is: Record<string, unknown> = requestFieldsOf(series);
    // Unchanged fields are left out, so that simultaneous changes by others stay.
    const change = Object.fromEntries(
      Object.entries(requestOf(invoice, typed)).filter(
        ([name, wanted]) => !Bun.deepEquals(wanted, is[name] ?? null),
      ),
    );
    const isSeen = form.get("seen") === seenOf(is);
    if (isSeen && bill === null && form.has("draft")) return again({ problem: locale.say("notDone") });
    if (Object.keys(change).length === 0) return done(series, "didRepeatChange");
    if (!isSeen) return again({ problem: locale.say("refundChanged") }, typedOf(series, typed.key));
    const late = overdue(series, visit.now, config.timeZone);
    if (late !== null && dateNames.some((name) => name in change))
      return again({ problem: locale.say("repeatOverdue", { day: when.day(late) }) });
    const walletFault = bill && billWalletFault(deps, visit, bill);
    if (walletFault) return again({ problem: walletFault.message });
    const changed = await recurring.change(series, change, { key: null });
    if (!changed.ok) return changePage(visit.frame, series, bill, ...feedback(typed, changed, locale));
    if (bill !== null && bill.draft !== null) DraftStore.remove(db, bill.draft);
    return done(changed.value, "didRepeatChange");
  });
}

function newPage(frame: DeskFrame, { like, draft, typed: bill }: Bill, ...typed: Typed): string {
  const { say } = frame.locale;
  const isKept = like === null;
  const form: DatesForm = {
    title: isKept ? say("repeatAnew") : say("repeatTitle", { number: like.number }),
    line: say("repeatLine", { name: bill.vendor_name }),
    back: isKept
      ? { href: listPath, label: say("repeating") }
      : { href: invoiceHref(like.number), label: like.number },
    action: formPath,
    hidden: isKept ? { draft: String(draft) } : { like: like.number },
    submit: say("repeatStart"),
    monthDay: isKept ? null : dayOf(like.issueDate),
    hasCount: false,
    every: monthly,
  };
  return datesForm(frame, form, ...typed);
}

function changePage(frame: DeskFrame, series: Series, bill: Bill | null, ...typed: Typed): string {
  const { say } = frame.locale;
  const { id, schedule } = series;
  const title = Recurring.customerOf(series);
  const form: DatesForm = {
    title,
    line: say(bill === null ? "repeatChangeLine" : "repeatBillChanged"),
    back: { href: seriesHref(series), label: title },
    action: datesHref(id),
    hidden: { seen: seenOf(requestFieldsOf(series)), ...(bill !== null && { draft: String(bill.draft) }) },
    submit: say("save"),
    bill: bill === null ? billHref(id) : `/desk/invoices/new?draft=${bill.draft}`,
    monthDay: schedule.dayOfMonth ?? null,
    hasCount: schedule.count !== null,
    every: schedule.every,
  };
  return datesForm(frame, form, ...typed);
}

/** Returns the form with the reason for its refusal. */
function feedback(typed: TypedSeries, outcome: Outcome<Series>, locale: Locale): Typed {
  if (!outcome.ok && outcome.refusal.kind === "invalid")
    return [typed, saidFaults(outcome.refusal.faults, locale)];
  return [{ ...typed, key: newKey() }, { problem: locale.say("notDone") }];
}

const monthly = { unit: "months", n: 1 } as const;

const dayOf = (day: string) => Number(day.slice(8));

/** Returns an invoice's day in the next month, as most series are monthly; for a new bill, today. */
function beginning({ like }: Bill, today: string): Omit<TypedSeries, "due_days" | "key"> {
  const from = like?.issueDate ?? today;
  const schedule = { every: monthly, startsOn: from, endsOn: null, count: null };
  const [next = today] = Recurring.nextDates(schedule, today > from ? today : from, 1);
  const starts_on = like === null ? today : next;
  const month_day = dayOf(starts_on) < dayOf(from) ? String(dayOf(from)) : "";
  return { every: "months 1", starts_on, ends_on: "", how: "send", missed: "newest", count: "", month_day };
}

function typedOf({ schedule, dueDays, sendNow, missed }: Series, key: string): TypedSeries {
  const { every, startsOn, endsOn, count, dayOfMonth } = schedule;
  return {
    every: `${every.unit} ${every.n}`,
    starts_on: startsOn,
    ends_on: endsOn ?? "",
    due_days: String(dueDays),
    how: sendNow ? "send" : "draft",
    missed,
    count: count === null ? "" : String(count),
    month_day: dayOfMonth === undefined ? "" : String(dayOfMonth),
    key,
  };
}

const readSeries = (form: URLSearchParams, locale: Locale): TypedSeries => ({
  ...seriesForm.read(form, locale),
  key: keyOf(form),
});

const dateNames = ["every", "starts_on", "ends_on", "count", "day_of_month"];

/** Returns the body of PATCH /api/recurring/{id}. What is not a number stays as typed, so that the API reports it. */
function requestOf(invoice: object, typed: TypedSeries): Record<string, unknown> {
  const { every, starts_on, ends_on, how, missed, month_day } = typed;
  const [unit = "", n = ""] = /^(days|weeks|months|years) \d{1,3}$/.test(every)
    ? every.split(" ")
    : ["months", "1"];
  const number = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : text);
  const isShort = /months|years/.test(unit) && Recurring.isShortFor(Number(month_day), starts_on);
  return {
    invoice,
    every: { [unit]: Number(n) },
    starts_on,
    ends_on: ends_on === "" ? null : ends_on,
    count: typed.count === "" ? null : number(typed.count),
    day_of_month: isShort ? Number(month_day) : null,
    due_days: number(typed.due_days),
    send_now: how !== "draft",
    missed: missed === "all" ? "all" : "newest",
  };
}
