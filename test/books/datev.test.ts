import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";
import * as BookValueStore from "../../src/store/tables/invoicing/book-value.ts";
import { readExtf } from "../support/till/extf.ts";
import { pay, payer, refund, withdraw } from "../support/till/moves.ts";
import { callTill } from "../support/till/run-till.ts";
import { dayClock, linkRequest, startTestTill, type TestTill } from "../support/till/till.ts";

let till: TestTill;
const now = dayClock();
const at = (text: string) => Date.parse(`${text}:00Z`);
const deposits: Record<string, number> = {};

const line = (unit_price: string, changes: object) => ({
  description: "Work",
  quantity: 1,
  unit_price,
  ...changes,
});

async function issue(changes: object): Promise<string> {
  const day = { send_now: true, issue_date: "2026-01-15", due_date: "2026-02-28" };
  const made = await till.createInvoice({ ...day, ...changes });
  const { deposit_index } = till.db
    .query<{ deposit_index: bigint }, [string]>("SELECT deposit_index FROM invoice WHERE id = ?")
    .get(made["invoice_id"] ?? "") ?? { deposit_index: -1n };
  deposits[made["invoice_number"] ?? ""] = Number(deposit_index);
  return made["invoice_id"] ?? "";
}

const value = (kind: BookValueStore.Kind, id: number, rate: string) =>
  BookValueStore.save(till.db, {
    ...{ kind, id, currency: "EUR", rate, source: "kraken", rateAt: 1, madeAt: at("2026-01-15T12:00") },
  });

beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" }, {}, { now });
  const euros = { currency: "EUR", rate: "0.8607" };
  const first = await issue({
    ...euros,
    vendor_name: 'Müller & Söhne "Łódź" 株式会社 – ein Name, der länger ist als alles, was DATEV nimmt',
    line_items: [
      line("100.00", { tax_rate: "19" }),
      line("50.00", { tax_rate: "7" }),
      line("9.99", { tax_rate: "19" }),
    ],
  });
  await issue({
    ...euros,
    vendor_name: "=Autriche GmbH",
    vendor_details: {
      street: "Ring 1",
      postal_code: "1010",
      city: "Wien",
      country: "AT",
      vat_id: "ATU12345675",
    },
    merchant_details: {
      ...{ street: "Main 1", postal_code: "10115", city: "Berlin", country: "DE", vat_id: "DE123456788" },
    },
    line_items: [line("1000.00", { tax_category: "reverse_charge" })],
  });
  await issue({ currency: "USD", rate: "1.0002", line_items: [line("200.00", { tax_rate: "19" })] });
  await issue({ line_items: [line("10.00", { tax_rate: "19" })] });
  await issue({ currency: "GBP", rate: "0.75", line_items: [line("10.00", { tax_rate: "19" })] });
  await issue({ line_items: [line("12.00", { tax_rate: "19" })] });
  await issue({
    ...euros,
    issue_date: "2026-03-01",
    due_date: "2026-03-31",
    line_items: [line("1.00", { tax_rate: "19" })],
  });
  value("invoice", deposits["INV-0003"] ?? -1, "0.8609");
  value("invoice", deposits["INV-0004"] ?? -1, "0.8607");
  value("invoice", deposits["INV-0005"] ?? -1, "0.8607");
  const credit = { reason: "Too late", lines: [{ line: 2, quantity: 1 }] };
  const credited = await till.api("POST", `/api/invoices/${first}/credit-notes`, credit);
  expect(credited.status).toBe(201);

  const taxed = { ...linkRequest, expected_amount: undefined, ...euros, amount: "11.90", tax_rate: "19" };
  const { slug } = (await till.api("POST", "/api/links", taxed)).body;
  await till.api("POST", `/api/links/${slug}/mark`, { as: "paid" });
  const link = till.db.query<{ deposit_index: bigint }, []>("SELECT deposit_index FROM receipt").get();
  const receipt = Number(link?.deposit_index ?? -1n);

  const invoice = deposits["INV-0001"] ?? -1;
  pay(till.db, invoice, 123_456_789n, at("2026-01-17T10:00"), { rate: "0.8612" });
  pay(till.db, receipt, 13_826_000n, at("2026-01-18T10:00"), { rate: "0.86" });
  pay(till.db, invoice, 5_000_000n, at("2026-01-19T10:00"));
  pay(till.db, invoice, 5_000_000n, at("2026-01-19T11:00"), { rate: "1", currency: "USD" });
  pay(till.db, invoice, 8_000_000n, at("2026-01-19T12:00"), { isConfirmed: false, rate: "0.86" });
  refund(till.db, invoice, "20.00", at("2026-01-21T10:00"), "till", { rate: "0.87" });
  refund(till.db, invoice, "2.00", at("2026-01-21T11:00"), "elsewhere");
  withdraw(till.db, "80.00", at("2026-01-22T10:00"), { rate: "0.88" });
});
afterAll(() => till.stop());

