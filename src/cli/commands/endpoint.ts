import { formats } from "../../domain/event/chat.ts";
import type {
  EndpointRecord,
  EndpointTested,
  EndpointWithSecret,
} from "../../http/fields/endpoint-schemas.ts";
import { alternatives } from "../../lib/text/english.ts";
import { createClient } from "../api/client.ts";
import { type Command, type CommandGroup, command, json, onlyWord, UsageError } from "../command.ts";
import { timeText } from "../records/format.ts";
import { answer, sayAside } from "../terminal/output.ts";
import { sayList } from "../terminal/table.ts";

type Endpoint = (typeof EndpointRecord)["static"];
type WithSecret = (typeof EndpointWithSecret)["static"];
type Tested = (typeof EndpointTested)["static"];

const path = "/api/webhook-endpoints";
const client = () => createClient(process.env);

const endpointFlags = {
  type: {
    value: "TYPE",
    text: "an event to send, such as invoice.paid; without it, every event",
    many: true,
  },
  description: { value: "TEXT", text: "for you alone" },
  "merchant-email": { value: "EMAIL", text: "only events of this merchant" },
  format: {
    value: "FORMAT",
    text: `what it is sent: ${alternatives(formats)}; till, the default, is signed events, the others are chats`,
  },
} as const;

const add = command({
  calls: ["URL [FLAGS]"],
  words: [["URL", "where Till posts the events"]],
  flags: { ...endpointFlags, json },
  async run({ type, description, "merchant-email": merchant_email, format, json }, words) {
    const url = onlyWord(words, "say where to send: till endpoint add https://shop.example/till");
    const body = { url, types: type, description, merchant_email, format };
    const made = await client().post<WithSecret>(path, body);
    answer(json, made, made.secret ?? made.id);
    if (made.secret === null) sayAside("Till keeps the address of the chat, and shows it nowhere.");
    else sayAside(`Keep it: it signs what endpoint ${made.id} is sent, and is not shown again.`);
    return 0;
  },
});

const list = command({
  calls: ["[--json]"],
  flags: { json },
  async run(values) {
    const endpoints = await client().get<{ data: Endpoint[] }>(path);
    return answer(values.json, endpoints, () =>
      sayList(
        endpoints.data,
        [
          ["STATE", "status", (status) => (status === "paused" ? { text: status, color: "red" } : status)],
          ["MADE", "created_at", timeText],
          ["FORMAT", "format"],
          ["FAILING SINCE", "failing_since", timeText],
          ["URL", "url"],
          [{ below: "ID" }, "id"],
          ["EVENTS", ({ types }) => types?.join(", ") ?? "all"],
        ],
        "There are no webhook endpoints. Make one with: till endpoint add https://shop.example/till",
      ),
    );
  },
});

/** Returns a command for one endpoint. */
const forOne = (does: (at: string, isJson: boolean, id: string) => Promise<0 | 1>): Command =>
  command({
    calls: ["ID [--json]"],
    words: [["ID", "the id of the endpoint in till endpoint list"]],
    flags: { json },
    run(values, words) {
      const id = onlyWord(words, "say which endpoint: its id in till endpoint list.");
      if (!/^[\w-]{1,100}$/.test(id)) throw new UsageError("an endpoint is named by its id: endpoint_…");
      return does(`${path}/${id}`, values.json, id);
    },
  });

const setting = (status: Endpoint["status"], done: string) =>
  forOne(async (at, isJson) => answer(isJson, await client().patch(at, { status }), done));

const remove = forOne(async (at, isJson, id) => answer(isJson, await client().delete(at), `Deleted ${id}.`));

const rotate = forOne(async (at, isJson) => {
  const rotated = await client().post<WithSecret>(`${at}/rotate`);
  answer(isJson, rotated, rotated.secret ?? rotated.id);
  sayAside("Keep it: it is not shown again. The secret before it signs as well for 24 hours.");
  return 0;
});

const test = forOne(async (at, isJson) => {
  const { ok, http_status, reason, duration_ms } = await client().post<Tested>(`${at}/test`);
  const result = reason ?? `answered ${http_status}`;
  const took = `${ok ? "Taken" : "Not taken"}, after ${duration_ms} ms: ${result}.`;
  answer(isJson, { ok, http_status, reason, duration_ms }, took);
  return ok ? 0 : 1;
});

export const endpoint: CommandGroup = {
  actions: {
    add: { summary: "Make an endpoint and show its secret once", command: add },
    list: { summary: "List the endpoints", command: list },
    test: { summary: "Send a test event now, and say what came back", command: test },
    pause: { summary: "Send nothing until you resume it", command: setting("paused", "Paused.") },
    resume: {
      summary: "Send again: first what waits, but not what happened meanwhile",
      command: setting("active", "Resumed."),
    },
    rotate: { summary: "Give it another secret and show that once", command: rotate },
    remove: { summary: "Delete it; what waits for it is never sent", command: remove },
  },
  about: `An endpoint hears of every event, of invoices and links alike, whatever webhook they have themselves.`,
  examples: ["till endpoint add https://shop.example/till", "till endpoint test endpoint_…"],
};
