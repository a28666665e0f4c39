import { customerOf } from "../../domain/bill/recurring.ts";
import type { SeriesAnswer } from "../../http/invoices/recurring.ts";
import { alternatives } from "../../lib/text/english.ts";
import { createClient } from "../api/client.ts";
import { limitOf, listFlags, listing } from "../api/listing.ts";
import { command, json, UsageError } from "../command.ts";
import { answer } from "../terminal/output.ts";
import { agreed, refuseUnasked } from "../terminal/prompt.ts";
import { type Facts, sayRecord } from "../terminal/table.ts";

const acts = {
  show: "show one: its dates, and what is wrong with it",
  pause: "make none of the dates that pass until it is resumed",
  resume: "go on from today; what was refused meanwhile is made",
  end: "end it for good; what was made stays",
} as const;
const names = Object.keys(acts) as (keyof typeof acts)[];

export const recurring = command({
  calls: ["list [FLAGS]", "show|pause|resume|end ID [FLAGS]"],
  words: [
    ["list", "the newest of them"],
    ...names.map((name) => [name, acts[name]] as const),
    ["ID", "its id, as in till recurring list"],
  ],
  flags: { yes: { text: "do not ask before the end, for scripts" }, ...listFlags, json },
  about: "Invoices that repeat. The desk begins and changes them, and so does the API.",
  examples: ["till recurring list"],

  async run({ json: asJson, yes, limit, all }, [word, id, ...more]) {
    const act = names.find((name) => name === word);
    if (more.length > 0 || (act === undefined ? word !== "list" || id !== undefined : id === undefined))
      throw new UsageError(`say what to do: till recurring list, or ${alternatives(names)} with an id.`);
    const client = createClient(process.env);
    if (act === undefined || id === undefined) {
      await listed(client, new URLSearchParams(), limitOf({ limit, all }), asJson);
      return 0;
    }
    if (all || limit !== undefined) throw new UsageError("--limit and --all are for the list.");
    const path = `/api/recurring/${encodeURIComponent(id)}`;
    if (act === "end") refuseUnasked(yes, "end");
    const series = await client.get<SeriesAnswer>(path);
    if (act === "show") return answer(asJson, series, () => sayRecord(facts, series));
    const name = `${id}, for ${customerOf(series)},`;
    if (act === "end" && !(await agreed(yes, `End ${name} for good?`, "Nothing was ended."))) return 1;
    const changed =
      act === "end"
        ? await client.delete<SeriesAnswer>(path)
        : await client.patch<SeriesAnswer>(path, { status: act === "pause" ? "paused" : "active" });
    return answer(asJson, changed, `${name} is ${changed.status}; next: ${nextOf(changed)}.`);
  },
});

const intervalOf = ({ every }: SeriesAnswer): string =>
  Object.entries(every)
    .map(([unit, n]) => (n === 1 ? unit.slice(0, -1) : `${n} ${unit}`))
    .join();

const nextOf = ({ next_dates: [next = "none"] }: SeriesAnswer): string => next;

const listed = listing<SeriesAnswer>(
  "/api/recurring",
  () => "Nothing repeats yet.",
  ({ id }) => id,
  [
    ["ID", "id"],
    ["STATUS", "status"],
    ["EVERY", intervalOf],
    ["NEXT", nextOf],
    [{ right: "MADE" }, "made"],
    [{ cut: "CUSTOMER" }, customerOf],
  ],
);

const facts: Facts<SeriesAnswer> = [
  ["Customer", customerOf],
  ["Status", "status"],
  ["Trouble", "reason", (text) => ({ text, color: "red" })],
  ["Every", intervalOf],
  ["From", "starts_on"],
  ["Until", ({ ends_on, count }) => ends_on ?? (count === null ? "no end" : `dates in all: ${count}`)],
  ["Next", ({ next_dates }) => next_dates.join(", ") || "none"],
  [
    "Made",
    ({ made, last_made: last }) =>
      last === null ? "none" : `${made}, at last ${last.invoice_number} for ${last.date}`,
  ],
  ["Due", "due_days", (days) => `days after it is made: ${days}`],
  ["Mailed", ({ send_now }) => (send_now ? "yes" : "no")],
  ["Missed", "missed"],
];
