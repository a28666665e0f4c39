import { type Static, Type } from "@sinclair/typebox";
import * as Recurring from "../../domain/bill/recurring.ts";
import * as Calendar from "../../domain/calendar.ts";
import { done, type Outcome } from "../../invoicing/outcome.ts";
import { shownDates } from "../../invoicing/recurring/series.ts";
import { RecurringChange, RecurringRequest, requestFieldsOf } from "../../invoicing/request/recurring.ts";
import { oneOf } from "../../invoicing/request/validation.ts";
import { instant } from "../../lib/time.ts";
import { stored } from "../../store/group-commit.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as RecurringStore from "../../store/tables/invoicing/recurring.ts";
import { doneBy } from "../access/api-key.ts";
import * as Part from "../fields/answer-parts.ts";
import * as Answer from "../fields/answer-schemas.ts";
import { RecurringListQuery } from "../fields/list-query.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import type { JsonAnswer } from "../route/act.ts";
import type { HttpDeps } from "../route/deps.ts";
import {
  type CallInput,
  lookUpsIn,
  pageAnswer,
  type Route,
  route,
  runUseCase,
  subjectInPath,
} from "../route/route.ts";

const { properties } = RecurringRequest;

const RecurringRecord = Part.record("Recurring", {
  id: Part.text("the id of the series"),
  status: oneOf(Recurring.statuses, "whether invoices are made"),
  pause_cause: Part.optional(
    oneOf(
      ["merchant", "refused", "restored"],
      "what paused it: you, that its invoice was refused, or that a backup was restored",
    ),
  ),
  reason: Part.optional(Part.text("why Till paused it, or waits")),
  next_dates: Type.Array(Part.day, { wants: "the next three dates" }),
  made: Type.Integer({ wants: "how many invoices were made" }),
  last_made: Part.optional(
    Part.record("RecurringMade", { date: Part.day, invoice_id: Part.id, invoice_number: Part.number }),
  ),
  invoice: Type.Record(Type.String(), Type.Unknown(), { wants: "as it was given" }),
  due_days: Type.Integer({ wants: "each is due so many days after it was made" }),
  every: { ...properties.every, noun: "RecurringInterval" },
  starts_on: Part.day,
  ends_on: Part.optional(Part.day),
  count: Part.optional(Type.Integer({ wants: "how many dates there are" })),
  day_of_month: Type.Optional(properties.day_of_month),
  send_now: Type.Boolean({ wants: "whether each is mailed" }),
  missed: oneOf(Recurring.missedWays, "what is made of dates that passed while Till was off"),
  created_at: Part.instant,
});

export type SeriesAnswer = Static<typeof RecurringRecord>;

function recordOf(
  { db, now, config }: Pick<HttpDeps, "db" | "now" | "config">,
  series: RecurringStore.Series,
): SeriesAnswer {
  const [last] = RecurringStore.listMade(db, series.id, 1);
  const invoice = last && InvoiceStore.bySequence(db, last.sequence);
  return {
    id: series.id,
    status: series.status,
    pause_cause: series.pauseCause,
    reason: series.reason?.said ?? null,
    next_dates: shownDates(series, Calendar.dayAt(now(), config.timeZone)),
    made: series.made,
    last_made:
      last && invoice ? { date: last.day, invoice_id: invoice.id, invoice_number: invoice.number } : null,
    ...requestFieldsOf(series),
    created_at: instant(series.createdAt),
  };
}

const recordAnswer = (series: RecurringStore.Series, deps: HttpDeps): JsonAnswer => ({
  status: 200,
  body: recordOf(deps, series),
});

const { find, of } = subjectInPath(
  "id",
  ({ recurring }, id) => recurring.find(id),
  ({ merchantEmail }) => merchantEmail,
  () => problem("not_found", "There is no invoice that repeats with this id."),
);

/** Records a key's action in the desk's log: a series that it created outlives the key's revocation. */
async function withAuditEntry(
  { db, now }: HttpDeps,
  { request }: Pick<CallInput, "request">,
  action: "make" | "change" | "end",
  work: Promise<Outcome<RecurringStore.Series>>,
): Promise<Outcome<RecurringStore.Series>> {
  const outcome = await work;
  if (!outcome.ok || outcome.isAgain) return outcome;
  const entry = doneBy(request, `recurring.${action}`, Recurring.customerOf(outcome.value), now());
  await stored(db, () => AuditStore.note(db, entry));
  return outcome;
}

/** Repeating invoices. */
export const recurringRoutes: readonly Route[] = [
  route({
    method: "post",
    path: "/api/recurring",
    scope: "shop",
    isConfined: true,
    summary: "Have an invoice made again and again",
    once: true,
    body: RecurringRequest,
    status: 201,
    gives: RecurringRecord,
    does: (deps) => (input) =>
      runUseCase(
        deps,
        input,
        (by) => withAuditEntry(deps, input, "make", deps.recurring.make(input.body, by)),
        (series) => ({ ...recordAnswer(series, deps), status: 201 }),
      ),
  }),
  route({
    method: "get",
    path: "/api/recurring",
    scope: "read",
    isConfined: true,
    summary: "List the invoices that repeat, the newest first",
    query: RecurringListQuery,
    gives: Answer.listOf(RecurringRecord),
    does: (deps) => (input) => {
      const { faults, lookUp, limit } = lookUpsIn(input.query);
      const after = lookUp("starting_after", find(deps, input), "the id of an invoice that repeats");
      if (faults.length > 0) return validationProblem(faults);
      const page = RecurringStore.list(deps.db, { limit, before: after?.number, merchant: input.merchant });
      return pageAnswer(page, (series) => recordOf(deps, series));
    },
  }),
  route({
    method: "get",
    path: "/api/recurring/:id",
    scope: "read",
    summary: "Get an invoice that repeats",
    gives: RecurringRecord,
    does: of(recordOf),
  }),
  route({
    method: "patch",
    path: "/api/recurring/:id",
    scope: "shop",
    summary: "Change what is still to be made of an invoice that repeats, pause or resume it",
    once: true,
    body: RecurringChange,
    gives: RecurringRecord,
    does: of((deps, series, input) =>
      runUseCase(
        deps,
        input,
        (by) => withAuditEntry(deps, input, "change", deps.recurring.change(series, input.body, by)),
        (changed) => recordAnswer(changed, deps),
      ),
    ),
  }),
  route({
    method: "delete",
    path: "/api/recurring/:id",
    scope: "shop",
    summary: "End an invoice that repeats, for good; what was made stays",
    gives: RecurringRecord,
    does: of(async (deps, series, input) => {
      await withAuditEntry(deps, input, "end", deps.recurring.end(series).then(done));
      return recordOf(deps, deps.recurring.find(series.id) ?? series);
    }),
  }),
];
