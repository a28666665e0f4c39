import { expect, test } from "bun:test";
import { createLimits } from "../../../src/http/access/limits.ts";
import type { HttpDeps } from "../../../src/http/route/deps.ts";
import { createLog } from "../../../src/lib/log.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import { createApp } from "../../../src/till/app.ts";
import { ownPort } from "../../support/http/port.ts";
import { shared } from "../../support/per-file.ts";
import { startTestTill } from "../../support/till/till.ts";

/** Longer than a connection may be silent here: Bun counts the making of an answer as silence. */
const makingMs = 5_000;
const idleSecondsMax = 2;

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

/** The same Till, but on a machine so slow that it takes a while to write a PDF. */
function startSlowApp() {
  const port = ownPort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const { config, db } = till;
  const log = createLog({ format: "text", level: "error", write: () => {} });
  const pdfOf = async () => {
    // Time itself: an answer that takes longer than a connection may be silent.
    await Bun.sleep(makingMs);
    return Buffer.from("%PDF-");
  };
  const deps = {
    working: Promise.resolve(),
    config,
    db,
    log,
    baseUrl,
    now: Date.now,
    dev: null,
    pdfOf,
    limits: createLimits(config),
    proxyWatch: { saw() {} },
    invoices: { find: (id: string) => InvoiceStore.byId(db, id) },
    links: {},
    creditNotes: {},
  };
  // What a PDF has nothing to do with is left out.
  const app = createApp(deps as unknown as HttpDeps, { host: "127.0.0.1", port, idleSecondsMax });
  app.listen();
  return { app, baseUrl, port };
}

test("an answer that takes long to make arrives, and the connection then counts as idle again", async () => {
  const { invoice_id } = await till.createInvoice();
  const { app, port } = startSlowApp();
  let received = "";
  const closed = Promise.withResolvers<number>();
  const connection = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, chunk) {
        received += chunk.toString("latin1");
      },
      close: () => closed.resolve(performance.now()),
    },
  });
  const startedAt = performance.now();
  connection.write(`GET /api/invoices/${invoice_id}/pdf HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  const openMs = (await closed.promise) - startedAt;
  expect(received).toStartWith("HTTP/1.1 200");
  expect(received).toContain("%PDF-");
  expect(openMs).toBeGreaterThan(makingMs);
  await app.stop();
});
