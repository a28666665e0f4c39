import { pt2mm, type Schema } from "@pdfme/common";
import { generate } from "@pdfme/generator";
import { image, rectangle, svg, text } from "@pdfme/schemas";
import type { Fonts } from "./fonts.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import { layOut } from "./invoice-layout.ts";
import { pages as papers } from "./invoice-style.ts";
import { link } from "./link-plugin.ts";
import { qrSvg } from "./qr.ts";
import type { Item } from "./typeset.ts";
import { wordsIn } from "./words.ts";

type Placed = { schema: Schema; value: string };

const plugins = { text, rectangle, svg, image, link };

/** The same for every document. Nothing in it is evaluated, and no text of a user ever gets here. */
const basePdfOf = ({ look: { paper } }: InvoiceDocument) => ({
  width: pt2mm(papers[paper].width),
  height: pt2mm(papers[paper].height),
  padding: [0, 0, 0, 0] as [number, number, number, number],
});

function box(x: number, y: number, width: number, height: number) {
  return { position: { x: pt2mm(x), y: pt2mm(y) }, width: pt2mm(width), height: pt2mm(height) };
}

function filled(
  name: string,
  item: { x: number; y: number; width: number; color: string },
  height: number,
  radius = 0,
) {
  const { x, y, width, color } = item;
  const schema = {
    ...box(x, y, width, height),
    name,
    type: "rectangle",
    color,
    borderWidth: 0,
    radius: pt2mm(radius),
  };
  return { schema, value: "" };
}

/** A text is placed as a value, never as a schema's content: pdfme evaluates `{expressions}` in content only. */
function placed(item: Item, name: string): Placed {
  switch (item.kind) {
    case "rule":
      return filled(name, item, item.thickness);
    case "panel":
      return filled(name, item, item.height, item.radius);
    case "image":
      return {
        schema: { ...box(item.x, item.y, item.width, item.height), name, type: "image" },
        value: item.url,
      };
    case "qr":
      return {
        schema: { ...box(item.x, item.y, item.size, item.size), name, type: "svg" },
        value: qrSvg(item.text),
      };
    case "text": {
      const { x, baseline, size, width, face, color } = item;
      const schema = {
        // The line is broken already: a box wider than its text keeps pdfme from breaking it again.
        ...box(x, baseline - face.ascent * size, width + size, size),
        name,
        type: "text",
        fontName: face.name,
        fontSize: size,
        fontColor: color,
        lineHeight: 1,
        characterSpacing: 0,
        alignment: "left",
        verticalAlignment: "top",
        backgroundColor: "",
      };
      return { schema, value: item.text };
    }
    case "link":
      return {
        schema: { ...box(item.x, item.y, item.width, item.height), name, type: "link" },
        value: item.target,
      };
  }
}

/** The fonts that the pages use; pdfme asks for one that stands in for the others. */
function embedded(pages: readonly (readonly Item[])[], fonts: Fonts) {
  const used = pages.flat().flatMap((item) => (item.kind === "text" ? [item.face] : []));
  const faces = [...new Set([fonts.regular[0], ...used])];
  return Object.fromEntries(
    faces.map(({ name, data }, index) => [name, { data, subset: true, fallback: index === 0 }]),
  );
}

/** Writes the PDF. Its bytes depend on the document alone: every date in it is the document's. */
export async function writePdf(document: InvoiceDocument, fonts: Fonts): Promise<Uint8Array<ArrayBuffer>> {
  const { look } = document;
  if (look.brand.logo === null) return write(document, fonts);
  // An image can be broken behind its first bytes, and an invoice is worth more than a logo.
  return write(document, fonts).catch(() =>
    write({ ...document, look: { ...look, brand: { ...look.brand, logo: null } } }, fonts),
  );
}

async function write(document: InvoiceDocument, fonts: Fonts): Promise<Uint8Array<ArrayBuffer>> {
  const laidOut = layOut(document, fonts);
  const pages = laidOut.map((items, page) => items.map((item, index) => placed(item, `${page}-${index}`)));
  const date = new Date(document.createdAtMs);
  const { language } = document.look;
  const words = wordsIn(language);
  return generate({
    template: {
      basePdf: basePdfOf(document),
      schemas: pages.map((page) => page.map(({ schema }) => schema)),
    },
    inputs: [Object.fromEntries(pages.flat().map(({ schema, value }) => [schema.name, value]))],
    plugins,
    options: {
      font: embedded(laidOut, fonts),
      title: words.say("invoiceNumber", { number: document.number }),
      author: document.merchantName,
      creator: "Till",
      producer: "pdfme",
      // pdfme knows no Portuguese.
      ...(language === "pt" ? {} : { lang: language }),
      creationDate: date,
      modificationDate: date,
    },
  });
}
