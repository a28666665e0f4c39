import { beforeAll, expect, test } from "bun:test";
import { owner, till, useDesk } from "../../support/desk/setup.ts";

useDesk();
beforeAll(async () => {
  const merchant = { details: { country: "DE", city: "Berlin" } };
  expect((await till.api("PUT", "/api/merchants/mine@shop.example", merchant)).status).toBeLessThan(300);
});

const typed = {
  as: "make",
  wallet_type: "managed",
  vendor_name: "Globex",
  vendor_email: "ap@globex.example",
  due_date: "2020-01-31",
  merchant_name: "Mine",
  merchant_email: "mine@shop.example",
  merchant_address: "1 Main Street",
  description: "Screws",
  quantity: "1",
  unit_price: "10.00",
  line_tax_rate: "19",
};
const said = (html: string) =>
  [...html.matchAll(/<div class="notice"><div><strong>[^<]*<\/strong><ul>(.*?)<\/ul>/g)].flatMap(([, list]) =>
    [...(list ?? "").matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text),
  );

test("what is usually wrong is said while it is typed, on the draft and in the answer, and keeps nothing from being made", async () => {
  const { as: _, ...half } = typed;
  const sentences = [
    "Your VAT ID or tax number is missing. Add it under Settings → Your shop.",
    "The delivery date is missing. Your country’s law requires it if it differs from the invoice date.",
    "The due date has passed: the invoice is overdue from the start.",
  ];
  const edit = async (changes: object) =>
    said(await (await owner.post("/desk/invoices/new/edit", { ...half, ...changes })).text());
  const lately = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
  expect(await edit({})).toEqual(sentences);
  expect(await edit({ due_date: "" })).toEqual([]);
  expect(await edit({ due_date: "2030-01-31", delivery_from: lately })).toEqual([sentences[0] ?? ""]);

  const made = await owner.post("/desk/invoices/new", typed);
  expect(made.status).toBe(303);
  const page = await (
    await owner.get(new URL(made.headers.get("location") ?? "", till.baseUrl).pathname)
  ).text();
  const unknown = "The tax in EUR, which your country’s law requires, is missing: no rate was known.";
  expect(said(page)).toEqual([...sentences, unknown]);

  const { body } = await till.api("POST", "/api/invoices", {
    merchant_email: "mine@shop.example",
    merchant_name: "Mine",
    merchant_address: "1 Main Street",
    customer_email: "ap@globex.example",
    customer_name: "Globex",
    line_items: [{ description: "Screws", quantity: 1, unit_price: "10.00", tax_rate: "19" }],
    due_date: "2030-01-31",
    tax_exchange_rate: "0.9",
    wallet_type: "managed",
    send_now: false,
  });
  expect(body.warnings).toEqual([
    {
      code: "no_tax_id",
      field: "merchant_details.vat_id",
      message:
        "or tax_id is missing: an invoice with tax names the number that the tax office knows the seller by",
    },
    {
      code: "no_delivery_date",
      field: "delivery_date",
      message:
        "or delivery_from is missing: the law of the seller's country wants the day of delivery if it is not the issue_date",
    },
  ]);
});
