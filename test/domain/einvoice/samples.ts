import * as Credit from "../../../src/domain/bill/credit.ts";
import type * as CreditNote from "../../../src/domain/bill/credit-note.ts";
import * as Currency from "../../../src/domain/bill/currency.ts";
import { type Invoice, type LineItem, lineTotal, plain } from "../../../src/domain/bill/invoice.ts";
import * as Quantity from "../../../src/domain/bill/quantity.ts";
import * as Remainder from "../../../src/domain/bill/remainder.ts";
import * as Tax from "../../../src/domain/bill/tax.ts";
import * as TaxCurrency from "../../../src/domain/bill/tax-currency.ts";
import { creditSubjectOf, type EInvoiceSource } from "../../../src/domain/einvoice/einvoice.ts";
import type { Party } from "../../../src/domain/party/party.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { eInvoiceWords } from "../../../src/language/e-invoice.ts";
import { speak } from "../../../src/language/locale.ts";
import { createRandom } from "../../support/random.ts";

/** Invoices of every shape that an e-invoice can have. */

/** As merchants with US dollars at par, in English. */
export const options = { usdParity: true, words: eInvoiceWords(speak("en"), "Base") };

const usdc = (text: string) =>
  (Currency.parse(text, "EUR", { isPrice: true }) ?? Usdc.zero) as Usdc.AnyAmount;

type LineChanges = {
  quantity?: number;
  price?: string;
  category?: Tax.Category;
  rate?: number;
  reason?: string | null;
} & Partial<Pick<LineItem, "description" | "unit" | "discount">>;

/** A line as the API would have taken it; 19 % of tax unless told. */
export function line(changes: LineChanges = {}): LineItem {
  const { category = "standard", price = "120.00", reason = null, discount = null } = changes;
  const quantity = Quantity.fromNumber(changes.quantity ?? 1, { mayTakeBack: true }) as Quantity.Quantity;
  const unitPrice = usdc(price);
  const minor = Usdc.microPerCent;
  const whole = lineTotal(quantity, unitPrice, minor);
  return {
    description: changes.description ?? "Design",
    quantity,
    unitPrice,
    unit: changes.unit ?? null,
    discount,
    tax: { category, rate: changes.rate ?? (category === "standard" ? 190_000 : 0), reason },
    lineTotal: Tax.lessDiscount(whole, discount, minor),
  };
}

export const seller: Party = {
  street: "1 Main Street",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  vatId: "DE123456789",
  contactName: "Ada Seller",
  phone: "+49 30 1234567",
  electronicAddress: "9930:DE123456789",
};

export const buyer: Party = {
  street: "2 Rue de la Paix",
  addition: "c/o Achats",
  postalCode: "75002",
  city: "Paris",
  country: "FR",
  vatId: "FR40303265045",
  registration: "303265045",
  electronicAddress: "9957:FR40303265045",
};

/** An invoice between two businesses of the EU in EUR, with what is changed. */
export function subject(lineItems: LineItem[], changes: Partial<EInvoiceSource> = {}): EInvoiceSource {
  const { discount = null, pricesIncludeTax = false } = changes;
  const totals = Tax.totalsOf(lineItems, { discount, pricesIncludeTax, minor: Usdc.microPerCent });
  return {
    ...plain,
    number: "INV-0001",
    issueDate: "2026-11-22",
    dueDate: "2026-12-06",
    merchantName: "Acme GmbH",
    merchantAddress: "1 Main Street\n10115 Berlin",
    merchantEmail: "billing@acme.example",
    vendorName: "Globex & Söhne <SARL>",
    vendorEmail: "ap@globex.example",
    vendorAddress: null,
    notes: null,
    reference: null,
    lineItems,
    totals,
    currency: { code: "EUR", rate: "0.8607", source: "caller", fetchedAt: 0, total: totals.total },
    merchantDetails: seller,
    vendorDetails: buyer,
    buyerReference: "04011000-12345-34",
    payment: {
      text: "116.18 USDC on Base to 0x52908400098527886E0F7030069857D2E4169EE7",
      account: "0x52908400098527886E0F7030069857D2E4169EE7",
    },
    preceding: null,
    isMixed: totals.rows.length > 1,
    ...changes,
  };
}

