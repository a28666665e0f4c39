/**
 * The least that a server on the same stack does: Elysia, bun:sqlite, one query or one row for each request, and
 * nothing around it.
 */
import { Database } from "bun:sqlite";
import { Elysia } from "elysia";

const db = new Database(process.env["BENCH_DB"] ?? ":memory:", { create: true, strict: true });
db.run("PRAGMA journal_mode = WAL");
db.run("PRAGMA synchronous = FULL");
db.run("CREATE TABLE IF NOT EXISTS bench_row (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT");
const select =
  "SELECT status, received_amount, expected_amount FROM link JOIN receivable USING (deposit_index) WHERE slug = +?";
const status = process.env["BENCH_LINKS"]
  ? db.query<{ status: string; received_amount: number; expected_amount: number }, [string]>(select)
  : null;
const insert = db.query("INSERT INTO bench_row (id, body) VALUES (?, ?)");
const usdc = (micro: number) => (Math.floor(micro / 10_000) / 100).toFixed(2);

new Elysia()
  .get("/", () => "ready")
  .get("/api/payments/status/:slug", ({ params, set }) => {
    const row = status?.get(params.slug);
    if (!row) {
      set.status = 404;
      return { error: "not found" };
    }
    return {
      status: row.status,
      received_amount: usdc(row.received_amount),
      expected_amount: usdc(row.expected_amount),
    };
  })
  .post("/api/invoices", ({ body, set }) => {
    const id = crypto.randomUUID();
    db.transaction(() => insert.run(id, JSON.stringify(body))).immediate();
    set.status = 201;
    return { id };
  })
  .listen({ hostname: "127.0.0.1", port: Number(process.env["PORT"]) });
