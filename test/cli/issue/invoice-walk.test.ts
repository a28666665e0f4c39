import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startLossyProxy } from "../../support/chain/lossy-proxy.ts";
import { shared } from "../../support/per-file.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { program } from "../../support/till/process.ts";
import { keys, startTerminal, type TestTerminal } from "../../support/till/terminal.ts";
import { startTestTill, until } from "../../support/till/till.ts";

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));
let dir: ReturnType<typeof makeDataDir>;
let terminal: TestTerminal;
beforeEach(() => {
  dir = makeDataDir();
});
afterEach(async () => {
  await terminal?.stop();
  dir.remove();
});

function start(args: string[] = [], env: Record<string, string> = {}): TestTerminal {
  terminal = startTerminal([...program, "invoice", ...args], {
    env: { TILL_BASE_URL: till.baseUrl, XDG_CONFIG_HOME: dir.path, ...env },
  });
  return terminal;
}

const invoices = async () => (await till.api("GET", "/api/invoices?limit=100")).body.data;
const mailsOf = (number: string) => till.mail.list().filter(({ subject }) => subject.includes(number));

async function answerParties(to: TestTerminal): Promise<void> {
  await to.answer(ask("Your e-mail"), "billing@acme.example");
  await to.answer(ask("Your business name"), "Acme Ltd");
  await to.answer(ask("Your business address"), "1 Main Street\\nSpringfield");
  await to.answer(ask("Customer's e-mail"), "ap@globex.example");
  await to.answer(ask("Customer's name"), "Globex GmbH");
  await to.answer(ask("Customer's address"));
}

async function answerItem(to: TestTerminal, description: string, quantity: string, price: string) {
  await to.answer(ask("Line item "), description);
  await to.answer(ask("Quantity"), quantity);
  await to.answer(ask("Price of one"), price);
}

/** A question that waits for its answer, by how it begins. */
const ask = (label: string) => `◆  ${label}`;

/** Answers everything behind the line items with what Enter takes. */
async function answerRest(to: TestTerminal): Promise<void> {
  await to.answer(ask("Issue date"));
  await to.answer(ask("Due date"));
  await to.answer(ask("Where does the money go?"));
  await to.answer(ask("Your reference"));
  await to.answer(ask("Notes"));
  await to.answer(ask("Webhook"));
}

/** Answers every question, with one line item of 10 USDC, up to whether to send. */
async function answerAll(to: TestTerminal): Promise<void> {
  await answerParties(to);
  await answerItem(to, "Work", "1", "10");
  await to.answer(ask("Line items"));
  await answerRest(to);
}

/** Takes the nth choice below the first. */
async function choose(to: TestTerminal, question: string, nth: number): Promise<void> {
  await to.see(question);
  await to.see("└");
  to.type(keys.down.repeat(nth) + keys.enter);
}

