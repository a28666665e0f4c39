import {
  decodePDFRawStream,
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  PDFString,
} from "@pdfme/pdf-lib";

/** What a reader of PDFs finds in the structure of a file, and what a checker has against it. */
export type Structure = { root: Part; parts: Part[]; faults: string[]; catalog: PDFDict; pages: PDFPage[] };

export type Part = {
  role: string;
  dict: PDFDict;
  kids: Part[];
  /** What is heard of it: what it says of itself, or what is drawn, part by part. */
  text: string;
};

const named = (dict: PDFDict, key: string): PDFObject | undefined => dict.lookup(PDFName.of(key));
const nameIn = (dict: PDFDict, key: string) => named(dict, key)?.toString().slice(1);
const numberIn = (dict: PDFDict, key: string) => Number(named(dict, key)?.toString());

export function textIn(dict: PDFDict, key: string): string | undefined {
  const text = named(dict, key);
  return text instanceof PDFHexString || text instanceof PDFString ? text.decodeText() : undefined;
}

function listed(found: PDFObject | undefined): PDFObject[] {
  if (found instanceof PDFArray) return found.asArray();
  return found === undefined ? [] : [found];
}

const contentOf = (stream: PDFObject | undefined) => {
  if (!(stream instanceof PDFRawStream)) throw new TypeError("It is no stream");
  return new TextDecoder("latin1").decode(decodePDFRawStream(stream).decode());
};

/** The text of each glyph of a font, by its number in hexadecimal. */
function glyphsOf(font: PDFDict): Map<string, string> {
  const pairs = contentOf(named(font, "ToUnicode")).matchAll(/^<([0-9A-F]{4})> <([0-9A-F]+)>$/gim);
  const text = (hex: string) => Buffer.from(hex, "hex").swap16().toString("utf16le");
  return new Map(Array.from(pairs, ([, glyph = "", hex = ""]) => [glyph.toUpperCase(), text(hex)]));
}

const painting = new Set("S s f F f* B B* b b* sh Do Tj TJ ' \" EI".split(" "));

/** The text of each marked piece of a page, by its number. */
function drawnOn(page: PDFPage, name: string, faults: string[]): Map<number, string> {
  const drawn = new Map<number, string>();
  const fonts = named(page.node.Resources() ?? page.node, "Font");
  const glyphs = new Map<string, Map<string, string>>();
  const content = listed(page.node.Contents()).map((part) => contentOf(page.doc.context.lookup(part)));
  let open: number | "artifact" | null = null;
  let font = "";
  for (const row of content.join("\n").split("\n")) {
    const operator = row.slice(row.lastIndexOf(" ") + 1);
    if (operator === "BMC" || operator === "BDC") {
      if (open !== null) faults.push(`${name}: marks within marks: ${row}`);
      const number = /\/MCID (\d+)/.exec(row)?.[1];
      open = row.startsWith("/Artifact") ? "artifact" : Number(number ?? Number.NaN);
      if (typeof open === "number" && (Number.isNaN(open) || drawn.has(open))) faults.push(`${name}: ${row}`);
      if (typeof open === "number") drawn.set(open, "");
    } else if (operator === "EMC") {
      if (open === null) faults.push(`${name}: a mark ends that has not begun`);
      open = null;
    } else if (operator === "Tf") font = /\/(\S+) /.exec(row)?.[1] ?? "";
    else if (painting.has(operator) && open === null) faults.push(`${name}: drawn without a mark: ${row}`);
    if (operator !== "Tj" || typeof open !== "number" || !(fonts instanceof PDFDict)) continue;
    if (!glyphs.has(font)) glyphs.set(font, glyphsOf(fonts.lookup(PDFName.of(font), PDFDict)));
    const codes = row.match(/[0-9A-F]{4}/gi) ?? [];
    const text = codes.map((code) => glyphs.get(font)?.get(code.toUpperCase()) ?? "\0").join("");
    drawn.set(open, (drawn.get(open) ?? "") + text);
  }
  if (open !== null) faults.push(`${name}: a mark does not end`);
  return drawn;
}

