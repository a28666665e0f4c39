import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@pdfme/pdf-lib";
import { creditNoteDocumentOf } from "../../src/document/credit-note.ts";
import { hybridOf, type Look } from "../../src/document/invoice/invoice-document.ts";
import { loadFonts } from "../../src/document/type/fonts.ts";
import { type PdfDocument, writePdf } from "../../src/document/worker/pdf.ts";
import type { CreditNote } from "../../src/domain/bill/credit-note.ts";
import type { Invoice } from "../../src/domain/bill/invoice.ts";
import { parse, plainBrand } from "../../src/domain/brand.ts";
import { build } from "../../src/domain/einvoice/build.ts";
import { cii } from "../../src/domain/einvoice/cii.ts";
import type { EInvoiceSource } from "../../src/domain/einvoice/einvoice.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import { networks } from "../../src/domain/wallet/network.ts";
import { languageCodes } from "../../src/language/languages.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { logos, printLogo } from "../document/logos.ts";
import { kinds } from "../document/tagged/kinds.ts";
import { options, randomCredits, randomSubject, shapes } from "../domain/einvoice/samples.ts";
import { storeInvoice } from "../support/till/records.ts";

/**
 * Holds PDFs that carry an e-invoice, of every shape in every language, against PDF/A-3b, and these and PDFs of every
 * other kind against PDF/UA-1, by a validator that Till does not bring:
 *   bun run test:pdfa verapdf
 * The arguments are the command of veraPDF, https://verapdf.org. TEST_RANDOM_EINVOICES: how many by chance, 20 unless
 * told, each with a credit note.
 */

const command = process.argv.slice(2);
if (command.length === 0) throw new Error("Say which veraPDF is to be run: bun run test:pdfa verapdf");
const randomCount = Number(process.env["TEST_RANDOM_EINVOICES"] ?? 20);

/** Letters that a font is not asked for every day. */
const words = [
  "Ελληνικά, Tiếng Việt, Łódź x̂",
  "فاتورة خدمات التصميم ١٢٣ لا إله ﷺ",
  "חשבונית עִבְרִית 123",
  "請求書のデザイン「日本語」、디자인",
  "设计服务，发票。",
  "डिज़ाइन सेवाएँ क्षत्रिय क्‌ष",
  "নকশা ক্ষমা, வடிவமைப்பு க்ஷ",
  "บริการออกแบบ, Հայերեն, ქართული",
  "👨‍👩‍👧‍👦 👍🏽 🇩🇪 🎨 ❤️ 1️⃣",
  "→ ✓ ★ ☑ ∑ Ⅳ ① ½ ﬁ",
  "lost \u0000\u0007\ud800\ufffe\ue000 <&>\"')\\(",
  "long ".repeat(400),
];
const brand = { ...parse({ name: "Acme Pay", color: "#0f766e" }).brand, logo: null };
const brands = [
  plainBrand,
  brand,
  ...[...Object.values(logos), printLogo].map((logo) => ({ ...brand, logo })),
];

const place = { baseUrl: "https://pay.example", network: networks.base };

const work = mkdtempSync(join(tmpdir(), "till-pdfa-"));
const db = openDatabase(work);
const stored = storeInvoice(db, { now: Date.UTC(2026, 10, 22) });
closeDatabase(db);

const pick = <T>(from: readonly T[], at: number) => from[at % from.length] as T;
const subjects: Record<string, EInvoiceSource> = {
  ...shapes,
  ...Object.fromEntries(
    Array.from({ length: randomCount }, (_, seed) =>
      [randomSubject(seed), ...randomCredits(seed).slice(0, 1)].map((of) => [
        `${of.number} of random ${seed}`,
        of,
      ]),
    ).flat(),
  ),
};

