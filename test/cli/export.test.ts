import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as Address from "../../src/domain/wallet/address.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { shared } from "../support/per-file.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { endProcesses, program, startProcess } from "../support/till/process.ts";
import { callTill } from "../support/till/run-till.ts";
import { startTestTill, untilIs } from "../support/till/till.ts";

// Before Till ends.
afterAll(endProcesses);
const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));
let slug: string;
let linkSlug: string;
let payments: { txHash: string; blockNumber: bigint }[];
const dir = makeDataDir();

const hostileName = '=HYPERLINK("http://evil.example","Click")';
const hostileNotes = '+1 555, "quoted"\r\nsecond line, für Zoë – 漢字';

beforeAll(async () => {
  const first = await till.createInvoice({
    issue_date: "2026-01-31",
    vendor_name: hostileName,
    notes: hostileNotes,
    reference: "=1+1",
    metadata: { "=cart": "17" },
  });
  await till.createInvoice({
    issue_date: "2026-02-01",
    vendor_name: "@SUM(A1)",
    vendor_address: "-2+3",
    line_items: [{ description: "\tTab first, =then not", quantity: 0.5, unit_price: "0.01" }],
  });
  await till.createInvoice({ issue_date: "2026-03-01" });
  slug = first["slug"] ?? "";
  const { body: link } = await till.api("POST", "/api/links", {
    business_name: "Corner Shop",
    expected_amount: "25.00",
    merchant_email: "owner@corner.example",
    wallet_type: "managed",
    reference: "PO-4711",
    expires_at: "2033-01-01T00:00:00Z",
  });
  linkSlug = link.payment_link.split("/").at(-1);
  payments = [
    await chain.pay(Address.checksum(first["deposit_address"] ?? ""), 1_500_000_001n),
    await chain.pay(Address.checksum(link.deposit_address), "25.00"),
  ];
  await untilIs(
    async () => (await till.api("GET", `/api/payments/status/${linkSlug}`)).body.status,
    "confirmed",
  );
});
afterAll(() => dir.remove());

/** When the block of a payment was made. */
async function timeOf(payment: { blockNumber: bigint } | undefined): Promise<string> {
  const number = `0x${payment?.blockNumber.toString(16)}`;
  const { timestamp } = (await chain.rpc("eth_getBlockByNumber", [number, false])) as { timestamp: string };
  return new Date(Number(timestamp) * 1_000).toISOString();
}

async function run(args: string[], changes: Record<string, string> = {}) {
  const env = {
    TILL_DATA_DIR: till.config.dataDir,
    TILL_RPC_URL: chain.rpcUrl,
    TILL_BASE_URL: "https://pay.acme.example",
    ...changes,
  };
  const { exitCode, stdout, stderr } = await callTill(["export", ...args], { env });
  return { exitCode, output: stdout + stderr };
}

