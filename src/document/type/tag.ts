/** What is in the structure of a tagged PDF (ISO 32000-1, 14.8.4): containers, and what holds text or a picture. */
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
 * What a part of a document is to who has it read out. All that is drawn with one tag, on whichever page, is one part;
 * parts are read in the order in which they are first drawn. What has no tag only decorates.
 */
export type Tag = {
  role: Role;
  /** The part around it; the document itself without one. */
  within: Tag | undefined;
  /** What is to be heard: of a picture, and of text where what is drawn is another one or in another order. */
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
