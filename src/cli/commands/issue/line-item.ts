import * as Quantity from "../../../domain/bill/quantity.ts";
import { UsageError } from "../../command.ts";

/** Line items as people type them. */

export type ItemDraft = {
  description: string;
  quantity: number;
  unit_price: string;
  unit?: string;
  discount_percent?: string;
  discount_amount?: string;
  tax_rate?: string;
};

const quantityForm = /^\d{1,7}(\.\d{1,6})?$/;
const itemForm = /^\s*([^\sx×*]+)\s*[x×*]\s*(\S+)\s+(\S.*)$/su;

/** With unit, discount and tax, in two parts: `10 h` and ` x 120.00-10%+19% Design`. */
const countForm = /^([\d.]+)\s*(\p{L}\S*(?: \S+)*)?$/u;
const priceForm = /\s[x×*]\s*(?<price>[\d.]+)(?:-(?<off>[\d.]+%?))?(?:\+(?<tax>[\d.]+)%)?\s+(?<text>\S.*)$/su;

export const quantityWanted = `a number above 0, at most ${Quantity.max}, with at most ${Quantity.decimalsMax} decimals`;

/** Parses a quantity, exactly; null if it is not one. */
export function parseQuantity(text: string): number | null {
  const number = quantityForm.test(text) ? Number(text) : Number.NaN;
  return Quantity.fromNumber(number) === null ? null : number;
}

const discountOf = (off: string) =>
  off.endsWith("%") ? { discount_percent: off.slice(0, -1) } : { discount_amount: off };

/** Parses `10 x 150.00 Design`, or the forms above; the request checks the values. Throws a UsageError otherwise. */
export function parseItem(text: string): ItemDraft {
  // People leave the space out: `10x 150.00 Design`.
  const spaced = text.trimStart().replace(/^[\d.]+/, "$& ");
  const priced = priceForm.exec(spaced);
  const [, count = "", unit] = countForm.exec(spaced.slice(0, priced?.index ?? 0).trimEnd()) ?? [];
  const counted = parseQuantity(count);
  if (priced !== null && counted !== null) {
    const { price = "", off, tax, text: description = "" } = priced.groups ?? {};
    return {
      description: unfoldLines(description),
      quantity: counted,
      unit_price: price,
      ...(unit === undefined ? {} : { unit }),
      ...(off === undefined ? {} : discountOf(off)),
      ...(tax === undefined ? {} : { tax_rate: tax }),
    };
  }
  const [, quantityText = "", unitPrice = "", description = ""] = itemForm.exec(text) ?? [];
  const quantity = parseQuantity(quantityText);
  if (description === "") {
    throw new UsageError(
      `--item ${JSON.stringify(text)} must be like "10 x 150.00 Design": quantity, price, text.`,
    );
  }
  if (quantity === null) {
    throw new UsageError(`--item ${JSON.stringify(text)}: the quantity must be ${quantityWanted}.`);
  }
  return { description: unfoldLines(description), quantity, unit_price: unitPrice };
}

/** Replaces `\n`, which people type for a line break where only one line is asked for. */
export function unfoldLines(text: string): string {
  return text.replaceAll("\\n", "\n");
}

export function foldLines(text: string): string {
  return text.replaceAll("\n", "\\n");
}