const reason = "Article 132(1)(i) of Directive 2006/112/EC";
const exempt = { category: "exempt", reason } as const;
const outside = { category: "outside_scope", reason: "Damages" } as const;
const export_ = { category: "export" } as const;
const reverse = { category: "reverse_charge" } as const;
const percent = (share: number): Tax.Discount => ({ kind: "percent", percent: share });
const amount = (text: string): Tax.Discount => ({ kind: "amount", amount: usdc(text) });
const within = { pricesIncludeTax: true };
const mixed = [
  line({ quantity: 10, unit: "h" }),
  line({ price: "24.90", quantity: 2, rate: 70_000 }),
  line(exempt),
];
const credit = { dueDate: null, payment: null, preceding: { number: "INV-0001", issueDate: "2026-11-01" } };
const american: Party = { street: "5 5th Ave", city: "New York", region: "NY", country: "US" };
const small: Party = {
  country: "DE",
  city: "Bonn",
  taxId: "12/345/67890",
  electronicAddress: "0204:991-1-2",
};

/** An invoice in USD at par, and its tax in euros. */
const dollars = (tax: string) => ({
  currency: null,
  taxInCurrency: { code: "EUR", tax: usdc(tax), rate: "0.8657", source: "caller", fetchedAt: 0 },
});

