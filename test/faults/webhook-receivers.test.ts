import { afterEach, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { createVault } from "../../src/lib/crypto.ts";
import { createLog } from "../../src/lib/log.ts";
import { startWebhookSender } from "../../src/outbox/webhook-sender.ts";
import { closeDatabase, type Db } from "../../src/store/database.ts";
import { newSecret, placeOf } from "../../src/store/secrets.ts";
import * as WebhookEventStore from "../../src/store/tables/outbox/webhook-event.ts";
import * as WebhookHistoryStore from "../../src/store/tables/outbox/webhook-history.ts";
import { answering, httpReceiver, type Receiver, tcpReceiver } from "../outbox/receivers.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { storeInvoice, words } from "../support/till/records.ts";
import { until } from "../support/till/till.ts";

const vault = createVault(new Uint8Array(32));
const log = createLog({ format: "text", level: "error", write: () => {} });
const eventsEach = 8;

const running: Receiver[] = [];
afterEach(() => {
  for (const receiver of running.splice(0)) receiver.stop();
});

function addEvent(db: Db, url: string): number {
  const { deposit } = storeInvoice(db, { webhookUrl: url });
  const secret = vault.seal(newSecret(), placeOf.deposit(deposit.index));
  const event = {
    id: `evt_${deposit.index}`,
    depositIndex: deposit.index,
    status: "paid",
    url,
    secret,
    body: "{}",
  };
  WebhookEventStore.insert(db, { ...event, createdAt: Date.now() });
  return deposit.index;
}

const drip = (first: string, more: string) =>
  tcpReceiver((socket) =>
    socket.once("data", () => {
      socket.write(first);
      const timer = setInterval(() => socket.write(more), 50);
      socket.on("close", () => clearInterval(timer));
    }),
  );

test("receivers that fail in every way delay nobody else, and each is told apart", async () => {
  const dir = makeDataDir();
  const db = openNewDatabase(dir.path);
  const bomb = gzipSync(Buffer.alloc(64 * 1_024 * 1_024));
  const plain = await answering("HTTP/1.1 400 Bad Request\r\n\r\n");
  const receivers: Record<string, [Receiver, outcome: string | null, url?: string]> = {
    silent: [await tcpReceiver(() => undefined), null],
    "dripping headers": [await drip("HTTP/1.1 200 OK\r\n", "X: a\r\n"), null],
    "dripping a body": [
      await drip("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
      "delivered",
    ],
    "a bomb": [
      await httpReceiver((_request, answer) =>
        answer.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
      ),
      "delivered",
    ],
    "an error": [await answering("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"), "answered 503"],
    "a redirect": [
      await answering(`HTTP/1.1 307 X\r\nLocation: ${plain.url}\r\nContent-Length: 0\r\n\r\n`),
      "answered 307; redirects are not followed",
    ],
    "a reset": [
      await tcpReceiver((socket) => void socket.once("data", () => socket.resetAndDestroy())),
      "the connection was closed before an answer came",
    ],
    "no TLS": [plain, "no TLS connection could be made", plain.url.replace("http:", "https:")],
  };
  running.push(...Object.values(receivers).map(([receiver]) => receiver));
  const events = Object.entries(receivers).map(([kind, [receiver, outcome, url]]) => ({
    kind,
    outcome,
    indexes: Array.from({ length: eventsEach }, () => addEvent(db, url ?? receiver.url)),
  }));
  const healthy = await httpReceiver((request, answer) => request.resume().on("end", () => answer.end()));
  running.push(healthy);
  const welcome = Array.from({ length: eventsEach }, () => addEvent(db, healthy.url));

  const sender = startWebhookSender({
    db,
    log,
    now: Date.now,
    publicOnly: false,
    vault: Promise.resolve(vault),
    words,
  });
  try {
    const found = (index: number) => WebhookHistoryStore.list(db, index)[0];
    await until(
      () => welcome.map((index) => found(index)?.state),
      (states) => states.every((state) => state === "delivered"),
    );
    for (const { kind, outcome, indexes } of events) {
      if (outcome === null) {
        // Their 15 s are not over.
        expect([kind, indexes.map((index) => found(index)?.attempts.length)]).toEqual([
          kind,
          indexes.map(() => 0),
        ]);
        continue;
      }
      const told = await until(
        () => indexes.map((index) => found(index)),
        (all) => all.every((event) => (event?.attempts.length ?? 0) > 0),
      );
      const states = told.map((event) => event?.attempts[0]?.reason ?? event?.state ?? "");
      expect([kind, states.filter((state) => !state.startsWith(outcome))]).toEqual([kind, []]);
    }
  } finally {
    await sender.stop();
    closeDatabase(db);
    dir.remove();
  }
});
