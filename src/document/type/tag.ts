/** The structure of a tagged PDF (ISO 32000-1, 14.8.4): containers, and elements with text or a picture. */
export type Role =
  | "Document"
  | "H1"
  | "H2"
  | "P"
  | "Link"
  | "Figure"
  | "L"
  | "LI"
  | "Lbl"
  | "LBody"
  | "Table"
  | "THead"
  | "TBody"
  | "TR"
  | "TH"
  | "TD";

/**
 * The role of a part of a document for a screen reader. Everything drawn with one tag, on whichever page, is one part;
 * parts are read in the order in which they are first drawn. Drawings without a tag are decoration.
 */
export type Tag = {
  role: Role;
  /** The part around it; the document itself without one. */
  within: Tag | undefined;
  /** The spoken text: of a picture, and of text that is drawn differently or in another order. */
  text?: string | undefined;
};

/** The foot of a page, which is not read out. */
export const foot = "foot";

export type Mark = Tag | typeof foot | undefined;

export const tag = (role: Role, within?: Tag): Tag => ({ role, within });

/** A table with a row of heads, and as many rows as are asked for. */
export function tableTags() {
  const table = tag("Table");
  const body = tag("TBody", table);
  return { head: tag("TR", tag("THead", table)), row: () => tag("TR", body) };
}
