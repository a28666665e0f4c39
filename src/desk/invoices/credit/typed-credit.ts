import * as Credit from "../../../domain/bill/credit.ts";
import type * as CreditNote from "../../../domain/bill/credit-note.ts";
import * as Currency from "../../../domain/bill/currency.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import * as Quantity from "../../../domain/bill/quantity.ts";
import * as Remainder from "../../../domain/bill/remainder.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import { parseCreditRequest } from "../../../invoicing/request/credit.ts";
import type { Locale } from "../../../language/locale.ts";
import { type FormFault, typedText } from "../../parts/form/form.tsx";
import { amountOf } from "../form/body.ts";
import { wrongPrice, wrongQuantity } from "../form/fields.ts";

/** Reads a credit note's form. */
export function readTypedCredit(form: URLSearchParams, invoice: Invoice, key: string): TypedCredit {
  const text = (name: string) => typedText(form, name);
  const kind = text("kind");
  return {
    kind: (creditKinds as readonly string[]).includes(kind) ? (kind as CreditKind) : "rest",
    quantities: invoice.lineItems.map((_, at) => text(`quantity-${at}`)),
    amounts: Remainder.rowsOf(invoice).map((_, at) => text(`amount-${at}`)),
    reason: text("reason"),
    key,
  };
}

/** The positions that have text. */
const filled = (texts: readonly string[]) => texts.flatMap((text, at) => (text === "" ? [] : [{ text, at }]));

/** Returns the request for the API, and the form's field for each field it names. */
export function creditBody(typed: TypedCredit, invoice: Invoice, mark: string) {
  const lines = filled(typed.quantities);
  const amounts = filled(typed.amounts);
  const code = Currency.codeOf(invoice);
  const rows = Remainder.rowsOf(invoice);
  const taxOf = (at: number) => {
    const of = rows[at]?.of ?? null;
    return of === null ? {} : { tax_rate: Tax.formatShare(of.rate), tax_category: of.category };
  };
  const scopes = {
    rest: {},
    lines: {
      lines: lines.map(({ text, at }) => ({ line: at + 1, quantity: Quantity.parseTyped(text, mark) ?? 0 })),
    },
    amounts: {
      amounts: amounts.map(({ text, at }) => ({ amount: amountOf(text, mark, code), ...taxOf(at) })),
    },
  };
  const body = { reason: typed.reason, ...scopes[typed.kind] };
  const places = { lines: lines.map(({ at }) => at), amounts: amounts.map(({ at }) => at) };
  return { body, places };
}

export type Sum = { totals: Tax.Totals; lines: CreditNote.CreditLine[]; wanted: Credit.CreditScope };

/** Returns the form's sum, or its faults, in the desk's words. */
export function sumOf(
  typed: TypedCredit,
  invoice: Invoice,
  notes: readonly CreditNote.CreditNote[],
  locale: Locale,
): { ok: true; sum: Sum } | { ok: false; faults: FormFault[] } {
  const { body, places } = creditBody(typed, invoice, locale.decimalMark);
  const ofReason = parseCreditRequest({ reason: typed.reason }, invoice).ok
    ? []
    : [{ field: "reason", message: locale.say("faultVoidReason") }];
  const refused = (...faults: FormFault[]) => ({ ok: false as const, faults: [...faults, ...ofReason] });
  if (typed.kind !== "rest" && places[typed.kind].length === 0)
    return refused({ field: "kind", message: locale.say("faultCreditNone") });
  // A missing reason is reported with all the other faults.
  const parsed = parseCreditRequest({ ...body, reason: "-" }, invoice);
  if (!parsed.ok) {
    const faults = parsed.faults.map(({ field }): FormFault => {
      const [, list, index] = /^(lines|amounts)\[(\d+)\]/.exec(field) ?? [];
      const isLine = list === "lines";
      const at = places[isLine ? "lines" : "amounts"][Number(index)];
      const message = isLine ? wrongQuantity(locale) : wrongPrice(locale);
      return { field: `${isLine ? "quantity" : "amount"}-${at}`, message };
    });
    return refused(
      ...faults.filter(({ field }, at) => faults.findIndex((one) => one.field === field) === at),
    );
  }
  const worked = Credit.work(invoice, notes, parsed.value.wanted);
  if (worked.ok)
    return ofReason.length > 0 ? refused() : { ok: true, sum: { ...worked, wanted: parsed.value.wanted } };
  const { refusal } = worked;
  const most = (amount: string) => locale.say("creditAmountLeft", { amount: locale.figure(amount) });
  switch (refusal.kind) {
    case "nothing":
      return refused({ field: "kind", message: locale.say("creditNothingLeft") });
    case "line":
      return refused({
        field: `quantity-${refusal.line}`,
        message: locale.labelled(
          invoice.lineItems[refusal.line]?.description ?? "",
          refusal.left > 0n
            ? most(Quantity.format(Quantity.fromMillionths(refusal.left)))
            : locale.say("creditNothingLeft"),
        ),
      });
    case "row":
      return refused(
        typed.kind === "lines"
          ? {
              field: "kind",
              message: locale.say(refusal.takenBack ? "faultCreditTakenBack" : "faultCreditLines"),
            }
          : { field: `amount-${refusal.row}`, message: most(Currency.formatOf(invoice, refusal.left)) },
      );
  }
}

export const creditKinds = ["rest", "lines", "amounts"] as const;
type CreditKind = (typeof creditKinds)[number];

/** The form as typed: quantities by the invoice's lines, amounts by its tax rows. */
export type TypedCredit = {
  kind: CreditKind;
  quantities: readonly string[];
  amounts: readonly string[];
  reason: string;
  /** Makes a form that is sent twice one credit note. */
  key: string;
};
