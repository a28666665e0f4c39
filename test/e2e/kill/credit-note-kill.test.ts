import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { numberOf } from "../../../src/store/database.ts";
import { databaseFile } from "../../../src/store/files/data-dir.ts";
import { shared } from "../../support/per-file.ts";
import { createRandom } from "../../support/random.ts";
import { endProcesses, startServedTill } from "../../support/till/process.ts";
import { invoiceRequest, until } from "../../support/till/till.ts";

const kills = Number(process.env["TEST_KILLS"] ?? 2);
const invoicesPerKill = 8;

afterAll(endProcesses);
const till = shared(() => startServedTill({ rpcUrl: "http://127.0.0.1:9", wsUrl: "ws://127.0.0.1:9" }));

const request = {
  ...invoiceRequest,
  send_now: false,
  line_items: [
    { description: "Design", quantity: 7, unit_price: "33.33", tax_rate: "19" },
    { description: "Books", quantity: 3, unit_price: "9.99", tax_rate: "7" },
  ],
};

/** Asks for something until it is answered, by one key, so that it happens once. */
async function insist(path: string, body: object, key: string) {
  const answer = await until(
    () => till.api("POST", path, body, { "idempotency-key": key }).catch(() => null),
    (answered) => answered !== null,
    100_000,
  );
  return { status: answer?.status ?? 0, body: answer?.body };
}

/** Of what nobody has opened, a void leaves the rest as it is. */
function openings(dataDir: string): number {
  using db = new Database(databaseFile(dataDir), { readonly: true });
  return numberOf(db, "SELECT count(*) FROM event WHERE type = 'invoice.opened'") ?? 0;
}

/** What does not add up in the database; empty when all does. */
function faults(dataDir: string): unknown[] {
  const db = new Database(databaseFile(dataDir), { readonly: true });
  try {
    return db
      .query(
        `SELECT 'numbers' AS fault, count(*) AS a, max(sequence) AS b FROM credit_note HAVING a <> coalesce(b, 0)
         UNION ALL SELECT 'credited ' || number, credited_amount,
             (SELECT coalesce(sum(totals ->> '$.total.micro'), 0) FROM credit_note WHERE invoice = i.sequence) AS added
           FROM invoice i WHERE credited_amount <> added
         UNION ALL SELECT 'due ' || number, receivable.credited_amount,
             (SELECT coalesce(sum(usdc_amount), 0) FROM credit_note WHERE invoice = i.sequence) AS added
           FROM invoice i JOIN receivable USING (deposit_index) WHERE receivable.credited_amount <> added
         UNION ALL SELECT 'void ' || number, status, invoice.credited_amount
           FROM invoice JOIN receivable USING (deposit_index)
           WHERE (status = 'void') <> (invoice.credited_amount = expected_amount) OR (status = 'void') <> (voided_at IS NOT NULL)
         UNION ALL SELECT 'events', (SELECT count(*) FROM event WHERE type = 'invoice.credited') AS told,
           count(*) FROM credit_note HAVING told <> count(*)
         UNION ALL SELECT 'open', open_amount, (SELECT sum(max(0, due_amount - received_amount))
             FROM invoice JOIN receivable USING (deposit_index)
             WHERE lower(vendor_email) = key AND status IN ('draft', 'sent', 'partial')) AS added
           FROM customer WHERE open_amount <> coalesce(added, 0)`,
      )
      .all();
  } finally {
    db.close();
  }
}

test(
  `a void and its credit note are one, and credit notes have numbers without gaps, over ${kills} kills`,
  async () => {
    const random = createRandom(Number(process.env["TEST_SEED"] ?? 1));
    const asked: { path: string; body: object; key: string; answer: { status: number; body: unknown } }[] =
      [];
    for (let kill = 0; kill < kills; kill++) {
      const made = await Promise.all(
        Array.from(
          { length: invoicesPerKill },
          async () => (await till.api("POST", "/api/invoices", request)).body,
        ),
      );
      for (const { invoice_url } of made) await fetch(invoice_url, { headers: { accept: "text/html" } });
      await until(
        () => openings(till.dataDir),
        (opened) => opened === invoicesPerKill * (kill + 1),
      );
      const working = made.map(async ({ invoice_id }, at) => {
        const path = `/api/invoices/${invoice_id}`;
        const steps = [
          {
            path: `${path}/credit-notes`,
            body: { reason: "A part", lines: [{ line: 1, quantity: 1 + (at % 6) }] },
          },
          {
            path: `${path}/credit-notes`,
            body: { reason: "An amount", amounts: [{ amount: "0.37", tax_rate: "7" }] },
          },
          { path: `${path}/void`, body: { reason: "Billed twice" } },
        ];
        for (const [place, { path, body }] of steps.slice(random.between(0, 2)).entries()) {
          const key = `${invoice_id} ${place}`.replace(" ", "-");
          asked.push({ path, body, key, answer: await insist(path, body, key) });
        }
      });
      // Time itself: the kill comes at any moment.
      await Bun.sleep(random.between(0, 25));
      await till.pause("SIGKILL");
      expect(faults(till.dataDir)).toEqual([]);
      await till.resume();
      await Promise.all(working);
      expect(faults(till.dataDir)).toEqual([]);
    }
    for (const { path, body, key, answer } of asked) {
      expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
      expect(await insist(path, body, key)).toEqual(answer);
    }
  },
  60_000 + kills * 15_000,
);
