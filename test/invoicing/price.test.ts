import { expect, test } from "bun:test";
import { createPrice, Unpriceable } from "../../src/invoicing/price.ts";
import { usdc } from "../support/usdc.ts";

const rates = { high: "3", low: "0.5" };
const price = createPrice({
  quote: async () => null,
  config: { rates: [] },
  hasParity: () => false,
  now: () => 0,
});
const refusalOf = (billed: string, rate: string | null) =>
  price({ merchantEmail: "a@b.example", billed: usdc(billed), currency: { code: "EUR", rate } }).then(
    () => null,
    (thrown: unknown) => thrown instanceof Unpriceable && thrown.why,
  );

test("a total that a rate makes nothing of, or too much, and a currency without a source are faults", async () => {
  expect(await refusalOf("0.01", rates.high)).toMatchObject({
    code: "quoted_high",
    values: { rate: "3", currency: "EUR" },
  });
  expect(await refusalOf("999999999.00", rates.low)).toMatchObject({
    code: "quoted_low",
    values: { rate: "0.5", currency: "EUR", max: "1000000000.00" },
  });
  expect(await refusalOf("1.00", null)).toMatchObject({ code: "rate_missing", values: { currency: "EUR" } });
  expect(await refusalOf("1.00", rates.low)).toBeNull();
});
