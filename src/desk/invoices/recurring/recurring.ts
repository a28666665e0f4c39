import { customerOf } from "../../../domain/bill/recurring.ts";
import { may } from "../../../domain/party/person.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import type { Outcome } from "../../../invoicing/outcome.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import * as RecurringStore from "../../../store/tables/invoicing/recurring.ts";
import type { Gate } from "../../gate.ts";
import { pagesOfOne } from "../../one.ts";
import type { DoneText } from "../../parts/page/desk-frame.ts";
import type { FormOutcome, Visit } from "../../parts/page/visit.ts";
import { datesRoutes } from "./dates.ts";
import { seriesList, seriesPage } from "./pages.tsx";
import { done, listPath, seriesHref } from "./parts.ts";
import { saidFaults } from "./trouble.ts";

const one = `${listPath}/:id`;
const rowsMax = 50;
/** The page shows the newest created invoices. */
const madeMax = 24;

type Series = RecurringStore.Series;

/** Repeating invoices: the list, and each of them. */
export function recurringDeskRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, recurring } = deps;
  datesRoutes(deps, gate);
  const { page, action, confirmed } = pagesOfOne(gate, ({ params }) => recurring.find(params["id"] ?? ""));

  gate.page(listPath, "read", ({ frame, query }) => {
    const before = recurring.find(query.get("before") ?? "");
    const { rows, next } = RecurringStore.list(db, { limit: rowsMax, before: before?.number });
    return seriesList(frame, rows, {
      newest: before === null ? null : listPath,
      older: next && `${listPath}?before=${next.id}`,
    });
  });

  function show({ frame, who }: Visit, series: Series, problem: string | null = null): string {
    const made = RecurringStore.listMade(db, series.id, madeMax).flatMap(({ day, sequence }) => {
      const invoice = InvoiceStore.bySequence(db, sequence);
      return invoice === null ? [] : [{ day, invoice }];
    });
    const can = { issue: may(who.role, "issue"), close: may(who.role, "close") };
    return seriesPage(frame, series, { made, can, problem });
  }
  page(one, "read", (visit, series) => show(visit, series));
  confirmed(`${one}/end`, "close", "recurring.end", {
    ask({ frame }, series) {
      const { say } = frame.locale;
      return {
        place: "invoices",
        back: { href: seriesHref(series), label: customerOf(series) },
        question: say("repeatEndQuestion", { name: customerOf(series) }),
        text: say("repeatEndText"),
        keep: say("repeatKeep"),
        confirm: say("repeatEndNow"),
      };
    },
    does: async (_, series) => done(await recurring.end(series), "didRepeatEnd"),
  });

  const turn =
    (status: "active" | "paused", did: DoneText) =>
    async (visit: Visit, series: Series): Promise<FormOutcome> => {
      const outcome: Outcome<Series> = await recurring.change(series, { status }, { key: null });
      if (outcome.ok) return done(outcome.value, did);
      const { refusal } = outcome;
      const problem =
        refusal.kind === "invalid" ? saidFaults(refusal.faults, visit.frame.locale).problem : null;
      return show(visit, series, problem ?? visit.frame.locale.say("notDone"));
    };
  action(`${one}/pause`, "issue", "recurring.pause", turn("paused", "didRepeatPause"));
  action(`${one}/resume`, "issue", "recurring.resume", turn("active", "didRepeatResume"));
}
