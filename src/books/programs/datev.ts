import * as Currency from "../../domain/bill/currency.ts";
import { type Invoice, supplyDayOf } from "../../domain/bill/invoice.ts";
import * as Calendar from "../../domain/calendar.ts";
import type { Party } from "../../domain/party/party.ts";
import { isOfEu } from "../../domain/party/tax-id.ts";
import * as Usdc from "../../domain/usdc.ts";
import { counted } from "../../lib/text/english.ts";
import { world } from "../../lib/world.ts";
import type { DatevCodes } from "../../store/tables/desk/preference.ts";
import * as BookValueStore from "../../store/tables/invoicing/book-value.ts";
import type { Cell } from "../columns.ts";
import { eachIn, eachOut, type Movement } from "../movements.ts";
import type { Selection, Table } from "../table.ts";
import { columns, datevSheet, dayMonth, dayMonthYear, isOneYear, latin } from "./datev-file.ts";
import { byRate, eachToBook, taxKeysOf } from "./xero.ts";

/**
 * Bookings for DATEV, in EUR: sales and credit notes by tax, and USDC received, refunded or withdrawn. Each names its
 * invoice, by which DATEV matches payments with open items.
 */

type Row = Record<string, Cell>;

/** An amount, its currency (null for USDC), and that currency's price of 1 USDC. */
type Sum = { amount: bigint; code: Currency.Code | null; rate: Currency.Rate };

/** A rate in DATEV's form: the price of 1 EUR. */
const rateDecimals = 6;
const rateForm = /^[1-9]\d{0,3}\.\d{6}$/;

const comma = (text: string) => text.replace(".", ",");
const euros = (amount: Usdc.Billed) => comma(Currency.format(amount, "EUR"));
const cents = (numerator: bigint, denominator: bigint) =>
  Usdc.round<Usdc.Billed>(numerator, denominator, Usdc.microPerCent);

/**
 * The columns of an amount; null if its value in EUR is unknown, where 1 USDC is worth `eur`. In its own currency if
 * DATEV has a code and a form for the rate: not for USDC, nor for currencies worth more than a euro.
 */
function money({ amount, code, rate }: Sum, eur: Currency.Rate | null): Row | null {
  const own = cents(amount, 1n);
  if (code === "EUR") return { "Umsatz (ohne Soll/Haben-Kz)": euros(own) };
  const [perUsdc, eurPerUsdc] = [Currency.scaled(rate), Currency.scaled(eur ?? "")];
  if (perUsdc === null || eurPerUsdc === null) return null;
  const value = cents(amount * eurPerUsdc, perUsdc);
  const perEuro = (perUsdc * Currency.rateUnit) / eurPerUsdc;
  const unit = 10n ** BigInt(Currency.rateDecimalsMax - rateDecimals);
  const digits = String(perEuro / unit).padStart(rateDecimals + 1, "0");
  const course = `${digits.slice(0, -rateDecimals)}.${digits.slice(-rateDecimals)}`;
  if (code === null || !rateForm.test(course)) return { "Umsatz (ohne Soll/Haben-Kz)": euros(value) };
  return {
    "Umsatz (ohne Soll/Haben-Kz)": euros(own),
    "WKZ Umsatz": code,
    Kurs: comma(course),
    "Basis-Umsatz": euros(value),
    "WKZ Basis-Umsatz": "EUR",
  };
}

type Booking = Sum & {
  day: string;
  /** Debit or credit of the account. */
  side: "S" | "H";
  account: string;
  contra: string;
  taxKey?: string;
  /** The number of the open item. */
  number: string;
  text: string;
  eur: Currency.Rate | null;
  /** The currency of which 1 is worth `eur`; USDC if absent. */
  eurPer?: Currency.Code;
  txHash?: string | null;
  more?: Row;
};

const numberLengthMax = 36;
const textLengthMax = 60;

