import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../src/domain/einvoice/build.ts";
import { cii } from "../../src/domain/einvoice/cii.ts";
import type { EInvoiceSource } from "../../src/domain/einvoice/einvoice.ts";
import { ubl } from "../../src/domain/einvoice/ubl.ts";
import { options, randomCredits, randomSubject, shapes } from "../domain/einvoice/samples.ts";

/**
 * Holds e-invoices of every shape against the official rules of EN 16931, which Till does not bring:
 *   bun run test:en16931 DIR
 * DIR is a copy of github.com/ConnectingEurope/eInvoicing-EN16931. It takes Java and Saxon-HE 9.9 or later (Debian:
 * default-jre-headless, libsaxonhe-java; another place by SAXON_JAR). More stylesheets of Schematron can follow, each
 * as `cii=FILE` or `ubl=FILE`, such as Factur-X's own, or Peppol's (PEPPOL-EN16931-UBL.sch of
 * github.com/OpenPEPPOL/peppol-bis-invoice-3, made into a stylesheet by github.com/schxslt/schxslt). TEST_RANDOM_EINVOICES: how many by chance, 200 unless told.
 */

const [dir, ...more] = process.argv.slice(2);
if (dir === undefined) throw new Error("Say where the rules are: bun run test:en16931 DIR");
const saxon = process.env["SAXON_JAR"] ?? "/usr/share/java/Saxon-HE.jar";
const randomCount = Number(process.env["TEST_RANDOM_EINVOICES"] ?? 200);
const sheets = [
  `cii=${join(dir, "cii/xslt/EN16931-CII-validation.xslt")}`,
  `ubl=${join(dir, "ubl/xslt/EN16931-UBL-validation.xslt")}`,
  ...more,
].map((named) => {
  const [syntax = "", path = ""] = named.split("=");
  if (!existsSync(path)) throw new Error(`There is no ${path}`);
  return { syntax, path };
});

const subjects: Record<string, EInvoiceSource> = {
  ...shapes,
  ...Object.fromEntries(
    Array.from({ length: randomCount }, (_, seed) => [`random ${seed}`, randomSubject(seed)]),
  ),
  ...Object.fromEntries(
    Array.from({ length: randomCount }, (_, seed) =>
      randomCredits(seed).map((of) => [`${of.number} of random ${seed}`, of]),
    ).flat(),
  ),
};
const work = mkdtempSync(join(tmpdir(), "till-en16931-"));
let passed = 0;
let failed = 0;
try {
  const names = Object.keys(subjects);
  for (const [syntax, write] of [
    ["cii", cii],
    ["ubl", ubl],
  ] as const) {
    mkdirSync(join(work, syntax));
    for (const [at, subject] of Object.values(subjects).entries()) {
      const built = build(subject, syntax, options);
      // What Peppol asks of Greece is in none of Till's.
      if (!built.ok && built.faults.every(({ code }) => code === "no_peppol_means")) continue;
      if (!built.ok) throw new Error(`${names[at]} is no e-invoice: ${JSON.stringify(built.faults)}`);
      writeFileSync(join(work, syntax, `${at}.xml`), write(built.einvoice));
    }
  }
  for (const { syntax, path } of sheets) {
    const out = join(work, "out");
    mkdirSync(out);
    const args = [
      "-cp",
      saxon,
      "net.sf.saxon.Transform",
      `-s:${join(work, syntax)}`,
      `-xsl:${path}`,
      `-o:${out}`,
    ];
    const { exitCode, stderr } = Bun.spawnSync(["java", ...args], { stderr: "pipe" });
    if (exitCode !== 0) throw new Error(`${path} could not be run: ${stderr}`);
    for (const file of readdirSync(join(work, syntax))) {
      const report = readFileSync(join(out, file), "utf8");
      // A stylesheet that looked at nothing has found nothing.
      if (!report.includes("fired-rule")) throw new Error(`${path} looked at nothing of ${file}`);
      const faults = report
        .split(/<svrl:(?=failed-assert|successful-report)/)
        .slice(1)
        .filter((fault) => !/^[^>]*(flag|role)="warning"|still status warning/.test(fault));
      for (const fault of faults) {
        const [, text = ""] = /<svrl:text>([\s\S]*?)<\/svrl:text>/.exec(fault) ?? [];
        console.error(`${syntax}, ${names[Number.parseInt(file, 10)]}: ${text.trim()}`);
      }
      if (faults.length === 0) passed += 1;
      else failed += 1;
    }
    rmSync(out, { recursive: true });
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