function documentFrom(shape: EInvoiceSource, look: Look, said: string): PdfDocument {
  const [first, ...others] = shape.lineItems;
  const subject: EInvoiceSource = {
    ...shape,
    notes: said,
    vendorName: said.slice(0, 100),
    lineItems: first ? [{ ...first, description: said }, ...others] : [],
  };
  const built = build(subject, "factur-x", options);
  if (!built.ok) throw new Error(`It is no e-invoice: ${JSON.stringify(built.faults)}`);
  const xml = cii(built.einvoice);
  const total = Usdc.asUsdc(subject.totals?.total ?? Usdc.zero);
  const invoice: Invoice = { ...stored, ...subject, dueDate: subject.dueDate ?? stored.dueDate, total };
  if (subject.preceding === null) return hybridOf(invoice, xml, { ...place, look });
  const { number, issueDate, lineItems: lines, totals } = subject;
  const note = { number, issueDate, lines, totals, reason: said, toReturn: total, createdAt: 0 };
  return { ...creditNoteDocumentOf(note as unknown as CreditNote, invoice, look), xml };
}

type Flavour = "3b" | "ua1";

/** What veraPDF says of each file that it has read: the rules of PDF/A-3b or of PDF/UA-1 that it breaks. */
function validated(files: string[], flavour: Flavour): Map<string, string[]> {
  const args = ["--flavour", flavour, "--format", "text", "-v", ...files];
  const { stdout, stderr } = Bun.spawnSync([...command, ...args], { stderr: "pipe" });
  const verdicts = new Map<string, string[]>();
  let broken: string[] = [];
  for (const row of stdout.toString().split("\n")) {
    const [, verdict, file] = /^(PASS|FAIL) .*?([^/\\]+\.pdf)/.exec(row) ?? [];
    if (file === undefined) broken.push(...(row === "" ? [] : [row.trim()]));
    else {
      broken = verdict === "PASS" ? [] : [`is not ${flavour}`];
      verdicts.set(file, broken);
    }
  }
  if (verdicts.size === 0) throw new Error(`${command.join(" ")} has validated nothing: ${stdout}${stderr}`);
  return verdicts;
}

const fonts = loadFonts();
const names = new Map<string, string>();
const pathOf = (file: string) => join(work, "pdf", file);
let passed = 0;
let failed = 0;

/** Holds all that is written so far against a standard. */
function judge(flavour: Flavour): void {
  const verdicts = validated(Array.from(names.keys(), pathOf), flavour);
  for (const [file, name] of names) {
    const broken = verdicts.get(file) ?? ["was not validated"];
    if (broken.length === 0) passed += 1;
    else {
      failed += 1;
      console.error(`${name}: ${broken.join(", ")}`);
    }
  }
}

try {
  mkdirSync(join(work, "pdf"));
  for (const [at, language] of languageCodes.entries()) {
    for (const [of, [shape, subject]] of Object.entries(subjects).entries()) {
      // Other words, another brand and the other paper in each language.
      const look: Look = {
        language,
        paper: pick(["a4", "letter"], of + at),
        brand: pick(brands, of + at * 7),
      };
      const said = pick(words, of + at * 4);
      const file = `${language}-${of}.pdf`;
      names.set(file, `${shape}, ${language}, ${look.paper}, ${said.slice(0, 20)}`);
      writeFileSync(pathOf(file), await writePdf(documentFrom(subject, look, said), fonts));
    }
  }
  const untagged = await PDFDocument.create();
  untagged.addPage();
  writeFileSync(pathOf("untagged.pdf"), await untagged.save());
  // A validator that has looked at nothing has found nothing.
  for (const flavour of ["3b", "ua1"] as const)
    if (validated([pathOf("untagged.pdf")], flavour).get("untagged.pdf")?.length === 0)
      throw new Error(`${command.join(" ")} takes an empty page for ${flavour}`);
  judge("3b");
  for (const [kind, document] of Object.entries(kinds))
    for (const language of languageCodes) {
      const file = `${kind}-${language}.pdf`.replaceAll(" ", "-");
      names.set(file, `${kind}, ${language}`);
      writeFileSync(
        pathOf(file),
        await writePdf({ ...document, look: { ...document.look, language } }, fonts),
      );
    }
  judge("ua1");
} finally {
  rmSync(work, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
