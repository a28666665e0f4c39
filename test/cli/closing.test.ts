import { afterAll, describe, expect, test } from "bun:test";
import { shared } from "../support/per-file.ts";
import { endProcesses, program } from "../support/till/process.ts";
import { callTill } from "../support/till/run-till.ts";
import { keys, startTerminal } from "../support/till/terminal.ts";
import { linkRequest, startTestTill } from "../support/till/till.ts";

// Before Till ends.
afterAll(endProcesses);
const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

const run = (...args: string[]) => callTill(args, { env: { TILL_BASE_URL: till.baseUrl } });
const newInvoice = async () => (await till.createInvoice())["invoice_number"] ?? "";
const newLink = async () => (await till.api("POST", "/api/links", linkRequest)).body.slug as string;
const statusOf = async (name: string) => JSON.parse((await run("show", name, "--json")).stdout).status;
const reason = ["--reason", "Billed twice"];

describe("till void", () => {
  test("voids an invoice by its number and a link by its slug, and shows why", async () => {
    for (const [name, called] of [
      [await newInvoice(), ""],
      [await newLink(), "link "],
    ] as const) {
      const done = await run("void", name, ...reason, "--yes");
      expect(done).toMatchObject({ exitCode: 0, stdout: `${called}${name} is void.\n` });
      expect(await statusOf(name)).toBe("void");
      expect((await run("show", name)).stdout).toMatch(/Status +void\n.*Voided +20.*Reason +Billed twice\n/s);
    }
    const number = await newInvoice();
    const { stdout } = await run("void", number, ...reason, "--yes", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ invoice_number: number, void_reason: "Billed twice" });
    expect((await run("list", "--status", "void")).stdout).toContain(number);
    const { invoice_number: other = "" } = await till.createInvoice();
    const told = await run("void", other, "--reason", "Billed twice.\\nSorry!", "--yes", "--json");
    expect(JSON.parse(told.stdout).void_reason).toBe("Billed twice.\nSorry!");
  });

  test("asks on a terminal, where a no changes nothing, and does not without one unless --yes is there", async () => {
    const number = await newInvoice();
    const unasked = await run("void", number, ...reason);
    expect(unasked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("use --yes to void") });
    const env = { TILL_BASE_URL: till.baseUrl };
    const terminal = startTerminal([...program, "void", number, ...reason], { env });
    await terminal.see(`Void ${number} for good?`);
    terminal.type(keys.enter);
    await terminal.see("Nothing was voided.");
    expect(await terminal.exited).toBe(1);
    await terminal.stop();
    expect(await statusOf(number)).toBe("draft");
  });

  test("says what is missing, and what Till refuses", async () => {
    const number = await newInvoice();
    expect(await run("void")).toMatchObject({ exitCode: 2 });
    expect(await run("void", number, "--yes")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--reason"),
    });
    await run("mark", number, "paid");
    const refused = await run("void", number, ...reason, "--yes");
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is marked as paid") });
  });
});

describe("till mark", () => {
  test("marks as paid and takes it back, with a note that only the merchant sees", async () => {
    for (const [name, paid, open] of [
      [await newInvoice(), "paid", "draft"],
      [await newLink(), "confirmed", "pending"],
    ] as const) {
      const done = await run("mark", name, "paid", "--note", "By bank");
      expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("is marked as paid.") });
      expect(await statusOf(name)).toBe(paid);
      const shown = (await run("show", name)).stdout;
      expect(shown).toMatch(/Marked paid +20/);
      expect(shown).toContain("By bank");
      expect((await run("mark", name, "unpaid")).exitCode).toBe(0);
      expect(await statusOf(name)).toBe(open);
    }
  });

  test("says what is wrong", async () => {
    const number = await newInvoice();
    for (const args of [[], [number], [number, "sent"], [number, "paid", "more"]])
      expect(await run("mark", ...args)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("till mark INV-0001 paid"),
      });
    expect(await run("mark", number, "unpaid")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is marked so already"),
    });
  });
});