/** The columns of a booking; null without a value in EUR, or if it is below one cent. */
function rowOf(booking: Booking): Row | null {
  const {
    day,
    side,
    account,
    contra,
    taxKey,
    number,
    text,
    amount,
    code,
    eur,
    eurPer = "USDC",
    txHash,
    more,
  } = booking;
  const sums = money(booking, eur);
  if (sums === null || amount < Usdc.microPerCent) return null;
  const facts = [
    ...(code === "EUR" ? [] : [[code ?? "USDC", Currency.format(amount, code ?? "USDC", true)]]),
    ...(code === "EUR" || eur === null ? [] : [[`EUR je ${eurPer}`, eur]]),
    ...(txHash ? [["Transaktion", txHash]] : []),
  ].map(([kind, content], index) => ({
    [`Beleginfo - Art ${index + 1}`]: kind ?? "",
    [`Beleginfo - Inhalt ${index + 1}`]: content ?? "",
  }));
  return {
    ...sums,
    "Soll/Haben-Kennzeichen": side,
    Konto: account,
    "Gegenkonto (ohne BU-Schlüssel)": contra,
    "BU-Schlüssel": taxKey ?? "",
    Belegdatum: dayMonth(day),
    // The distinguishing part of a number is its end.
    "Belegfeld 1": number.replaceAll(/[^\w$%/-]/g, "-").slice(-numberLengthMax),
    Buchungstext: latin(text).slice(0, textLengthMax),
    Festschreibung: "0",
    ...Object.assign({}, ...facts),
    ...more,
  };
}

/** `8400`, or `8000/3` with a tax key for an account that has none. */
const taxForm = /^(\d+)(?:\/(\d{1,4}))?$/;
const keyLength = 4;

/** Taxes for which the VAT return requires the buyer's VAT id. */
const toOtherCountry = ["reverse_charge", "intra_community"];

/** The field only accepts VAT ids of the EU or of Northern Ireland. */
const euVatIdOf = (buyer: Party | null) => (buyer?.vatId && isOfEu(buyer.vatId) ? buyer.vatId : null);

/** The day of the supply, and the tax period, which DATEV requires with it. A credit note belongs to its own month. */
const supplyOf = (
  invoice: Pick<Invoice, "delivery" | "issueDate">,
  taxPeriod: Selection["taxPeriod"],
): Row =>
  invoice.delivery === null
    ? {}
    : {
        Leistungsdatum: dayMonthYear(supplyDayOf(invoice)),
        "Datum Zuord. Steuerperiode": dayMonthYear(
          taxPeriod === "supply" ? supplyDayOf(invoice) : invoice.issueDate,
        ),
      };

const valueIn = (value: { currency: string; rate: string } | null) =>
  value?.currency === "EUR" ? value.rate : null;

/** The bookings of a sale or its credit note, one per tax. */
function* ofSale(
  sale: ReturnType<typeof eachToBook> extends Generator<infer S> ? S : never,
  { db, datev, taxPeriod }: Selection,
) {
  const { invoice, note, currency, kind, deposit } = sale;
  // The tax in euros as stated on the invoice also applies to the books.
  const stated = invoice.taxInCurrency?.code === "EUR" ? invoice.taxInCurrency : null;
  const rate = stated === null ? (invoice.currency?.issuedRate ?? invoice.currency?.rate ?? "1") : "1";
  const kept = () => valueIn(BookValueStore.find(db, kind, deposit));
  const eur = currency === "EUR" ? null : (stated?.rate ?? kept());
  for (const { key, net, tax } of byRate({ invoice: { ...invoice, lineItems: [] }, note })) {
    const [, contra = "", taxKey = ""] = taxForm.exec(datev.taxes[key] ?? "") ?? [];
    const vatId = toOtherCountry.includes(key) ? euVatIdOf(invoice.vendorDetails) : null;
    yield {
      ...(stated === null ? {} : { eurPer: currency ?? "USDC" }),
      amount: net + tax,
      code: currency,
      rate,
      eur,
      account: datev.debtor,
      contra,
      day: (note ?? invoice).issueDate,
      side: note ? "H" : "S",
      taxKey: taxKey === "" ? "" : taxKey.padStart(keyLength, "0"),
      number: invoice.number,
      text: `${(note ?? invoice).number} ${invoice.vendorName}`,
      more: {
        ...(vatId === null ? {} : { "EU-Land u. UStID (Bestimmung)": vatId }),
        ...(note ? {} : { Fälligkeit: dayMonthYear(invoice.dueDate) }),
        ...(note ? {} : supplyOf(invoice, taxPeriod)),
      },
    } satisfies Booking;
  }
}

