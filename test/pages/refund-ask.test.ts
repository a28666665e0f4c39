import { describe, expect, test } from "bun:test";
import * as RefundStore from "../../src/store/tables/invoicing/refund.ts";
import { startDesk } from "../support/desk/desk.ts";
import { owner, till, useDesk } from "../support/desk/setup.ts";
import { linkRequest } from "../support/till/till.ts";

useDesk(() => startDesk({ TILL_LIMIT_RECEIPTS: "4" }));

const get = async (path: string) => (await fetch(new URL(path, till.localUrl))).text();
const ask = (slug: string) =>
  fetch(new URL(`/refund/ask/${slug}`, till.localUrl), {
    ...{ method: "POST", redirect: "manual", body: new URLSearchParams() },
    headers: { origin: till.baseUrl, "sec-fetch-site": "same-origin" },
  });
const main = async (path: string) => {
  const html = await (await owner.get(path)).text();
  return html.slice(html.indexOf("<main"), html.indexOf("</main"));
};

/** As the watcher writes it: more than is owed, or just that. */
function pay(noun: "invoice" | "link", address: string, micro: bigint, status: string): void {
  till.db.run("UPDATE receivable SET received_amount = ? WHERE address = ?", [micro, address]);
  till.db.run(
    `UPDATE ${noun} SET status = ? WHERE deposit_index = (SELECT deposit_index FROM receivable WHERE address = ?)`,
    [status, address],
  );
}

async function paidInvoice(micro: bigint, status = "excess"): Promise<{ slug: string; page: string }> {
  const { invoice_url: url, deposit_address: address } = await till.createInvoice();
  pay("invoice", address ?? "", micro, status);
  const page = new URL(url ?? "").pathname;
  return { slug: page.slice("/i/".length), page };
}

describe("who paid too much", () => {
  test("can ask for it back, which the desk says once, and which moves nothing", async () => {
    const { slug, page } = await paidInvoice(1_520_000_000n);
    expect(await get(page)).toContain(`href="/refund/ask/${slug}"`);
    const before = await get(`/refund/ask/${slug}`);
    expect(before).toContain("20.00");
    expect(before).toContain("<h1>Ask for it back</h1>");
    expect(await main("/desk/refunds")).not.toContain("Asked for a refund");
    expect((await ask(slug)).status).toBe(303);
    expect(await get(`/refund/ask/${slug}`)).toContain("You asked for it back");
    const [first] = RefundStore.listOwing(till.db, { limit: 1 }).rows;
    expect((await ask(slug)).status).toBe(303);
    expect(RefundStore.listOwing(till.db, { limit: 1 }).rows).toEqual(first ? [first] : []);
    expect(await main("/desk/refunds")).toContain("Asked for a refund: today");
    expect(await main("/desk")).toContain("Customers asking for a refund: 1");
    expect(RefundStore.list(till.db, { limit: 1 }).rows).toEqual([]);
  });

  test("of a link can, too", async () => {
    const { body } = await till.api("POST", "/api/links", { ...linkRequest, expected_amount: "10.00" });
    pay("link", body.deposit_address, 12_500_000n, "excess");
    expect(await get(`/pay/${body.slug}`)).toContain(`href="/refund/ask/${body.slug}"`);
    expect((await ask(body.slug)).status).toBe(303);
    expect(await get(`/refund/ask/${body.slug}`)).toContain("2.50");
  });
});

test("nobody else has anything to ask for, and nobody asks without end", async () => {
  const exact = await paidInvoice(1_500_000_000n, "paid");
  const dust = await paidInvoice(1_500_000_001n, "paid");
  for (const { page, slug } of [exact, dust]) expect(await get(page)).not.toContain(`/refund/ask/${slug}`);
  expect((await fetch(new URL(`/refund/ask/${exact.slug}`, till.localUrl))).status).toBe(404);
  expect((await ask("nothing")).status).toBe(303);
  expect((await ask(exact.slug)).status).toBe(429);
  const foreign = await fetch(new URL(`/refund/ask/${dust.slug}`, till.localUrl), {
    ...{ method: "POST", body: new URLSearchParams() },
    headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  });
  expect([403, 429]).toContain(foreign.status);
});
