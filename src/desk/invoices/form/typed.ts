import * as Invoice from "../../../domain/bill/invoice.ts";
import type { Party } from "../../../domain/party/party.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Locale } from "../../../language/locale.ts";
import type { Draft } from "../../../store/tables/desk/draft.ts";
import { isClosed } from "../../parts/form/chip.tsx";
import { asStored } from "../../parts/form/form.tsx";
import { typedParty } from "../../parts/form/party-fields.tsx";
import { type BillName, billForm, chipFields, inputOf, lineForm } from "./fields.ts";

/** The form of a new invoice, as typed. */

export const formPath = "/desk/invoices/new";
/** Target of the form to add or remove a line, and for its preview: nothing is created. */
export const editPath = `${formPath}/edit`;

export type TypedLine = typeof lineForm.empty;

export type TypedInvoice = Record<Exclude<BillName, "wallet_type" | "prices_include_tax">, string> & {
  wallet_type: "managed" | "byo";
  prices_include_tax: boolean;
  vendor_details: Party;
  /** The form was shown with details of the customer: if there are none now, somebody cleared them. */
  was_filled: boolean;
  /** The same for the terms. */
  had_terms: boolean;
  lines: TypedLine[];
};

/**
 * A form as typed, and the key that makes it create one thing only. `repeat` is empty for an invoice, `new` for one
 * that is to repeat, or the id of the series whose bill it is.
 */
export type KeptForm = { typed: TypedInvoice; key: string; repeat: string };

export const emptyLine: TypedLine = { ...lineForm.empty, quantity: "1" };

export const emptyForm: TypedInvoice = {
  ...billForm.empty,
  wallet_type: "managed",
  prices_include_tax: false,
  vendor_details: {},
  was_filled: false,
  had_terms: false,
  lines: [emptyLine],
};

/** Reads the form as sent by the browser. */
export function readTyped(form: URLSearchParams, locale: Locale): TypedInvoice {
  const sent = new URLSearchParams(form);
  for (const [chip, names] of Object.entries(chipFields))
    if (isClosed(form, chip)) for (const name of names) sent.delete(name);
  const columns = lineForm.names.map((name) => [name, form.getAll(inputOf(name))] as const);
  const lines = form
    .getAll("description")
    .slice(0, Invoice.lineItemsMax)
    .map(
      (_, i) =>
        Object.fromEntries(columns.map(([name, cells]) => [name, asStored(cells[i] ?? "")])) as TypedLine,
    );
  return {
    ...billForm.read(sent, locale),
    wallet_type: form.get("wallet_type") === "byo" ? "byo" : "managed",
    prices_include_tax: form.has("prices_include_tax"),
    vendor_details: isClosed(form, "business") ? {} : typedParty(form, "vendor_details"),
    was_filled: form.has("was_filled"),
    had_terms: form.has("had_terms"),
    lines: lines.length === 0 ? [emptyLine] : lines,
  };
}

const termNames = ["unit", "discount", "tax_rate", "tax_category", "tax_reason"] as const;

/** True if discounts or taxes were typed. */
export const hasTerms = ({ lines, discount, prices_include_tax }: TypedInvoice): boolean =>
  discount !== "" || prices_include_tax || lines.some((line) => termNames.some((name) => line[name] !== ""));

export const isTyped = (details: Party) => Object.keys(details).length > 0;

/** Marks what cannot be read, so that the API refuses it: it would take `1.500`, one thousand five hundred, for 1.5. */
export const unread = (typed: string) => (typed === "" ? "" : `?${typed}`);

export const percentSign = /[%٪％]$/;

/** Returns a draft's form, to save. `mark` is the decimal mark of the person who typed it. */
export const savedForm = ({ typed, key, repeat }: KeptForm, mark: string): string =>
  JSON.stringify({ typed, key, repeat, mark });

/** Returns a draft's form as saved, for a reader with this decimal mark; fields newer than the draft are empty. */
export function keptForm({ form }: Draft, { decimalMark }: Locale): KeptForm {
  const { typed, key, repeat = "", mark = decimalMark } = JSON.parse(form) as Saved;
  const lines = typed.lines.map((line) => reread({ ...emptyLine, ...line }, lineFigures, mark, decimalMark));
  const bill = reread({ ...emptyForm, ...typed }, billFigures, mark, decimalMark);
  return { typed: { ...bill, lines }, key, repeat };
}

type Saved = Pick<KeptForm, "typed" | "key"> & { repeat?: string; mark?: string };

const billFigures = ["discount", "rate", "tax_exchange_rate"] as const;
const lineFigures = ["quantity", "unit_price", "discount", "tax_rate"] as const;

/** Writes figures with another decimal mark; those that could not be read stay so. */
function reread<Name extends string, Typed extends Record<Name, string>>(
  typed: Typed,
  names: readonly Name[],
  from: string,
  to: string,
): Typed {
  if (from === to) return typed;
  const figures = names.map((name) => {
    const text = typed[name];
    const [, sign = "", size = ""] = /^\s*([-−]?)(.*)$/s.exec(text) ?? [];
    const figure = size.replace(percentSign, "");
    const plain = Usdc.plainDecimal(figure, from);
    if (plain !== null) return [name, sign + plain.replace(".", to) + size.slice(figure.length)];
    return [name, Usdc.plainDecimal(figure, to) === null ? text : unread(text)];
  });
  return { ...typed, ...Object.fromEntries(figures) };
}

/** Returns an additional line: lines usually share the tax of the line before. */
export const nextLine = ({ tax_rate, tax_category, tax_reason }: TypedLine = emptyLine): TypedLine => ({
  ...emptyLine,
  tax_rate,
  tax_category,
  tax_reason,
});
