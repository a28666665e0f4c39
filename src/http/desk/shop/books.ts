import { programSheet, sheet } from "../../../books/sheet.ts";
import type { Selection, Table } from "../../../books/table.ts";
import { tables } from "../../../books/tables.ts";
import { taxKey, taxKeysOf } from "../../../books/xero.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import * as Calendar from "../../../domain/calendar.ts";
import { shareText } from "../../../language/bill.ts";
import type { Locale } from "../../../language/locale.ts";
import { categoryNames } from "../../../pages/desk/invoices/form/terms.tsx";
import { type BookCode, booksPage } from "../../../pages/desk/shop/books-page.tsx";
import { openReadOnly } from "../../../store/database.ts";
import * as PreferenceStore from "../../../store/tables/desk/preference.ts";
import * as BilledStore from "../../../store/tables/invoicing/billed.ts";
import type { HttpDeps } from "../../deps.ts";
import { csvFile, decimalMarkOf } from "../csv.ts";
import type { FormOutcome, Gate, Visit } from "../gate.ts";

/** Newest invoices to search for taxes that may need a name. */
const invoicesLookedAt = 500;

const codeLengthMax = 100;

const taxField = "tax ";
/** More taxes than any shop has. */
const taxesMax = 100;

/** The form's field for a key of `taxKey`. */
const fieldOf = (key: string) => (key === "account" ? key : `${taxField}${key}`);

/** What bookkeepers download. */
export function booksRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;

  const taxKeys = (missing: readonly string[]) => {
    const used = BilledStore.newestTotals(db, invoicesLookedAt).flatMap((totals) => taxKeysOf({ totals }));
    const named = Object.keys(PreferenceStore.xeroCodes(db).taxTypes);
    return [...new Set([...used, ...named, ...missing.filter((key) => key !== "account")])].sort();
  };

  function codesFor(locale: Locale, missing: readonly string[]): BookCode[] {
    const { account, taxTypes } = PreferenceStore.xeroCodes(db);
    return [
      { name: "account", label: labelOf("account", locale), value: account },
      ...taxKeys(missing).map((key) => ({
        name: fieldOf(key),
        label: labelOf(key, locale),
        value: taxTypes[key] ?? "",
      })),
    ];
  }

  const page = ({ frame, query }: Visit, missing: readonly string[] = []) =>
    booksPage({
      frame,
      from: query.get("from") ?? "",
      to: query.get("to") ?? "",
      decimals: decimalMarkOf(db, frame.locale),
      currency: config.bookkeepingCurrency,
      codes: codesFor(frame.locale, missing),
      faults: missing.map((key) => ({
        field: fieldOf(key),
        message: frame.locale.labelled(labelOf(key, frame.locale), frame.locale.say("booksCodeFault")),
      })),
    });

  function file(visit: Visit): Response | string | null {
    const name = /^([\w-]+)\.csv$/.exec(visit.params["file"] ?? "")?.[1];
    const table = tables.find((each) => each.name === name);
    if (!table) return null;
    const dayOf = (field: string) => {
      const day = visit.query.get(field) ?? "";
      return Calendar.isDay(day) ? day : null;
    };
    const selection: Selection = {
      db,
      chainId: config.network.chainId,
      days: { from: dayOf("from"), to: dayOf("to") },
      timeZone: config.timeZone,
      rpcUrls: config.rpcUrls,
      baseUrl: deps.baseUrl,
      valueCurrency: config.bookkeepingCurrency,
      codes: PreferenceStore.xeroCodes(db),
      onGap: () => {},
    };
    const missing = table.missing?.(selection) ?? [];
    if (missing.length > 0) return page(visit, missing);
    const columns = table.columns(selection);
    const form = table.isForProgram
      ? programSheet(columns)
      : sheet(columns, decimalMarkOf(db, visit.frame.locale));
    return csvFile(table.name, visit, form, rowsOf(table, selection, config.dataDir));
  }

  gate.page("/desk/settings/books", "export", (visit) => page(visit));
  gate.page("/desk/settings/books/:file", "export", file);
  gate.action(
    "/desk/settings/books/spreadsheet",
    "export",
    "books.spreadsheet",
    ({ now }, form): FormOutcome => {
      const decimals = PreferenceStore.decimalMarks.find((mark) => mark === form.get("decimals"));
      if (decimals !== undefined) PreferenceStore.setSpreadsheet(db, { decimals }, now);
      return { kind: "done", to: "/desk/settings/books", did: "didSaveBooks" };
    },
  );
  gate.action("/desk/settings/books", "manage", "books.codes", ({ now }, form): FormOutcome => {
    const typed = (name: string) => (form.get(name) ?? "").trim().slice(0, codeLengthMax);
    const named = [...form.keys()]
      .filter((name) => name.startsWith(taxField))
      .slice(0, taxesMax)
      .map((name) => [name.slice(taxField.length), typed(name)] as const);
    const taxTypes = Object.fromEntries(named.filter(([, value]) => value !== ""));
    PreferenceStore.setXeroCodes(db, { account: typed("account"), taxTypes }, now);
    return { kind: "done", to: "/desk/settings/books", did: "didSaveBooks" };
  });
}

/** Read with a connection of its own: one that has not read to the end cannot write once another one has written. */
async function* rowsOf(table: Table, selection: Selection, dataDir: string) {
  using db = openReadOnly(dataDir);
  yield* table.rows({ ...selection, db });
}

/** `standard 19.00` → "Taxed 19%". */
function labelOf(key: string, locale: Locale): string {
  if (key === "account") return locale.say("booksAccount");
  if (key === taxKey(null)) return locale.say("booksNoTax");
  const [name = "", rate = ""] = key.split(" ");
  const share = Tax.parseShare(rate);
  const category = Tax.categories.find((each) => each === name);
  const label = category === undefined ? name : locale.texts[categoryNames[category]];
  return share === null
    ? label
    : `${label} ${locale.say("percentage", { percent: shareText(share, locale) })}`;
}
