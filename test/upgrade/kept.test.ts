import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openWallet } from "../../src/chain/account/wallet.ts";
import * as DepositAddress from "../../src/domain/wallet/deposit-address.ts";
import { databaseFile, walletFile } from "../../src/store/files/data-dir.ts";
import { schemaOf, schemaSteps } from "../../src/store/migrations.ts";
import { callTill } from "../support/till/run-till.ts";
import { invoiceRequest } from "../support/till/till.ts";
import { type Answer, deliver, type Expected, type KeptTill, rowsOf, startKept } from "./expected.ts";
import { hashesOf, keptNames, readFrozen, unpack } from "./kept.ts";
import { baseUrl } from "./year.ts";

/** To write a PDF anew takes as long as fifty other answers: some of them, unless all are wanted. */
const isEvery = process.env["TEST_EVERY"] === "yes";

test("every released step, and every kept directory, is as it was", () => {
  const frozen = readFrozen();
  expect(keptNames()).toEqual(Object.keys(frozen));
  expect(Object.keys(frozen)).not.toEqual([]);
  for (const [name, hashes] of Object.entries(frozen)) expect([name, hashesOf(name)]).toEqual([name, hashes]);
});

describe.each(keptNames())("the data of a Till with schema %s", (name) => {
  let kept: KeptTill;
  let expected: Expected;

  beforeAll(async () => {
    kept = await startKept(name);
    expected = kept.expected();
  });
  afterAll(async () => {
    await kept.stop();
  });

  test("fills every table with every state that its schema names", () => {
    const { dataDir, remove } = unpack(name);
    using db = new Database(databaseFile(dataDir));
    const own = schemaOf(db);
    using made = new Database(":memory:");
    for (const step of schemaSteps.slice(0, own)) made.run(step);
    const missing: string[] = [];
    for (const { name: table, sql } of made
      .query<{ name: string; sql: string }, []>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%!_search!_%' ESCAPE '!' AND name <> 'sqlite_sequence'",
      )
      .all()) {
      const rows = db.query<Record<string, unknown>, []>(`SELECT * FROM ${table}`).all();
      if (rows.length === 0) missing.push(table);
      // It can have one row.
      if (sql.includes("CHECK (id = 1)")) continue;
      for (const [, column = "", values = ""] of sql.matchAll(/CHECK \((\w+) IN \(([^)]*)\)\)/g))
        for (const value of values.split(",").map((each) => each.trim().replaceAll("'", "")))
          if (!rows.some((row) => `${row[column]}` === value)) missing.push(`${table}.${column} = ${value}`);
    }
    remove();
    expect(missing).toEqual([]);
  });

  test("is answered for as it was then", async () => {
    const paths = Object.keys(expected.answers);
    expect(paths.length).toBeGreaterThan(100);
    const differing: object[] = [];
    const isPdf = (path: string) => path.endsWith("/pdf");
    const pdfs = paths.filter(isPdf).filter((_, at) => isEvery || at % 4 === 0);
    for (const path of [...paths.filter((each) => !isPdf(each)), ...pdfs]) {
      const [now, then] = [await kept.answerAt(path), expected.answers[path] as Answer];
      try {
        sameAs(now, then);
      } catch (thrown) {
        differing.push({ path, how: String(thrown).slice(0, 2_000) });
      }
    }
    expect(differing).toEqual([]);
  });

  test("is exported by the command line as by the API", async () => {
    const { exitCode, stdout } = await callTill(["export", "payments"], {
      env: { TILL_DATA_DIR: kept.till.config.dataDir, TILL_BASE_URL: baseUrl },
    });
    expect(exitCode).toBe(0);
    expect(rowsOf(stdout)).toMatchObject(
      (expected.answers["/api/exports/payments"] as { rows: object[] }).rows,
    );
  });

  test("has deposit addresses that come from its wallet", async () => {
    const { till, about } = kept;
    const { addressSecret } = await openWallet({
      file: walletFile(till.config.dataDir),
      passphrase: about.passphrase,
    });
    type Stored = {
      deposit_index: bigint;
      address: string;
      payout_wallet: `0x${string}`;
      salt: `0x${string}`;
      factory: string;
    };
    const stored = till.db.query<Stored, []>("SELECT * FROM receivable").all();
    expect(stored.length).toBeGreaterThan(50);
    for (const { deposit_index, address, payout_wallet, salt } of stored) {
      expect(DepositAddress.saltFor(addressSecret, deposit_index)).toBe(salt);
      const { factory, implementation } = DepositAddress;
      const derived = DepositAddress.derive({
        factory,
        implementation,
        payoutWallet: payout_wallet as never,
        salt,
      });
      expect(derived).toBe(address as never);
    }
  });

  test("sends the webhooks that waited, byte for byte", async () => {
    const { webhooks } = expected;
    expect(Object.keys(webhooks)).not.toEqual([]);
    expect(await deliver(kept)).toEqual(webhooks);
  });

  test("goes on with numbers and addresses that nobody has", async () => {
    const { till, about } = kept;
    const used = new Set(
      till.db
        .query<{ address: string }, []>("SELECT address FROM receivable")
        .all()
        .map(({ address }) => address),
    );
    const [last] = till.db
      .query<{ sequence: bigint }, []>("SELECT max(sequence) AS sequence FROM invoice")
      .all();
    const request = { ...invoiceRequest, send_now: false };
    const { status, body } = await till.api("POST", "/api/invoices", request, {
      authorization: `Bearer ${about.key}`,
    });
    expect(status).toBe(201);
    expect(body.invoice_number).toBe(`INV-${String(Number(last?.sequence) + 1).padStart(4, "0")}`);
    expect(used).not.toContain(body.deposit_address);
  });
});

/** A later Till may say more, and a page may look otherwise: what was said is said still. */
function sameAs(now: Answer, then: Answer): void {
  if ("figures" in then && "figures" in now)
    expect({ ...now, figures: then.figures.filter((each) => !now.figures.includes(each)) }).toEqual({
      ...then,
      figures: [],
    });
  else expect(now).toMatchObject(then as Record<string, unknown>);
}
