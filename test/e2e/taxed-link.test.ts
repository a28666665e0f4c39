import { afterAll, beforeAll, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import * as ReceiptStore from "../../src/store/tables/invoicing/receipt.ts";
import { solidTextOf } from "../document/poppler.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { linkRequest, startTestTill, type TestTill, until } from "../support/till/till.ts";
import { begin, slugIn } from "../support/till/visitor.ts";

/** Real payments of links with tax: the receipt in German, and that of each payment of a reusable link. */

let chain: TestChain;
let till: TestTill;
beforeAll(async () => {
  chain = await startTestChain();
  till = await startTestTill(chain, { TILL_LANGUAGE: "de", TILL_RECEIPT_NUMBER: "B/{000}" });
});
afterAll(async () => {
  await till.stop();
  await chain.stop();
});

const make = async (changes: object) => {
  const { status, body } = await till.api("POST", "/api/links", { ...linkRequest, ...changes });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
};
const recordOf = async (slug: string) =>
  (await till.api("GET", "/api/links?limit=100")).body.data.find(
    (link: { slug: string }) => link.slug === slug,
  );
async function paid(slug: string) {
  const { deposit_address, expected_amount } = await recordOf(slug);
  await chain.pay(Address.checksum(deposit_address), expected_amount);
  return until(
    () => recordOf(slug),
    ({ status }) => status === "confirmed",
  );
}

test("one of lines is a numbered receipt in German, once its money is confirmed", async () => {
  const { slug } = await make({
    expected_amount: undefined,
    line_items: [
      { description: "Tee", quantity: 2, unit_price: "5.35", tax_rate: "7" },
      { description: "Kanne", quantity: 1, unit_price: "23.80", tax_rate: "19" },
    ],
  });
  expect(await paid(slug)).toMatchObject({ receipt_number: "B/001", tax_amount: "4.50" });
  const pdf = await fetch(`${till.baseUrl}/api/links/${slug}/receipt`);
  expect(pdf.headers.get("content-disposition")).toContain("B-001-receipt.pdf");
  const text = await solidTextOf(new Uint8Array(await pdf.arrayBuffer()));
  for (const part of [
    "Kleinbetragsrechnung",
    "B/001",
    "Kanne",
    "34,50USDC",
    "7%auf10,00",
    "19%auf20,00",
    "0x",
  ])
    expect(text).toContain(part);
});

test("each payment of a reusable link has the tax of what was chosen, and what the payer is asked for", async () => {
  const several = await make({ reusable: true, tax_rate: "19", quantity_max: 5, collect: ["name"] });
  expect(several).toMatchObject({ tax_rate: "19.00", tax_category: "standard" });
  const three = slugIn(await begin(several.payment_link, { quantity: "3" }));
  expect(await paid(three)).toMatchObject({
    expected_amount: "75.00",
    tax_amount: "11.97",
    line_items: [{ quantity: 3, unit_price: "25.00", line_total: "75.00" }],
    collect: ["name"],
    receipt_number: "B/002",
  });
  const bounds = { expected_amount: undefined, amount_min: "1.00", amount_max: "50.00" };
  const chosen = await make({ reusable: true, ...bounds, tax_rate: "7" });
  const slug = slugIn(await begin(chosen.payment_link, { amount: "10,70" }));
  expect(await paid(slug)).toMatchObject({ tax_amount: "0.70", receipt_number: "B/003" });
  expect(ReceiptStore.nextSequence(till.db)).toBe(4);
});
