import { type ClosedDaysRefusal, closeDays } from "../../books/closed-days.ts";
import { taxKey, taxKeysOf } from "../../books/programs/xero.ts";
import { tables } from "../../books/tables.ts";
import * as Tax from "../../domain/bill/tax.ts";
import * as Calendar from "../../domain/calendar.ts";
import { may } from "../../domain/party/person.ts";
import { tableFile } from "../../http/answer/csv.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import { shareText } from "../../language/tax-words.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as BilledStore from "../../store/tables/invoicing/billed.ts";
import { decimalMarkOf } from "../csv.ts";
import type { Gate } from "../gate.ts";
import type { FormFault } from "../parts/form/form.tsx";
import { categoryNames } from "../parts/form/tax-kinds.ts";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { fileOf, previewOf } from "./books-files.ts";
import { type BookCode, type BooksProps, booksPage, codeLengthMax } from "./books-page.tsx";
import { previewPage } from "./books-preview.tsx";

/** Number of newest invoices to search for taxes that may need a code. */
const invoicesLookedAt = 500;

/** More taxes than any shop has. */
const taxesMax = 100;

/** Prefix of the field names for taxes, by program; names in `datevNames` are field names themselves. */
const taxFields = { xero: "tax ", datev: "datev " };
type Program = keyof typeof taxFields;

const names: Record<Program, readonly string[]> = { xero: ["account"], datev: PreferenceStore.datevNames };

/** Returns the form's field for a code. */
const fieldOf = (program: Program, key: string) =>
  names[program].includes(key) ? key : `${taxFields[program]}${key}`;

