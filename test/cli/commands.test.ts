import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Address } from "../../src/domain/wallet/address.ts";
import { createApiKey } from "../../src/http/access/api-key.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as WalletStore from "../../src/store/tables/installation/wallet.ts";
import { storeLinks } from "../bench/fill.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { startLossyProxy } from "../support/chain/lossy-proxy.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { shared } from "../support/per-file.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { endProcesses, program, startProcess } from "../support/till/process.ts";
import { callTill, runTill } from "../support/till/run-till.ts";
import { startTerminal } from "../support/till/terminal.ts";
import { invoiceRequest, linkRequest, startTestTill, until, untilIs } from "../support/till/till.ts";

const cliDir = join(import.meta.dir, "../../src/cli");

// Before Till ends.
afterAll(endProcesses);
const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));
const receiver = shared(startReceiver);

const run = (args: readonly string[], options: { env?: Record<string, string>; stdin?: string } = {}) =>
  (options.stdin === undefined ? callTill : runTill)(args, {
    ...options,
    env: { TILL_BASE_URL: till.baseUrl, ...options.env },
  });

/** What a command printed as JSON. */
async function json(args: readonly string[], stdin?: string) {
  const { exitCode, stdout, stderr } = await run(args, stdin === undefined ? {} : { stdin });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout);
}

const flags = [
  ...["--merchant-email", "billing@acme.example", "--merchant-name", "Acme Ltd"],
  ...["--merchant-address", "1 Main Street\\nSpringfield", "--vendor-email", "ap@globex.example"],
  ...["--vendor-name", "Globex GmbH", "--item", "10 x 120.00 Design", "--item", "1.5x200 Hosting & more"],
  ...["--due-date", "2030-01-31", "--wallet-type", "managed"],
];

const invoiceCount = async () => (await till.api("GET", "/api/invoices?limit=100")).body.data.length;
const mailsOf = (number: string) => till.mail.list().filter(({ subject }) => subject.includes(number));

