import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { ownPort } from "../../support/http/port.ts";
import { install, makeDataDir, passphrase } from "../../support/till/data-dir.ts";
import { endProcesses, program, startProcess } from "../../support/till/process.ts";
import { invoiceRequest, until } from "../../support/till/till.ts";

/** Five here; TEST_STOPS=100 for a long look. */
const stops = Number(process.env["TEST_STOPS"] || 5);
const callers = 8;

let chain: TestChain;
const dir = makeDataDir();
const dataDir = join(dir.path, "data");

beforeAll(async () => {
  chain = await startTestChain();
  await install(dataDir);
});
afterAll(async () => {
  await endProcesses();
  await chain.stop();
  dir.remove();
});

type Written = { acknowledged: string[]; unanswered: number };

/** Callers that create one invoice or link after the other until nobody answers any more. */
async function load(baseUrl: string, written: Written, stopped: { now: boolean }): Promise<void> {
  const requests = [
    ["/api/invoices", { ...invoiceRequest, send_now: false }],
    ["/api/links", linkRequest],
  ] as const;
  for (let turn = 0; !stopped.now; turn++) {
    const [path, body] = requests[turn % 2] ?? requests[0];
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as Record<string, string>;
      if (response.status !== 201) throw new Error(`${response.status}: ${JSON.stringify(answer)}`);
      written.acknowledged.push(answer["invoice_id"] ?? answer["slug"] ?? "");
    } catch (thrown) {
      // An answer that came, and is not a success, is a fault; no answer is what a stop may look like.
      if (thrown instanceof Error && /^\d{3}:/.test(thrown.message)) throw thrown;
      written.unanswered += 1;
      return;
    }
  }
}

describe("till serve", () => {
  test(
    `loses nothing that it acknowledged in ${stops} stops under load`,
    async () => {
      const written: Written = { acknowledged: [], unanswered: 0 };
      for (let stop = 0; stop < stops; stop++) {
        const port = String(ownPort());
        const till = startProcess([...program, "serve"], {
          env: {
            TILL_CHAIN: "anvil",
            TILL_RPC_URL: chain.rpcUrl,
            TILL_DATA_DIR: dataDir,
            TILL_WALLET_PASSPHRASE: passphrase,
            TILL_PORT: port,
          },
        });
        await till.line((line) => line.includes("[ready]"));
        const before = written.acknowledged.length;
        const stopped = { now: false };
        const loads = Array.from({ length: callers }, () =>
          load(`http://127.0.0.1:${port}`, written, stopped),
        );
        await until(
          () => written.acknowledged.length - before,
          (count) => count >= 3 + 7 * (stop % 5),
        );
        expect(await till.end("SIGTERM")).toBe(0);
        stopped.now = true;
        await Promise.all(loads);
      }
      const db = openDatabase(dataDir);
      const stored = db
        .query<{ id: string }, []>("SELECT id FROM invoice UNION ALL SELECT slug FROM link")
        .all()
        .map(({ id }) => id);
      const [counts] = db
        .query<Record<"deposits" | "invoices" | "last", bigint>, []>(
          `SELECT (SELECT count(*) FROM receivable) AS deposits, count(*) AS invoices, max(sequence) AS last FROM invoice`,
        )
        .all();
      closeDatabase(db);
      const kept = new Set(stored);
      expect(written.acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      // Nor did an address or a number get lost on the way.
      expect(stored).toHaveLength(Number(counts?.deposits));
      expect(counts?.last).toBe(counts?.invoices as bigint);
      // What was stored and not acknowledged is at most what was cut off.
      expect(stored.length - written.acknowledged.length).toBeLessThanOrEqual(written.unanswered);
      if (stops > 5)
        console.log(
          `${stops} stops, ${written.acknowledged.length} acknowledged, ${written.unanswered} cut off`,
        );
    },
    60_000 + stops * 20_000,
  );
});

const linkRequest = {
  business_name: "Corner Shop",
  expected_amount: "25.00",
  merchant_email: "owner@corner.example",
  wallet_type: "managed",
};
