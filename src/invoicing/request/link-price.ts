import type { Price } from "../../domain/link/reusable-link.ts";
import * as Reusable from "../../domain/link/reusable-link.ts";
import * as Usdc from "../../domain/usdc.ts";
import * as Field from "./fields.ts";
import type { FieldReader, Reading } from "./validation.ts";

/** A one-time link's amount, or the price of each payment of a reusable one. */
type LinkPrice = { kind: "once"; expected: Usdc.Usdc } | Price;

type PriceFields = {
  reusable?: boolean | undefined;
  expected_amount?: string | undefined;
  amount_min?: string | undefined;
  amount_max?: string | undefined;
  quantity_max?: number | undefined;
};

const ofReusable = ["amount_min", "amount_max", "quantity_max"] as const;

/** Reads a link's price; null after a fault. */
export function readLinkPrice(reader: FieldReader, fields: PriceFields): LinkPrice | null {
  const expected = reader.read("expected_amount", fields.expected_amount, positivePrice);
  const isReusable = fields.reusable === true;
  const isChosen = isReusable && (fields.amount_min !== undefined || fields.amount_max !== undefined);
  const isObject = !reader.faults.some(({ field }) => field === "body");
  if (isReusable && fields.expected_amount === undefined && !isChosen && isObject)
    reader.add("expected_amount", "is required without amount_min and amount_max");
  if (!isReusable) {
    for (const field of ofReusable)
      if (fields[field] !== undefined) reader.add(field, "must be omitted without reusable: true");
    return expected === undefined ? null : { kind: "once", expected };
  }
  return isChosen ? readBounds(reader, fields) : readFixed(reader, fields, expected);
}

function readFixed(reader: FieldReader, fields: PriceFields, each: Usdc.Usdc | undefined): Price | null {
  const quantityMax = fields.quantity_max ?? 1;
  if (each === undefined || reader.faults.some(({ field }) => field === "quantity_max")) return null;
  if (Reusable.times(each, quantityMax) > Usdc.max) {
    reader.add(
      "quantity_max",
      `must be lower: ${quantityMax} × ${Usdc.format(each)} USDC is more than ${Usdc.format(Usdc.max)} USDC`,
    );
    return null;
  }
  return { kind: "fixed", each, quantityMax };
}

function readBounds(reader: FieldReader, fields: PriceFields): Price | null {
  const min = reader.read("amount_min", fields.amount_min, positivePrice);
  const max = reader.read("amount_max", fields.amount_max, positivePrice);
  if (fields.amount_min === undefined) reader.add("amount_min", "is required with amount_max");
  if (fields.amount_max === undefined) reader.add("amount_max", "is required with amount_min");
  if (fields.expected_amount !== undefined)
    reader.add(
      "expected_amount",
      "must be omitted with amount_min and amount_max: the payer chooses the amount",
    );
  if (fields.quantity_max !== undefined)
    reader.add("quantity_max", "must be omitted with amount_min and amount_max: it is for a price per piece");
  if (min === undefined || max === undefined) return null;
  if (max < min) {
    reader.add("amount_max", `must not be below amount_min, ${Usdc.format(min)}`);
    return null;
  }
  return { kind: "chosen", min, max };
}

function positivePrice(value: string): Reading<Usdc.Usdc> {
  const reading = Field.price(value);
  if (reading.ok && reading.value === Usdc.zero) return { ok: false, message: "must be more than 0.00 USDC" };
  return reading;
}
