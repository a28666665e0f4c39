import { describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createCounts } from "../../../src/http/system/metrics.ts";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { storeInvoice } from "../../support/till/records.ts";
import { linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";

describe("GET /metrics", () => {
  test("counts what there is and every call to the node, as Prometheus reads it", async () => {
    await using chain = await startTestChain();
    await using till = await startTestTill(chain);
    await till.createInvoice();
    const { invoice_id } = await till.createInvoice();
    const links = [1, 2].map(async () => (await till.api("POST", "/api/links", linkRequest)).body.slug);
    const paths = (await Promise.all(links)).map((slug) => `/api/links/${slug}`);
    for (const path of [`/api/invoices/${invoice_id}`, ...paths])
      await till.api("POST", `${path}/void`, { reason: "A mistake" });
    const read = async () => (await till.api("GET", "/metrics")).body as string;
    const text = await until(
      read,
      (body) =>
        body.includes('till_rpc_requests_total{method="eth_call"}') && body.includes("till_ready 1\n"),
    );
    for (const line of [
      'till_invoices{status="draft"} 1\n',
      'till_invoices{status="void"} 1\n',
      'till_links{status="void"} 2\n',
    ])
      expect(text).toContain(line);
    expect(text).toMatch(/till_rpc_requests_total\{method="eth_chainId"\} [1-9]/);
    expect(text).toContain('till_http_requests_total{route="/api/invoices",method="POST",status="201"} 2\n');
    expect(text).toContain('till_http_request_duration_seconds_bucket{route="/api/invoices",le="+Inf"} 2\n');
    expect(text).toContain('till_http_request_duration_seconds_count{route="/api/invoices"} 2\n');
  });

  test("tells of a payment, its webhook and what is to be settled", async () => {
    await using chain = await startTestChain();
    let clockMs = Date.now();
    await using till = await startTestTill(chain, {}, { now: () => clockMs });
    const made = await till.createInvoice({ webhook_url: "http://127.0.0.1:9/" });
    const { invoice_id, deposit_address = "" } = made;
    await chain.pay(Address.checksum(deposit_address), "1500.00");
    const read = async () => parse((await till.api("GET", "/metrics")).body);
    // The metrics count rows only every few seconds.
    await untilIs(() => till.api("GET", `/api/invoices/${invoice_id}/status`), { body: { status: "paid" } });
    clockMs += 3_000;
    const families = await until(read, (found) => found.get("till_chain_lag_seconds")?.samples.get("") === 0);
    const value = (name: string, labels = "") => families.get(name)?.samples.get(labels);
    expect(value("till_invoices", '{status="paid"}')).toBe(1);
    expect(value("till_transfers_total", '{state="seen"}')).toBe(1);
    expect(value("till_transfers_total", '{state="confirmed"}')).toBe(1);
    expect(value("till_transfers_total", '{state="lost"}')).toBe(0);
    expect(value("till_transfers_unconfirmed")).toBe(0);
    expect(value("till_chain_head_block")).toBeGreaterThan(0);
    expect(value("till_chain_lag_blocks")).toBe(0);
    expect(value("till_unsettled_deposits")).toBe(1);
    expect(value("till_unsettled_usdc")).toBe(1500);
    expect(value("till_webhook_events", '{state="pending"}')).toBe(1);
    expect(value("till_webhook_oldest_pending_seconds")).toBe(3);
    expect([0, 3]).toContain(value("till_mail_oldest_queued_seconds") ?? -1);
    expect(value("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(Math.abs((value("process_start_time_seconds") ?? 0) - Date.now() / 1000)).toBeLessThan(3_600);
  });

  test("is what Prometheus reads: each name once, described, and buckets that add up", async () => {
    await using till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
    for (const path of ["/", "/health/live", "/i/nobody"]) await till.api("GET", path);
    const families = parse((await till.api("GET", "/metrics")).body);
    const kinds = new Set([...families.values()].map(({ type }) => type));
    expect([...kinds].sort()).toEqual(["counter", "gauge", "histogram"]);
    for (const [name, { type }] of families) {
      expect(name.endsWith("_total")).toBe(type === "counter");
    }
    const buckets = [...(families.get("till_http_request_duration_seconds")?.samples ?? [])];
    for (const route of ["/", "/i/:slug"]) {
      const mine = buckets.filter(([labels]) => labels.includes(`route="${route}"`));
      const counts = mine.filter(([labels]) => labels.includes("le=")).map(([, count]) => count);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(counts.at(-1)).toBe(1);
      expect(mine.find(([labels]) => labels.startsWith("_count"))?.[1]).toBe(1);
    }
  });

  test("names routes, not paths, so that nobody can make it grow", async () => {
    await using till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
    for (const path of ["/a", "/b/c", "/i/x", "/i/y", "/api/z", "/api/invoices/1/2"])
      await till.api("GET", path);
    await till.api("PROPFIND", "/i/x");
    const { body } = await till.api("GET", "/metrics");
    const routes = new Set([...body.matchAll(/requests_total\{route="([^"]*)"/g)].map(([, route]) => route));
    expect([...routes].sort()).toEqual(["/i/:slug", "other"]);
    expect(body).toContain('route="/i/:slug",method="other",status="405"');
  });

  test("counts many rows without keeping others waiting, and not again for some seconds", async () => {
    const till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
    const db = openDatabase(till.config.dataDir);
    try {
      const { deposit } = storeInvoice(db);
      const mails = 5_000;
      db.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${mails})
         INSERT INTO mail (id, deposit_index, kind, state, created_at)
         SELECT 'mail_' || i, ${deposit.index}, 'invoice', CASE i % 2 WHEN 0 THEN 'sent' ELSE 'failed' END, 0 FROM n`,
      );
      const scrape = async () => (await till.api("GET", "/metrics")).body as string;
      expect(await scrape()).toContain(`till_mails{state="sent"} ${mails / 2}\n`);
      expect(await scrape()).toContain(`till_mails{state="failed"} ${mails / 2}\n`);
      const ends: { ms: number; end: () => void }[] = [];
      const counts = createCounts(db, (ms, end) => ends.push({ ms, end }));
      const [before] = [await counts()];
      db.run("DELETE FROM mail");
      expect(await counts()).toBe(before);
      expect(ends.map(({ ms }) => ms >= 5_000)).toEqual([true]);
      ends[0]?.end();
      expect((await counts()).mail).toEqual([]);
    } finally {
      closeDatabase(db);
      await till.stop();
    }
  });
});

type Family = { type: string; samples: Map<string, number> };

/** Reads Prometheus' text format, strictly. A sample's key is what follows the name: a suffix and the labels. */
function parse(text: string): Map<string, Family> {
  expect(text.endsWith("\n")).toBe(true);
  const families = new Map<string, Family>();
  let name = "";
  for (const line of text.trimEnd().split("\n")) {
    const [, help] = /^# HELP ([a-z_]+) \S.*\.$/.exec(line) ?? [];
    const [, typed, type = ""] = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (help !== undefined) {
      expect(families.has(help)).toBe(false);
      name = help;
    } else if (typed !== undefined) {
      expect(typed).toBe(name);
      families.set(name, { type, samples: new Map() });
    } else {
      const sample = /^([a-z_]+?)(_bucket|_sum|_count)?(\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? ([\d.e+-]+)$/.exec(
        line,
      );
      const family = families.get(name);
      if (!sample || !family) throw new Error(`not Prometheus' format: ${line}`);
      const [, of = "", suffix = "", labels = "", value] = sample;
      const isPart = family.type === "histogram";
      expect(isPart ? of : of + suffix).toBe(name);
      const key = (isPart ? suffix : "") + labels;
      expect(family.samples.has(key)).toBe(false);
      expect(Number.isFinite(Number(value))).toBe(true);
      family.samples.set(key, Number(value));
    }
  }
  return families;
}
