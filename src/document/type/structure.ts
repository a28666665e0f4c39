import {
  PDFOperatorNames as Operators,
  type PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFOperator,
  type PDFPage,
  type PDFRef,
} from "@pdfme/pdf-lib";
import { foot, type Mark, type Role, type Tag, tag } from "./tag.ts";

type Box = readonly [left: number, bottom: number, right: number, top: number];

/** A child element; drawn content, by its number on its page; or an annotation, an area that opens something. */
type Kid = PDFRef | { page: PDFRef; number: number } | { page: PDFRef; annotation: PDFRef };
type Element = { tag: Tag; ref: PDFRef; parent: PDFRef; kids: Kid[]; box?: Box };

export type Structure = ReturnType<typeof createStructure>;

const begin = (name: string, properties: string) =>
  PDFOperator.of(Operators.BeginMarkedContentSequence, [PDFName.of(name), properties]);

/** The tree of a tagged PDF (ISO 32000-1, 14.7; PDF/UA-1, ISO 14289-1): it grows while pages are drawn. */
export function createStructure({ context, catalog }: PDFDocument) {
  const root = context.nextRef();
  const elements = new Map<Tag, Element>();
  const top = elementOf(tag("Document"));
  /** The elements that content belongs to: a page's by the numbers on it, an annotation's by its own number. */
  const owners: (PDFRef | PDFRef[])[] = [];
  let page: PDFRef = root;
  let numbers: PDFRef[] = [];

  function elementOf(tag: Tag): Element {
    const known = elements.get(tag);
    if (known) return known;
    const parent = parentOf(tag);
    const element = { tag, ref: context.nextRef(), parent: parent?.ref ?? root, kids: [] };
    parent?.kids.push(element.ref);
    elements.set(tag, element);
    return element;
  }

  function parentOf({ role, within }: Tag): Element | null {
    if (role === "Document") return null;
    return within ? elementOf(within) : top;
  }

  function contentOf({ tag, parent, kids, box }: Element): PDFDict {
    const own = kids.find((kid) => "page" in kid)?.page;
    const content = kids.map((kid) => {
      if (!("page" in kid)) return kid;
      if ("annotation" in kid) return { Type: "OBJR", Pg: kid.page, Obj: kid.annotation };
      return kid.page === own ? kid.number : { Type: "MCR", Pg: kid.page, MCID: kid.number };
    });
    return context.obj({
      S: tag.role,
      P: parent,
      K: content,
      ...(own ? { Pg: own } : {}),
      ...(tag.text === undefined ? {} : { [textKey(tag.role)]: PDFHexString.fromText(tag.text) }),
      ...(tag.role === "TH" ? { A: { O: "Table", Scope: scopeOf(tag) } } : {}),
      ...(box ? { A: { O: "Layout", BBox: [...box] } } : {}),
    });
  }

  return {
    beginPage({ ref, node }: PDFPage): void {
      page = ref;
      numbers = [];
      node.set(PDFName.of("StructParents"), context.obj(owners.push(numbers) - 1));
      // The order of its links is that of the tree.
      node.set(PDFName.of("Tabs"), PDFName.of("S"));
    },

    /** Marks the next drawings as part of `mark`. */
    begin(mark: Mark, box?: Box): PDFOperator {
      if (mark === undefined) return PDFOperator.of(Operators.BeginMarkedContent, [PDFName.of("Artifact")]);
      if (mark === foot) return begin("Artifact", "<</Type/Pagination/Subtype/Footer>>");
      const element = elementOf(mark);
      if (box) element.box = box;
      const number = numbers.push(element.ref) - 1;
      element.kids.push({ page, number });
      return begin(mark.role, `<</MCID ${number}>>`);
    },

    /** The area `annotation` of this page belongs to `tag`. */
    own(tag: Tag, annotation: PDFDict): PDFRef {
      const element = elementOf(tag);
      annotation.set(PDFName.of("StructParent"), context.obj(owners.push(element.ref) - 1));
      const ref = context.register(annotation);
      element.kids.push({ page, annotation: ref });
      return ref;
    },

    /** Writes the tree, once all pages are drawn. */
    write(): void {
      for (const element of elements.values()) context.assign(element.ref, contentOf(element));
      const ParentTree = { Nums: owners.flatMap((owner, key) => [key, owner]) };
      context.assign(root, context.obj({ Type: "StructTreeRoot", K: [top.ref], ParentTree }));
      catalog.set(PDFName.of("StructTreeRoot"), root);
      catalog.set(PDFName.of("MarkInfo"), context.obj({ Marked: true }));
      catalog.set(PDFName.of("ViewerPreferences"), context.obj({ DisplayDocTitle: true }));
    },
  };
}

const textKey = (role: Role) => (role === "Figure" ? "Alt" : "ActualText");

/** A cell that heads others is in the head of the table, or the first of its row. */
const scopeOf = ({ within: row }: Tag) => (row?.within?.role === "THead" ? "Column" : "Row");
