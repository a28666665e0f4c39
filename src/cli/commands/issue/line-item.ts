import * as Quantity from "../../../domain/quantity.ts";
import { UsageError } from "../../command.ts";

/** Line items as a person types them. */

export type Item = { description: string; quantity: number; unit_price: string };

const quantityForm = /^\d{1,7}(\.\d{1,6})?$/;
const itemForm = /^\s*([^\sx×*]+)\s*[x×*]\s*(\S+)\s+(\S.*)$/su;

export const quantityWanted = `a number above 0, at most ${Quantity.max}, with at most ${Quantity.decimalsMax} decimals`;

/** The quantity that was typed, exactly; null when it is no such number. */
export function parseQuantity(text: string): number | null {
  const number = quantityForm.test(text) ? Number(text) : Number.NaN;
  return Quantity.fromNumber(number) === null ? null : number;
}

/** `10 x 150.00 Design`. Throws a UsageError for anything else; what it holds is checked with the request. */
export function parseItem(text: string): Item {
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

/** A person types `\n` for the end of a line where one line is asked for. */
export function unfoldLines(text: string): string {
  return text.replaceAll("\\n", "\n");
}

export function foldLines(text: string): string {
  return text.replaceAll("\n", "\\n");
}
