import { describe, expect, test } from "bun:test";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { startTestChain } from "../support/chain.ts";
import { storeInvoice } from "../support/records.ts";
import { startTestTill, until } from "../support/till.ts";

describe("GET /metrics", () => {
  test("counts what there is and every call to the node, as Prometheus reads it", async () => {
    const chain = await startTestChain();
    const till = await startTestTill(chain);
    try {
      await till.createInvoice();
      const read = async () => (await till.api("GET", "/metrics")).body as string;
      const text = await until(read, (body) =>
        body.includes('till_rpc_requests_total{method="eth_getLogs"}'),
      );
      expect(text).toContain('till_invoices{status="draft"} 1\n');
      expect(text).toContain("till_ready 1\n");
      expect(text).toMatch(/till_rpc_requests_total\{method="eth_chainId"\} [1-9]/);
      const lines = text.trimEnd().split("\n");
      const form = /^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? \d+(\.\d+)?(e-\d+)?)$/;
      expect(text).toContain(
        'till_http_requests_total{route="/api/invoices",method="POST",status="201"} 1\n',
      );
      expect(text).toContain(
        'till_http_request_duration_seconds_bucket{route="/api/invoices",le="+Inf"} 1\n',
      );
      expect(text).toContain('till_http_request_duration_seconds_count{route="/api/invoices"} 1\n');
      expect(lines.filter((line) => !form.test(line))).toEqual([]);
    } finally {
      await till.stop();
      await chain.stop();
    }
  });

  test("names routes, not paths, so that nobody can make it grow", async () => {
    const till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
    try {
      for (const path of ["/a", "/b/c", "/i/x", "/i/y", "/api/z", "/api/invoices/1/2"])
        await till.api("GET", path);
      await till.api("PROPFIND", "/i/x");
      const { body } = await till.api("GET", "/metrics");
      const routes = new Set(
        [...body.matchAll(/requests_total\{route="([^"]*)"/g)].map(([, route]) => route),
      );
      expect([...routes].sort()).toEqual(["/i/:slug", "other"]);
      expect(body).toContain('route="/i/:slug",method="other",status="405"');
    } finally {
      await till.stop();
    }
  });

  test("counts many rows without keeping others waiting, and not again for some seconds", async () => {
    const till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
    const db = openDatabase(till.config.dataDir);
    try {
      const { sequence } = storeInvoice(db);
      const mails = 50_000;
      db.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${mails})
         INSERT INTO mail (id, sequence, state, created_at)
         SELECT 'mail_' || i, ${sequence}, CASE i % 2 WHEN 0 THEN 'sent' ELSE 'failed' END, 0 FROM n`,
      );
      const scrape = async () => (await till.api("GET", "/metrics")).body as string;
      expect(await scrape()).toContain(`till_mails{state="sent"} ${mails / 2}\n`);
      expect(await scrape()).toContain(`till_mails{state="failed"} ${mails / 2}\n`);
      db.run("DELETE FROM mail");
      expect(await scrape()).toContain(`till_mails{state="sent"} ${mails / 2}\n`);
    } finally {
      closeDatabase(db);
      await till.stop();
    }
  });
});
