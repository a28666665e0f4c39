import type { Invoice } from "../../domain/bill/invoice.ts";
import { customerOf, nextDates } from "../../domain/bill/recurring.ts";
import { may } from "../../domain/party/person.ts";
import type { HttpDeps } from "../../http/deps.ts";
import type { Outcome } from "../../invoicing/outcome.ts";
import type { Fault } from "../../language/faults.ts";
import { sayWhy } from "../../language/faults.ts";
import type { Locale } from "../../language/locale.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as RecurringStore from "../../store/tables/invoicing/recurring.ts";
import { keyOf, newKey } from "../form-key.ts";
import type { FormOutcome, Gate, Visit } from "../gate.ts";
import { bodyOf, typedLike } from "../invoices/form/typed.ts";
import { confirmPage } from "../parts/form/confirm-page.tsx";
import { type FormFault, typedText } from "../parts/form/form.tsx";
import type { DeedText } from "../parts/frame.tsx";
import { profileOf } from "../shop/profile-form.ts";
import { repeatForm, seriesList, seriesPage } from "./pages.tsx";
import { formPath, listPath, presets, seriesHref, type TypedSeries } from "./parts.ts";

const one = `${listPath}/:id`;
const rowsMax = 50;
/** Of what was made, the page shows the newest. */
const madeMax = 24;

type Series = RecurringStore.Series;

/** Invoices that repeat: the list, one, and making one of an invoice that there is. */
export function recurringDeskRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, invoices, recurring } = deps;
  const find = ({ params }: Visit) => recurring.find(params["id"] ?? "");
  const likeOf = (name: string | null) => (name === null ? null : invoices.find(name));

  gate.page(listPath, "read", ({ frame, query }) => {
    const before = recurring.find(query.get("before") ?? "");
    const { rows, next } = RecurringStore.list(db, { limit: rowsMax, before: before?.number });
    return seriesList(frame, rows, {
      newest: before === null ? null : listPath,
      older: next && `${listPath}?before=${next.id}`,
    });
  });

  gate.page(formPath, "issue", ({ frame, query }) => {
    const like = likeOf(query.get("like"));
    if (like === null) return null;
    return repeatForm(frame, like, {
      ...beginning(like, frame.when.today),
      due_days: String(profileOf(db).dueDays),
      key: newKey(),
    });
  });
  gate.action(formPath, "issue", "recurring.make", async ({ frame }, form) => {
    const like = likeOf(form.get("like"));
    if (like === null) return null;
    const typed = readSeries(form);
    const made = await recurring.make(asked(like, typed, frame.locale), { key: `desk-${typed.key}` });
    if (made.ok) return done(made.value, "didRepeat");
    const { refusal } = made;
    if (refusal.kind !== "invalid")
      return repeatForm(frame, like, { ...typed, key: newKey() }, { problem: frame.locale.say("notDone") });
    const { faults, problem } = saidFaults(refusal.faults, frame.locale);
    return repeatForm(frame, like, typed, { faults, problem });
  });

  function show({ frame, who }: Visit, series: Series, problem: string | null = null): string {
    const made = RecurringStore.listMade(db, series.id, madeMax).flatMap(({ day, sequence }) => {
      const invoice = InvoiceStore.bySequence(db, sequence);
      return invoice === null ? [] : [{ day, invoice }];
    });
    const can = { issue: may(who.role, "issue"), close: may(who.role, "close") };
    return seriesPage(frame, series, { made, can, problem });
  }
  gate.page(one, "read", (visit) => {
    const series = find(visit);
    return series && show(visit, series);
  });
  gate.page(`${one}/end`, "close", (visit) => {
    const series = find(visit);
    const { locale } = visit.frame;
    return (
      series &&
      confirmPage({
        frame: visit.frame,
        place: "invoices",
        back: { href: seriesHref(series), label: customerOf(series) },
        question: locale.say("repeatEndQuestion", { name: customerOf(series) }),
        text: locale.say("repeatEndText"),
        action: `${seriesHref(series)}/end`,
        keep: locale.say("repeatKeep"),
        confirm: locale.say("repeatEndNow"),
      })
    );
  });

  const turn =
    (status: "active" | "paused", did: DeedText) =>
    async (visit: Visit): Promise<FormOutcome | null> => {
      const series = find(visit);
      if (series === null) return null;
      const outcome: Outcome<Series> = await recurring.change(series, { status }, { key: null });
      if (outcome.ok) return done(outcome.value, did);
      const { refusal } = outcome;
      const problem =
        refusal.kind === "invalid" ? saidFaults(refusal.faults, visit.frame.locale).problem : null;
      return show(visit, series, problem ?? visit.frame.locale.say("notDone"));
    };
  gate.action(`${one}/pause`, "issue", "recurring.pause", turn("paused", "didRepeatPause"));
  gate.action(`${one}/resume`, "issue", "recurring.resume", turn("active", "didRepeatResume"));
  gate.action(`${one}/end`, "close", "recurring.end", async (visit) => {
    const series = find(visit);
    return series && done(await recurring.end(series), "didRepeatEnd");
  });
}