export const shapes: Record<string, EInvoiceSource> = {
  standard: subject([line()]),
  "two rates": subject([line(), line({ rate: 70_000, price: "24.90", quantity: 3 })]),
  "a rate with decimals": subject([line({ rate: 55_000, price: "33.33" })]),
  zero: subject([line({ category: "zero" })]),
  exempt: subject([line(exempt)]),
  "reverse charge": subject([line(reverse)]),
  "reverse charge with words": subject([line({ ...reverse, reason: "Steuerschuldnerschaft" })]),
  "reverse charge to a registered buyer": subject([line(reverse)], {
    vendorDetails: { country: "FR", registration: "303265045", electronicAddress: "0009:30326504500012" },
  }),
  export: subject([line(export_)], { vendorDetails: { ...american, electronicAddress: "0060:123456789" } }),
  "outside scope": subject([line(outside)], { merchantDetails: { ...seller, registration: "HRB 12345" } }),
  "outside scope by tax id": subject([line(outside), line({ ...outside, price: "7.77" })], {
    merchantDetails: small,
  }),
  "every category that goes together": subject([
    ...mixed,
    line(reverse),
    line({ category: "zero" }),
    line(export_),
  ]),
  "line discount percent": subject([line({ quantity: 3, price: "33.33", discount: percent(125_000) })]),
  "line discount amount": subject([line({ quantity: 3, price: "33.33", discount: amount("9.99") })]),
  "line discount of all": subject([line({ discount: percent(1_000_000) }), line()]),
  "document discount percent": subject(mixed, { discount: percent(33_300) }),
  "document discount amount": subject(mixed, { discount: amount("50.00") }),
  "document discount of nearly all": subject(mixed, { discount: percent(999_900) }),
  "discounts of both kinds": subject(
    [line({ discount: percent(100_000) }), line({ rate: 70_000, discount: amount("1.01") })],
    {
      discount: amount("13.37"),
    },
  ),
  "prices with tax": subject([line({ price: "119.00" })], within),
  "prices with tax, thirds": subject([line({ price: "9.99", quantity: 3 }), line({ price: "0.05" })], within),
  "prices with tax, two rates": subject(
    [line({ price: "9.99" }), line({ price: "4.49", rate: 70_000 })],
    within,
  ),
  "prices with tax and line discount": subject(
    [
      line({ price: "49.99", quantity: 7, discount: percent(150_000) }),
      line({ price: "0.99", discount: amount("0.01") }),
    ],
    within,
  ),
  "prices with tax and document discount": subject(
    [line({ price: "49.99", quantity: 7 }), line({ price: "12.34", rate: 70_000 }), line(exempt)],
    { ...within, discount: percent(70_000) },
  ),
  "prices with tax and all discounts": subject(
    [line({ price: "49.99", quantity: 7, discount: amount("3.21") }), line({ price: "12.34", rate: 70_000 })],
    { ...within, discount: amount("17.77") },
  ),
  "prices with tax, many cents": subject(
    Array.from({ length: 30 }, (_, i) => line({ price: `0.${String(i + 11)}`, quantity: 1 + i / 4 })),
    within,
  ),
  "prices with tax, a million": subject([line({ price: "0.07", quantity: 1_000_000 })], within),
  "thirty lines": subject(
    Array.from({ length: 30 }, (_, i) => line({ description: `Part ${i + 1}`, quantity: i + 1 })),
  ),
  "thirty lines of all rates": subject(
    Array.from({ length: 30 }, (_, i) => line({ rate: 10_000 * (i + 1), price: `${i}.99` })),
    { discount: percent(55_500) },
  ),
  "quantity of millionths": subject([line({ quantity: 0.000001, price: "1000000.00" })]),
  "quantity with decimals": subject([line({ quantity: 1.333333, price: "77.77", unit: "kg" })]),
  "highest amounts": subject([line({ quantity: 1, price: "800000000.00" })]),
  "one cent": subject([line({ price: "0.01" })]),
  "a free line": subject([line(), line({ price: "0.00", description: "Gift" })]),
  "tax that rounds up": subject([
    line({ price: "0.50", rate: 190_000 }),
    line({ price: "0.50", rate: 50_000 }),
  ]),
  "every unit": subject(["h", "Tag", "mois", "個", "KGM", "m²", "workshop"].map((unit) => line({ unit }))),
  "delivery day": subject([line()], { delivery: { kind: "day", day: "2026-11-20" } }),
  "delivery period": subject([line()], {
    delivery: { kind: "period", from: "2026-10-01", to: "2026-10-31" },
  }),
  "terms, orders and notes": subject([line()], {
    paymentTerms: "14 days\nno deduction",
    purchaseOrder: "PO-7",
    reference: "Job 12",
    notes: "Thank you\n  for your order & trust",
  }),
  "an order instead of a reference": subject([line()], { buyerReference: null, purchaseOrder: "PO-7" }),
  "description of several lines": subject([line({ description: 'Design\n\n- logo\n- letter "A" & <b>' })]),
  "characters of every script": subject([line({ description: "设计 تصميم дизайн 🎨\u0007" })], {
    merchantName: "アクメ株式会社",
  }),
  "free text addresses": subject([line()], {
    merchantDetails: { country: "DE", vatId: "DE 123 456 789", electronicAddress: "9930:DE123456789" },
    vendorDetails: { country: "FR", electronicAddress: "9957:FR40303265045" },
    vendorAddress: "Globex\n1\n2\n3\n75002 Paris",
  }),
  "a seller without a vat id": subject([line()], { merchantDetails: { ...small } }),
  USD: subject([line({ category: "zero" })], {
    currency: { code: "USD", rate: "1", source: "parity", fetchedAt: 0, total: usdc("120") },
  }),
  "USD from America": subject([line({ rate: 88_800 })], {
    currency: null,
    merchantDetails: { ...american, taxId: "12-3456789", electronicAddress: "0060:123456789" },
  }),
  "a currency of the north": subject([line({ rate: 250_000 })], {
    currency: { code: "SEK", rate: "9.5", source: "caller", fetchedAt: 0, total: usdc("150") },
    merchantDetails: {
      country: "SE",
      city: "Malmö",
      vatId: "SE556677889901",
      electronicAddress: "0007:5566778899",
    },
  }),
  Greece: subject([line({ rate: 240_000 })], {
    merchantDetails: {
      country: "GR",
      city: "Αθήνα",
      vatId: "EL123456789",
      electronicAddress: "9933:EL123456789",
    },
  }),
  "8.875 % of tax": subject([line({ rate: 88_750, price: "1234.56" })]),
  "a price of six decimals": subject([line({ price: "0.001234", quantity: 98_765 })]),
  "a returned item": subject([line({ quantity: 3 }), line({ quantity: -1, description: "Returned" })]),
  "a returned item with its discount": subject([
    line({ quantity: 3, discount: percent(100_000) }),
    line({ quantity: -1, discount: percent(100_000) }),
    line({ price: "5.00", rate: 70_000 }),
  ]),
  "a returned item, prices with tax": subject(
    [line({ price: "9.99", quantity: 3 }), line({ price: "9.99", quantity: -2 })],
    within,
  ),
  "lines of a rate that cancel out": subject([
    line({ price: "100.00" }),
    line({ price: "2.50", quantity: 20, rate: 70_000 }),
    line({ price: "2.50", quantity: -20, rate: 70_000 }),
  ]),
  "a final bill less its deposit, prices with tax": subject(
    [line({ price: "10000.00" }), line({ price: "9999.00", quantity: -1, description: "Deposit" })],
    within,
  ),
  "what is outside the scope beside the rest": subject([line(), line(outside), line(exempt)]),
  "credit note of what is outside the scope beside the rest": subject([line(outside)], {
    ...credit,
    isMixed: true,
  }),
  "intra-Community supply": subject([line({ category: "intra_community" })], {
    delivery: { kind: "day", day: "2026-11-20" },
  }),
  "intra-Community supply over a month": subject([line({ category: "intra_community" })], {
    delivery: { kind: "period", from: "2026-10-01", to: "2026-10-31" },
  }),
  "yen from France": subject([line({ price: "1500", category: "export" })], {
    currency: { code: "JPY", rate: "150", source: "caller", fetchedAt: 0, total: usdc("1500") },
  }),
  "dollars from Berlin, with the tax in euros": subject([line(), line({ rate: 70_000 })], dollars("27.02")),
  "USDC from Prague, with the tax in koruny": subject([line({ rate: 210_000 })], {
    currency: null,
    taxInCurrency: { code: "CZK", tax: usdc("524.16"), rate: "20.8", source: "caller", fetchedAt: 0 },
    merchantDetails: {
      country: "CZ",
      city: "Praha",
      vatId: "CZ25123891",
      electronicAddress: "9929:CZ25123891",
    },
  }),
  "credit note in dollars": subject([line()], { ...credit, ...dollars("19.74") }),
  "credit note": subject([line()], credit),
  "credit note of every kind": subject(mixed, { ...credit, discount: percent(100_000), notes: "Returned" }),
  "credit note, prices with tax": subject([line({ price: "9.99", quantity: 3 })], { ...credit, ...within }),
  "credit note, reverse charge": subject([line(reverse)], { ...credit, paymentTerms: "Paid back" }),
};

