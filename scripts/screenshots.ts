/**
 * Pictures of every page and mail in every state, for whoever changes how Till looks: `bun scripts/screenshots.ts`
 * writes them to test/output/screens. With a word, only those whose name has it: `bun scripts/screenshots.ts paid`.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { languageCodes } from "../src/language/languages.ts";
import { speak } from "../src/language/locale.ts";
import { startBrowser } from "../test/support/browser/browser.ts";
import { type Screen, screens } from "../test/support/browser/screens.ts";
import { showDesk } from "./desk-screenshots.ts";

const outputDir = new URL("../test/output/screens/", import.meta.url);
const widthsPx = [390, 1280];
const heightPx = 844;
const [wanted = ""] = process.argv.slice(2);

rmSync(outputDir, { recursive: true, force: true });
mkdirSync(outputDir, { recursive: true });
const chosen = screens().filter(({ name }) => name.includes(wanted));
const found = new Map(chosen.map((screen) => [screen.name, screen]));
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const screen = found.get(new URL(request.url).pathname.slice(1));
    // The pages ask what has changed: nobody answers, so that nothing does.
    if (!screen) return new Promise<Response>(() => {});
    return new Response(screen.html.toWellFormed(), {
      headers: { "content-type": "text/html; charset=utf-8" },
    });
  },
});
const browser = await startBrowser();
let taken = 0;
try {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of widthsPx) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: heightPx } });
      const page = await context.newPage();
      for (const screen of chosen) {
        if (screen.isBrief && (colorScheme === "dark") !== (width === 390)) continue;
        await page.goto(`${server.url.href}${screen.name}`);
        if (screen.before) await page.evaluate(screen.before);
        await take(screen, `${screen.name}-${width}-${colorScheme}`);
      }
      await context.close();

      async function take({ isOnPaper, isInView = false }: Screen, name: string): Promise<void> {
        if (isOnPaper) await page.emulateMedia({ media: "print" });
        await page.screenshot({ path: new URL(`${name}.png`, outputDir).pathname, fullPage: !isInView });
        if (isOnPaper) await page.emulateMedia({ media: null });
        taken += 1;
      }
    }
  }
  await savePdf();
  if (wanted === "" || wanted.startsWith("desk"))
    await showDesk(browser, {
      wanted,
      widthsPx,
      heightPx,
      async take(page, name) {
        await page.screenshot({ path: new URL(`${name}.png`, outputDir).pathname, fullPage: true });
        taken += 1;
      },
    });
} finally {
  await browser.close();
  await server.stop(true);
}
console.log(`${taken} pictures in ${outputDir.pathname}`);

/** The PDF as poppler shows it, before, amid and after the payment. */
async function savePdf(): Promise<void> {
  const { loadFonts } = await import("../src/document/type/fonts.ts");
  const { writePdf } = await import("../src/document/worker/pdf.ts");
  const { sample } = await import("../test/document/sample.ts");
  const { linkReceiptSample, payment, receiptSample } = await import("../test/document/receipt-sample.ts");
  const overpaid = {
    received: "770.00",
    paid: "770.00",
    excess: "20.00",
    payments: [payment(1), payment(2, "20.00")],
  };
  const credited = {
    credits: [{ label: "Credited", amount: "−200.00" }],
    net: "550.00",
    owedBack: speak("en").say("owedBack", {
      total: "550.00 USDC",
      amount: "200.00 USDC",
      merchant: sample.merchantName,
    }),
  };
  const reason = "Billed twice.\nPlease see INV-0041.";
  const states: Record<string, Partial<typeof sample> | typeof receiptSample> = {
    pdf: {},
    "pdf-partial": { payment: { received: "700.00", remaining: "50.00" } },
    "pdf-paid": { payment: { received: "750.00", remaining: null } },
    "pdf-credited": { ...credited, payment: { received: "750.00", remaining: null } },
    "pdf-void": { closed: { kind: "void", reason } },
    "pdf-void-ar": { closed: { kind: "void", reason }, look: { ...sample.look, language: "ar" } },
    "pdf-marked": { closed: { kind: "marked" } },
    "pdf-receipt": receiptSample,
    "pdf-receipt-credited": { ...receiptSample, ...credited, excess: "200.00" },
    "pdf-receipt-link": linkReceiptSample,
    "pdf-receipt-marked": { ...receiptSample, received: "0.00", recordedOn: "2026-01-20", payments: [] },
    ...Object.fromEntries(
      languageCodes.map((language) => [
        `pdf-receipt-excess-${language}`,
        { ...receiptSample, ...overpaid, look: { ...receiptSample.look, language } },
      ]),
    ),
  };
  for (const [name, state] of Object.entries(states)) {
    if (!name.includes(wanted)) continue;
    const file = new URL(`${name}.pdf`, outputDir).pathname;
    writeFileSync(
      file,
      await writePdf(state.kind === "receipt" ? state : { ...sample, ...state }, loadFonts()),
    );
    await Bun.$`pdftoppm -png -r 80 -singlefile ${file} ${new URL(name, outputDir).pathname}`;
  }
}
