/** A thousand webhook events that are due at once, for a hundred receivers, ten of which take them and never answer. */
import { createServer, type Socket } from "node:net";
import { createVault } from "../../../src/lib/crypto.ts";
import { createLog } from "../../../src/lib/log.ts";
import { startWebhookSender } from "../../../src/outbox/webhook-sender.ts";
import { closeDatabase, openDatabase, transact } from "../../../src/store/database.ts";
import { newSecret, placeOf } from "../../../src/store/secrets.ts";
import * as WebhookEventStore from "../../../src/store/tables/outbox/webhook-event.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { storeInvoice, words } from "../../support/till/records.ts";
import { until } from "../../support/till/till.ts";
import { report, tillAtMost } from "../line.ts";

const events = 1_000;
const receivers = 100;
const dead = 10;
const deliveredMsMax = 30_000;

const dir = makeDataDir();
const db = openDatabase(dir.path);
const vault = createVault(new Uint8Array(32).fill(3));
let received = 0;
let lastAt = 0;
const healthy = Array.from({ length: receivers - dead }, () =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      await request.arrayBuffer();
      received += 1;
      lastAt = performance.now();
      return new Response();
    },
  }),
);
const held: Socket[] = [];
const silent = await Promise.all(
  Array.from({ length: dead }, async () => {
    const server = createServer((socket) => held.push(socket.on("error", () => {})));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  }),
);
const ports = [
  ...silent.map((server) => {
    const address = server.address();
    return typeof address === "object" ? address?.port : 0;
  }),
  ...healthy.map(({ port }) => port),
];
const deposits = Array.from({ length: events }, () => storeInvoice(db).deposit.index);
transact(db, () => {
  deposits.forEach((depositIndex, i) => {
    WebhookEventStore.insert(db, {
      id: `evt_${i}`,
      depositIndex,
      status: "paid",
      url: `http://127.0.0.1:${ports[i % receivers]}/`,
      secret: vault.seal(newSecret(), placeOf.deposit(depositIndex)),
      body: `{"event":"invoice.paid","n":${i}}`,
      createdAt: Date.now(),
    });
  });
});

const expected = events - (events * dead) / receivers;
const startedAt = performance.now();
const sender = startWebhookSender({
  db,
  log: createLog({ format: "text", level: "error", write: () => {} }),
  now: Date.now,
  publicOnly: false,
  vault: Promise.resolve(vault),
  words,
});
await until(
  () => received,
  (count) => count >= expected,
  deliveredMsMax,
);
report({
  id: "webhook/storm",
  what: `${events.toLocaleString("en")} webhooks due at once, a tenth for dead receivers: the last healthy one has its own`,
  unit: "s",
  till: (lastAt - startedAt) / 1000,
  beside: null,
  targets: [tillAtMost(1)],
});
await sender.stop();
for (const socket of held) socket.destroy();
for (const server of silent) server.close();
for (const server of healthy) await server.stop(true);
closeDatabase(db);
dir.remove();