describe("till invoice without a terminal", () => {
  test("charges tax on all items, takes a discount off, says terms and references, and shows all of it", async () => {
    await till.api("PUT", "/api/customers/ap@globex.example", { details: { vat_id: "DE136695976" } });
    const price = ["--tax-rate", "19", "--discount-percent", "10", "--prices-include-tax"];
    const terms = ["--payment-terms", "Net 30", "--delivery-date", "2026-10-01"];
    const references = ["--buyer-reference", "Cost centre 7", "--purchase-order", "PO-17"];
    const made = await json(["invoice", ...flags, ...price, ...terms, ...references]);
    await till.api("PUT", "/api/customers/ap@globex.example", {});
    expect(made).toMatchObject({ total_amount: "1350.00" });
    const shown = (await run(["show", made.invoice_number])).stdout.replaceAll(/ +/g, " ");
    for (const part of [
      "Subtotal 1,500.00 USDC\nDiscount -150.00 USDC\nTax 19.00% on 1,134.45: 215.55 USDC, included\nTotal 1,350.00 USDC",
      "Design; tax 19.00%",
      "vat_id: DE136695976",
      "Terms Net 30",
      "Delivered 2026-10-01",
      "Cost centre 7",
      "PO-17",
    ])
      expect(shown).toContain(part);
    const refused = await run(["invoice", ...flags, "--tax-category", "exempt"]);
    expect(refused.stderr).toContain("--item 1, tax_reason: is required");
  });

  test("takes a unit, a discount and tax with an item, and the others as the flags say", async () => {
    const items = ["--item", "10 h x 120.00-10%+7% Design x 2", "--item", "2 box x5-0.50 -5% off"];
    const { invoice_id } = await json(["invoice", ...flags, ...items, "--tax-rate", "19"]);
    const { line_items } = (await till.api("GET", `/api/invoices/${invoice_id}`)).body;
    expect(line_items).toEqual([
      expect.objectContaining({ description: "Design", quantity: 10, tax_rate: "19.00" }),
      expect.objectContaining({ description: "Hosting & more", quantity: 1.5 }),
      {
        ...{ description: "Design x 2", quantity: 10, unit_price: "120.00", line_total: "1080.00" },
        ...{ unit: "h", discount_percent: "10.00", tax_category: "standard", tax_rate: "7.00" },
      },
      expect.objectContaining({
        description: "-5% off",
        unit: "box",
        discount_amount: "0.50",
        line_total: "9.50",
      }),
    ]);
  });

  test("makes and mails an invoice from flags, with the API's answer on standard output", async () => {
    const made = await json(["invoice", ...flags]);
    expect(made).toMatchObject({ total_amount: "1500.00", sent_at: expect.any(String) });
    const record = (await till.api("GET", `/api/invoices/${made.invoice_id}`)).body;
    expect(record).toMatchObject({
      merchant_address_snapshot: "1 Main Street\nSpringfield",
      status: "sent",
      line_items: [
        { description: "Design", quantity: 10, unit_price: "120.00" },
        { description: "Hosting & more", quantity: 1.5, unit_price: "200.00" },
      ],
    });
    expect(mailsOf(made.invoice_number)).toHaveLength(1);
  });

  test("takes \\\\n in a text for a new line, and in nothing else", async () => {
    const texts = ["--vendor-name", "C:\\new", "--notes", "one\\ntwo", "--item", "1 x 5 See\\nbelow"];
    const { invoice_id } = await json(["invoice", ...flags, ...texts]);
    const record = (await till.api("GET", `/api/invoices/${invoice_id}`)).body;
    expect(record).toMatchObject({ vendor_name: "C:\\new", notes: "one\ntwo" });
    expect(record.line_items[2].description).toBe("See\nbelow");
  });

  test("takes the request from a file or from standard input as it is", async () => {
    const dir = makeDataDir();
    const file = join(dir.path, "request.json");
    await Bun.write(file, JSON.stringify({ ...invoiceRequest, send_now: false }));
    expect(await json(["invoice", "--json", file])).toMatchObject({ sent_at: null });
    const stdin = JSON.stringify({ ...invoiceRequest, webhook_url: receiver.url });
    expect((await json(["invoice", "--json", "-"], stdin)).webhook_secret).toStartWith("whsec_");
    dir.remove();
  });

  test("says how to repeat a request safely when no answer came", async () => {
    const before = await invoiceCount();
    const proxy = startLossyProxy(till.baseUrl);
    proxy.loseAnswers(3);
    const lost = await run(["invoice", ...flags], { env: { TILL_BASE_URL: proxy.url } });
    proxy.stop();
    expect(lost.exitCode).toBe(1);
    const [advised = "", key = ""] = /--idempotency-key (\S+)/.exec(lost.stderr) ?? [];
    expect(lost.stderr).toContain(`It may have been made. To be sure, repeat it with ${advised}`);
    const made = await json(["invoice", ...flags, "--idempotency-key", key]);
    expect(await json(["invoice", ...flags, "--idempotency-key", key])).toEqual(made);
    expect(await invoiceCount()).toBe(before + 1);
  });

  test("names every fault at once, by flag or by field, and makes nothing", async () => {
    const before = await invoiceCount();
    const faults = ["--due-date", "soon", "--vendor-email", "x", "--item", "1 x -5 Gift"];
    const wrong = await run(["invoice", ...flags, ...faults]);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stdout).toBe("");
    expect(wrong.stderr).toContain("--due-date must be a date that exists");
    expect(wrong.stderr).toContain("--customer-email must be one address");
    expect(wrong.stderr).toContain("--item 3, unit_price: must be an amount of USDC");
    const byField = await run(["invoice", "--json", "-"], {
      stdin: JSON.stringify({ ...invoiceRequest, due_date: 7 }),
    });
    expect(byField).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("  due_date must be a date"),
    });
    expect(await run(["invoice", "--json", "-"], { stdin: "[]" })).toMatchObject({ exitCode: 2 });
    expect(await run(["invoice", "--item", "Design"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('must be like "10 x 150.00 Design"'),
    });
    expect(await run(["invoice", "--item", "0.0000001 x 5 Dust"])).toMatchObject({ exitCode: 2 });
    expect(await invoiceCount()).toBe(before);
  });

  test("does not wait for answers that nobody can give", async () => {
    expect(await run(["invoice"])).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("there is no terminal to ask on"),
    });
  });
});