const rates = [190_000, 70_000, 210_000, 55_000, 250_000, 5_000, 1_000_000, 88_750];

/** Invoices by chance, of any category, price, discount and way of pricing. */
export function randomSubject(seed: number): EInvoiceSource {
  const { between, chance, pick } = createRandom(seed);
  const discountOf = (whole: bigint): Tax.Discount | null => {
    if (chance(0.5)) return null;
    if (chance(0.5)) return percent(between(1, 999_999));
    const off = (BigInt(between(0, 1_000)) * whole) / 1_000n;
    return off < 10_000n ? null : { kind: "amount", amount: Usdc.fromMicro(off - (off % 10_000n)) };
  };
  const kinds: LineChanges[] = [{}, {}, {}, exempt, reverse, { category: "zero" }, outside];
  const lines = Array.from({ length: between(1, 29) }, () => {
    const kind = pick(kinds);
    const of = {
      ...kind,
      ...(kind.category === undefined ? { rate: pick(rates) } : {}),
      quantity: chance(0.6) ? between(1, 20) : between(1, 5_000_000) / 10 ** between(0, 6),
      price: `${between(0, chance(0.5) ? 9 : 9_999)}.${String(between(0, 99)).padStart(2, "0")}`,
    };
    if (of.quantity > Quantity.max) of.quantity = Quantity.max;
    return line({ ...of, discount: discountOf(line(of).lineTotal) });
  });
  // Some take back what is on the bill, at times all of it, without the discount.
  const returned = lines.flatMap(({ quantity, ...same }) => {
    if (same.discount !== null || !chance(0.2)) return [];
    const back = chance(0.4) ? quantity : (quantity * BigInt(between(1, 9))) / 10n;
    if (back === 0n) return [];
    const taken = Quantity.fromMillionths(back);
    const amount = lineTotal(taken, same.unitPrice, Usdc.microPerCent);
    return [{ ...same, quantity: -back as Quantity.Quantity, lineTotal: -amount as Usdc.Billed }];
  });
  const discount = discountOf(Usdc.sum([...lines, ...returned].map((item) => item.lineTotal)));
  const made = subject([...lines, ...returned, line()], { discount, pricesIncludeTax: chance(0.5) });
  if (seed % 3 > 0) return made;
  const rate = { code: "EUR", rate: "0.8657", source: "caller", fetchedAt: 0 };
  return { ...made, currency: null, taxInCurrency: TaxCurrency.of({ ...made, currency: null }, rate) };
}

