import { resolve } from "node:path";
import { sheetOf } from "../../books/table.ts";
import { tables } from "../../books/tables.ts";
import { readSettings } from "../../config/config.ts";
import * as Calendar from "../../domain/calendar.ts";
import { alternatives } from "../../lib/text/english.ts";
import { printable } from "../../lib/text/text.ts";
import { readShared } from "../../store/files/lock.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as ChainStore from "../../store/tables/installation/chain.ts";
import { readStored } from "../../till/settings.ts";
import { command, notA, UsageError } from "../command.ts";
import { dataDirOf, dataFlags, environmentOf } from "../local/data-dir.ts";
import { sayAside } from "../terminal/output.ts";
import { openOutput } from "../terminal/output-file.ts";

const names = tables.map(({ name }) => name);

function markOf(flags: { "decimal-comma": boolean; semicolon: boolean }): PreferenceStore.DecimalMark {
  if (flags["decimal-comma"]) return "comma";
  return flags.semicolon ? "swiss" : "point";
}

export const exportCommand = command({
  // Split, because a line of a terminal holds only some of them.
  calls: [names.slice(0, 6), names.slice(6, 12), names.slice(12)].map((some) => `${some.join("|")} [FLAGS]`),
  words: tables.map(({ name, text }) => [name, text] as const),
  flags: {
    format: { value: "csv|json", text: "csv (the default; opens in any spreadsheet) or json" },
    "decimal-comma": {
      text: "csv for spreadsheets in German, French, Spanish, …: 12,50 for 12.50, with semicolons between columns",
    },
    semicolon: { text: "csv for spreadsheets of Switzerland: 12.50, with semicolons between columns" },
    from: { value: "DATE", text: "the first day, such as 2026-01-31, in TILL_TIMEZONE (default UTC)" },
    to: { value: "DATE", text: "the last day" },
    account: { value: "CODE", text: "xero: the sales account (default: the one saved at the desk)" },
    "tax-type": {
      value: "TAX=NAME",
      text: 'xero: what Xero calls a tax, such as "standard 20.00=20% (VAT on Income)", "export=…" or "none=…"; repeatable',
      many: true,
    },
    code: {
      value: "NAME=CODE",
      text: `datev: what DATEV calls it, where it is not saved at the desk: ${PreferenceStore.datevNames.join(", ")}; taxes as in --tax-type "standard 19.00=8400"; repeatable`,
      many: true,
    },
    out: { value: "FILE", text: "where to write (default: standard output)" },
    force: { text: "replace FILE if it exists" },
    ...dataFlags,
  },
  about: `Days are the day of issue, creation, payment or transaction. Payment times come from the node at TILL_RPC_URL. Links in the rows start with TILL_BASE_URL, if it is set. You can run it while the server runs.`,
  examples: ["till export payments --from 2026-01-01 --to 2026-12-31 \\", "  --out payments-2026.csv"],

  async run(values, [what, ...more]) {
    const table = tables.find(({ name }) => name === what);
    if (!table || more.length > 0)
      throw new UsageError(`say what to export: till export ${alternatives(names)}.`);
    const { format = "csv" } = values;
    if (format !== "csv" && format !== "json") throw new UsageError("--format must be csv or json.");
    const mark = markOf(values);
    if (mark !== "point" && (format === "json" || table.isForProgram)) {
      const flag = mark === "comma" ? "--decimal-comma" : "--semicolon";
      throw new UsageError(`${flag} is for spreadsheets: leave it out.`);
    }
    const days = { from: parseDay("--from", values.from), to: parseDay("--to", values.to) };
    if (days.from !== null && days.to !== null && days.to < days.from)
      throw new UsageError(`--to is ${days.to}; it must not be before --from, ${days.from}.`);
    const environment = environmentOf(values);
    const db = readShared(dataDirOf(environment));
    try {
      const settings = readSettings(
        environment,
        (value) => ({
          timeZone: value("TIMEZONE"),
          rpcUrls: value("RPC_URL", []),
          baseUrl: value("BASE_URL"),
          valueCurrency: value("BOOKKEEPING_CURRENCY"),
          taxPeriod: value("TAX_PERIOD"),
        }),
        readStored(db, null).stored,
      );
      const chainId = ChainStore.identity(db)?.chainId;
      const onGap = (sentence: string) => sayAside(`till export: ${sentence}`);
      const taxes = named("--tax-type", values["tax-type"], "export=No VAT");
      const { account, taxTypes } = PreferenceStore.xeroCodes(db);
      const saved = PreferenceStore.datevCodes(db);
      const selection = {
        db,
        chainId,
        days,
        onGap,
        ...settings,
        codes: { account: values.account ?? account, taxTypes: { ...taxTypes, ...taxes } },
        datev: { ...saved, ...codesOf(values.code), taxes: { ...saved.taxes, ...taxes } },
      };
      const missing = table.missing?.(selection) ?? [];
      if (missing.length > 0) throw new CodesMissing(table.name, missing);
      const { head, row: csvRow, encode } = sheetOf(table, selection, mark);
      const to = values.out === undefined ? null : resolve(values.out);
      const output = openOutput(to, values.force, format === "csv" ? encode : undefined);
      try {
        await output.write(format === "csv" ? head : "[");
        let first = true;
        for await (const row of table.rows(selection)) {
          if (format === "csv") await output.write(csvRow(row));
          else await output.write(`${first ? "\n" : ",\n"}${printable(JSON.stringify(row))}`);
          first = false;
        }
        await output.write(format === "csv" ? "" : "\n]\n");
        output.finish();
      } finally {
        output.close();
      }
      return 0;
    } finally {
      db.close();
    }
  },
});

/** Parses entries like `export=No VAT`, which replace those saved at the desk. */
function named(flag: string, entries: readonly string[] = [], example: string): Record<string, string> {
  const read = entries.map((text) => {
    const [key = "", ...rest] = text.split("=");
    const name = rest.join("=").trim();
    if (key.trim() === "" || name === "")
      throw new UsageError(`${flag} ${JSON.stringify(text)} must be like ${JSON.stringify(example)}.`);
    return [key.trim(), name] as const;
  });
  return Object.fromEntries(read);
}

function codesOf(entries?: readonly string[]): Record<string, string> {
  const codes = named("--code", entries, "client=10001");
  const unknown = Object.keys(codes).find(
    (name) => !PreferenceStore.datevNames.some((each) => each === name),
  );
  if (unknown !== undefined)
    throw new UsageError(
      `--code knows no ${JSON.stringify(unknown)}: name ${alternatives(PreferenceStore.datevNames)}.`,
    );
  return codes;
}

class CodesMissing extends UsageError {
  constructor(table: string, missing: readonly string[]) {
    const flags = missing.map((key) => {
      if (key === "account") return "--account CODE";
      return PreferenceStore.datevNames.some((name) => name === key)
        ? `--code ${key}=CODE`
        : `--tax-type "${key}=NAME"`;
    });
    super(
      missing.includes("days")
        ? `${table} needs --from and --to, in one fiscal year: its bookings name a day and a month, and no year.`
        : `it is not known what your books call these: say ${flags.join(", ")}; or write it at the desk.`,
    );
  }
}

function parseDay(option: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!Calendar.isDay(text)) throw notA(option, text, "a day such as 2026-01-31");
  return text;
}