describe("till link", () => {
  const linkFlags = [
    ...["--business-name", "Corner Shop", "--expected-amount", "25"],
    ...["--merchant-email", "owner@corner.example", "--wallet-type", "managed"],
    ...["--embed-origin", "https://a.example", "--embed-origin", "https://b.example"],
    ...["--reference", "PO-4711", "--expires-at", "2033-01-01T00:00:00Z"],
  ];

  test("makes a link that till show, list and pay know", async () => {
    const made = await json(["link", ...linkFlags]);
    expect(made).toMatchObject({
      expected_amount: "25.00",
      iframe_snippet: expect.stringContaining("<iframe"),
    });
    const shown = await json(["show", made.payment_link, "--json"]);
    expect(shown).toMatchObject({
      merchant_email: "owner@corner.example",
      embed_origins: ["https://a.example", "https://b.example"],
      payments: [],
      events: [],
    });
    const env = { TILL_RPC_URL: chain.rpcUrl };
    expect(await run(["pay", made.slug, "10", "--json"], { env })).toMatchObject({ exitCode: 0 });
    await untilIs(() => json(["show", made.slug, "--json"]), {
      payments: { length: 1 },
      received_amount: "10.00",
    });
    const { stdout } = await run(["show", made.slug]);
    expect(stdout).toMatch(/^Status +partial$/m);
    expect(stdout).toMatch(/^Reference +PO-4711$/m);
    expect(stdout).toMatch(/^Expires +2033-01-01 00:00:00 UTC$/m);
    expect((await run(["list", "links", "--reference", "PO-4711"])).stdout).toContain(made.slug);
    expect((await run(["list", "links", "--reference", "PO-4712"])).stdout).not.toContain(made.slug);
    expect(stdout).toMatch(
      /^ 10\.00 +confirmed +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC +\d+ +0x[0-9a-f]{64} +0x[0-9a-fA-F]{40}$/m,
    );
    expect((await run(["list", "links", "--status", "partial"])).stdout).toContain(made.slug);
    const wrong = await run(["link", ...linkFlags, "--expected-amount", "0", "--embed-origin", "shop"]);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain("--embed-origin 3 must be an origin");
    expect(wrong.stderr).toContain("--expected-amount must be more than 0.00 USDC");
  });

  test("waits on and says so when a reorganisation takes a payment back", async () => {
    const link = (await till.api("POST", "/api/links", linkRequest)).body;
    const pay = (to: string, amount: string) => chain.pay(to as Address, amount);
    const watched = { path: `/api/payments/status/${link.slug}`, name: "The link", ids: {} };
    const watching = startProcess([
      ...[process.execPath, "-e"],
      `const { createClient } = await import(${JSON.stringify(join(cliDir, "api/client.ts"))});
      const { watch } = await import(${JSON.stringify(join(cliDir, "commands/issue/issue.ts"))});
      const client = createClient({ TILL_BASE_URL: ${JSON.stringify(till.baseUrl)} });
      await watch(client, ${JSON.stringify(watched)}, { json: false, pollMs: 20 });`,
    ]);
    await watching.line((line) => line.startsWith("Waiting"));
    await pay(link.deposit_address, "10.00");
    await watching.line((line) => line === "The link is partial: 10.00 of 25.00 USDC received");
    await chain.reorg(1);
    // A new block makes Till look.
    await pay((await till.api("POST", "/api/links", linkRequest)).body.deposit_address, "1.00");
    await watching.line(
      (line) =>
        line ===
        "The link is error: a reorganisation of the chain took a payment back, 0.00 of 25.00 USDC received",
    );
    await pay(link.deposit_address, "25.00");
    await watching.line((line) => line === "The link is confirmed: 25.00 of 25.00 USDC received");
    expect(await watching.exited).toBe(0);
  });
});