/** Credit notes by chance of such an invoice, of lines and of amounts, until nothing is left of it. */
export function randomCredits(seed: number): EInvoiceSource[] {
  const { between, chance } = createRandom(seed);
  // All of an invoice that a credit note asks for.
  const invoice = { ...randomSubject(seed), total: Usdc.zero, paymentTerms: "Net 30" } as unknown as Invoice;
  const notes: CreditNote.CreditNote[] = [];
  for (let left = Remainder.of(invoice, notes); Remainder.totalLeft(left) > 0n; ) {
    const lines = left.lines.flatMap(({ quantity }, position) => {
      if (quantity === 0n || chance(0.5)) return [];
      const part = (quantity * BigInt(between(1, 9))) / 10n;
      return [{ position, quantity: part === 0n ? null : (part as Quantity.Quantity) }];
    });
    const amounts = left.rows.flatMap((row, at) => {
      const gross = row.taxable + row.tax;
      const part = (gross * BigInt(between(1, 9))) / 10n;
      return part < 10_000n
        ? []
        : [{ row: at, amount: Usdc.fromMicro<Usdc.Billed>(part - (part % 10_000n)) }];
    });
    const scope = (): Credit.CreditScope => {
      if (notes.length === 3) return { kind: "rest" };
      return chance(0.7) && lines.length > 0 ? { kind: "lines", lines } : { kind: "amounts", amounts };
    };
    const work = Credit.work(invoice, notes, scope());
    const note = work.ok ? work : Credit.work(invoice, notes, { kind: "rest" });
    if (!note.ok) throw new Error(`Nothing can be credited of random ${seed}`);
    const number = `CN-000${notes.length + 1}`;
    const before = notes.reduce((sum, { totals: { tax } }) => sum + tax, 0n);
    const taxInCurrency = TaxCurrency.ofNote(invoice, before, note.totals.tax);
    const stored = { ...note, taxInCurrency, number, issueDate: "2026-11-23", reason: "Sent back" };
    notes.push(stored as unknown as CreditNote.CreditNote);
    left = Remainder.of(invoice, notes);
  }
  return notes.map((note) => creditSubjectOf(note, invoice));
}
