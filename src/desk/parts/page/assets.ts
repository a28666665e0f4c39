import { createHash } from "node:crypto";
import brandSheet from "../../../../assets/styles/brand.css" with { type: "text" };
import button from "../../../../assets/styles/desk/button.css" with { type: "text" };
import codes from "../../../../assets/styles/desk/code.css" with { type: "text" };
import columns from "../../../../assets/styles/desk/columns.css" with { type: "text" };
import counter from "../../../../assets/styles/desk/counter.css" with { type: "text" };
import door from "../../../../assets/styles/desk/door.css" with { type: "text" };
import empty from "../../../../assets/styles/desk/empty.css" with { type: "text" };
import figure from "../../../../assets/styles/desk/figure.css" with { type: "text" };
import filter from "../../../../assets/styles/desk/filter.css" with { type: "text" };
import form from "../../../../assets/styles/desk/form.css" with { type: "text" };
import frame from "../../../../assets/styles/desk/frame.css" with { type: "text" };
import ground from "../../../../assets/styles/desk/ground.css" with { type: "text" };
import head from "../../../../assets/styles/desk/head.css" with { type: "text" };
import invoiceForm from "../../../../assets/styles/desk/invoice-form.css" with { type: "text" };
import linkForm from "../../../../assets/styles/desk/link-form.css" with { type: "text" };
import money from "../../../../assets/styles/desk/money.css" with { type: "text" };
import rules from "../../../../assets/styles/desk/rules.css" with { type: "text" };
import sale from "../../../../assets/styles/desk/sale.css" with { type: "text" };
import setting from "../../../../assets/styles/desk/setting.css" with { type: "text" };
import snippet from "../../../../assets/styles/desk/snippet.css" with { type: "text" };
import state from "../../../../assets/styles/desk/state.css" with { type: "text" };
import table from "../../../../assets/styles/desk/table.css" with { type: "text" };
import vault from "../../../../assets/styles/desk/vault.css" with { type: "text" };
import tokens from "../../../../assets/styles/tokens.css" with { type: "text" };
import type { Brand } from "../../../domain/brand.ts";
import { brandStyle } from "../../../pages/brand-mark.tsx";
import { compact } from "../../../pages/layout.tsx";
import { scripts } from "../../../pages/scripts.ts";
import type { DeskAssets } from "./desk-frame.ts";

const script = scripts["desk/desk"];

const hashLength = 16;

const sheets = [
  tokens,
  ground,
  brandSheet,
  frame,
  head,
  button,
  state,
  figure,
  table,
  filter,
  form,
  columns,
  invoiceForm,
  linkForm,
  snippet,
  counter,
  codes,
  sale,
  money,
  vault,
  setting,
  rules,
  door,
  empty,
];

const plainStyle = sheets.map(compact).join("");

/** A file of the desk, and its path, which contains the file's hash: what a path serves never changes. */
type DeskAsset = { path: string; mediaType: string; text: string };

const code = asset("js", "text/javascript", script);

/** The desk's style, in the operator's colours, and its script. The style is rebuilt when the colours change. */
export function createDeskAssets(brandNow: () => Brand) {
  let made: { style: string; asset: DeskAsset } | null = null;
  const styleNow = (): DeskAsset => {
    const style = brandStyle(brandNow());
    if (made?.style !== style) made = { style, asset: asset("css", "text/css", plainStyle + style) };
    return made.asset;
  };
  return {
    hrefs: (): DeskAssets => ({ style: styleNow().path, script: code.path }),
    /** Null for a path that is not, or no longer, served. */
    at: (path: string): DeskAsset | null => [styleNow(), code].find((served) => served.path === path) ?? null,
  };
}

function asset(end: string, mediaType: string, text: string): DeskAsset {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, hashLength);
  return { path: `/desk/assets/${hash}.${end}`, mediaType, text };
}
