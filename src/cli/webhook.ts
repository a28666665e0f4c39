import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import type * as Answer from "../http/answer-schemas.ts";
import { createClient } from "./client.ts";
import { type Command, type ExitCode, UsageError } from "./command.ts";
import { type Cell, say, sayJson, sayTable } from "./output.ts";
import { apiPath, findTarget, targetHelp } from "./target.ts";

export type EventRecord = (typeof Answer.EventRecord)["static"];

export const webhook: Command = {
  help: `Usage: till webhook list INVOICE|LINK [--json]
       till webhook redeliver EVENT [--json]

  INVOICE, LINK  ${targetHelp}
  EVENT          the id of an event, as till webhook list shows it
  --json         answer as JSON

Lists what was sent to the webhook of an invoice or link, or is still to be sent; or sends an event again, with
the same id and the same bytes.

Example:
  till webhook list INV-0001`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean", default: false } },
    });
    const [action, word, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`unexpected argument: ${more.join(" ")}`);
    if (action === "list") return await listEvents(word, values.json);
    if (action === "redeliver") return await redeliver(word, values.json);
    throw new UsageError("say what to do: till webhook list, or till webhook redeliver.");
  },
};

async function listEvents(word: string | undefined, json: boolean): Promise<ExitCode> {
  if (word === undefined) throw new UsageError("say of which invoice or link: till webhook list INV-0001");
  const { client, target } = await findTarget(word);
  const answer = await client.get<{ data: EventRecord[] }>(`${apiPath(target)}/events`);
  if (json) sayJson(answer);
  else if (answer.data.length === 0) say("There are no webhook events.");
  else sayEvents(answer.data);
  return 0;
}

async function redeliver(id: string | undefined, json: boolean): Promise<ExitCode> {
  if (id === undefined || !/^[\w-]{1,100}$/.test(id))
    throw new UsageError("say which event: its id in till webhook list.");
  const answer = await createClient(process.env).post(`/api/events/${id}/redeliver`, undefined, randomUUID());
  if (json) sayJson(answer);
  else say(`Event ${id} is being sent again.`);
  return 0;
}

/** One row for each event: what became of it, and what its last attempt met. */
export function sayEvents(events: readonly EventRecord[]): void {
  sayTable(
    ["STATUS", "STATE", "ATTEMPTS", "LAST", "NEXT", "ID"],
    events.map((event) => {
      const last = event.attempts.at(-1);
      return [
        event.status,
        stateCell(event.state),
        String(event.attempts.length),
        last ? (last.reason ?? String(last.http_status ?? "")) : "",
        event.next_attempt_at ?? "",
        event.id,
      ];
    }),
  );
}

function stateCell(state: EventRecord["state"]): Cell {
  if (state === "delivered") return { text: state, color: "green" };
  return state === "failed" ? { text: state, color: "red" } : state;
}
