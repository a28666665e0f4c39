import { customerOf } from "../../domain/bill/recurring.ts";
import { alternatives } from "../../lib/text/english.ts";
import { createClient, Refused } from "../api/client.ts";
import { command, json, UsageError } from "../command.ts";
import { answer, sayFacts, sayTable } from "../terminal/output.ts";
import { agreed, refuseUnasked } from "../terminal/prompt.ts";

/** A series, as the API answers it. */
type Series = Record<"id" | "status" | "starts_on" | "missed" | "created_at", string> & {
  invoice: Record<string, unknown>;
  every: Record<string, number>;
  reason: string | null;
  ends_on: string | null;
  count: number | null;
  next_dates: string[];
  last_made: { date: string; invoice_number: string } | null;
  made: number;
  due_days: number;
  send_now: boolean;
};

const acts = {
  show: "show one: its dates, what was made, and what is wrong",
  pause: "make none of the dates that pass until it is resumed",
  resume: "go on from today; what was refused meanwhile is made",
  end: "end it for good; what was made stays",
} as const;
const names = Object.keys(acts) as (keyof typeof acts)[];

const usage = `say what to do: till recurring list, or till recurring ${alternatives(names)} with an id.`;

export const recurring = command({
  calls: ["list [--json]", "show|pause|resume|end ID [FLAGS]"],
  words: [
    ["list", "the newest series"],
    ...names.map((name) => [name, acts[name]] as const),
    ["ID", "the id of a series"],
  ],
  flags: { yes: { text: "do not ask before the end, for scripts" }, json },
  about: "Invoices that repeat. The desk begins and changes them, and so does the API.",
  examples: ["till recurring list"],

  async run({ json: asJson, yes }, [word, id, ...more]) {
    const act = names.find((name) => name === word);
    if (more.length > 0 || (word === "list" ? id !== undefined : act === undefined || id === undefined))
      throw new UsageError(usage);
    const client = createClient(process.env);
    if (act === undefined || id === undefined) {
      const page = await client.get<{ data: Series[]; has_more: boolean }>("/api/recurring?limit=100");
      return answer(asJson, page, () => listed(page.data));
    }
    const path = `/api/recurring/${encodeURIComponent(id)}`;
    if (act === "end") refuseUnasked(yes, "end");
    const series = await client.find<Series>(path);
    if (series === null)
      throw new Refused(
        404,
        "there is no invoice that repeats with this id; till recurring list shows them.",
      );
    if (act === "show") return answer(asJson, series, () => shown(series));
    const name = `${id}, for ${customerOf(series)},`;
    if (act === "end") {
      if (!(await agreed(yes, `End ${name} for good?`, "Nothing was ended."))) return 1;
      return answer(asJson, await client.delete<Series>(path), `${name} has ended.`);
    }
    const status = act === "pause" ? "paused" : "active";
    const changed = await client.patch<Series>(path, { status });
    const next = changed.next_dates[0];
    const goesOn =
      changed.status === "active" ? `is active; the next date is ${next}` : `is ${changed.status}`;
    return answer(asJson, changed, `${name} ${goesOn}.`);
  },
});

const listed = (all: readonly Series[]) =>
  sayTable(
    ["ID", "STATUS", "EVERY", "NEXT", { right: "MADE" }, { cut: "CUSTOMER" }],
    all.map((series) => [
      ...[series.id, series.status, intervalOf(series), nextOf(series), String(series.made)],
      customerOf(series),
    ]),
    "Nothing repeats yet.",
  );

function shown(series: Series): void {
  const { ends_on, count, last_made: last } = series;
  sayFacts([
    ["Id", series.id],
    ["Customer", customerOf(series)],
    ["Status", series.status],
    ["Trouble", series.reason === null ? null : { text: series.reason, color: "red" }],
    ["Every", intervalOf(series)],
    ["From", series.starts_on],
    ["Until", ends_on ?? (count === null ? "no end" : `dates in all: ${count}`)],
    ["Next", series.next_dates.join(", ") || "none"],
    [
      "Made",
      last === null ? "none yet" : `${series.made}, the last one ${last.invoice_number} for ${last.date}`,
    ],
    ["Days to pay", String(series.due_days)],
    ["On each date", series.send_now ? "made and mailed" : "made, not mailed"],
    ["Missed dates", series.missed === "all" ? "each is made" : "only the newest is made"],
  ]);
}

const intervalOf = ({ every }: Series): string =>
  Object.entries(every)
    .map(([unit, n]) => (n === 1 ? unit.slice(0, -1) : `${n} ${unit}`))
    .join();

const nextOf = ({ next_dates: [next] }: Series): string => next ?? "–";