/** RFC 4180 as it is written, and nothing of how Till writes it. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < text.length; ) {
    let field = "";
    if (text[at] === '"') {
      for (at += 1; ; at++) {
        if (text[at] !== '"') field += text[at];
        else if (text[at + 1] === '"') field += text[++at];
        else break;
        if (at >= text.length) throw new Error("a quote is not closed");
      }
      at += 1;
    } else {
      while (at < text.length && text[at] !== "," && text[at] !== "\r") {
        if (text[at] === '"' || text[at] === "\n")
          throw new Error(`a bare ${JSON.stringify(text[at])} at ${at}`);
        field += text[at++];
      }
    }
    record.push(field);
    if (text[at] === ",") at += 1;
    else if (text.startsWith("\r\n", at)) {
      records.push(record);
      record = [];
      at += 2;
    } else throw new Error(`neither a comma nor a line break at ${at}`);
  }
  if (record.length > 0) throw new Error("the last record has no line break");
  return records;
}

/** The records by the names in the header. */
async function exported(
  args: string[],
  changes: Record<string, string> = {},
): Promise<Record<string, string>[]> {
  const file = join(dir.path, `${crypto.randomUUID()}.csv`);
  const { exitCode, output } = await run([...args, "--out", file], changes);
  expect([exitCode, output]).toEqual([0, ""]);
  const bytes = readFileSync(file);
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [header = [], ...records] = parseCsv(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  return records.map((record) => {
    expect(record.length).toBe(header.length);
    return Object.fromEntries(header.map((name, index) => [name, record[index] ?? ""]));
  });
}

describe("till export", () => {
  test("writes invoices that a spreadsheet shows as they are and never runs", async () => {
    const [first, second, ...more] = await exported(["invoices"]);
    expect(first).toMatchObject({
      invoice_number: "INV-0001",
      issue_date: "2026-01-31",
      status: "paid",
      overdue: "false",
      vendor_name: `'${hostileName}`,
      notes: `'${hostileNotes}`,
      reference: "'=1+1",
      metadata: '{"=cart":"17"}',
      currency: "USDC",
      total_amount: "1500.00",
      received_amount: "1500.000001",
      sent_at: "",
      invoice_url: `https://pay.acme.example/i/${slug}`,
    });
    expect(second).toMatchObject({ vendor_name: "'@SUM(A1)", vendor_address: "'-2+3", total_amount: "0.01" });
    expect(more.length).toBe(1);
    const cells = [first, second, ...more].flatMap((row) => Object.values(row ?? {}));
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  });

  test("writes line items", async () => {
    const items = await exported(["items", "--from", "2026-02-01", "--to", "2026-02-28"]);
    expect(items).toEqual([
      {
        invoice_number: "INV-0002",
        issue_date: "2026-02-01",
        vendor_name: "'@SUM(A1)",
        position: "1",
        description: expect.stringContaining("=then not"),
        quantity: "0.5",
        unit_price: "0.01",
        line_total: "0.01",
        currency: "USDC",
        reference: "",
        unit: "",
        discount_amount: "0.00",
        tax_rate: "",
        tax_category: "",
        credit_note_number: "",
        counts: "false",
      },
    ]);
    expect((await exported(["items"])).length).toBe(5);
  });

  test("writes payments with their blocks, who paid, and when an amount was complete", async () => {
    const [invoice, link] = payments;
    const paidAt = await timeOf(invoice);
    const sender = (await chain.rpc("eth_getTransactionByHash", [invoice?.txHash])) as { from: string };
    const rows = await exported(["payments"]);
    expect(rows).toMatchObject([
      {
        block_time: paidAt,
        payment_date: paidAt.slice(0, 10),
        invoice_number: "INV-0001",
        payment_link: "",
        name: `'${hostileName}`,
        amount: "1500.000001",
        confirmed: "true",
        block_number: String(invoice?.blockNumber),
        tx_hash: invoice?.txHash ?? "",
        from: Address.checksum(sender.from),
        reference: "'=1+1",
      },
      {
        block_time: await timeOf(link),
        invoice_number: "",
        payment_link: linkSlug,
        name: "Corner Shop",
        amount: "25.00",
        tx_hash: link?.txHash ?? "",
        reference: "PO-4711",
      },
    ]);
    expect((await exported(["invoices"])).map((row) => row["paid_at"])).toEqual([paidAt, "", ""]);
  });

  test("writes links, and what they are paid with", async () => {
    expect(await exported(["links"])).toMatchObject([
      {
        payment_link: linkSlug,
        status: "confirmed",
        received_amount: "25.00",
        paid_at: await timeOf(payments[1]),
        link_url: `https://pay.acme.example/pay/${linkSlug}`,
        reference: "PO-4711",
        metadata: "",
        expires_at: "2033-01-01T00:00:00.000Z",
      },
    ]);
  });

  test("takes the days of issue, and of payment in the time zone of Till", async () => {
    const numbers = async (...args: string[]) =>
      (await exported(["invoices", ...args])).map((row) => row["invoice_number"]);
    expect(await numbers("--to", "2026-01-31")).toEqual(["INV-0001"]);
    expect(await numbers("--from", "2026-02-01")).toEqual(["INV-0002", "INV-0003"]);
    expect(await numbers("--from", "2026-02-01", "--to", "2026-02-01")).toEqual(["INV-0002"]);
    expect((await run(["invoices", "--from", "2026-02-02", "--to", "2026-02-01"])).exitCode).toBe(2);
    // 25 hours apart: at every time they have different days.
    const days: string[] = [];
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const there = { TILL_TIMEZONE: zone };
      // Midnight may come between them.
      const [first = "", last = ""] = (await exported(["payments"], there)).map((row) => row["payment_date"]);
      days.push(first);
      expect(await exported(["payments", "--from", first, "--to", last], there)).toHaveLength(2);
      const before = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
      expect(await exported(["payments", "--to", before], there)).toEqual([]);
    }
    expect(days[0]).not.toBe(days[1]);
  });

  test("says when the times of blocks cannot be had, and believes no other chain", async () => {
    const { exitCode, output } = await run(["payments", "--format", "json"], {
      TILL_RPC_URL: "http://127.0.0.1:9",
    });
    expect(exitCode).toBe(0);
    expect(output).toContain("the times of blocks are missing (The node at 127.0.0.1:9 did not answer");
    await using other = await startTestChain();
    await other.mine(20);
    const rows = await exported(["payments"], { TILL_RPC_URL: `${other.rpcUrl}` });
    expect(rows.map((row) => row["block_time"])).toEqual(["", ""]);
    const second = await run(["payments", "--format", "json"], {
      TILL_RPC_URL: `http://127.0.0.1:9,${chain.rpcUrl}`,
    });
    expect(JSON.parse(second.output)[0].block_time).toMatch(/^\d{4}-/);
  });

  test("writes the same as JSON, as it was written and not for spreadsheets", async () => {
    const { exitCode, output } = await run(["invoices", "--format", "json"]);
    expect(exitCode).toBe(0);
    const rows = JSON.parse(output);
    expect(rows[0]).toMatchObject({
      vendor_name: hostileName,
      notes: hostileNotes,
      overdue: false,
      sent_at: null,
    });
    expect(rows.length).toBe(3);
    expect((await run(["items", "--format", "json", "--from", "2030-01-01"])).output).toBe("[\n]\n");
  });

  test("writes settlements, withdrawals and fees, which are to the wei what left the gas account", async () => {
    const env = {
      TILL_CHAIN: "anvil",
      TILL_DATA_DIR: till.config.dataDir,
      TILL_RPC_URL: chain.rpcUrl,
      TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
    };
    const shown = JSON.parse((await callTill(["wallet", "show", "--json"], { env })).stdout);
    const gasAddress = shown.gas_account.address;
    const given = 10n ** 18n;
    await chain.giveEth(gasAddress, given);
    expect((await callTill(["settle", "--yes"], { env })).exitCode).toBe(0);
    const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    const withdraw = ["wallet", "withdraw", "--account", "1", "--to", to, "--amount", "700.01", "--yes"];
    expect((await callTill(withdraw, { env })).exitCode).toBe(0);

    const settlements = await exported(["settlements"]);
    expect(settlements.map(({ state, amount, reference }) => [state, amount, reference]).sort()).toEqual([
      ["settled", "1500.000001", "'=1+1"],
      ["settled", "25.00", "PO-4711"],
    ]);
    expect(await exported(["withdrawals"])).toMatchObject([
      { state: "done", merchant_email: "billing@acme.example", account: "1", amount: "700.01", to },
    ]);
    const fees = await exported(["fees"]);
    expect(fees.map(({ purpose }) => purpose)).toEqual(["deploy", "settle", "withdraw"]);
    const left = BigInt((await chain.rpc("eth_getBalance", [gasAddress, "latest"])) as string);
    const wei = fees.map(({ fee_wei }) => BigInt(fee_wei ?? ""));
    expect(wei.reduce((sum, fee) => sum + fee, 0n)).toBe(given - left);
    for (const [at, { fee = "", currency, block_time, tx_hash }] of fees.entries()) {
      const [whole = "", fraction = ""] = fee.split(".");
      expect(BigInt(whole + fraction.padEnd(18, "0"))).toBe(wei[at] ?? -1n);
      expect(currency).toBe("ETH");
      expect(block_time).toMatch(/^\d{4}-.+Z$/);
      expect(tx_hash).toMatch(/^0x[0-9a-f]{64}$/);
    }
  });

  test("writes a file for its owner alone, whole, and over another only with --force", async () => {
    const file = join(dir.path, "once.csv");
    await Bun.write(file, "precious");
    const refused = await run(["invoices", "--out", file]);
    expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining("--force") });
    expect(readFileSync(file, "utf8")).toBe("precious");
    expect((await run(["invoices", "--out", file, "--force"])).exitCode).toBe(0);
    expect(parseCsv(readFileSync(file, "utf8")).length).toBe(4);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("ends without a word when nobody reads on", async () => {
    const env = { PATH: process.env["PATH"] ?? "", TILL_DATA_DIR: till.config.dataDir };
    const writer = Bun.spawn(["sh", "-c", '"$@" | true', "sh", ...program, "export", "items"], {
      env,
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await new Response(writer.stderr).text()).toBe("");
  });

  test("keeps little in memory, however much there is", async () => {
    const many = join(dir.path, "many");
    const db = openDatabase(many);
    db.transaction(() => {
      db.run(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2499)
         INSERT INTO receivable (deposit_index, kind, merchant_email, merchant, wallet_type, webhook_events, address,
           payout_wallet, salt, factory, expected_amount, tolerance_amount, created_at, created_block, compare_at,
           explained_block, changed_at)
         SELECT i, 'invoice', 'm', 'm', 'byo', 'contract', 'a' || i, 'w', 's' || i, 'f', 1, 0, 1, 0, 1, 0, 1 FROM n`,
      );
      db.run(
        `INSERT INTO invoice (sequence, number, id, slug, deposit_index, merchant_name, merchant_address,
           vendor_name, vendor_email, issue_date, due_date, notes, status, created_at)
         SELECT deposit_index + 1, 'n' || deposit_index, 'i' || deposit_index, 's' || deposit_index, deposit_index, 'm', 'm', 'v', 'v',
           '2026-01-01', '2026-01-01', printf('%.20000c', 'x'), 'draft', 1 FROM receivable`,
      );
    })();
    closeDatabase(db);
    const file = join(dir.path, "many.csv");
    const child = startProcess(
      [
        process.execPath,
        "-e",
        `const { run } = await import(${JSON.stringify(join(import.meta.dir, "../../src/cli/run.ts"))});
         await run(["export", "invoices", "--to", "1999-01-01"]);
         Bun.gc(true);
         const before = process.memoryUsage.rss();
         await run(["export", "invoices", "--out", ${JSON.stringify(file)}]);
         console.log("grew by", process.memoryUsage.rss() - before);`,
      ],
      { env: { TILL_DATA_DIR: many } },
    );
    expect(await child.exited).toBe(0);
    const grownBytes = Number(child.stdout().trim().split(" ").at(-1));
    const written = statSync(file).size;
    expect(written).toBeGreaterThan(50_000_000);
    // All rows at once would take several times the size of the file.
    expect(grownBytes).toBeLessThan(written);
  }, 300_000);

  test("is called wrongly with exit code 2", async () => {
    const directory = ["invoices", "--out", dir.path, "--force"];
    expect((await run(directory)).output).toContain(`${dir.path} is a directory: name a file in it.`);
    const nowhere = `${dir.path}/none/invoices.csv`;
    expect((await run(["invoices", "--out", nowhere])).output).toContain(
      `${nowhere} cannot be written (ENOENT): name a file in a directory`,
    );
    for (const args of [
      [],
      ["bills"],
      ["invoices", "--from", "2026-02-30"],
      ["items", "--format", "xml"],
      directory,
    ]) {
      expect((await run(args)).exitCode).toBe(2);
    }
    expect((await run(["items"], { TILL_TIMEZONE: "Mars" })).exitCode).toBe(2);
    expect(await run(["items"], { TILL_DATA_DIR: dir.path })).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining("TILL_DATA_DIR"),
    });
  });
});
