/** The status of a payment link as most would build it on Node: Express and better-sqlite3. */
import Database from "better-sqlite3";
import express from "express";

const db = new Database(process.env.BENCH_DB);
db.pragma("journal_mode = WAL");
const status = db.prepare(
  "SELECT status, received_amount, expected_amount FROM link JOIN receivable USING (deposit_index) WHERE slug = +?",
);
const usdc = (micro) => (Math.floor(micro / 10_000) / 100).toFixed(2);

const app = express();
app.get("/", (_, response) => response.send("ready"));
app.get("/api/payments/status/:slug", (request, response) => {
  const row = status.get(request.params.slug);
  if (!row) return response.status(404).json({ error: "not found" });
  response.json({
    status: row.status,
    received_amount: usdc(row.received_amount),
    expected_amount: usdc(row.expected_amount),
  });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
