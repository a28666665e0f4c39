import * as Currency from "../bill/currency.ts";
import { lineTotal } from "../bill/invoice.ts";
import * as Quantity from "../bill/quantity.ts";
import * as Tax from "../bill/tax.ts";
import * as Usdc from "../usdc.ts";
import type {
  Allowance,
  EInvoiceLine,
  EInvoiceSource,
  LineDiscount,
  TaxBreakdown,
  TaxCategory,
  Words,
} from "./einvoice.ts";

/**
 * An invoice's amounts as EN 16931 requires them: without tax, even where prices include it, and adding up to the
 * invoice's totals to the cent.
 */

/** UNTDID 5305. */
const categoryCodes: Record<Tax.Category, TaxCategory["category"]> = {
  standard: "S",
  zero: "Z",
  exempt: "E",
  reverse_charge: "AE",
  export: "G",
  intra_community: "K",
  outside_scope: "O",
};

/** Codes of the VATEX list. */
const reasonCodes: Partial<Record<Tax.Category, string>> = {
  reverse_charge: "VATEX-EU-AE",
  export: "VATEX-EU-G",
  intra_community: "VATEX-EU-IC",
  outside_scope: "VATEX-EU-O",
};

type Bill = { lines: EInvoiceLine[]; allowances: Allowance[]; taxes: TaxBreakdown[] };

type Itemised = Pick<EInvoiceSource, "lineItems" | "pricesIncludeTax" | "discount" | "currency" | "isMixed">;
type TaxedItem = Itemised["lineItems"][number] & { tax: Tax.Tax };

/** `totals` belong to the invoice, whose lines must all have a tax. */
export function billOf(subject: Itemised, totals: Tax.Totals, words: Words): Bill {
  const items = subject.lineItems.flatMap((item, at) =>
    item.tax === null ? [] : [{ ...item, tax: item.tax, at }],
  );
  const bill: Bill = { lines: [], allowances: [], taxes: [] };
  const minor = Currency.minorOf(Currency.codeOf(subject));
  for (const row of totals.rows) {
    const own = items.filter(({ tax }) => Tax.rowName(tax) === Tax.rowName(row));
    const amounts = own.map((item) => item.lineTotal);
    // A partial credit matches the invoice to the cent: without a discount its lines share the row's amount, and the
    // sum is never below it.
    const billed = netOf(Usdc.sum(amounts), row.rate, subject.pricesIncludeTax, minor);
    const sum = subject.discount === null || billed < row.taxable ? row.taxable : billed;
    const isIncluded = subject.pricesIncludeTax;
    const nets = Tax.netsOf(sum, amounts, { rate: row.rate, isIncluded, minor });
    const taxed = taxedAs(row, subject.isMixed);
    for (const [i, item] of own.entries()) {
      const net = (nets[i] ?? 0n) as Usdc.Billed;
      bill.lines[item.at] = lineOf(item, {
        net,
        id: String(item.at + 1),
        isGross: subject.pricesIncludeTax,
        code: Currency.codeOf(subject),
        taxed,
        words,
      });
    }
    const off = Usdc.fromMicro<Usdc.Billed>(sum - row.taxable);
    if (off > 0n)
      bill.allowances.push({ ...taxed, amount: off, reason: discountText(subject.discount, words) });
    const { category } = row;
    const text =
      row.reason ?? (category in words.reasons ? words.reasons[category as keyof Words["reasons"]] : null);
    const isExempt = taxed.category === "E";
    const reason = { code: isExempt ? null : (reasonCodes[category] ?? null), text };
    addTo(bill.taxes, { ...taxed, taxable: row.taxable, tax: row.tax, reason });
  }
  return bill;
}

/**
 * Merges rows of one category and rate, as exempt and out-of-scope lines must share one row (BR-E-1), joining their
 * reasons.
 */
function addTo(taxes: TaxBreakdown[], row: TaxBreakdown): void {
  const same = taxes.find(({ category, rate }) => category === row.category && rate === row.rate);
  if (same === undefined) {
    taxes.push(row);
    return;
  }
  same.taxable = Usdc.sum([same.taxable, row.taxable]);
  const texts = [same.reason.text, row.reason.text].filter((text) => text !== null);
  same.reason = { ...same.reason, text: texts.join("; ") || null };
}

/**
 * Lines outside the scope of tax have no rate, not even 0. Mixed with other categories they are not allowed (BR-O-11),
 * so they become exempt, with their reason.
 */
function taxedAs({ category, rate }: Pick<Tax.Tax, "category" | "rate">, isMixed: boolean): TaxCategory {
  if (isMixed && category === "outside_scope") return { category: "E", rate: Tax.formatShare(0) };
  return {
    category: categoryCodes[category],
    rate: category === "outside_scope" ? null : Tax.formatShare(rate),
  };
}

const netOf = (amount: Usdc.Billed, rate: Tax.Share, isGross: boolean, minor: bigint) =>
  isGross ? ((amount - Tax.taxOf(amount, rate, true, minor)) as Usdc.Billed) : amount;

function discountText(discount: Tax.Discount | null, words: Words): string {
  return discount?.kind === "percent" ? words.discountOf(discount.percent) : words.discount;
}