/** Reads the tree of a tagged PDF, and holds it against what its pages and its links say of themselves. */
export async function structureOf(bytes: Uint8Array): Promise<Structure> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest });
  const { catalog, context } = pdf;
  const pages = pdf.getPages();
  const faults: string[] = [];
  const drawn = pages.map((page, at) => drawnOn(page, `page ${at + 1}`, faults));
  const root = catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict);
  const numbers = listed(named(root.lookup(PDFName.of("ParentTree"), PDFDict), "Nums"));
  const owners = new Map(
    numbers.flatMap((key, at) =>
      key instanceof PDFNumber ? [[key.asNumber(), numbers[at + 1]] as const] : [],
    ),
  );
  const seen = new Set<string>();
  const parts: Part[] = [];

  const once = (key: string, owner: PDFObject | undefined, ref: PDFRef) => {
    if (seen.has(key)) faults.push(`${key} is in two parts`);
    seen.add(key);
    if (owner !== ref) faults.push(`${key} has another owner in the tree of parents`);
  };
  const pageAt = (ref: PDFObject | undefined) => pages.findIndex((page) => page.ref === ref);

  function pieceOf(ref: PDFRef, page: number, number: number): string {
    const owner = owners.get(pages[page] ? numberIn(pages[page].node, "StructParents") : Number.NaN);
    once(`number ${number} of page ${page + 1}`, listed(owner && context.lookup(owner))[number], ref);
    const text = drawn[page]?.get(number);
    if (text === undefined) faults.push(`number ${number} of page ${page + 1} is not on it`);
    return text ?? "";
  }

  function partOf(ref: PDFObject, parent: PDFObject): Part {
    if (!(ref instanceof PDFRef)) throw new TypeError("A part is no object of its own");
    const dict = context.lookup(ref, PDFDict);
    const part: Part = { role: nameIn(dict, "S") ?? "", dict, kids: [], text: "" };
    parts.push(part);
    if (dict.get(PDFName.of("P")) !== parent) faults.push(`${part.role} has another parent`);
    for (const kid of listed(named(dict, "K"))) {
      const found = context.lookup(kid);
      const type = found instanceof PDFDict ? nameIn(found, "Type") : undefined;
      const page = pageAt((found instanceof PDFDict ? found : dict).get(PDFName.of("Pg")));
      if (found instanceof PDFNumber) part.text += pieceOf(ref, page, found.asNumber());
      else if (found instanceof PDFDict && type === "MCR")
        part.text += pieceOf(ref, page, numberIn(found, "MCID"));
      else if (found instanceof PDFDict && type === "OBJR") {
        const annotation = found.lookup(PDFName.of("Obj"), PDFDict);
        once(`${found.get(PDFName.of("Obj"))}`, owners.get(numberIn(annotation, "StructParent")), ref);
        if (part.role !== "Link") faults.push(`a link is in ${part.role}`);
      } else part.kids.push(partOf(kid, ref));
    }
    part.text ||= part.kids.map(({ text }) => text).join("");
    part.text = textIn(dict, part.role === "Figure" ? "Alt" : "ActualText") ?? part.text;
    return part;
  }

  const [top] = listed(named(root, "K"));
  if (top === undefined) throw new Error("There is no tree");
  const rootRef = catalog.get(PDFName.of("StructTreeRoot"));
  const document = partOf(top, rootRef ?? root);
  for (const [at, marks] of drawn.entries())
    for (const number of marks.keys())
      if (!seen.has(`number ${number} of page ${at + 1}`))
        faults.push(`number ${number} of page ${at + 1} is in no part`);
  for (const page of pages)
    for (const ref of listed(page.node.Annots()))
      if (!seen.has(`${ref}`)) faults.push(`the link ${ref} is in no part`);
  return { root: document, parts, faults, catalog, pages };
}