const codes = [
  ...[
    "--code",
    "consultant=29098",
    "--code",
    "client=55003",
    "--code",
    "usdc=1460",
    "--code",
    "debtor=10000",
  ],
  ...["--tax-type", "standard 19.00=8400", "--tax-type", "standard 7.00=8000/2"],
  ...["--tax-type", "reverse_charge=8336"],
];
const january = ["--from", "2026-01-01", "--to", "2026-01-31"];
const run = (...args: string[]) =>
  callTill(["export", "datev", ...args], {
    env: { TILL_DATA_DIR: till.config.dataDir, TILL_BOOKKEEPING_CURRENCY: "EUR" },
  });

async function exported(...args: string[]) {
  const file = join(till.config.dataDir, `${crypto.randomUUID()}.csv`);
  const { exitCode, stdout, stderr } = await run(...codes, ...args, "--out", file);
  expect([exitCode, stdout]).toEqual([0, ""]);
  return { ...readExtf(readFileSync(file)), stderr };
}

describe("bookings for DATEV", () => {
  test("name who they are of, the year and the days", async () => {
    const { header } = await exported(...january);
    expect(header.slice(0, 5)).toEqual(["EXTF", "700", "21", "Buchungsstapel", "13"]);
    expect(header.slice(10, 17)).toEqual([
      ...["29098", "55003", "20260101", "4", "20260101", "20260131", "Till 2026-01-01 2026-01-31"],
    ]);
    expect(header[21]).toBe("EUR");
    const other = await exported(...january, "--code", "month=7");
    expect(other.header[12]).toBe("20250701");
  });

  test("have each tax of a sale in EUR, and take back what is credited", async () => {
    const { bookings } = await exported(...january);
    const sale = { "Soll/Haben-Kennzeichen": "S", Konto: "10000", Belegdatum: "1501", Festschreibung: "0" };
    const first = { ...sale, "Belegfeld 1": "INV-0001", Fälligkeit: "28022026" };
    const name = 'INV-0001 Müller & Söhne "Lódz" ???? – ein Name, der länger i';
    expect(bookings.filter((each) => each["Belegfeld 1"] === "INV-0001").slice(0, 2)).toEqual([
      {
        ...{ ...first, Buchungstext: name },
        ...{ "Umsatz (ohne Soll/Haben-Kz)": "130,89", "Gegenkonto (ohne BU-Schlüssel)": "8400" },
      },
      {
        ...{ ...first, Buchungstext: name, "BU-Schlüssel": "0002" },
        ...{ "Umsatz (ohne Soll/Haben-Kz)": "53,50", "Gegenkonto (ohne BU-Schlüssel)": "8000" },
      },
    ]);
    expect(bookings.find((each) => each["Belegfeld 1"] === "INV-0002")).toMatchObject({
      ...{ "Umsatz (ohne Soll/Haben-Kz)": "1000,00", "Gegenkonto (ohne BU-Schlüssel)": "8336" },
      ...{ "EU-Land u. UStID (Bestimmung)": "ATU12345675", Buchungstext: "INV-0002 =Autriche GmbH" },
    });
    // Credit notes, and receipts of links, are of today.
    const today = new Date(now()).toISOString().slice(0, 10);
    expect((await exported("--from", today, "--to", today)).bookings).toMatchObject([
      {
        ...{ "Umsatz (ohne Soll/Haben-Kz)": "53,50", "Soll/Haben-Kennzeichen": "H", Konto: "10000" },
        ...{ "Gegenkonto (ohne BU-Schlüssel)": "8000", "BU-Schlüssel": "0002", "Belegfeld 1": "INV-0001" },
        ...{
          Buchungstext: expect.stringMatching(/^CN-0001 Müller/),
          Belegdatum: today.slice(8) + today.slice(5, 7),
        },
      },
      { "Umsatz (ohne Soll/Haben-Kz)": "11,90", Konto: "10000", "Belegfeld 1": "R-0001" },
    ]);
  });

  test("have what is in another currency at the rate that was kept", async () => {
    const { bookings } = await exported(...january);
    const of = (number: string) => bookings.find((each) => each["Belegfeld 1"] === number);
    // 238.00 USD × 0.8609 ÷ 1.0002
    expect(of("INV-0003")).toMatchObject({
      ...{ "Umsatz (ohne Soll/Haben-Kz)": "238,00", "WKZ Umsatz": "USD", Kurs: "1,161807" },
      ...{ "Basis-Umsatz": "204,85", "WKZ Basis-Umsatz": "EUR" },
      ...{ "Beleginfo - Art 1": "USD", "Beleginfo - Inhalt 1": "238.00" },
      ...{ "Beleginfo - Art 2": "EUR je USDC", "Beleginfo - Inhalt 2": "0.8609" },
    });
    // DATEV has no code for USDC: 11.90 USDC × 0.8607.
    expect(of("INV-0004")).toMatchObject({
      ...{ "Umsatz (ohne Soll/Haben-Kz)": "10,24" },
      ...{ "Beleginfo - Art 1": "USDC", "Beleginfo - Inhalt 1": "11.90" },
    });
    expect(of("INV-0004")?.["WKZ Umsatz"]).toBeUndefined();
    // Nor a form for a rate below 1: 11.90 GBP × 0.8607 ÷ 0.75.
    expect(of("INV-0005")).toMatchObject({ "Umsatz (ohne Soll/Haben-Kz)": "13,66" });
    expect(of("INV-0005")?.["Kurs"]).toBeUndefined();
  });

  test("have payments and refunds in EUR, by the number that they pay", async () => {
    const { bookings } = await exported(...january);
    const moved = bookings.filter((each) => each["Konto"] === "1460");
    expect(moved).toMatchObject([
      {
        ...{ "Umsatz (ohne Soll/Haben-Kz)": "106,32", "Soll/Haben-Kennzeichen": "S", Belegdatum: "1701" },
        ...{ "Gegenkonto (ohne BU-Schlüssel)": "10000", "Belegfeld 1": "INV-0001" },
        ...{ "Beleginfo - Art 1": "USDC", "Beleginfo - Inhalt 1": "123.456789" },
        ...{
          "Beleginfo - Art 3": "Transaktion",
          "Beleginfo - Inhalt 3": expect.stringMatching(/^0x\w{64}$/),
        },
      },
      {
        ...{ "Umsatz (ohne Soll/Haben-Kz)": "11,89", "Belegfeld 1": "R-0001", Belegdatum: "1801" },
        Buchungstext: `R-0001 ${payer}`,
      },
      {
        ...{ "Umsatz (ohne Soll/Haben-Kz)": "17,40", "Soll/Haben-Kennzeichen": "H", Belegdatum: "2101" },
        ...{ "Gegenkonto (ohne BU-Schlüssel)": "10000", "Belegfeld 1": "INV-0001" },
      },
    ]);
    const withTransit = await exported(...january, "--code", "transit=1360");
    expect(withTransit.bookings.at(-1)).toMatchObject({
      ...{ "Umsatz (ohne Soll/Haben-Kz)": "70,40", "Soll/Haben-Kennzeichen": "H", Konto: "1460" },
      ...{ "Gegenkonto (ohne BU-Schlüssel)": "1360", Buchungstext: `Till ${payer}` },
    });
  });

  test("leave out what nobody knows a value of, and say so", async () => {
    const { bookings, stderr } = await exported(...january);
    expect(stderr).toContain("1 sale left out");
    expect(stderr).toContain("2 payments left out");
    expect(stderr).toContain("1 withdrawal left out: no account for money in transit");
    expect(bookings.some((each) => each["Belegfeld 1"] === "INV-0006")).toBe(false);
    expect(bookings.some((each) => each["Belegfeld 1"] === "INV-0007")).toBe(false);
    expect((await exported(...january, "--code", "transit=1360")).stderr).not.toContain("withdrawal");
  });

  test("ask for what is missing, and for the days of one year", async () => {
    const refusal = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await run(...args);
      expect([exitCode, stdout]).toEqual([2, ""]);
      return stderr;
    };
    expect(await refusal(...january)).toContain(
      '--code consultant=CODE, --code client=CODE, --code usdc=CODE, --code debtor=CODE, --tax-type "reverse_charge=NAME"',
    );
    const wrong = async (code: string) => refusal(...codes, ...january, "--code", code);
    expect(await wrong("debtor=1000")).toContain("--code debtor=CODE;");
    expect(await wrong("debtor=90000")).toContain("--code debtor=CODE;");
    expect(await wrong("usdc=12345")).toContain("--code debtor=CODE");
    expect(await wrong("consultant=1000")).toContain("--code consultant=CODE;");
    expect(await wrong("month=13")).toContain("--code month=CODE;");
    expect(await wrong("colour=blue")).toContain("knows no");
    expect(await refusal(...codes, "--from", "2026-01-01")).toContain("in one fiscal year");
    const twoYears = ["--from", "2025-12-01", "--to", "2026-01-31"];
    expect(await refusal(...codes, ...twoYears)).toContain("in one fiscal year");
    expect((await exported(...twoYears, "--code", "month=7")).bookings.length).toBeGreaterThan(5);
  });

  test("are read by a reader that takes no other form", async () => {
    const file = join(till.config.dataDir, "EXTF_strict.csv");
    await run(...codes, ...january, "--out", file);
    const text = readFileSync(file, "latin1");
    const reading = (from: string, to: string) => () => {
      expect(text).toContain(from);
      readExtf(Buffer.from(text.replace(from, to), "latin1"));
    };
    for (const [from, to] of [
      ["\r\n", "\n"],
      ["130,89", "130.89"],
      ["130,89", "-130,89"],
      [";1501;", ";3201;"],
      [";1501;", ";1502;"],
      ['"S";', "S;"],
      ["M\u00fcller", "M\u00fcller\t"],
      [";10000;8400;", ";100000;8400;"],
      [";20260131;", ";20270131;"],
      ['"INV-0001"', '"INV 0001"'],
      ["Belegfeld 1", "Belegfeld1"],
    ] as const)
      expect(reading(from, to), from).toThrow();
    expect(reading("130,89", "131,89")).not.toThrow();
  });

  test("are named as the desk saved it", async () => {
    const saved = {
      consultant: "1001",
      client: "7",
      usdc: "146000",
      debtor: "1000000",
      transit: "",
      month: "1",
    };
    const taxes = { "standard 19.00": "440000", "standard 7.00": "430000", reverse_charge: "433600" };
    PreferenceStore.setDatevCodes(till.db, { ...saved, taxes }, 1);
    const { exitCode, stdout } = await run(...january, "--format", "json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)[0]).toMatchObject({ Konto: "1000000", Belegdatum: "1501" });
  });
});