type LineOptions = {
  net: Usdc.Billed;
  id: string;
  isGross: boolean;
  code: Currency.Code;
  taxed: TaxCategory;
  words: Words;
};

/** Builds a line whose quantity × price, less its discount, is exactly `net`. */
function lineOf(item: TaxedItem, { net, id, isGross, code, taxed, words }: LineOptions): EInvoiceLine {
  const { quantity, unitPrice, discount, tax } = item;
  const minor = Currency.minorOf(code);
  const whole = netOf(lineTotal(quantity, unitPrice, minor), tax.rate, isGross, minor);
  // The cents of all lines add up: a line without a discount costs its share of them.
  const base = discount === null || whole < net ? net : whole;
  const off: LineDiscount | null =
    base === net
      ? null
      : {
          amount: Usdc.fromMicro(base - net),
          base,
          percent: discount?.kind === "percent" ? Tax.formatShare(discount.percent) : null,
          reason: words.discount,
        };
  const [name = "", ...more] = item.description.split("\n").map((text) => text.trim());
  return {
    id,
    name: name || more.join(" ").trim(),
    description: more.join("\n").trim() || null,
    quantity: Quantity.format(quantity),
    unit: unitCode(item.unit),
    price:
      !isGross && base === whole
        ? Currency.formatPrice(unitPrice, code)
        : netPrice(quantity, base, unitPrice, { rate: isGross ? tax.rate : noRate, minor }),
    discount: off,
    net,
    ...taxed,
  };
}

/** Maximum decimals of a price: enough for a million pieces to come to the right cent. */
const priceDecimalsMax = 10;
const noRate: Tax.Share = 0;

/**
 * The net price with the fewest decimals that give `base` for the quantity. If none does, because cents moved between
 * lines, `base` divided by the quantity.
 */
function netPrice(
  quantity: bigint,
  base: Usdc.Billed,
  gross: Usdc.Billed,
  { rate, minor }: { rate: Tax.Share; minor: bigint },
): string {
  const whole = BigInt(Tax.wholeShare);
  const exact = { of: gross * whole, by: (whole + BigInt(rate)) * Quantity.one };
  const shared = { of: base, by: quantity };
  for (const { of, by } of [exact, shared]) {
    for (let decimals = 2; decimals <= priceDecimalsMax; decimals += 1) {
      const unit = 10n ** BigInt(decimals);
      const price = (2n * of * unit + by) / (2n * by);
      if (Usdc.round(quantity * price, unit, minor) === base) return decimal(price, decimals);
    }
  }
  throw new RangeError(`No price for ${quantity} millionths gives ${base}`);
}

function decimal(scaled: bigint, decimals: number): string {
  const digits = scaled.toString().padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Maps units as people write them to codes of UN/ECE Recommendation 20. */

/** "One": for items without a unit, or with one that is not in the recommendation. */
const piece = "C62";

const words: Record<string, string> = {
  HUR: "h hr hrs hour hours std stunde stunden hora horas heure heures ساعة ساعات 時間 小时",
  DAY: "d day days tag tage día días dia dias jour jours يوم أيام 日 天",
  WEE: "week weeks woche wochen semana semanas semaine semaines أسبوع أسابيع 週 週間 周",
  MON: "month months monat monate mes meses mês mois شهر أشهر ヶ月 か月 月 个月",
  ANN: "year years jahr jahre año años ano anos an ans année années سنة سنوات 年",
  MIN: "min minute minutes minuten minuto minutos دقيقة دقائق 分 分钟",
  SEC: "s sec second seconds sekunde sekunden",
  KGM: "kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes كجم キログラム 公斤 千克",
  GRM: "g gram grams gramm gramme grammes gramo gramos grama gramas جرام グラム 克",
  TNE: "t ton tons tonne tonnes tonnen tonelada toneladas طن トン 吨",
  LBR: "lb lbs pound pounds",
  LTR: "l liter liters litre litres litro litros لتر リットル 升",
  MLT: "ml milliliter millilitre",
  MTR: "m meter meters metre metres metro metros mètre mètres متر メートル 米",
  CMT: "cm",
  MMT: "mm",
  KMT: "km kilometer kilometre kilometers kilometres kilómetro kilómetros quilómetro quilómetros كم キロ 公里",
  MTK: "m² m2 sqm qm",
  MTQ: "m³ m3 cbm",
  FOT: "ft foot feet",
  INH: "in inch inches",
  KWH: "kwh",
  SET: "set sets",
  PR: "pair pairs paar par pares paire paires",
  BX: "box boxes",
  LS: "pauschal pauschale lump lumpsum forfait",
  C62: "pc pcs piece pieces unit units stk stück st ud uds unidad unidades un unidade pièce pièces u pce قطعة 個 件 个",
};

const codes = new Map<string, string>();
for (const [code, list] of Object.entries(words)) {
  codes.set(code.toLowerCase(), code);
  for (const word of list.split(" ")) codes.set(word, code);
}

/** `"h"` → `"HUR"`; `"C62"` if unknown. */
function unitCode(unit: string | null): string {
  if (unit === null) return piece;
  const word = unit.trim().toLowerCase().replace(/\.$/, "");
  return codes.get(word) ?? piece;
}
