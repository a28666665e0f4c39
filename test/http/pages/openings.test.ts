import { describe, expect, test } from "bun:test";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

const events = async (query: string) => (await till.api("GET", `/api/events?${query}`)).body;

describe("the first look at a page", () => {
  const html = { accept: "text/html,application/xhtml+xml" };
  const opened = async (query: string) =>
    (await events(query)).data.filter(({ type }: { type: string }) => type.endsWith(".opened"));

  test("is an event, once, and only when a person looks", async () => {
    const invoice = await till.createInvoice();
    const { body: link } = await till.api("POST", "/api/links", linkRequest);
    const pages = [
      [`invoice=${invoice["invoice_id"]}`, `/i/${invoice["slug"]}`, "invoice.opened"],
      [`link=${link.slug}`, `/pay/${link.slug}`, "link.opened"],
    ] as const;
    for (const [query, path, type] of pages) {
      const look = (path: string, headers: Record<string, string>, method = "GET") =>
        fetch(`${till.localUrl}${path}`, { method, headers }).then((answer) => answer.text());
      await look(path, html, "HEAD");
      await look(path, { ...html, "sec-purpose": "prefetch;prerender" });
      await look(path, { ...html, purpose: "prefetch" });
      await look(path, { ...html, authorization: "Bearer till_x" });
      await look(path, { accept: "*/*" });
      for (const cookie of ["theme=dark; till=a-session", "till-known=a-mark"])
        await look(path, { ...html, cookie });
      await look(`${path}/payment?lang=en`, html);
      expect(await opened(query)).toEqual([]);
      for (let i = 0; i < 3; i++) await look(path, html);
      const [event, ...more] = await until(
        () => opened(query),
        ({ length }) => length > 0,
      );
      expect([event.type, event.data, more]).toEqual([type, {}, []]);
    }
    // What was known in memory is known from the database after a restart.
    await till.pause();
    await till.resume();
    for (const [query, path] of pages) {
      await fetch(`${till.localUrl}${path}`, { headers: html });
      expect(await opened(query)).toHaveLength(1);
    }
  });

  test("of a page that is not there is none", async () => {
    const { status } = await fetch(`${till.localUrl}/i/unknown`, { headers: html });
    expect(status).toBe(404);
    const before = (await events("limit=1")).data;
    await till.pause();
    await till.resume();
    expect((await events("limit=1")).data).toEqual(before);
  });

  test("of a page that is not there nothing is remembered", async () => {
    const invoice = await till.createInvoice();
    const look = () => fetch(`${till.localUrl}/i/not-yet`, { headers: html });
    expect((await look()).status).toBe(404);
    till.db.query("UPDATE invoice SET slug = 'not-yet' WHERE id = ?").run(invoice["invoice_id"] ?? "");
    await untilIs(look, { status: 200 });
    await untilIs(() => opened(`invoice=${invoice["invoice_id"]}`), { length: 1 });
  });
});