describe("till list, show and send", () => {
  test("list what there is, for people and for programs", async () => {
    const late = await till.createInvoice({
      issue_date: "2020-01-01",
      due_date: "2020-01-01",
      vendor_name: "Late & Söhne 株式会社",
    });
    const { stdout, exitCode } = await run(["list", "--overdue"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^NUMBER +STATUS +AMOUNT +RECEIVED/);
    expect(stdout).toMatch(
      new RegExp(
        `^${late["invoice_number"]} +draft +1,500\\.00 +0\\.00 +1,500\\.00 +2020-01-01 overdue +Late`,
        "m",
      ),
    );
    const page = await json(["list", "invoices", "--limit", "1", "--json"]);
    expect(page).toMatchObject({ data: [{ id: late["invoice_id"] }], has_more: true });
    expect((await run(["list", "--limit", "1"])).stdout).toContain("There are more");
    expect(await run(["list", "--limit", "0"])).toMatchObject({ exitCode: 2 });
    expect(await run(["list", "--limit", "1", "--all"])).toMatchObject({ exitCode: 2 });
    expect(await run(["list", "--status", "confirmed"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("status must be one of draft, sent"),
    });
    expect(await run(["list", "links", "--overdue"])).toMatchObject({ exitCode: 2 });
    expect(await run(["list", "bills"])).toMatchObject({ exitCode: 2 });
  });

  test("list more than one answer holds, each once and the newest first", async () => {
    const links = 230;
    storeLinks(till.db, links);
    const all = await json(["list", "links", "--all", "--json"]);
    expect(all.has_more).toBe(false);
    const slugs = all.data.map(({ slug }: { slug: string }) => slug);
    expect(slugs.length).toBeGreaterThanOrEqual(links);
    expect(new Set(slugs).size).toBe(slugs.length);
    const some = await json(["list", "links", "--limit", "150", "--json"]);
    expect(some).toEqual({ data: all.data.slice(0, 150), has_more: true });
    const shown = (await run(["list", "links", "--all"])).stdout.trimEnd().split("\n");
    expect(shown.map((line) => line.split(" ")[0])).toEqual(["SLUG", ...slugs]);
    expect(await json(["list", "--status", "excess", "--all", "--json"])).toEqual({
      data: [],
      has_more: false,
    });
  });

  test("find an invoice by id, number, slug, page, PDF and deposit address", async () => {
    const made = await till.createInvoice({ notes: "Thank you", reference: "PO-4711" });
    const { invoice_id = "", invoice_number = "", slug = "", invoice_url = "", pdf_url = "" } = made;
    const short = `inv-${Number(invoice_number.slice(4))}`;
    const { deposit_address = "" } = made;
    const ids = [invoice_id, invoice_number, short, slug, invoice_url, pdf_url];
    for (const word of [...ids, deposit_address, deposit_address.toLowerCase()]) {
      expect(await json(["show", word, "--json"])).toMatchObject({
        id: invoice_id,
        payments: [],
        events: [],
      });
    }
    const { stdout } = await run(["show", invoice_number]);
    for (const part of [
      invoice_number,
      "Acme Ltd <billing@acme.example>",
      "1 Main Street",
      "Thank you",
      "PO-4711",
      "Hosting",
    ]) {
      expect(stdout).toContain(part);
    }
    expect(await run(["show", "INV-999999"])).toMatchObject({
      exitCode: 1,
      stderr: `till show: Till at ${till.baseUrl} knows no invoice, link or credit note "INV-999999".\n`,
    });
    expect(await run(["show", "../../metrics"])).toMatchObject({ exitCode: 2 });
    expect(await run(["show", `${till.baseUrl}/docs`])).toMatchObject({ exitCode: 2 });
    expect(await run(["show"])).toMatchObject({ exitCode: 2 });
  });

  test("send mails an invoice every time", async () => {
    const { invoice_number = "", slug = "" } = await till.createInvoice();
    expect(await run(["send", invoice_number])).toEqual({
      exitCode: 0,
      stdout: `${invoice_number} is on its way to ap@globex.example.\n`,
      stderr: "",
    });
    expect(await json(["send", slug, "--json"])).toEqual({ ok: true });
    expect(mailsOf(invoice_number)).toHaveLength(2);
  });
});

describe("till remind", () => {
  test("reminds the customer, and says why when nobody is to be asked", async () => {
    const { invoice_number = "" } = await till.createInvoice();
    const refused = await run(["remind", invoice_number]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain(`No reminder was sent of ${invoice_number}: it was never mailed.`);
    await run(["send", invoice_number]);
    expect(await run(["remind", invoice_number])).toEqual({
      exitCode: 0,
      stdout: `ap@globex.example is reminded of ${invoice_number}.\n`,
      stderr: "",
    });
    expect(await json(["remind", invoice_number, "--json"])).toEqual({ ok: true });
    expect(await run(["remind"])).toMatchObject({ exitCode: 2 });
  });
});

describe("on a terminal of 80 columns", () => {
  test("amounts are aligned right, and no hash, address or word is broken", async () => {
    const made = await till.createInvoice({ vendor_name: "A customer with a name ".repeat(6).trim() });
    await chain.pay(made["deposit_address"] as Address, "700.00");
    await chain.pay(made["deposit_address"] as Address, "1.00");
    const { body } = await untilIs(() => till.api("GET", `/api/invoices/${made["invoice_id"]}/payments`), {
      body: { data: { length: 2 } },
    });
    const screen = async (...args: string[]) => {
      const env = { TILL_BASE_URL: till.baseUrl, NO_COLOR: "1" };
      const terminal = startTerminal([...program, ...args], { env, cols: 80 });
      await terminal.exited;
      expect(terminal.raw()).not.toContain("\u001b[");
      const lines = terminal.shown().split("\n");
      await terminal.stop();
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      return lines;
    };
    const shown = await screen("show", made["invoice_number"] ?? "");
    for (const { tx_hash, from, seen_at } of body.data) {
      expect(shown).toContain(`  tx    ${tx_hash}`);
      expect(shown).toContain(`  from  ${from}`);
      expect(shown.join("\n")).toContain(`${seen_at.slice(0, 10)} ${seen_at.slice(11, 19)} UTC`);
    }
    expect(shown.filter((line) => /^(700| {2}1)\.00 {2}/.test(line))).toHaveLength(2);
    const row = (await screen("list", "--limit", "1"))[1] ?? "";
    expect(row).toMatch(
      /^INV-\d+ {2}partial {2}1,500\.00 {4}701\.00 {3}799\.00 {2}2030-01-31 {2}A customer .*…$/,
    );
  });
});

describe("till pay", () => {
  test("says in one sentence why nothing was paid", async () => {
    const { slug = "" } = await till.createInvoice();
    for (const [rpcUrl, reason] of [
      [chain.rpcUrl, "The payment was not made: the payer does not have that much USDC"],
      [
        "http://127.0.0.1:9",
        "the local chain does not answer at 127.0.0.1:9 (ECONNREFUSED: Unable to connect). Is till dev running? It says where its chain is; TILL_RPC_URL chooses it.",
      ],
    ] as const) {
      expect(await run(["pay", slug, "999999999"], { env: { TILL_RPC_URL: rpcUrl } })).toEqual({
        exitCode: 1,
        stdout: "",
        stderr: `till pay: ${reason}\n`,
      });
    }
  });
});

describe("till pay --sign", () => {
  test("signs what the page asks for; Till pays the fee, and shows how it came", async () => {
    const gas = WalletStore.gasAddress(till.db);
    if (gas) await chain.giveEth(gas);
    const { slug = "" } = await till.createInvoice();
    const paid = await json(["pay", slug, "--sign", "--json"]);
    expect(paid).toMatchObject({ amount: "1500.00", signed: true });
    const shown = (await run(["show", slug])).stdout;
    expect(shown).toContain("A payment of 1500.00 USDC was signed on the page, and Till sends it.");
    expect(await run(["pay", slug, "1", "--sign"])).toMatchObject({ exitCode: 2 });
    const again = await run(["pay", slug, "--sign"]);
    expect(again).toMatchObject({ exitCode: 1, stdout: "" });
    expect(again.stderr).toContain("Nothing is to be paid here just now.");
  });
});

describe("till webhook", () => {
  test("lists events and sends one once more", async () => {
    const made = await till.createInvoice({ webhook_url: receiver.url });
    expect((await run(["webhook", "list", made["slug"] ?? ""])).stdout).toBe(
      "There are no webhook events.\n",
    );
    await chain.pay(made["deposit_address"] as Address, "1500.00");
    const [event] = await until(
      async () => (await json(["webhook", "list", made["slug"] ?? "", "--json"])).data,
      (events) => events[0]?.state === "delivered",
    );
    const received = () =>
      receiver.received.filter(({ headers }) => headers["webhook-id"] === event.id).length;
    expect(received()).toBe(1);
    expect(await run(["webhook", "redeliver", event.id])).toMatchObject({ exitCode: 0 });
    const twice = new RegExp(`^paid +${new URL(receiver.url).host} +delivered +2 `, "m");
    await until(
      () => run(["webhook", "list", made["slug"] ?? ""]),
      ({ stdout }) => twice.test(stdout),
    );
    expect(received()).toBe(2);
    expect(await run(["webhook", "redeliver", "nothing"])).toMatchObject({
      exitCode: 1,
      stderr: "till webhook: There is no webhook event with this id.\n",
    });
    expect(await run(["webhook", "lst"])).toMatchObject({ exitCode: 2 });
  });
});

describe("till health", () => {
  test("exits with 0 when Till is well, and with 1 and the reason when it is not there", async () => {
    expect(await run(["health"])).toEqual({ exitCode: 0, stdout: "ok\n", stderr: "" });
    expect(await json(["health", till.baseUrl, "--json"])).toEqual({
      status: "ok",
      reasons: [],
      warnings: [],
    });
    const down = await run(["health", "http://127.0.0.1:9", "--json"]);
    expect(down.exitCode).toBe(1);
    expect(JSON.parse(down.stdout)).toMatchObject({
      status: "not ready",
      reasons: [expect.stringContaining("no Till answers at http://127.0.0.1:9")],
    });
  });

  test("tells what somebody has to look at while Till works on, and why it is not well, to whom Till tells it", async () => {
    let report = { status: "ok", reasons: [] as string[], warnings: ["settlement waits"] };
    const keys: (string | null)[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch({ headers }) {
        keys.push(headers.get("authorization"));
        return Response.json(report, { status: report.status === "ok" ? 200 : 503 });
      },
    });
    const env = { TILL_BASE_URL: server.url.origin, TILL_API_KEY: "till_key" };
    expect(await run(["health"], { env })).toMatchObject({
      exitCode: 0,
      stdout: "ok\nwarnings:\n  settlement waits\n",
    });
    expect(JSON.parse((await run(["health", "--json"], { env })).stdout)).toEqual(report);
    report = { status: "not ready", reasons: ["no node answers"], warnings: [] };
    expect(await run(["health"], { env })).toMatchObject({
      exitCode: 1,
      stdout: "not ready:\n  no node answers\n",
    });
    expect(new Set(keys)).toEqual(new Set(["Bearer till_key"]));
    await server.stop(true);
  });

  test("blames its own argument for an address that cannot be asked", async () => {
    const { exitCode, stderr } = await run(["health", "ftp://till:hunter2@example.com"]);
    expect(exitCode).toBe(2);
    expect(stderr).toStartWith("till health: URL must be an http or https URL without a path");
    expect(stderr).not.toContain("hunter2");
  });
});

describe("what reaches the terminal", () => {
  const evil = "Evil\u009b31m\u202e Corp";

  test("values from the server cannot act on it, as text or as JSON", async () => {
    // The API takes no such name, so it is put where a person can meet it all the same: another server.
    await till.createInvoice();
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch() {
        const { body } = await till.api("GET", "/api/invoices?limit=1");
        const changed = { ...body.data[0], invoice_number: "\u001b]0;x\u0007", vendor_name: evil };
        return Response.json({ ...body, data: [changed] });
      },
    });
    const env = { TILL_BASE_URL: server.url.origin };
    const { stdout } = await run(["list", "--json"], { env });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(JSON.parse(stdout).data[0].vendor_name).toBe(evil);
    const terminal = startTerminal([...program, "list"], { env: { ...env, NO_COLOR: "1" } });
    await terminal.see("Evil\\u009b31m\\u202e Corp");
    expect(await terminal.exited).toBe(0);
    expect(terminal.raw()).not.toContain("\u001b");
    expect(terminal.raw()).toContain("\\u001b]0;x\\u0007");
    await terminal.stop();
    await server.stop(true);
  });

  test("says on a terminal what it waits for when that takes long", async () => {
    const waiting = Promise.withResolvers<void>();
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch() {
        await waiting.promise;
        return Response.json({ data: [], has_more: false });
      },
    });
    const env = { TILL_BASE_URL: server.url.origin };
    const running = run(["list"], { env });
    const terminal = startTerminal([...program, "list"], { env });
    await terminal.see(`Waiting for Till at ${server.url.origin} to answer …`);
    waiting.resolve();
    const piped = await running;
    await terminal.see("There are no invoices yet.");
    expect(await terminal.exited).toBe(0);
    expect(piped.stderr).toBe("");
    await terminal.stop();
    await server.stop(true);
  });

  test("colors are only for a terminal, and not with NO_COLOR", async () => {
    const color = "\u001b[";
    await till.createInvoice();
    const env = { TILL_BASE_URL: till.baseUrl };
    const terminal = startTerminal([...program, "list"], { env });
    await terminal.exited;
    await terminal.see("CUSTOMER");
    expect(terminal.raw()).toContain(color);
    expect((await run(["list"])).stdout).not.toContain(color);
    await terminal.stop();
  });
});

