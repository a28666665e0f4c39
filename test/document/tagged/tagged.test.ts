import { describe, expect, test } from "bun:test";
import { PDFDict, PDFName } from "@pdfme/pdf-lib";
import { loadFonts } from "../../../src/document/type/fonts.ts";
import { writePdf } from "../../../src/document/worker/pdf.ts";
import { type LanguageCode, languageCodes } from "../../../src/language/languages.ts";
import { speak } from "../../../src/language/locale.ts";
import { structTextOf } from "../poppler.ts";
import { receiptSample } from "../receipt-sample.ts";
import { fullSample, line, lines, sample } from "../sample.ts";
import { kinds } from "./kinds.ts";
import { type Part, structureOf, textIn } from "./structure.ts";

/** What PDF/UA-1 asks for, by the failure conditions of the Matterhorn protocol, read without what wrote it. */

const fonts = loadFonts();
const kindsOf = Object.keys(kinds) as (keyof typeof kinds)[];
const written = (kind: keyof typeof kinds, language: LanguageCode) => {
  const document = kinds[kind];
  return writePdf({ ...document, look: { ...document.look, language } }, fonts);
};
const structures = new Map<string, ReturnType<typeof structureOf>>();
/** Each is written and read once, for all who look at it. */
const structureIn = (kind: keyof typeof kinds, language: LanguageCode) =>
  structures.getOrInsertComputed(`${kind} ${language}`, async () =>
    structureOf(await written(kind, language)),
  );

/** What may stand in what (ISO 32000-1, 14.8.4). */
const within: Record<string, RegExp> = {
  Document: /^(H1|H2|P|L|Table|Figure)$/,
  L: /^LI$/,
  LI: /^(Lbl|LBody)$/,
  Table: /^(THead|TBody|TR)$/,
  THead: /^TR$/,
  TBody: /^TR$/,
  TR: /^(TH|TD)$/,
  TH: /^P$/,
  TD: /^P$/,
  LBody: /^Link$/,
  P: /^Link$/,
};

/** Each part by the failure condition that it could meet. */
function faultsOf(part: Part): string[] {
  const { role, kids, dict } = part;
  const faults = kids.flatMap((kid) =>
    within[role]?.test(kid.role) ? [] : [`01-006: ${kid.role} in ${role}`],
  );
  if (role === "Figure" && !textIn(dict, "Alt")) faults.push("13-004: a picture without a text");
  const scope = dict.lookupMaybe(PDFName.of("A"), PDFDict)?.get(PDFName.of("Scope"))?.toString();
  if (role === "TH" && !/^\/(Row|Column)$/.test(scope ?? "")) faults.push("15-003: a head of nothing");
  if (role === "LI" && kids.map((kid) => kid.role).join() !== "Lbl,LBody") faults.push("16: half a fact");
  if (part.text.includes("\0")) faults.push(`10-001: letters without a text in ${role}`);
  if (/^(H1|H2|Lbl|LBody|TH|P|Link|Figure)$/.test(role) && part.text.trim() === "")
    faults.push(`an empty ${role}`);
  return faults;
}

const rowsOf = (table: Part) => table.kids.flatMap((kid) => (kid.role === "TR" ? [kid] : kid.kids));

const inAll = "invoice with an e-invoice";
/** Each kind in a language that runs to the right and in one that runs to the left, and one of them in all. */
const versions = kindsOf.flatMap((kind) =>
  (kind === inAll ? languageCodes : (["en", "ar"] as const)).map((language) => [kind, language] as const),
);

describe("all that is drawn is in one part or decorates, and nothing fails", () => {
  test.each(versions)("%s, %s", async (kind, language) => {
    const { parts, faults, catalog, pages } = await structureIn(kind, language);
    expect([...faults, ...parts.flatMap(faultsOf)]).toEqual([]);
    for (const table of parts.filter(({ role }) => role === "Table"))
      expect(new Set(rowsOf(table).map(({ kids }) => kids.length)).size).toBe(1);
    expect(parts.filter(({ role }) => role === "H1")).toHaveLength(1);

    const entry = (...keys: string[]) =>
      keys.reduce<unknown>((at, key) => at instanceof PDFDict && at.lookup(PDFName.of(key)), catalog);
    expect(`${entry("MarkInfo", "Marked")}`).toBe("true");
    expect(`${entry("ViewerPreferences", "DisplayDocTitle")}`).toBe("true");
    expect(textIn(catalog, "Lang")).toBe(language);
    for (const { node } of pages) {
      expect(`${node.get(PDFName.of("Tabs"))}`).toBe("/S");
      for (const ref of node.Annots()?.asArray() ?? []) {
        const link = node.context.lookup(ref, PDFDict);
        expect(textIn(link, "Contents")).toMatch(/\S/);
      }
    }
  });
});

