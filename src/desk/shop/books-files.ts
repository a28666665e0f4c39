import type { Cell } from "../../books/columns.ts";
import type { Gap, Table } from "../../books/table.ts";
import { csvRowsAtOnce, rowsOf, selectionOf } from "../../http/answer/csv.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { TextKey } from "../../language/locale.ts";
import { turn } from "../../lib/loop.ts";
import { withoutEnd } from "../../lib/text/english.ts";
import type { DayRange } from "../../store/reports/export/export.ts";

/** The files of the page, and the sums of each. */

/** A column to sum up, and its unit: a fixed one, or the column that names it. */
type Summed = readonly [column: string, unit: string];

export type File = { name: string; text: TextKey; sums: readonly Summed[] };

const of = (unit: string, ...columns: string[]): Summed[] => columns.map((column) => [column, unit]);
const usdc = (...columns: string[]) => of("USDC", ...columns);
const own = (...columns: string[]) => of("currency", ...columns);
const value = of("fiat_currency", "fiat_value");

/** By the names of their tables. */
export const files: readonly File[] = [
  {
    name: "invoices",
    text: "invoices",
    sums: [...own("total_amount", "tax_amount"), ...usdc("received_amount")],
  },
  { name: "items", text: "booksItems", sums: own("line_total") },
  { name: "credit-notes", text: "creditNotes", sums: own("total_amount", "tax_amount") },
  { name: "receipts", text: "booksReceipts", sums: own("total_amount", "tax_amount") },
  { name: "links", text: "navLinks", sums: usdc("expected_amount", "received_amount") },
  { name: "payments", text: "paymentsTitle", sums: [...usdc("amount"), ...value] },
  { name: "refunds", text: "refunds", sums: [...usdc("amount"), ...value] },
  { name: "withdrawals", text: "booksWithdrawals", sums: [...usdc("amount"), ...value] },
  { name: "settlements", text: "booksSettlements", sums: usdc("amount") },
  { name: "fees", text: "booksFees", sums: [...own("fee"), ...value] },
  { name: "taxes", text: "booksTaxes", sums: own("taxable_amount", "tax_amount") },
  { name: "tax-sums", text: "booksTaxSums", sums: own("taxable_amount", "tax_amount") },
  {
    name: "annual",
    text: "booksAnnual",
    sums: [
      ...usdc("payments_usdc", "refunds_usdc"),
      ...of("fiat_currency", "payments_value", "refunds_value"),
    ],
  },
  { name: "quickbooks-statement", text: "booksQuickbooks", sums: usdc("Amount") },
  { name: "xero-statement", text: "booksXeroStatement", sums: usdc("Amount") },
];

/** Files that nearly every bookkeeper asks for. */
const mainNames = ["invoices", "credit-notes", "payments", "tax-sums"];
const isMain = ({ name }: File) => mainNames.includes(name);
export const mainFiles = files.filter(isMain);
export const otherFiles = files.filter((file) => !isMain(file));

/** Files with their own codes. Debits and credits of bookings have no meaningful sum. */
export const xeroFile: File = {
  name: "xero",
  text: "booksXero",
  sums: of("Currency", "*UnitAmount", "TaxAmount"),
};
export const datevFile: File = { name: "datev", text: "booksDatev", sums: [] };

export const fileOf = (name: string): File | undefined =>
  [...files, xeroFile, datevFile].find((file) => file.name === name);

/** Maximum rows shown, and maximum rows summed up. */
const shownMax = 10;
const readMax = 20_000;

export type Preview = {
  /** Columns with a value in the shown rows. */
  columns: string[];
  rows: Record<string, Cell>[];
  count: number;
  isCut: boolean;
  sums: { column: string; amount: string; unit: string }[];
  gaps: [Exclude<Gap, "times">, number][];
};

/** Final states that count: money moved, or, for a reverted transaction, its fee was paid. */
const ends = new Set<Cell | undefined>(["done", "settled", "confirmed", "reverted"]);

/** True unless it is void, failed, still to come, or irrelevant to the books, as `counts` says where a row has it. */
const isCounted = ({ state, status, counts = status !== "void", confirmed }: Record<string, Cell>) =>
  (state === undefined || ends.has(state)) && counts === true && confirmed !== false;

/** The decimals of a wei, the smallest unit summed up. */
const decimals = 18;

const scaled = (text: string) => {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return BigInt(sign + (whole || "0") + fraction.padEnd(decimals, "0"));
};

/** Formats a sum with at least two decimals. */
function written(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, "0");
  const fraction = withoutEnd(digits.slice(-decimals), "0").padEnd(2, "0");
  return `${sum < 0n ? "-" : ""}${digits.slice(0, -decimals)}.${fraction}`;
}

/**
 * Returns the first rows of a file, and its sums; or the missing codes. It asks no node, so payments have the day that
 * Till knows.
 */
export async function previewOf(deps: HttpDeps, table: Table, days: DayRange): Promise<Preview | string[]> {
  const gaps = new Map<Exclude<Gap, "times">, number>();
  const selection = selectionOf(deps, days, [], (_, gap, count) => {
    if (gap !== "times") gaps.set(gap, (gaps.get(gap) ?? 0) + count);
  });
  const missing = table.missing?.(selection) ?? [];
  if (missing.length > 0) return missing;
  const summed = fileOf(table.name)?.sums ?? [];
  const sums = new Map<string, { column: string; unit: string; sum: bigint }>();
  const rows: Record<string, Cell>[] = [];
  let count = 0;
  for await (const row of rowsOf(table, selection, deps.config.dataDir)) {
    if (count === readMax) return { ...shown(), isCut: true };
    if (++count % csvRowsAtOnce === 0) await turn();
    if (rows.length < shownMax) rows.push(row);
    if (!isCounted(row)) continue;
    for (const [column, unitOrColumn] of summed) {
      const unit = String(unitOrColumn in row ? (row[unitOrColumn] ?? "") : unitOrColumn);
      const text = row[column] ?? null;
      if (text === null) continue;
      const key = `${column} ${unit}`;
      const before = sums.get(key)?.sum ?? 0n;
      sums.set(key, { column, unit, sum: before + scaled(String(text)) });
    }
  }
  return { ...shown(), isCut: false };

  function shown() {
    return {
      columns: table.columns(selection).filter((column) => rows.some((row) => (row[column] ?? "") !== "")),
      rows,
      count,
      sums: [...sums.values()].map(({ sum, ...each }) => ({ ...each, amount: written(sum) })),
      gaps: [...gaps],
    };
  }
}
