import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Chat, chats, shownOf } from "../../src/domain/event/chat.ts";
import * as Endpoint from "../../src/domain/event/endpoint.ts";
import { type AnnouncedType, announcedTypes } from "../../src/domain/event/event.ts";
import { languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { createVault } from "../../src/lib/crypto.ts";
import { createLog } from "../../src/lib/log.ts";
import { chatPost } from "../../src/outbox/webhook/chat.ts";
import { startWebhookSender, testEndpoint, type WebhookSender } from "../../src/outbox/webhook-sender.ts";
import { announce } from "../../src/store/announce.ts";
import { transact } from "../../src/store/database.ts";
import { placeOf } from "../../src/store/secrets.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as EndpointStore from "../../src/store/tables/outbox/endpoint.ts";
import * as WebhookHistoryStore from "../../src/store/tables/outbox/webhook-history.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { recordSettings, storeInvoice, words } from "../support/till/records.ts";
import { until } from "../support/till/till.ts";

const vault = createVault(new Uint8Array(32).fill(3));
const dayMs = 86_400_000;
const token = "T0p-S3cret_t0ken";

const paths: Record<Chat, string> = {
  ntfy: `/${token}`,
  telegram: `/bot42:${token}/sendMessage?chat_id=-1001&message_thread_id=7`,
  slack: `/services/T0/B0/${token}`,
  discord: `/api/webhooks/42/${token}?thread_id=9`,
};

type Told = { path: string; headers: Record<string, unknown>; json: Record<string, unknown>; body: string };

/** A server that takes what the four chats take, and answers as they do, or with these answers first. */
async function startChats() {
  const told: Told[] = [];
  const refusals: { status: number; headers?: Record<string, string>; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      told.push({ path: request.url ?? "", headers: request.headers, json: JSON.parse(body), body });
      const refusal = refusals.shift();
      const isDiscord = request.url?.startsWith("/api/webhooks/");
      const {
        status,
        headers,
        body: said,
      } = refusal ?? { status: isDiscord ? 204 : 200, headers: {}, body: "" };
      response.writeHead(status, headers).end(said);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
    refusals,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let host: Awaited<ReturnType<typeof startChats>>;
let sender: WebhookSender;
let clockMs: number;
let logged: string[];

beforeEach(async () => {
  makeDatabase();
  host = await startChats();
  clockMs = Date.UTC(2027, 0, 1);
  logged = [];
  const log = createLog({ format: "json", level: "debug", write: (line) => logged.push(line) });
  sender = startWebhookSender({
    db,
    log,
    now: () => clockMs,
    publicOnly: false,
    vault: Promise.resolve(vault),
    words,
  });
});
afterEach(async () => {
  await sender.stop();
  await host.stop();
  removeDatabase();
});

function addChat(chat: Chat, address = `${host.origin}${paths[chat]}`): string {
  const id = `endpoint_${chat}`;
  const endpoint = {
    ...{ id, format: chat, url: shownOf(address), types: null, description: null, merchantEmail: null },
    ...{ createdAt: clockMs, ...Endpoint.fresh, ...Endpoint.ofNoStore },
  };
  EndpointStore.insert(db, endpoint, vault.seal(address, placeOf.endpoint(id)));
  return id;
}

function happen(vendorName = "Globex GmbH", type: AnnouncedType = "paid"): number {
  const { deposit } = storeInvoice(db, { now: clockMs, total: "1500.00", vendorName });
  const subject = ReceivableStore.briefAt(db, deposit.index);
  const data = { received_amount: "1500.00" };
  transact(db, () => announce(db, recordSettings, subject, { type, occasion: "1", at: clockMs, data }));
  sender.wake();
  return deposit.index;
}
const stateOf = (deposit: number) => WebhookHistoryStore.list(db, deposit)[0];
const endpointOf = (id: string) => {
  const endpoint = EndpointStore.find(db, id);
  if (endpoint === null) throw new Error(`There is no ${id}`);
  return endpoint;
};
const attempted = (deposit: number, count: number) =>
  until(
    () => stateOf(deposit),
    (webhook) => webhook?.attempts.length === count,
  );
const delivered = (deposit: number) =>
  until(
    () => stateOf(deposit),
    (webhook) => webhook?.state === "delivered",
  );

describe("a chat", () => {
  const text = "Invoice INV-0001, Globex GmbH\nPaid: 1,500.00 USDC received";
  const page = "https://pay.example/desk/invoices/INV-0001";
  const posts: Record<Chat, Pick<Told, "path" | "json">> = {
    ntfy: {
      path: "/",
      json: {
        topic: token,
        title: "Invoice INV-0001, Globex GmbH",
        message: "Paid: 1,500.00 USDC received",
        click: page,
      },
    },
    telegram: {
      path: `/bot42:${token}/sendMessage`,
      json: {
        chat_id: "-1001",
        message_thread_id: "7",
        text: `${text}\n${page}`,
        link_preview_options: { is_disabled: true },
      },
    },
    slack: {
      path: `/services/T0/B0/${token}`,
      json: { text: `${text}\n${page}`, mrkdwn: false, unfurl_links: false, unfurl_media: false },
    },
    discord: {
      path: `/api/webhooks/42/${token}?thread_id=9`,
      json: { content: `${text}\n${page}`, allowed_mentions: { parse: [] }, flags: 4 },
    },
  };

  test.each(chats)("on %s gets one message for an event, in its form, unsigned", async (chat) => {
    addChat(chat);
    await delivered(happen());
    const [told, ...more] = host.told;
    expect(more).toEqual([]);
    expect(told).toMatchObject(posts[chat]);
    expect(told?.json).toEqual(posts[chat].json);
    expect(Object.keys(told?.headers ?? {}).filter((name) => /signature|webhook/.test(name))).toEqual([]);
  });

  test("is told what happened in every language, whatever it was", () => {
    const invoice = { invoice_number: "INV-0007", vendor_name: "Globex GmbH" };
    const credit_note = { credit_note_number: "CN-0001", total_amount: "12.50", currency: "EUR" };
    const data = { invoice, received_amount: "1.00", refund: { amount: "2.50" }, credit_note };
    for (const code of languageCodes)
      for (const type of announcedTypes) {
        const body = JSON.stringify({ type: `invoice.${type}`, data });
        const post = chatPost("slack", "https://slack.example/services/x", body, {
          ...words(),
          locale: speak(code),
        });
        const [title, said, link, ...more] = JSON.parse(String(post.body)).text.split("\n");
        expect(title).toContain("INV-0007");
        expect(said).not.toMatch(/^$|[{}*]|undefined|NaN/);
        expect([link, ...more]).toEqual(["https://pay.example/desk/invoices/INV-0007"]);
      }
  });

  test.each(chats)("on %s is not pinged, linked or broken by a name from outside", async (chat) => {
    const name =
      '@everyone <!channel> <@42> [x](https://evil.example) *b* `c` "}\\ /start #tag evil.example & ';
    addChat(chat);
    await delivered(happen(name.trim()));
    const [told] = host.told;
    const json = told?.json ?? {};
    const said = String(json["text"] ?? json["content"] ?? json["title"]);
    expect(said).not.toMatch(/@everyone|@42|https:\/\/evil|evil\.example|\/start|#tag/);
    // Nothing of it is lost: who reads it sees what the customer is called.
    const seen = said.replaceAll("\u2060", "");
    if (chat === "ntfy" || chat === "telegram") expect(seen).toContain(name.trim().slice(0, 60));
    if (chat === "slack") expect(said).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    if (chat === "discord") expect(said).not.toMatch(/(?<!\\)[*`<>[\]]/);
  });

  test("gets a short message, however long the names are", async () => {
    for (const chat of chats) addChat(chat);
    happen("<𝄞&.*".repeat(40));
    await until(
      () => host.told.length,
      (count) => count === chats.length,
    );
    for (const { body } of host.told) {
      expect(Buffer.byteLength(body)).toBeLessThan(2_000);
      expect(body).not.toMatch(/\\ud[89a-f]/i);
    }
  });

  test("that wants no more for now gets it later, once", async () => {
    const waits = [
      {
        status: 429,
        body: '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 3","parameters":{"retry_after":3}}',
      },
      { status: 429, headers: { "retry-after": "1" }, body: '{"message":"limited","retry_after":0.5}' },
    ];
    host.refusals.push(...waits);
    const id = addChat("telegram");
    const deposit = happen();
    for (const [index] of waits.entries()) {
      await attempted(deposit, index + 1);
      expect(endpointOf(id).failure).toBe("answered 429");
      clockMs += 60_000;
      sender.wake();
    }
    await delivered(deposit);
    expect(new Set(host.told.map(({ body }) => body)).size).toBe(1);
    expect(endpointOf(id)).toMatchObject({ failure: null, failingSince: null, pausedAt: null });
  });

  test.each([
    ["slack", 403, "invalid_token"],
    ["slack", 404, "no_service"],
    ["discord", 404, '{"message":"Unknown Webhook","code":10015}'],
    ["telegram", 403, '{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}'],
    ["ntfy", 403, '{"code":40301,"http":403,"error":"forbidden"}'],
  ] as const)("on %s that answers %p %s for five days is paused", async (chat, status, body) => {
    const id = addChat(chat);
    for (let day = 0; endpointOf(id).pausedAt === null; day++) {
      expect(day).toBeLessThan(8);
      host.refusals.splice(0, host.refusals.length, ...Array(20).fill({ status, body }));
      const deposit = happen();
      await until(
        () => (stateOf(deposit)?.attempts.length ?? 0) > 0 || endpointOf(id).pausedAt !== null,
        (isTried) => isTried,
      );
      clockMs += dayMs;
    }
    expect(endpointOf(id)).toMatchObject({ pauseCause: "failing", failure: `answered ${status}` });
  });

  test("that is archived is paused at once", async () => {
    const id = addChat("slack");
    host.refusals.push({ status: 410, body: "channel_is_archived" });
    await attempted(happen(), 1);
    expect(endpointOf(id).pauseCause).toBe("gone");
  });

  test("has its address neither in the log nor in any column, also when it cannot be reached", async () => {
    const ids = chats.map((chat) => addChat(chat));
    const deposit = happen();
    await until(
      () => WebhookHistoryStore.list(db, deposit).every(({ state }) => state === "delivered"),
      (all) => all,
    );
    await host.stop();
    const later = happen();
    await until(
      () => WebhookHistoryStore.list(db, later).every(({ attempts }) => attempts.length === 1),
      (all) => all,
    );
    expect(endpointOf(ids[0] ?? "").failure).toBe("connection refused");
    expect(logged.join("\n")).toContain("webhook.retry");
    expect(logged.join("\n")).not.toContain(token);
    const tables = db
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all();
    const rows = tables.map(({ name }) => Bun.inspect(db.query(`SELECT * FROM "${name}"`).values()));
    expect(rows.join("\n")).toContain("127.0.0.1");
    expect(rows.join("\n")).not.toContain(token);
    host = await startChats();
  });

  test("that got another address meanwhile is not judged by the old one", async () => {
    const id = addChat("slack");
    host.refusals.push({ status: 410, body: "channel_is_archived" });
    const answered = Promise.withResolvers<void>();
    const before = host.told.length;
    const moved = `${host.origin}/services/T0/B0/other`;
    // The address changes while the answer is on its way.
    const [push] = [host.told.push];
    host.told.push = (...told) => {
      const sealed = vault.seal(moved, placeOf.endpoint(id));
      EndpointStore.setSecrets(db, id, { secret: sealed, oldSecrets: [] });
      answered.resolve();
      return push.apply(host.told, told);
    };
    const deposit = happen();
    await answered.promise;
    host.told.push = push;
    await attempted(deposit, 1);
    expect(endpointOf(id)).toMatchObject({ pausedAt: null, failingSince: null });
    clockMs += 60_000;
    sender.wake();
    await delivered(deposit);
    expect(host.told.at(-1)?.path).toBe("/services/T0/B0/other");
    expect(host.told.length).toBe(before + 2);
  });

  test("gets a test message at once, and says what came of it", async () => {
    const id = addChat("discord");
    const secrets = { secret: `${host.origin}${paths.discord}`, oldSecrets: [] };
    const send = (publicOnly: boolean) =>
      testEndpoint({ publicOnly, now: clockMs }, endpointOf(id), secrets, words());
    expect(await send(false)).toMatchObject({ kind: "acknowledged", httpStatus: 204 });
    expect(host.told[0]?.json["content"]).toBe(
      "This is a test. Till will tell you here what happens to your invoices and links.\nhttps://pay.example/desk",
    );
    expect(await send(true)).toMatchObject({ kind: "failed", httpStatus: null });
    expect(host.told).toHaveLength(1);
  });
});
