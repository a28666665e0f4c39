/**
 * Writes invoices as PDFs with the library named, one for each line of JSON on standard input, and answers each with the
 * milliseconds it took.
 */
import { createInterface } from "node:readline";

const writers = {
  async "react-pdf"() {
    const { createElement: h } = await import("react");
    const { Document, Page, renderToBuffer, StyleSheet, Text, View } = await import("@react-pdf/renderer");
    const styles = StyleSheet.create({
      page: { padding: 40, fontSize: 10 },
      row: { flexDirection: "row", borderBottom: 1, paddingVertical: 4 },
      wide: { width: "55%" },
      narrow: { width: "15%", textAlign: "right" },
    });
    const row = (cells) =>
      h(
        View,
        { style: styles.row },
        ...cells.map((cell, i) => h(Text, { style: i === 0 ? styles.wide : styles.narrow }, cell)),
      );
    return (invoice) =>
      renderToBuffer(
        h(
          Document,
          {},
          h(
            Page,
            { size: "A4", style: styles.page },
            ...invoice.texts.map((text) => h(Text, {}, text)),
            row(["Description", "Quantity", "Price", "Total"]),
            ...invoice.rows.map(row),
            h(Text, {}, invoice.total),
          ),
        ),
      );
  },
  async "pdf-lib"() {
    const { PDFDocument, StandardFonts } = await import("pdf-lib");
    return async (invoice) => {
      const document = await PDFDocument.create();
      const font = await document.embedFont(StandardFonts.Helvetica);
      let page = document.addPage([595, 842]);
      let y = 800;
      const line = (cells) => {
        if (y < 40) {
          page = document.addPage([595, 842]);
          y = 800;
        }
        for (const [i, cell] of cells.entries()) {
          page.drawText(cell, { x: 40 + (i > 0 ? 200 + i * 80 : 0), y, size: 10, font });
        }
        y -= 16;
      };
      for (const text of invoice.texts) for (const part of text.split("\n")) line([part]);
      line(["Description", "Quantity", "Price", "Total"]);
      for (const row of invoice.rows) line(row);
      line([invoice.total]);
      return document.save();
    };
  },
};

const write = await writers[process.argv[2]]();
for await (const text of createInterface({ input: process.stdin })) {
  const invoice = JSON.parse(text);
  const startedAt = performance.now();
  await write(invoice);
  console.log(performance.now() - startedAt);
}
