import { describe, expect, test } from "bun:test";
import { typesDefault } from "../../../src/domain/event/chat.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { callTill } from "../../support/till/run-till.ts";
import { startTestTill, until } from "../../support/till/till.ts";

const chain = shared(startTestChain);
const receiver = shared(startReceiver);
const till = shared(() => startTestTill(chain));

const path = "/api/webhook-endpoints";
const secret = "42:hush-hush";
const address = () => `${new URL(receiver.url).origin}/bot${secret}/sendMessage?chat_id=-1001`;
const shown = () => `${new URL(receiver.url).origin}/…`;
const said = () => receiver.received.map(({ raw }) => JSON.parse(raw.toString()).text);

describe("an endpoint that is a chat", () => {
  test("shows its address to nobody, and hears of payments unless its owner chooses", async () => {
    const key = { "idempotency-key": `chat-${Date.now()}` };
    const wish = { format: "telegram", url: address() };
    const made = await till.api("POST", path, wish, key);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ format: "telegram", url: shown(), secret: null, types: typesDefault });
    const one = `${path}/${made.body.id}`;
    const { secret: none, ...record } = made.body;
    expect(none).toBeNull();
    const again = await till.api("POST", path, wish, key);
    const got = await till.api("GET", one);
    expect([again.body, got.body]).toEqual([made.body, record]);
    const all = await till.api("PATCH", one, { types: null });
    expect(all.body).toEqual({ ...record, types: null });

    const { invoice_id, invoice_number } = await till.createInvoice();
    await till.api("POST", `/api/invoices/${invoice_id}/void`, { reason: "Billed twice" });
    const [text] = await until(said, (texts) => texts.length === 1);
    expect(text).toContain(`${invoice_number}, `);
    expect(text).toEndWith(`\nVoided\n${till.baseUrl}/desk/invoices/${invoice_number}`);
    const { body: hooks } = await until(
      () => till.api("GET", `/api/invoices/${invoice_id}/timeline`),
      ({ body }) => JSON.stringify(body).includes('"delivered"'),
    );
    const { body: tested } = await till.api("POST", `${one}/test`);
    expect(tested).toMatchObject({ ok: true, http_status: 200 });
    expect(said().at(-1)).toStartWith("This is a test.");

    const rotated = await till.api("POST", `${one}/rotate`);
    expect([rotated.status, rotated.body.code]).toEqual([409, "no_secret"]);
    const answers = JSON.stringify([made, again, got, all, hooks, tested, rotated, till.logged]);
    expect(answers).not.toContain("hush");
    await till.api("DELETE", one);
  });

  test("moves with a new address, which has to be one of its kind, and stays a chat", async () => {
    const { body } = await till.api("POST", path, { format: "telegram", url: address() });
    const one = `${path}/${body.id}`;
    for (const url of [`${shown()}`, receiver.url, address().replace(/=.*/, "=")]) {
      const refused = await till.api("PATCH", one, { url });
      expect(refused.body.errors).toEqual([
        { field: "url", message: expect.stringContaining("must be the whole address that the chat gives") },
      ]);
    }
    expect((await till.api("PATCH", one, { format: "till" })).status).toBe(400);
    const other = await startReceiver();
    const moved = `${new URL(other.url).origin}/bot${secret}2/sendMessage?chat_id=7`;
    expect((await till.api("PATCH", one, { url: moved })).body.url).toBe(`${new URL(moved).origin}/…`);
    await till.api("POST", `${one}/test`);
    expect(other.received.map(({ raw }) => JSON.parse(raw.toString()).chat_id)).toEqual(["7"]);
    await till.api("DELETE", one);
    await other.stop();
  });

  test.each([
    ["ntfy", "https://ntfy.sh/"],
    ["ntfy", "https://ntfy.sh/a/b"],
    ["telegram", "https://api.telegram.org/bot42:x/getMe?chat_id=1"],
    ["slack", "https://hooks.slack.com"],
    // What a program reads of it and sends back.
    ["slack", "https://hooks.slack.com/…"],
    ["discord", "https://discord.com/channels/42/43"],
  ])("on %s is not at %s", async (format, url) => {
    const { status, body } = await till.api("POST", path, { format, url });
    expect([status, body.errors?.[0].field]).toEqual([400, "url"]);
  });

  test("comes from the command line as well, which does not repeat its address", async () => {
    const run = (...args: string[]) =>
      callTill(["endpoint", ...args], { env: { TILL_BASE_URL: till.baseUrl } });
    const added = await run("add", address(), "--format", "telegram");
    const id = added.stdout.trim();
    expect(id).toStartWith("endpoint_");
    const listed = await run("list");
    expect(listed.stdout).toContain("telegram");
    expect((await run("test", id)).stdout).toContain("Taken, after");
    const rotated = await run("rotate", id);
    expect([rotated.exitCode, rotated.stderr]).toEqual([1, expect.stringContaining("change its url")]);
    expect(JSON.stringify([added, listed, rotated])).not.toContain("hush");
    await run("remove", id);
  });
});