describe("a command that cannot reach its Till", () => {
  test("says in one line how to start one, or where to point", async () => {
    const { exitCode, stderr } = await run(["list"], { env: { TILL_BASE_URL: "http://127.0.0.1:9" } });
    expect(exitCode).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("till dev");
    expect(stderr).toContain("TILL_BASE_URL");
  });

  test("says how to get a key, and never shows or sends the one it has to anybody else", async () => {
    const keyed = await startTestTill(chain);
    const db = openDatabase(keyed.config.dataDir);
    const key = createApiKey(db, "test", Date.now()).key;
    closeDatabase(db);
    const env = { TILL_BASE_URL: keyed.baseUrl };
    const stranger: string[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        stranger.push(request.headers.get("authorization") ?? "none");
        return Response.redirect(`${keyed.baseUrl}/api/invoices`, 307);
      },
    });
    try {
      expect(await run(["list"], { env })).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining("till key create"),
      });
      const wrong = await run(["list"], { env: { ...env, TILL_API_KEY: "till_wrong" } });
      expect(wrong.stderr).not.toContain("till_wrong");
      expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("does not know the key") });
      expect(await run(["list"], { env: { ...env, TILL_API_KEY: key } })).toMatchObject({ exitCode: 0 });

      const lured = await run(["show", `${server.url.origin}/i/abc`], { env: { ...env, TILL_API_KEY: key } });
      expect(lured).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("set TILL_BASE_URL") });
      const asked = await run(["verify-address", `${server.url.origin}/i/abc`], {
        env: { ...env, TILL_API_KEY: key },
      });
      expect(asked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("TILL_API_KEY") });
      expect(stranger).toEqual([]);
      const redirected = await run(["list"], { env: { TILL_BASE_URL: server.url.origin } });
      expect(redirected).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`redirects to ${keyed.baseUrl}`),
      });
    } finally {
      await server.stop(true);
      await keyed.stop();
    }
  });

  test("says when what answers is not Till, and when the settings are not usable", async () => {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("<h1>Hello</h1>") });
    expect(await run(["list"], { env: { TILL_BASE_URL: server.url.origin } })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is not Till"),
    });
    await server.stop(true);
    for (const url of [
      "nonsense",
      "ftp://127.0.0.1",
      "http://user:secret@127.0.0.1",
      "http://127.0.0.1/path",
    ]) {
      const { exitCode, stderr } = await run(["list"], { env: { TILL_BASE_URL: url } });
      expect({ url, exitCode }).toEqual({ url, exitCode: 2 });
      expect(stderr).not.toContain("secret");
    }
    const { exitCode, stderr } = await run(["list"], { env: { TILL_API_KEY: "till_a\nb" } });
    expect(exitCode).toBe(2);
    expect(stderr).not.toContain("till_a");
  });
});