const done = (series: Series, did: DeedText): FormOutcome => ({
  kind: "done",
  to: seriesHref(series),
  did,
  subject: customerOf(series),
});

/** The day of the invoice in the next month, as most series are monthly. */
function beginning({ issueDate }: Invoice, today: string): Omit<TypedSeries, "due_days" | "key"> {
  const monthly = {
    every: { unit: "months" as const, n: 1 },
    startsOn: issueDate,
    endsOn: null,
    count: null,
  };
  const after = today > issueDate ? today : issueDate;
  const [starts_on = today] = nextDates(monthly, after, 1);
  return { every: "months 1", starts_on, ends_on: "", how: "send", missed: "newest" };
}

const readSeries = (form: URLSearchParams): TypedSeries => ({
  every: typedText(form, "every"),
  starts_on: typedText(form, "starts_on"),
  ends_on: typedText(form, "ends_on"),
  due_days: typedText(form, "due_days"),
  how: typedText(form, "how"),
  missed: typedText(form, "missed"),
  key: keyOf(form),
});

/** The body of POST /api/recurring, for an invoice like one that there is. */
function asked(like: Invoice, typed: TypedSeries, { decimalMark }: Locale): object {
  const { body } = bodyOf(typedLike(like, decimalMark), decimalMark, { sendNow: true });
  const { due_date: _, send_now: __, ...invoice } = body as Record<string, unknown>;
  const [unit = "", n = ""] = typed.every in presets ? typed.every.split(" ") : ["months", "1"];
  return {
    invoice,
    every: { [unit]: Number(n) },
    starts_on: typed.starts_on,
    ...(typed.ends_on === "" ? {} : { ends_on: typed.ends_on }),
    due_days: /^\d{1,3}$/.test(typed.due_days) ? Number(typed.due_days) : typed.due_days,
    send_now: typed.how !== "draft",
    missed: typed.missed === "all" ? "all" : "newest",
  };
}

/** What is wrong, beside the fields of the form; of the invoice, which has none here, above it. */
function saidFaults(
  faults: readonly Fault[],
  locale: Locale,
): { faults: FormFault[]; problem: string | null } {
  const texts = {
    starts_on: "faultRepeatStart",
    ends_on: "faultRepeatEnd",
    due_days: "faultRepeatDue",
  } as const;
  const own = faults.flatMap(({ field }) =>
    field in texts ? [{ field, message: locale.say(texts[field as keyof typeof texts]) }] : [],
  );
  const [other] = faults.filter(({ field }) => !(field in texts));
  return {
    faults: own,
    problem:
      other === undefined ? null : locale.say("repeatTrouble", { reason: `${other.field} ${sayWhy(other)}` }),
  };
}
