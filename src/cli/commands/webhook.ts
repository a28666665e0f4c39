import { randomUUID } from "node:crypto";
import type * as Answer from "../../http/fields/answer-schemas.ts";
import { createClient } from "../api/client.ts";
import { apiPath, findTarget, targetHelp } from "../api/target.ts";
import { type CommandGroup, command, json, UsageError } from "../command.ts";
import { say, sayJson, sayTable, type TextCell, timeText } from "../terminal/output.ts";

export type EventRecord = (typeof Answer.EventRecord)["static"];

const list = command({
  calls: ["INVOICE|LINK [--json]"],
  words: [["INVOICE, LINK", targetHelp]],
  flags: { json },
  async run(values, [word, ...more]) {
    if (word === undefined || more.length > 0)
      throw new UsageError("say of which invoice or link: till webhook list INV-0001");
    const { client, target } = await findTarget(word);
    const answer = await client.get<{ data: EventRecord[] }>(`${apiPath(target)}/events`);
    if (values.json) sayJson(answer);
    else if (answer.data.length === 0) say("There are no webhook events.");
    else sayEvents(answer.data);
    return 0;
  },
});

const redeliver = command({
  calls: ["EVENT [--json]"],
  words: [["EVENT", "the id of an event, as till webhook list shows it"]],
  flags: { json },
  async run(values, [id, ...more]) {
    if (id === undefined || more.length > 0 || !/^[\w-]{1,100}$/.test(id))
      throw new UsageError("say which event: its id in till webhook list.");
    const path = `/api/events/${id}/redeliver`;
    const answer = await createClient(process.env).post(path, undefined, randomUUID());
    if (values.json) sayJson(answer);
    else say(`Event ${id} is being sent again.`);
    return 0;
  },
});

export const webhook: CommandGroup = {
  actions: {
    list: {
      summary: "List the events sent, or still to send, to the webhook of an invoice or link",
      command: list,
    },
    redeliver: {
      summary: "Send an event again, with the same id and the same bytes",
      command: redeliver,
    },
  },
  examples: ["till webhook list INV-0001"],
};

/** One row per event: its state, and its last attempt's result. */
export function sayEvents(events: readonly EventRecord[]): void {
  sayTable(
    ["STATUS", "STATE", { right: "ATTEMPTS" }, "NEXT", { below: "ID" }, "LAST"],
    events.map((event) => {
      const last = event.attempts.at(-1);
      return [
        event.status,
        stateCell(event.state),
        String(event.attempts.length),
        event.next_attempt_at ? timeText(event.next_attempt_at) : "",
        event.id,
        last ? (last.reason ?? String(last.http_status ?? "")) : "",
      ];
    }),
  );
}

function stateCell(state: EventRecord["state"]): TextCell {
  if (state === "delivered") return { text: state, color: "green" };
  return state === "failed" ? { text: state, color: "red" } : state;
}
