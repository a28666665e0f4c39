import { describe, expect, test } from "bun:test";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, startTestTill } from "../../support/till/till.ts";

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

const create = async (changes: object) => {
  const { body } = await till.api("POST", "/api/invoices", { ...invoiceRequest, ...changes });
  return (await till.api("GET", `/api/invoices/${body.invoice_id}`)).body;
};
const said = ({ merchant_details, vendor_details, payment_terms }: Record<string, unknown>) => ({
  merchant_details,
  vendor_details,
  payment_terms,
});
const nothing = { merchant_details: undefined, vendor_details: undefined, payment_terms: undefined };
const parties = { merchant_email: "owner@saved.example", vendor_email: "jo@saved.example" };
const merchant = `/api/merchants/${parties.merchant_email}`;
const customer = `/api/customers/${parties.vendor_email}`;
const berlin = { street: "1 Main Street", postal_code: "10115", city: "Berlin", country: "DE" };
const paris = { city: "Paris", country: "FR" };

describe("what is saved of a merchant and a customer", () => {
  test("stands on the invoices that follow, and on none before or after a change", async () => {
    const before = await create(parties);
    expect(said(before)).toEqual(nothing);

    const terms = { payment_terms: "30 days net", usd_parity: true };
    const saved = { name: "Saved", address: "1 Main Street\nBerlin", details: berlin, ...terms };
    for (const _ of ["once", "again"])
      expect(await till.api("PUT", merchant, saved)).toMatchObject({ status: 200, body: saved });
    expect((await till.api("PUT", customer, { details: paris })).status).toBe(200);
    const taken = { merchant_details: berlin, vendor_details: paris, payment_terms: terms.payment_terms };
    const shouted = { merchant_email: "Owner@Saved.example", vendor_email: "JO@saved.example" };
    const [invoice, other] = [await create(parties), await create(shouted)];
    expect([said(invoice), said(other)]).toEqual([taken, taken]);

    const { body } = await till.api("GET", merchant);
    expect(body).toEqual({ email: parties.merchant_email, ...saved });
    expect((await till.api("PUT", merchant, { ...body, details: null })).status).toBe(200);
    expect(said(await create(parties))).toEqual({ ...taken, merchant_details: undefined });
    const again = await till.api("GET", `/api/invoices/${invoice.id}`);
    expect(said(again.body)).toEqual(taken);
  });

  test("is not taken by an invoice that says something itself, or that it says nothing", async () => {
    await till.api("PUT", merchant, { details: berlin, payment_terms: "30 days net" });
    await till.api("PUT", customer, { details: paris });
    const own = { vendor_details: { city: "Rome" }, payment_terms: "At once" };
    expect(said(await create({ ...parties, ...own }))).toEqual({ merchant_details: berlin, ...own });
    const none = { merchant_details: {}, customer_details: {}, payment_terms: "" };
    expect(said(await create({ ...parties, ...none }))).toEqual(nothing);
  });

  test("is one for each role, and 404 before it is saved", async () => {
    await till.api("PUT", "/api/customers/both@saved.example", { name: "Both" });
    expect((await till.api("GET", "/api/merchants/both@saved.example")).status).toBe(404);
    expect((await till.api("GET", "/api/customers/BOTH@saved.example")).body.name).toBe("Both");
  });

  test("is saved as a whole, or every fault is named", async () => {
    const faulty = { email: "other@saved.example", name: "", color: "red", details: { city: 1 } };
    const { status, body } = await till.api("PUT", "/api/merchants/nobody", faulty);
    const fields = body.errors.map(({ field }: { field: string }) => field).sort();
    expect([status, fields]).toEqual([400, ["color", "details.city", "email", "name"]]);
    const { body: ofCustomer } = await till.api("PUT", customer, { usd_parity: true });
    expect(ofCustomer.errors).toEqual([{ field: "usd_parity", message: "is not a known field" }]);
  });
});
