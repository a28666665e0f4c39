import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import * as Address from "../../../src/domain/wallet/address.ts";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));

const page = async (path: string, headers?: Record<string, string>): Promise<string> =>
  (await till.api("GET", path, undefined, headers)).body;

const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];

describe("a page that was asked for before", () => {
  test("is the same while nothing changes, in each language and frame its own", async () => {
    const path = `/i/${(await till.createInvoice())["slug"]}`;
    const first = await page(path);
    expect(await page(path)).toBe(first);
    expect(await page(path, { "accept-language": "de" })).toContain('<html lang="de"');
    expect(await page(`${path}?lang=ja`)).toContain('<html lang="ja"');
    const { body: link } = await till.api("POST", "/api/links", linkRequest);
    for (const reloading of [path, `/pay/${link.slug}`]) {
      expect(await page(reloading)).toContain('http-equiv="refresh"');
      expect(await page(`${reloading}?still=1`)).not.toContain('http-equiv="refresh"');
    }
    expect(await page(path)).toBe(first);
  });

  test.each([
    ["gzip, deflate, br", true],
    ["br, GZIP;q=0.5", true],
    ["gzip;q=0, br", false],
    ["identity", false],
  ])("goes compressed to who accepts %s: %p", async (accepts, compressed) => {
    const { slug } = await till.createInvoice();
    const answer = await fetch(`${till.baseUrl}/i/${slug}`, {
      headers: { "accept-encoding": accepts },
      decompress: false,
    });
    const bytes = await answer.bytes();
    expect(answer.headers.get("content-encoding")).toBe(compressed ? "gzip" : null);
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    const html = new TextDecoder().decode(compressed ? gunzipSync(bytes) : bytes);
    expect(titleOf(html)).toContain("Acme Ltd");
    if (compressed) expect(bytes.length).toBeLessThan(15_000);
  });

  test("is in the language that its invoice was given since", async () => {
    const invoice = await till.createInvoice({ language: "de" });
    const path = `/i/${invoice["slug"]}`;
    expect(await page(path)).toContain('<html lang="de"');
    await till.api("PATCH", `/api/invoices/${invoice["invoice_id"]}`, { language: "pt" });
    expect(await page(path)).toContain('<html lang="pt');
  });

  test("shows a payment at once", async () => {
    const invoice = await till.createInvoice();
    const path = `/i/${invoice["slug"]}`;
    expect(titleOf(await page(path))).toStartWith("Awaiting payment");
    await chain.pay(Address.checksum(invoice["deposit_address"] ?? ""), "1.00");
    const status = async () =>
      (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status;
    await untilIs(status, "partial");
    expect(titleOf(await page(path))).toStartWith("Partially paid");
  });

  test("shows what another process changed", async () => {
    const invoice = await till.createInvoice();
    const path = `/i/${invoice["slug"]}`;
    expect(await page(path)).not.toContain("Changed Elsewhere Ltd");
    const db = openDatabase(till.config.dataDir);
    db.query("UPDATE invoice SET vendor_name = 'Changed Elsewhere Ltd' WHERE id = ?").run(
      invoice["invoice_id"] ?? "",
    );
    closeDatabase(db);
    // Others are asked about every 10 ms at most.
    await until(
      () => page(path),
      (html) => html.includes("Changed Elsewhere Ltd"),
    );
  });
});
