import { mm2pt, type Plugin, type Schema } from "@pdfme/common";

/** A PDF string in parentheses (ISO 32000-1, 7.3.4.2) is ended or altered by these; a URL can do without them. */
function safeInPdf(href: string): string {
  return href.replace(/[()\\]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * A pdfme schema type whose area opens a web page; the value is its http or https URL. pdfme itself has links
 * only in text whose content it evaluates.
 */
export const link: Plugin<Schema> = {
  ui: () => {},
  pdf({ value, schema, page, pdfDoc, pdfLib }) {
    const href = URL.parse(value)?.href;
    if (href === undefined || !/^https?:/.test(href)) return;
    const left = mm2pt(schema.position.x);
    const top = page.getHeight() - mm2pt(schema.position.y);
    const annotation = pdfDoc.context.obj({
      Type: "Annot",
      Subtype: "Link",
      Rect: [left, top - mm2pt(schema.height), left + mm2pt(schema.width), top],
      Border: [0, 0, 0],
      A: { Type: "Action", S: "URI", URI: pdfLib.PDFString.of(safeInPdf(href)) },
    });
    page.node.addAnnot(pdfDoc.context.register(annotation));
  },
  propPanel: {
    schema: {},
    defaultSchema: { name: "", type: "link", position: { x: 0, y: 0 }, width: 0, height: 0 },
  },
};
