import { createClient } from "../api/client.ts";
import { apiPath, findTarget, targetHelp } from "../api/target.ts";
import { type CommandGroup, command, json, onlyWord, UsageError } from "../command.ts";
import { events as columns, type EventRecord } from "../records/payable.ts";
import { answer } from "../terminal/output.ts";
import { sayList } from "../terminal/table.ts";

const list = command({
  calls: ["INVOICE|LINK [--json]"],
  words: [["INVOICE, LINK", targetHelp]],
  flags: { json },
  async run(values, words) {
    const word = onlyWord(words, "say of which invoice or link: till webhook list INV-0001");
    const { client, target } = await findTarget(word);
    const events = await client.get<{ data: EventRecord[] }>(`${apiPath(target)}/events`);
    return answer(values.json, events, () => sayList(events.data, columns, "There are no webhook events."));
  },
});

const redeliver = command({
  calls: ["EVENT [--json]"],
  words: [["EVENT", "an id that till webhook list shows, or the id of an event: all that tells of it"]],
  flags: { json },
  async run(values, [id, ...more]) {
    if (id === undefined || more.length > 0 || !/^[\w-]{1,100}$/.test(id))
      throw new UsageError("say which event: its id in till webhook list.");
    const sent = await createClient(process.env).post(`/api/events/${id}/redeliver`);
    return answer(values.json, sent, `Event ${id} is being sent again.`);
  },
});

export const webhook: CommandGroup = {
  actions: {
    list: {
      summary: "List the webhooks of an invoice or link, sent or still to send",
      command: list,
    },
    redeliver: {
      summary: "Send an event again, with the same id and the same bytes",
      command: redeliver,
    },
  },
  examples: ["till webhook list INV-0001"],
};
