import { describe, expect, test } from "bun:test";
import { owner, till, useDesk } from "../support/desk/setup.ts";
import { type Walk, walk } from "../support/desk/walk.ts";

useDesk();

const newest = async () => (await till.api("GET", "/api/invoices?limit=1")).body.data[0];
const line = { "description-0": "Design", "unit_price-0": "95.00" };
const email = "ap@morgenrot.example";
const customer = { vendor_name: "Café Morgenrot", vendor_email: email, ...line };

async function open(path: string): Promise<Walk> {
  const desk = walk(till, { who: owner });
  await desk.open(`/desk/${path}`);
  return desk;
}

describe("the details of a seller and a buyer at the desk", () => {
  test("are set for the shop once, and every fault is said in its own words", async () => {
    const desk = await open("settings/profile");
    desk.fill({
      name: "Studio Halden",
      email: "nora@halden.example",
      address: "Quay 4",
      "details.street": "Quay 4",
      "details.postal_code": "1019",
      "details.city": "Amsterdam",
      "details.country": "NL",
      "details.vat_id": "NL004495445B02 1",
      payment_terms: "Payable within 14 days.",
    });
    await desk.press("Save");
    expect(desk.text("#faults")).toContain("Start the VAT ID with its country");
    desk.fill({ "details.vat_id": "NL 0044.95.445.B01" });
    await desk.press("Save");
    expect(desk.text(".did")).toContain("Saved");
    expect(desk.value("details.vat_id")).toBe("NL004495445B01");
    const { body } = await till.api("GET", "/api/merchants/nora@halden.example");
    expect(body).toMatchObject({ name: "Studio Halden", payment_terms: "Payable within 14 days." });
  });

  test("of a customer are remembered together with the invoice, or there is none", async () => {
    till.db.run(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON saved_party BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    const desk = await open("invoices/new");
    desk.fill({ ...customer, "add-business": "open", "vendor_details.street": "Allee 9" });
    await desk.press("Send invoice");
    till.db.run("DROP TRIGGER full");
    expect(desk.status).toBe(500);
    expect(await newest()).toBeUndefined();
  });

  test("of a customer are typed on one invoice, stand on it, and are remembered for the next", async () => {
    const desk = await open("invoices/new");
    desk.fill({
      ...customer,
      ...{ "add-business": "open", "add-delivery": "open", "add-order": "open" },
      "vendor_details.street": "Allee 9",
      "vendor_details.city": "Berlin",
      "vendor_details.country": "DE",
      "vendor_details.vat_id": "DE136695967",
      delivery_from: "2026-10-01",
      purchase_order: "PO-17",
    });
    await desk.press("Send invoice");
    expect(desk.text("#faults")).toContain("check it digit by digit");
    expect(desk.value("purchase_order")).toBe("PO-17");
    desk.fill({ "vendor_details.vat_id": "DE136695976" });
    await desk.press("Send invoice");
    expect(desk.path).toStartWith("/desk/invoices/INV-");
    const details = { street: "Allee 9", city: "Berlin", country: "DE", vat_id: "DE136695976" };
    expect(await newest()).toMatchObject({
      merchant_details: { city: "Amsterdam", vat_id: "NL004495445B01" },
      vendor_details: details,
      payment_terms: "Payable within 14 days.",
      delivery_date: "2026-10-01",
      purchase_order: "PO-17",
    });
    for (const text of [
      "Allee 9",
      "Germany",
      "VAT ID: DE136695976",
      "PO-17",
      "1 October 2026",
      "within 14 days",
    ])
      expect(desk.text()).toContain(text);

    await desk.open(`/i/${(await newest()).slug}`);
    for (const text of ["1019 Amsterdam", "Netherlands", "VAT ID: NL004495445B01", "Allee 9", "PO-17"])
      expect(desk.text("article")).toContain(text);
    expect(desk.text("article").match(/Quay 4/g)).toHaveLength(1);

    await desk.open(`/desk/customers/${email}`);
    expect(desk.value("details.vat_id")).toBe("DE136695976");
    desk.fill({ "details.contact_name": "Jo Doe" });
    await desk.press("Save");
    expect(desk.text(".did")).toContain("Saved");
    await desk.press("New invoice");
    expect(desk.value("vendor_details.contact_name")).toBe("Jo Doe");
    desk.fill(line);
    await desk.press("Send invoice");
    expect((await newest()).vendor_details).toEqual({ ...details, contact_name: "Jo Doe" });
  });

  test("are left out where somebody takes them out, and stay saved", async () => {
    const desk = await open(`customers/${email}`);
    await desk.press("New invoice");
    for (const name of ["street", "city", "vat_id", "contact_name", "country"])
      desk.fill({ [`vendor_details.${name}`]: "" });
    desk.fill({ ...line, payment_terms: "" });
    await desk.press("Send invoice");
    expect(desk.path).toStartWith("/desk/invoices/INV-");
    const made = await newest();
    expect([made.vendor_details, made.payment_terms]).toEqual([undefined, undefined]);
    expect((await till.api("GET", `/api/customers/${email}`)).body.details.city).toBe("Berlin");
  });
});

test("details are not overwritten by a form that shows them as they were", async () => {
  const { invoice_number: number } = await till.createInvoice({ vendor_email: "late@two.example" });
  const customer = await open("customers/late@two.example");
  for (const [path, button, theirs, mine] of [
    [
      `invoices/${number}/correct`,
      "Save the correction",
      { email: "right@two.example" },
      { reference: "PO 7" },
    ],
    ["settings/profile", "Save", { notes: "Thank you" }, { "details.city": "Utrecht" }],
    [customer.path.replace("/desk/", ""), "Save", { "details.city": "Bonn" }, { language: "fr" }],
  ] as const) {
    const [desk, other] = [await open(path), await open(path)];
    other.fill(theirs);
    const again = other.copy();
    await other.press(button);
    // Pressed twice: it asks for what is so already.
    await again.press(button);
    for (const saved of [other, again]) expect(saved.text(".did")).not.toBe("");
    desk.fill(mine);
    await desk.press(button);
    expect(desk.text()).toContain("It has changed in the meantime");
    for (const [name, value] of Object.entries(theirs)) expect(desk.value(name)).toBe(value);
    desk.fill(mine);
    await desk.press(button);
    expect(desk.text(".did")).not.toBe("");
    await desk.open(`/desk/${path}`);
    for (const [name, value] of Object.entries({ ...theirs, ...mine })) expect(desk.value(name)).toBe(value);
  }
});
