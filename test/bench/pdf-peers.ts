import { join } from "node:path";
import type { InvoiceDocument } from "../../src/document/invoice/invoice-document.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { timed } from "./rounds.ts";
import { hasPeer, peersDir } from "./server.ts";

export type PdfPeer = {
  /** Writes one PDF; returns the milliseconds that it took. */
  write(document: InvoiceDocument): Promise<number>;
  stop(): Promise<void>;
};

/** What is on the page, for libraries that make a simpler one. */
function contentOf(document: InvoiceDocument) {
  const { number, issueDate, dueDate, merchantName, merchantAddress, merchantEmail } = document;
  const { vendorName, vendorEmail, vendorAddress, notes, depositAddress, invoiceUrl } = document;
  return {
    texts: [
      `Invoice ${number}`,
      `${issueDate} ${dueDate}`,
      `${merchantName}\n${merchantAddress}\n${merchantEmail}`,
      `${vendorName}\n${vendorAddress}\n${vendorEmail}`,
      notes ?? "",
      depositAddress,
      invoiceUrl,
    ],
    rows: document.lineItems.map((line) => [line.description, line.quantity, line.unitPrice, line.lineTotal]),
    total: `Total ${document.total} USDC`,
  };
}

/** A library on Node, in a process of its own; null when it is not installed. */
export async function startLibrary(name: "react-pdf" | "pdf-lib", npmName: string): Promise<PdfPeer | null> {
  if (!hasPeer(npmName)) return null;
  const child = Bun.spawn(["node", join(peersDir, "pdf.mjs"), name], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  return {
    async write(document) {
      child.stdin.write(`${JSON.stringify(contentOf(document))}\n`);
      child.stdin.flush();
      const { value, done } = await lines.read();
      if (done) throw new Error(`${name} ended`);
      return Number(value);
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** Chromium's print-to-PDF of a plain table. */
export async function startPrinter(): Promise<PdfPeer> {
  const browser = await startBrowser();
  const page = await browser.newPage();
  const escaped = (text: string) => Bun.escapeHTML(text).replaceAll("\n", "<br>");
  return {
    write(document) {
      const { texts, rows, total } = contentOf(document);
      const table = rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`);
      const html = `${texts.map((text) => `<p>${escaped(text)}</p>`).join("")}<table>${table.join("")}</table><p>${total}</p>`;
      return timed(async () => {
        await page.setContent(html);
        await page.pdf({ format: "A4" });
      });
    },
    stop: () => browser.close(),
  };
}
