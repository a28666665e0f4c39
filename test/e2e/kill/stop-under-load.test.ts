import { afterAll, describe, expect, test } from "bun:test";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import { endProcesses, type ServedTill, startServedTill } from "../../support/till/process.ts";
import { invoiceRequest, linkRequest, until } from "../../support/till/till.ts";

/** TEST_STOPS=100 for a long look. */
const stops = Number(process.env["TEST_STOPS"] || 2);
const callers = 8;

afterAll(endProcesses);

type Written = { acknowledged: string[]; unanswered: number };

/** Callers that create one invoice or link after the other until nobody answers any more. */
async function load(api: ServedTill["api"], written: Written, stopped: { now: boolean }): Promise<void> {
  const requests = [
    ["/api/invoices", { ...invoiceRequest, send_now: false }],
    ["/api/links", linkRequest],
  ] as const;
  for (let turn = 0; !stopped.now; turn++) {
    const [path, body] = requests[turn % 2] ?? requests[0];
    try {
      const { status, body: answer } = await api("POST", path, body);
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(answer)}`);
      written.acknowledged.push(answer.invoice_id ?? answer.slug);
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
      await using till = await startServedTill({ rpcUrl: "http://127.0.0.1:9", wsUrl: "ws://127.0.0.1:9" });
      const written: Written = { acknowledged: [], unanswered: 0 };
      for (let stop = 0; stop < stops; stop++) {
        if (stop > 0) await till.resume();
        const before = written.acknowledged.length;
        const stopped = { now: false };
        const loads = Array.from({ length: callers }, () => load(till.api, written, stopped));
        await until(
          () => written.acknowledged.length - before,
          (count) => count >= 3 + 14 * (stop % 3),
        );
        await till.pause("SIGTERM");
        stopped.now = true;
        await Promise.all(loads);
      }
      using open = new DisposableStack();
      const db = open.adopt(openDatabase(till.dataDir), closeDatabase);
      const stored = db
        .query<{ id: string }, []>("SELECT id FROM invoice UNION ALL SELECT slug FROM link")
        .all()
        .map(({ id }) => id);
      const [counts] = db
        .query<Record<"deposits" | "invoices" | "last", bigint>, []>(
          `SELECT (SELECT count(*) FROM receivable) AS deposits, count(*) AS invoices, max(sequence) AS last FROM invoice`,
        )
        .all();
      const kept = new Set(stored);
      expect(written.acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      // Nor did an address or a number get lost on the way.
      expect(stored).toHaveLength(Number(counts?.deposits));
      expect(counts?.last).toBe(counts?.invoices as bigint);
      // What was stored and not acknowledged is at most what was cut off.
      expect(stored.length - written.acknowledged.length).toBeLessThanOrEqual(written.unanswered);
    },
    60_000 + stops * 20_000,
  );
});