function ofMovement(
  { kind, amount, subject, ...movement }: Movement,
  { datev, timeZone }: Selection,
): Booking {
  const number = subject ?? "";
  return {
    amount,
    code: null,
    rate: "1",
    eur: valueIn(movement.value),
    txHash: movement.txHash,
    day: Calendar.dayAt(movement.at, timeZone),
    side: kind === "payment" ? "S" : "H",
    account: datev.usdc,
    contra: kind === "withdrawal" ? datev.transit : datev.debtor,
    number,
    text: `${number || "Till"} ${movement.name ?? movement.email ?? movement.address}`,
  };
}

/**
 * Lists codes that are missing or invalid. Accounts are as long as the USDC account, customer accounts one digit
 * longer.
 */
function wrongCodes(
  { consultant, client, usdc, debtor, transit, taxes }: DatevCodes,
  keys: Iterable<string>,
) {
  const isAccount = (account = "") => account.length === usdc.length && /^\d{4,8}$/.test(account);
  const checks = {
    consultant: /^[1-9]\d{3,6}$/.test(consultant) && consultant !== "1000",
    client: /^[1-9]\d{0,4}$/.test(client),
    usdc: isAccount(usdc),
    debtor: /^[1-6]\d{4,8}$/.test(debtor) && debtor.length === usdc.length + 1,
    transit: transit === "" || isAccount(transit),
  };
  const wrong = Object.entries(checks).flatMap(([name, isRight]) => (isRight ? [] : [name]));
  const isTax = (key: string) => isAccount(taxForm.exec(taxes[key] ?? "")?.[1]);
  return [...wrong, ...[...new Set(keys)].filter((key) => !isTax(key)).sort()];
}

const fullDays = ({ days: { from, to }, datev }: Selection) =>
  from !== null && to !== null && isOneYear({ from, to }, datev) ? { from, to } : null;

export const datev: Table = {
  name: "datev",
  text: "bookings for DATEV (EXTF): sales, credit notes, payments, refunds and withdrawals, in EUR",
  file: "EXTF_Buchungsstapel",
  isForProgram: true,
  missing(selection) {
    if (!/^(?:[1-9]|1[0-2])$/.test(selection.datev.month)) return ["month"];
    if (fullDays(selection) === null) return ["days"];
    const keys = [...eachToBook({ ...selection, onGap: () => {} })].flatMap(({ invoice, note }) =>
      taxKeysOf(note ?? invoice),
    );
    return wrongCodes(selection.datev, keys);
  },
  form: (selection) => {
    const days = fullDays(selection);
    if (days === null) throw new RangeError("Days of one year are needed");
    return datevSheet(days, selection.datev, world.now());
  },
  columns: () => [...columns],
  async *rows(selection) {
    const unknown = { sale: 0, payment: 0, refund: 0, withdrawal: 0 };
    let untold = 0;
    for (const sale of eachToBook(selection)) {
      // Amounts below a cent are not booked.
      const rows = [...ofSale(sale, selection)]
        .filter(({ amount }) => amount >= Usdc.microPerCent)
        .map(rowOf);
      if (rows.includes(null)) unknown.sale += 1;
      else yield* rows.filter((row) => row !== null);
    }
    for await (const movement of all(selection)) {
      const row = rowOf(ofMovement(movement, selection));
      if (movement.kind === "withdrawal" && selection.datev.transit === "") untold += 1;
      else if (row === null) unknown[movement.kind] += 1;
      else yield row;
    }
    for (const [noun, count] of Object.entries(unknown))
      if (count > 0)
        selection.onGap(
          `${counted(count, noun)} left out: nobody kept a value of a cent or more in EUR (TILL_BOOKKEEPING_CURRENCY=EUR).`,
          "value",
          count,
        );
    if (untold > 0)
      selection.onGap(
        `${counted(untold, "withdrawal")} left out: no account for money in transit is saved.`,
        "transit",
        untold,
      );
  },
};

async function* all(selection: Selection) {
  yield* eachIn(selection);
  yield* eachOut(selection);
}