/** Downloads for bookkeepers. */
export function booksRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;

  const savedOf = (program: Program) => {
    const { account, taxTypes } = PreferenceStore.xeroCodes(db);
    if (program === "xero") return { codes: { account }, taxes: taxTypes };
    const { taxes, ...codes } = PreferenceStore.datevCodes(db);
    return { codes, taxes };
  };

  function codesFor(program: Program, locale: Locale, missing: Missing): BookCode[] {
    const { codes, taxes } = savedOf(program);
    const used = BilledStore.newestTotals(db, invoicesLookedAt).flatMap((totals) => taxKeysOf({ totals }));
    const wanted = missing.program === program ? missing.keys : [];
    const keys = [...used, ...Object.keys(taxes), ...wanted];
    const taxKeys = [...new Set(keys)]
      .filter((key) => !(key in ofDays) && !names[program].includes(key))
      .sort();
    return [
      ...Object.entries(codes).map(([key, value]) => ({ key, value })),
      ...taxKeys.map((key) => ({ key, value: taxes[key] ?? "" })),
    ].map(({ key, value }) => ({
      name: fieldOf(program, key),
      // Distinguishes two taxes with the same name on the page.
      label:
        program === "xero" || names.datev.includes(key)
          ? labelOf(key, locale)
          : locale.labelled(locale.say("booksAccount"), labelOf(key, locale)),
      value,
    }));
  }

  function faultsOf({ program, keys }: Missing, locale: Locale): FormFault[] {
    const why = locale.say(program === "xero" ? "booksCodeFault" : "booksDatevFault");
    return keys.map((key) =>
      key in ofDays
        ? { field: ofDays[key as "days"].field, message: locale.say(ofDays[key as "days"].text) }
        : { field: fieldOf(program, key), message: locale.labelled(labelOf(key, locale), why) },
    );
  }

  const page = (
    { frame, query }: Visit,
    missing: Missing = { program: "xero", keys: [] },
    closing: Pick<BooksProps, "through" | "faults"> = {
      through: PreferenceStore.closedThrough(db) ?? "",
      faults: [],
    },
  ) =>
    booksPage({
      frame,
      through: closing.through,
      from: query.get("from") ?? "",
      to: query.get("to") ?? "",
      decimals: decimalMarkOf(db, frame.locale),
      currency: config.bookkeepingCurrency,
      xero: codesFor("xero", frame.locale, missing),
      datev: codesFor("datev", frame.locale, missing),
      faults: [...faultsOf(missing, frame.locale), ...closing.faults],
    });

  /** `NAME.csv` is a file, `NAME` its preview. */
  async function file(visit: Visit): Promise<Response | string | null> {
    const [, name, ending] = /^([\w-]+?)(\.csv)?$/.exec(visit.params["file"] ?? "") ?? [];
    const table = tables.find((each) => each.name === name);
    if (!table) return null;
    const dayOf = (field: string) => {
      const day = visit.query.get(field) ?? "";
      return Calendar.isDay(day) ? day : null;
    };
    const days = { from: dayOf("from"), to: dayOf("to") };
    const isTurned = days.from !== null && days.to !== null && days.to < days.from;
    const lacking = (keys: readonly string[]) =>
      page(visit, { program: name === "datev" ? "datev" : "xero", keys });
    if (isTurned) return lacking(["turned"]);
    if (ending !== undefined) {
      const chosen = [days.from, days.to].filter((day) => day !== null).join("-");
      const made = tableFile(deps, table, days, decimalMarkOf(db, visit.frame.locale), chosen);
      return Array.isArray(made) ? lacking(made) : made;
    }
    const file = fileOf(table.name);
    if (!file) return null;
    const preview = await previewOf(deps, table, days);
    if (Array.isArray(preview)) return lacking(preview);
    const chosen = { from: days.from ?? "", to: days.to ?? "" };
    return previewPage({ frame: visit.frame, file, days: chosen, preview });
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

  gate.action("/desk/settings/books/closed", "export", "books.close", (visit, form): FormOutcome => {
    const { frame, now, who } = visit;
    const typed = (form.get("through") ?? "").trim();
    const before = PreferenceStore.closedThrough(db);
    const through = typed === "" ? null : typed;
    const mayOpen = may(who.role, "manage");
    const why = closeDays(db, { through, today: frame.when.today, mayOpen, now });
    if (why !== null) {
      const message = frame.locale.say(closedTexts[why.kind], {
        numbers: why.kind === "drafts" ? frame.locale.listed(why.numbers.slice(0, draftsNamed)) : "",
      });
      return page(visit, undefined, { through: typed, faults: [{ field: "through", message }] });
    }
    const isOpened = before !== null && (through === null || through < before);
    const action = isOpened ? "books.open" : "books.close";
    return { kind: "done", to: "/desk/settings/books", did: "didSaveBooks", action, subject: through ?? "–" };
  });

  function typedOf(program: Program, form: URLSearchParams) {
    const typed = (name: string) => (form.get(name) ?? "").trim().slice(0, codeLengthMax);
    const prefix = taxFields[program];
    const named = [...form.keys()]
      .filter((name) => name.startsWith(prefix))
      .slice(0, taxesMax)
      .map((name) => [name.slice(prefix.length), typed(name)] as const);
    return { typed, taxes: Object.fromEntries(named.filter(([, value]) => value !== "")) };
  }
  const saved = { kind: "done", to: "/desk/settings/books", did: "didSaveBooks" } as const;
  gate.action("/desk/settings/books", "manage", "books.codes", ({ now }, form): FormOutcome => {
    const { typed, taxes } = typedOf("xero", form);
    PreferenceStore.setXeroCodes(db, { account: typed("account"), taxTypes: taxes }, now);
    return saved;
  });
  gate.action("/desk/settings/books/datev-codes", "manage", "books.codes", ({ now }, form): FormOutcome => {
    const { typed, taxes } = typedOf("datev", form);
    const codes = Object.fromEntries(PreferenceStore.datevNames.map((name) => [name, typed(name)]));
    PreferenceStore.setDatevCodes(db, { ...PreferenceStore.datevCodes(db), ...codes, taxes }, now);
    return saved;
  });
}

/** Maximum drafts listed as obstacles, by number; there may be more. */
const draftsNamed = 10;

const closedTexts = {
  day: "booksClosedDay",
  owner: "booksClosedOwner",
  drafts: "booksClosedDrafts",
} as const satisfies Record<ClosedDaysRefusal["kind"], TextKey>;

/** Faults of the days, reported like a file's missing codes. */
const ofDays = {
  days: { field: "from", text: "booksDaysFault" },
  turned: { field: "to", text: "booksDaysTurned" },
} as const satisfies Record<string, { field: string; text: TextKey }>;

/** The gaps of a program's file: codes, or `days`; `turned` if the last day is before the first. */
type Missing = { program: Program; keys: readonly string[] };

const labels: Readonly<Record<string, TextKey>> = {
  account: "booksAccount",
  [taxKey(null)]: "booksNoTax",
  consultant: "booksConsultant",
  client: "booksClient",
  usdc: "booksUsdcAccount",
  debtor: "booksDebtor",
  transit: "booksTransit",
  month: "booksMonth",
};

/** `standard 19.00` → "Taxed 19%". */
function labelOf(key: string, locale: Locale): string {
  const text = labels[key];
  if (text !== undefined) return locale.texts[text];
  const [name = "", rate = ""] = key.split(" ");
  const share = Tax.parseShare(rate);
  const category = Tax.categories.find((each) => each === name);
  const label = category === undefined ? name : locale.texts[categoryNames[category]];
  return share === null
    ? label
    : `${label} ${locale.say("percentage", { percent: shareText(share, locale) })}`;
}
