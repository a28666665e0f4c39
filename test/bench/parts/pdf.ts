/** Writing an invoice as a PDF, beside other ways to make one; and whether the server stands still meanwhile. */
import { createRenderer } from "../../../src/document/worker/renderer.ts";
import { lines, sample } from "../../document/sample.ts";
import { quick } from "../figures.ts";
import { ratioAtMost, report, tillAtMost } from "../line.ts";
import { startLibrary, startPrinter } from "../pdf-peers.ts";
import { alternate, timed } from "../rounds.ts";

const sizes = quick ? [3] : [3, 30];
const rounds = quick ? 10 : 15;
const stallDocuments = 100;
const tickMs = 1;

const renderer = createRenderer();
const react = quick ? null : await startLibrary("react-pdf", "@react-pdf/renderer");
const printer = quick ? null : await startPrinter();
const floor = await startLibrary("pdf-lib", "pdf-lib");
for (let i = 0; i < 10; i++) await renderer.render(sample);

for (const size of sizes) {
  const document = { ...sample, lineItems: lines(size) };
  const measured: Record<string, number> = await alternate<string>(rounds, {
    till: () => timed(() => renderer.render(document)),
    ...(react ? { react: () => react.write(document) } : {}),
    ...(printer ? { printer: () => printer.write(document) } : {}),
    ...(floor ? { floor: () => floor.write(document) } : {}),
  });
  const own = { what: `PDF of ${size} lines`, unit: "ms", till: measured["till"] ?? Number.NaN } as const;
  const beside = (name: string, key: string) => ({ name, value: measured[key] ?? null });
  if (!quick) {
    report({
      ...own,
      id: `pdf/react-${size}`,
      beside: beside("@react-pdf/renderer on Node, a simpler page", "react"),
      targets: [ratioAtMost(1)],
    });
    report({
      ...own,
      id: `pdf/chromium-${size}`,
      beside: beside("Chromium, print to PDF, a simpler page", "printer"),
      targets: [],
    });
  }
  report({
    ...own,
    id: `pdf/pdf-lib-${size}`,
    beside: beside("pdf-lib, standard font, a simpler page", "floor"),
    // Of a short one most is what it embeds: whole fonts, a colour profile, what PDF/A asks for.
    targets: size >= 30 ? [ratioAtMost(3)] : [],
  });
}
for (const peer of [react, printer, floor]) await peer?.stop();

if (!quick) {
  let worstMs = 0;
  let lastAt = performance.now();
  const timer = setInterval(() => {
    const at = performance.now();
    worstMs = Math.max(worstMs, at - lastAt - tickMs);
    lastAt = at;
  }, tickMs);
  await Promise.all(Array.from({ length: stallDocuments }, () => renderer.render(sample)));
  clearInterval(timer);
  report({
    id: "pdf/stall",
    what: `longest stand-still of the server while ${stallDocuments} PDFs render`,
    unit: "ms",
    till: worstMs,
    beside: null,
    targets: [tillAtMost(10)],
  });
}
await renderer.stop();
