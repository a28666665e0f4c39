import { describe, expect, test } from "bun:test";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { program } from "../../support/till/process.ts";
import { callTill } from "../../support/till/run-till.ts";
import { keys, startTerminal } from "../../support/till/terminal.ts";
import { startTestTill, untilIs } from "../../support/till/till.ts";
import { begin, slugIn } from "../../support/till/visitor.ts";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));

const run = (...args: string[]) =>
  callTill(args, { env: { TILL_BASE_URL: till.baseUrl, TILL_RPC_URL: chain.rpcUrl } });
async function json(...args: string[]) {
  const { exitCode, stdout, stderr } = await run(...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout);
}

const shop = ["--business-name", "Corner Shop", "--merchant-email", "owner@corner.example"];
const managed = ["--wallet-type", "managed"];

describe("a reusable link on the command line", () => {
  test("is made from flags, listed and shown with its payments", async () => {
    const flags = ["--reusable", ...shop, ...managed, "--expected-amount", "12.5", "--quantity-max", "10"];
    const made = await json("link", ...flags, "--reference", "PO-7");
    expect(made).toMatchObject({ reusable: true, expected_amount: "12.50", quantity_max: 10 });
    const child = slugIn(await begin(made.payment_link, { quantity: "3" }));
    expect((await run("pay", child)).exitCode).toBe(0);
    const shown = await untilIs(() => json("show", made.payment_link, "--json"), { payments_paid: 1 });
    expect(shown).toMatchObject({ slug: made.slug, payments_begun: 1, received_amount: "37.50" });
    expect(shown.payments[0]).toMatchObject({ slug: child, quantity: 3, status: "confirmed" });
    const { stdout } = await run("show", made.slug);
    expect(stdout).toMatch(/^Price +12\.50 × 1 to 10 USDC$/m);
    expect(stdout).toMatch(/^Reference +PO-7$/m);
    expect(stdout).toMatch(/^Payments +1 begun, 1 paid$/m);
    expect(stdout).toMatch(new RegExp(`^${child} +confirmed +3 +37\\.50 +37\\.50`, "m"));
    expect((await run("show", child)).stdout).toContain(`3 of link ${made.slug}`);
    expect((await run("list", "reusable")).stdout).toMatch(
      new RegExp(`^${made.slug} +open +12\\.50 × 1 to 10 +1 +37\\.50`, "m"),
    );
    const listed = await json("list", "links", "--reusable", made.slug, "--json");
    expect(listed.data.map(({ slug }: { slug: string }) => slug)).toEqual([child]);
  });

  test("is closed by till void", async () => {
    const made = await json(
      "link",
      "--reusable",
      ...shop,
      ...managed,
      "--amount-min",
      "1",
      "--amount-max",
      "5",
    );
    const closed = await json("void", made.slug, "--reason", "Sold out", "--yes", "--json");
    expect(closed).toMatchObject({ slug: made.slug, status: "closed", void_reason: "Sold out" });
    expect((await run("show", made.slug)).stdout).toMatch(/^Status +closed$(.|\n)+^Reason +Sold out$/m);
  });

  test("says what is wrong by the names of the flags", async () => {
    const bounds = ["--reusable", ...shop, ...managed, "--amount-min", "5", "--amount-max", "1"];
    const wrong = await run("link", ...bounds, "--quantity-max", "3x");
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain("--quantity-max must be a whole number from 1 to 1000");
    expect(wrong.stderr).toContain("--amount-max must not be below amount_min, 5.00");
    expect((await run("link", ...shop, ...managed, "--amount-min", "5")).stderr).toContain(
      "--amount-min must be left out without reusable: true",
    );
    expect((await run("link", "--reusable", "--watch", ...shop)).stderr).toContain(
      "--watch waits for one payment",
    );
    const made = await json(
      "link",
      "--reusable",
      ...shop,
      ...managed,
      "--amount-min",
      "1",
      "--amount-max",
      "5",
    );
    for (const command of [["pay"], ["webhook", "list"], ["verify-address"]]) {
      const refused = await run(...command, made.slug);
      expect([refused.exitCode, refused.stderr.includes("is a reusable link")]).toEqual([2, true]);
    }
  });

  test("is made by a walk", async () => {
    const dir = makeDataDir();
    const terminal = startTerminal([...program, "link", "--reusable"], {
      env: { TILL_BASE_URL: till.baseUrl, XDG_CONFIG_HOME: dir.path },
    });
    const ask = (question: string) => `◆  ${question}`;
    try {
      await terminal.answer(ask("Your business name"), "Corner Shop");
      await terminal.answer(ask("Your e-mail"), "owner@corner.example");
      await terminal.answer(ask("Who decides"));
      await terminal.answer(ask("Price of one piece"), "12.50");
      await terminal.answer(ask("The most pieces"), "1001");
      await terminal.see("It must be a whole number from 1 to 1000");
      terminal.type(`${keys.ctrlU}5${keys.enter}`);
      await terminal.answer(ask("What it is for"), "Beans");
      await terminal.answer(ask("Where does the money go?"));
      await terminal.answer(ask("Your reference"));
      await terminal.answer(ask("Page that the customer"));
      await terminal.answer(ask("Expires"));
      await terminal.answer(ask("Webhook"));
      await terminal.see("12.50 × 1 to 5 USDC");
      await terminal.answer(ask("Make this payment link?"));
      await untilIs(async () => (await till.api("GET", "/api/reusable-links?limit=1")).body.data[0], {
        product_description: "Beans",
        quantity_max: 5,
      });
      expect(await terminal.exited).toBe(0);
    } finally {
      await terminal.stop();
      dir.remove();
    }
  });
});