/** The roles of a part and of all in it, each with how deep it stands. */
const rolesIn = ({ role, kids }: Part, depth = 0): string[] => [
  `${"  ".repeat(depth)}${role}`,
  ...kids.flatMap((kid) => rolesIn(kid, depth + 1)),
];

test.each(versions.filter(([, language]) => language !== "en"))(
  "%s: the same parts are in %s as in English",
  async (kind, language) => {
    const [english, other] = await Promise.all(
      (["en", language] as const).map(async (each) => rolesIn((await structureIn(kind, each)).root)),
    );
    expect(english?.slice(0, 2)).toEqual(["Document", "  H1"]);
    expect(english).toContain("    LI");
    expect(other).toEqual(english ?? []);
  },
);

describe("who has a document read out", () => {
  test("hears an invoice from its title to its notes", async () => {
    const text = await structTextOf(await written("invoice", "en"));
    const heard = Array.from(text.matchAll(/"(.*)"/g), ([, each]) => each);
    expect(heard).toEqual([
      "Invoice",
      sample.merchantName,
      "Lindenstraße 14 10969 Berlin Germany",
      sample.merchantEmail ?? "",
      "Billed to",
      sample.vendorName,
      "500 Market Street San Francisco, CA 94105",
      sample.vendorEmail ?? "",
      ...["Invoice number", "INV-0042", "Issue date", "5 January 2026", "Due date", "4 February 2026"],
      ...["Reference", "PO-4711", "Amount due", "750.00 USDC"],
      ...["Description", "Quantity", "Unit price", "Amount (USDC)"],
      ...lines(3).flatMap(({ description, quantity, unitPrice, lineTotal }) => [
        description,
        quantity,
        unitPrice,
        lineTotal,
      ]),
      ...["Total", "750.00 USDC", "", "Pay 750.00 USDC"],
      "Scan the code with a wallet app, or send USDC to the deposit address.",
      ...["Deposit address", sample.depositAddress, "Network", "Only USDC on the Base network"],
      ...["Pay online and track your payment", sample.invoiceUrl],
      ...["Notes", "Thank you for your business."],
    ]);
  });

  test.each(["en", "ar"] as const)("hears texts of any script in their order, in %s", async (language) => {
    const vendorName = "شركة (الأمل) 12 للتصميم";
    const notes = "設計 ✓ क्षत्रिय (a) חשבונית [ב] 12, بريد.\nlost: 𒀀 and 👨‍👩‍👧 "
      .concat("word ".repeat(60))
      .trim();
    const look = { ...sample.look, language };
    const { parts } = await structureOf(await writePdf({ ...sample, vendorName, notes, look }, fonts));
    const heard = parts.map(({ text }) => text);
    for (const text of [vendorName, notes, speak(language).say("billedTo"), sample.depositAddress])
      expect(heard).toContain(text);
    const code = parts.find(({ role }) => role === "Figure");
    expect(code?.text).toBe(speak(language).say("qrOfPayment"));
  });

  test("hears a line that goes over pages once, in one row, and the head of the table once", async () => {
    const document = kinds["invoice with a line that goes over pages"];
    const { parts, pages } = await structureIn("invoice with a line that goes over pages", "en");
    expect(pages.length).toBeGreaterThan(1);
    const [table] = parts.filter(({ role }) => role === "Table");
    const rows = table ? rowsOf(table) : [];
    expect(rows).toHaveLength(1 + document.lineItems.length);
    expect(rows.slice(1).map(({ kids }) => kids[0]?.text.trim())).toEqual(
      document.lineItems.map((item) => `${item.description.trim()}${item.less ?? ""}`),
    );
    expect(rows[0]?.kids.map(({ text }) => text)).toEqual([
      ...["Description", "Quantity", "Unit price", "Tax", "Amount (EUR)"],
    ]);
    expect(parts.at(-1)?.text).toMatch(
      /^VAT ID: DE136695976 [^:]*: 37\/123\/45678 [^:]*: HRB 123456 B, [^:]*$/,
    );
  });

  test("hears an empty cell where there is none of a rate", async () => {
    const lineItems = [{ ...line(1), rate: "19%" }, line(2)];
    const { parts } = await structureOf(await writePdf({ ...fullSample, lineItems }, fonts));
    const table = parts.find(({ role }) => role === "Table");
    expect(table ? rowsOf(table).map(({ kids }) => kids.length) : []).toEqual([5, 5, 5]);
  });

  test("hears where a link leads to, and none of what is no web page", async () => {
    const { parts } = await structureIn("receipt", "en");
    const links = parts.filter(({ role }) => role === "Link").map(({ text }) => text);
    expect(links).toEqual([receiptSample.payments[0]?.txHash ?? "", receiptSample.pageUrl]);
    const none = await structureOf(await writePdf({ ...sample, invoiceUrl: "javascript:alert(1)" }, fonts));
    expect(none.parts.filter(({ role }) => role === "Link")).toEqual([]);
  });
});
