import { tables } from "../../books/tables.ts";
import { taxKey, taxKeysOf } from "../../books/xero.ts";
import * as Tax from "../../domain/bill/tax.ts";
import * as Calendar from "../../domain/calendar.ts";
import { tableFile } from "../../http/answer/csv.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { shareText } from "../../language/bill.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as BilledStore from "../../store/tables/invoicing/billed.ts";
import { decimalMarkOf } from "../csv.ts";
import type { FormOutcome, Gate, Visit } from "../gate.ts";
import { categoryNames } from "../invoices/form/lines.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, SelectField, TextField } from "../parts/form/form.tsx";
import { type DeskFrame, mayHere } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Setting } from "../parts/setting.tsx";

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
    const days = { from: dayOf("from"), to: dayOf("to") };
    const file = tableFile(deps, table, days, decimalMarkOf(db, visit.frame.locale));
    return Array.isArray(file) ? page(visit, file) : file;
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

/** What the merchant's books call something; `name` is that of the field. */
type BookCode = { name: string; label: string; value: string };

type BooksProps = {
  frame: DeskFrame;
  /** Days, or nothing. */
  from: string;
  to: string;
  /** How the spreadsheet writes them. */
  decimals: string;
  /** What payments are valued in; null when nobody wants it. */
  currency: string | null;
  codes: readonly BookCode[];
  faults: readonly FormFault[];
};

/** The files, by the names of their tables. */
const files = [
  ["invoices", "invoices"],
  ["items", "booksItems"],
  ["credit-notes", "creditNotes"],
  ["refunds", "refunds"],
  ["receipts", "booksReceipts"],
  ["payments", "paymentsTitle"],
  ["taxes", "booksTaxes"],
  ["tax-sums", "booksTaxSums"],
  ["settlements", "booksSettlements"],
  ["fees", "booksFees"],
] as const satisfies readonly [string, TextKey][];

const day = { type: "date" };

/** What a bookkeeper takes away, and what the books call things. */
function booksPage({ frame, from, to, decimals, currency, codes, faults }: BooksProps): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsBooks"),
    back: "settings",
    body: (
      <>
        <FaultSummary locale={locale} faults={faults} />
        <Setting title={locale.say("booksTake")} text={locale.say("booksTakeText")}>
          <form class="form" id="books">
            <div class="two">
              <TextField locale={locale} name="from" label={locale.say("fromDay")} value={from} extra={day} />
              <TextField locale={locale} name="to" label={locale.say("toDay")} value={to} extra={day} />
            </div>
            <p class="actions">
              {files.map(([name, text]) => (
                <Take locale={locale} name={name} text={text} />
              ))}
            </p>
            <p class="hint">
              {currency === null ? locale.say("booksNoValue") : locale.say("booksValue", { currency })}
            </p>
          </form>
        </Setting>
        <Setting title={locale.say("booksSheet")} text={locale.say("booksSheetText")}>
          <DeskForm frame={frame} action="/desk/settings/books/spreadsheet">
            <SelectField
              locale={locale}
              name="decimals"
              label={locale.say("booksDecimals")}
              value={decimals}
              options={[
                { value: "point", label: locale.say("booksPoint") },
                { value: "comma", label: locale.say("booksComma") },
                { value: "swiss", label: locale.say("booksSwiss") },
              ]}
              faults={[]}
            />
            <p class="actions">
              <SubmitButton text={locale.say("save")} />
            </p>
          </DeskForm>
        </Setting>
        <Setting title={locale.say("booksXero")} text={locale.say("booksXeroText")}>
          {mayHere(frame, "manage") ? (
            <DeskForm frame={frame} action="/desk/settings/books">
              <Codes locale={locale} codes={codes} faults={faults} />
              <p class="actions">
                <SubmitButton text={locale.say("save")} />
                <Take locale={locale} name="xero" text="booksFile" />
              </p>
            </DeskForm>
          ) : (
            <p class="actions">
              <Take locale={locale} name="xero" text="booksFile" />
            </p>
          )}
        </Setting>
      </>
    ),
  });
}

function Codes({ locale, codes, faults }: Pick<BooksProps, "codes" | "faults"> & { locale: Locale }) {
  const extra = { maxlength: String(codeLengthMax) };
  return (
    <>
      {codes.map((code) => (
        <TextField {...code} locale={locale} faults={faults} extra={extra} />
      ))}
    </>
  );
}

/** A file of the days in the form above. */
function Take({ locale, name, text }: { locale: Locale; name: string; text: TextKey }) {
  return (
    <button
      class="button button-quiet"
      type="submit"
      form="books"
      formaction={`/desk/settings/books/${name}.csv`}
    >
      <DeskIcon name="download" />
      <span>{locale.texts[text]}</span>
    </button>
  );
}