describe("till invoice on a terminal", () => {
  test("walks to an invoice with exactly what was answered, and says what is wrong on the way", async () => {
    const to = start();
    await to.answer(ask("Your e-mail"), "billing@acme");
    await to.see("It must have a domain with a dot after the @");
    to.type(`.example${keys.enter}`);
    await to.answer(ask("Your business name"), "Acme Ltd");
    await to.answer(ask("Your business address"), "1 Main Street\\nSpringfield");
    await to.answer(ask("Customer's e-mail"), "ap@globex.example, boss@globex.example");
    await to.see("It must be one address");
    to.type(`${keys.ctrlU}ap@globex.example${keys.enter}`);
    await to.answer(ask("Customer's name"), "Globex GmbH");
    await to.answer(ask("Customer's address"), "2 Side Street");

    await to.answer(ask("Line item 1: what is it?"), "Design");
    await to.answer(ask("Quantity"), "1,5");
    await to.see("It must be a number above 0, at most 1000000, with at most 6 decimals");
    to.type(`${keys.ctrlU}10${keys.enter}`);
    await to.answer(ask("Price of one"), "150.0000005");
    await to.see("It must be an amount of USDC");
    to.type(`${keys.ctrlU}150.00${keys.enter}`);
    await to.see("Total 1,500.00 USDC");
    await choose(to, ask("Line items"), 1);
    await answerItem(to, "Hosting", "1.5", "200");
    await to.see("Total 1,800.00 USDC");
    await choose(to, ask("Line items"), 1);
    await answerItem(to, "A mistake", "1", "9999");
    await to.see("Total 11,799.00 USDC");
    await choose(to, ask("Line items"), 3);
    await choose(to, ask("Which one?"), 2);
    await to.see("Total 1,800.00 USDC");
    await choose(to, ask("Line items"), 2);
    await choose(to, ask("Which one?"), 0);
    await to.answer(ask("Line item 1: what is it?"), " and development");
    await to.answer(ask("Quantity"), `${keys.ctrlU}8`);
    await to.answer(ask("Price of one"));
    await to.see("Total 1,500.00 USDC");
    await choose(to, ask("Line items"), 0);

    await to.answer(ask("Issue date"), "2026-02-30");
    await to.see("It must be a date that exists");
    to.type(`${keys.ctrlU}2026-02-28${keys.enter}`);
    await to.answer(ask("Due date"), "2030-01-31");
    await choose(to, ask("Where does the money go?"), 1);
    await to.answer(ask("Address of your wallet"), wallet.toLowerCase());
    await to.see(`write it as ${wallet}`);
    to.type(`${keys.ctrlU}${wallet}${keys.enter}`);
    await to.answer(ask("Your reference"), "PO-4711");
    await to.answer(ask("Notes"), "Thank you");
    await to.answer(ask("Webhook"));
    await to.see("8 × 150.00 = 1,200.00  Design and development");
    await choose(to, ask("Send this invoice to ap@globex.example?"), 0);
    expect(await to.exited).toBe(0);

    const [made, ...others] = await invoices();
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      invoice_number: "INV-0001",
      merchant_email: "billing@acme.example",
      merchant_name_snapshot: "Acme Ltd",
      merchant_address_snapshot: "1 Main Street\nSpringfield",
      vendor_email: "ap@globex.example",
      vendor_name: "Globex GmbH",
      vendor_address: "2 Side Street",
      issue_date: "2026-02-28",
      due_date: "2030-01-31",
      total_amount: "1500.00",
      status: "sent",
      reference: "PO-4711",
      notes: "Thank you",
      wallet_type: "byo",
      wallet_address: wallet,
      webhook_url: null,
      line_items: [
        { description: "Design and development", quantity: 8, unit_price: "150.00", line_total: "1200.00" },
        { description: "Hosting", quantity: 1.5, unit_price: "200.00", line_total: "300.00" },
      ],
    });
    expect(mailsOf("INV-0001").map(({ to }) => to)).toEqual([["ap@globex.example"]]);
    for (const shown of ["INV-0001", made.invoice_url, made.pdf_url, made.deposit_address, "▀▀▀▀▀▀▀"]) {
      expect(to.shown()).toContain(shown);
    }
    await until(to.isRestored, Boolean);

    const file = join(dir.path, "till", "merchant.json");
    expect(to.shown()).toContain(`Your details are kept for next time in ${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      merchant_email: "billing@acme.example",
      merchant_name: "Acme Ltd",
      merchant_address: "1 Main Street\nSpringfield",
      wallet_type: "byo",
      wallet_address: wallet,
    });
  });

  test("remembers the merchant, but nothing that Till would not take, and follows the payment", async () => {
    const kept = {
      merchant_email: "shop@acme.example",
      merchant_name: "Shop \u001b]0;owned\u0007",
      merchant_address: "3 Back Street",
      wallet_type: "managed",
      webhook_secret: "no",
    };
    Bun.spawnSync(["mkdir", "-p", join(dir.path, "till")]);
    writeFileSync(join(dir.path, "till", "merchant.json"), JSON.stringify(kept));
    const to = start(["--watch"], { NO_COLOR: "1" });
    await to.answer(ask("Your e-mail"));
    await to.answer(ask("Your business name"), "Acme Shop");
    await to.answer(ask("Your business address"));
    await to.answer(ask("Customer's e-mail"), "ap@globex.example");
    await to.answer(ask("Customer's name"), "Globex GmbH");
    await to.answer(ask("Customer's address"));
    await answerItem(to, "Coffee", "2", "10.00");
    await to.answer(ask("Line items"));
    await answerRest(to);
    await to.answer(ask("Send this invoice"));
    await to.see("Waiting for the payment");
    const [made] = await invoices();
    expect(made).toMatchObject({
      merchant_email: "shop@acme.example",
      merchant_name_snapshot: "Acme Shop",
      merchant_address_snapshot: "3 Back Street",
      wallet_type: "managed",
    });
    await chain.pay(made.deposit_address as Address, "5.00");
    await to.see("is partial: 5.00 of 20.00 USDC received");
    await chain.pay(made.deposit_address as Address, "15.00");
    await to.see("is paid: 20.00 of 20.00 USDC received");
    expect(await to.exited).toBe(0);
    expect(to.raw()).not.toContain("owned");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are what is looked for
    expect(to.raw()).not.toMatch(/\x1b\[[\d;]*[1-9][\d;]*m/);
  });

  test("comes back to the field that Till does not take, and lets a person change an answer at the end", async () => {
    await using publicTill = await startTestTill(chain, {
      TILL_BASE_URL: "https://pay.example.com",
      TILL_OPEN_API: "true",
    });
    const to = start(["--watch"], { TILL_BASE_URL: publicTill.localUrl });
    await answerParties(to);
    await answerItem(to, "Work", "1", "10");
    await to.answer(ask("Line items"));
    await to.answer(ask("Issue date"));
    await to.answer(ask("Due date"));
    await to.answer(ask("Where does the money go?"));
    await to.answer(ask("Your reference"));
    await to.answer(ask("Notes"));
    await to.answer(ask("Webhook"), "http://127.0.0.1:9/hook");
    await to.answer(ask("Send this invoice"));
    await to.see("Till refused webhook_url: it must be publicly reachable");
    await to.answer(ask("Webhook"), keys.ctrlU);
    await choose(to, ask("Send this invoice"), 1);
    await choose(to, ask("What?"), 4);
    await to.answer(ask("Customer's name"), " & Co");
    await to.see("Globex GmbH & Co <ap@globex.example>");
    await choose(to, ask("Send this invoice"), 0);
    await to.see("Ctrl-C stops the waiting; nothing else stops with it.");
    to.type(keys.ctrlC);
    expect(await to.exited).toBe(130);
    const { body } = await publicTill.api("GET", "/api/invoices");
    expect(body.data).toMatchObject([{ vendor_name: "Globex GmbH & Co", webhook_url: null }]);
  });
});

describe("till link on a terminal", () => {
  test("walks to a link, with the merchant's details of the last time", async () => {
    const kept = {
      merchant_email: "shop@acme.example",
      merchant_name: "Acme Shop",
      merchant_address: "3 Back St",
    };
    Bun.spawnSync(["mkdir", "-p", join(dir.path, "till")]);
    writeFileSync(join(dir.path, "till", "merchant.json"), JSON.stringify(kept));
    terminal = startTerminal([...program, "link", "--watch"], {
      env: { TILL_BASE_URL: till.baseUrl, XDG_CONFIG_HOME: dir.path },
    });
    await terminal.answer(ask("Your business name"));
    await terminal.answer(ask("Your e-mail"));
    await terminal.answer(ask("Amount, in USDC"), "25.005");
    await terminal.see("It must be an amount of USDC");
    terminal.type(`${keys.ctrlU}25${keys.enter}`);
    await terminal.answer(ask("What it is for"), "Beans");
    await terminal.answer(ask("Where does the money go?"));
    await terminal.answer(ask("Your reference"), "PO-4711");
    await terminal.answer(ask("Page that the customer"));
    await terminal.answer(ask("Expires"), "tomorrow");
    await terminal.see("It must be a time with its time zone");
    terminal.type(`${keys.ctrlU}2033-01-01T00:00:00Z${keys.enter}`);
    await terminal.answer(ask("Webhook"));
    await terminal.see("Acme Shop <shop@acme.example>");
    await terminal.answer(ask("Make this payment link?"));
    await terminal.see("Waiting for the payment");
    const [made] = (await till.api("GET", "/api/links?limit=1")).body.data;
    expect(made).toMatchObject({
      business_name: "Acme Shop",
      merchant_email: "shop@acme.example",
      expected_amount: "25.00",
      product_description: "Beans",
      reference: "PO-4711",
      expires_at: "2033-01-01T00:00:00.000Z",
      wallet_type: "managed",
    });
    expect(terminal.shown()).toContain(`data-slug="${made.slug}"`);
    await chain.pay(made.deposit_address as Address, "25.00");
    await terminal.see(`The link ${made.slug} is confirmed: 25.00 of 25.00 USDC received`);
    expect(await terminal.exited).toBe(0);
    expect(JSON.parse(readFileSync(join(dir.path, "till", "merchant.json"), "utf8"))).toEqual({
      ...kept,
      wallet_type: "managed",
    });
  });
});

describe("till invoice when the network fails", () => {
  test("keeps what was typed when no answer comes at all, and sends it again without a second invoice", async () => {
    const before = (await invoices()).length;
    const proxy = startLossyProxy(till.baseUrl);
    proxy.loseAnswers(3);
    const to = start([], { TILL_BASE_URL: proxy.url });
    await answerAll(to);
    await to.answer(ask("Send this invoice"));
    await to.see("It may have been made.");
    await to.answer(ask("Send this invoice"));
    expect(await to.exited).toBe(0);
    const [made, ...others] = await invoices();
    expect(others).toHaveLength(before);
    expect(mailsOf(made.invoice_number)).toHaveLength(1);
    proxy.stop();
  });

  test("says that the invoice may have been made when somebody leaves meanwhile, and does not wait", async () => {
    const proxy = startLossyProxy(till.baseUrl);
    proxy.holdAnswers(1);
    const to = start([], { TILL_BASE_URL: proxy.url });
    await answerAll(to);
    await to.answer(ask("Send this invoice"));
    await to.see("Sending");
    to.type(keys.ctrlC);
    await to.see("It had already been sent");
    expect(await to.exited).toBe(130);
    await until(to.isRestored, Boolean);
    proxy.stop();
  });
});

describe("leaving till invoice", () => {
  /** How far to go before leaving. */
  const points: [string, (to: TestTerminal) => Promise<void>][] = [
    [
      "in the middle of a word",
      async (to) => {
        await to.see(ask("Your e-mail"));
        to.type("billing@");
        await to.see("billing@");
      },
    ],
    [
      "in a list",
      async (to) => {
        await answerParties(to);
        await answerItem(to, "Work", "1", "10");
        await to.see(ask("Line items"));
      },
    ],
    [
      "at the last question",
      async (to) => {
        await answerAll(to);
        await to.see(ask("Send this invoice"));
      },
    ],
  ];

  test.each(points)("with Ctrl-C %s leaves nothing behind", async (_, goTo) => {
    const before = (await invoices()).length;
    const to = start();
    await goTo(to);
    to.type(keys.ctrlC);
    expect(await to.exited).toBe(130);
    await until(to.isRestored, Boolean);
    expect(await invoices()).toHaveLength(before);
    expect(existsSync(join(dir.path, "till"))).toBe(false);
  });

  test("works with the end of input too, but not with Escape alone", async () => {
    const to = start();
    await to.see(ask("Your e-mail"));
    to.type(keys.escape);
    // Time itself: an Escape with something right after it is a key of its own.
    await Bun.sleep(200);
    // Had they come together all the same, this would take back what is left of it.
    to.type(keys.ctrlU);
    await to.answer("", "billing@acme.example");
    await to.see(ask("Your business name"));
    to.type(keys.ctrlD);
    expect(await to.exited).toBe(130);
    await until(to.isRestored, Boolean);
  });

  test("restores the terminal when the process is told to end", async () => {
    const to = start();
    await to.see(ask("Your e-mail"));
    to.kill("SIGTERM");
    expect(await to.exited).toBe(130);
    await until(to.isRestored, Boolean);
  });

  test("says before the first question that no Till is there", async () => {
    const to = start([], { TILL_BASE_URL: "http://127.0.0.1:9" });
    await to.see("no Till answers at http://127.0.0.1:9");
    expect(await to.exited).toBe(1);
    expect(to.shown()).not.toContain("Your e-mail");
  });
});
