import { beforeAll, describe, expect, test } from "bun:test";
import { addPerson, startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import { type Walk, walk } from "../support/desk/walk.ts";
import { shared } from "../support/per-file.ts";
import { businessRequest, recurringRequest, startTestTill, until, untilIs } from "../support/till/till.ts";

let clockMs = Date.parse("2027-01-31T12:00Z");
const till = shared(() =>
  startTestTill(
    { rpcUrl: "http://127.0.0.1:9" },
    { TILL_RATES: "kraken=http://127.0.0.1:9/" },
    { now: () => clockMs },
  ),
);

const { invoice } = recurringRequest;
const make = async (changes: object = {}) =>
  (await till.api("POST", "/api/recurring", { ...recurringRequest, ...changes })).body;
const get = async (id: string) => (await till.api("GET", `/api/recurring/${id}`)).body;
const patch = (id: string, change: object) => till.api("PATCH", `/api/recurring/${id}`, change);
const invoices = async () => (await till.api("GET", "/api/invoices?limit=100")).body.data.length;

async function open(path: string, language = "en"): Promise<Walk> {
  const desk = walk(till, { language });
  await desk.open(`/desk${path}`);
  return desk;
}
const save = (desk: Walk) => desk.press("Save");
const idOf = ({ path }: Walk) => /recurring_\w+/.exec(path)?.[0] ?? "";
const customer = {
  ...{ vendor_name: "Kino Babylon", vendor_email: "kino@customer.example" },
  ...{ merchant_name: "Acme", merchant_email: "a@acme.example", merchant_address: "1 Main Street" },
};

describe("a series at the desk", () => {
  test("is changed, and only in what was changed", async () => {
    const { id } = await make({
      count: 5,
      every: { weeks: 5 },
      invoice: { ...invoice, metadata: { a: "1" } },
    });
    const desk = await open(`/recurring/${id}`);
    expect(desk.text()).toMatch(/Another interval: 5 weeks.*Still to be made ?5/);
    await desk.press("Change…");
    expect(desk.value("every")).toBe("weeks 5");
    desk.fill({ due_days: "400", count: "0" });
    await save(desk);
    expect(desk.text("#due_days-fault")).toContain("0 to 365");
    expect(desk.text("#count-fault")).toContain("1 to 1,000");
    desk.fill({ due_days: "7", count: "3", every: "months 3", how: "send", missed: "all" });
    await save(desk);
    expect(desk.path).toStartWith(`/desk/recurring/${id}?did=`);
    expect(desk.text()).toMatch(/31 January 2090.*30 April 2090.*Still to be made ?3/);
    expect(await get(id)).toMatchObject({
      ...{ due_days: 7, count: 3, every: { months: 3 }, send_now: true, missed: "all" },
      invoice: { ...invoice, metadata: { a: "1" } },
    });
  });

  test("is not overwritten by a form that shows it as it was", async () => {
    const { id } = await make();
    const desk = await open(`/recurring/${id}/change`);
    await patch(id, { starts_on: "2091-02-01" });
    desk.fill({ due_days: "3" });
    await save(desk);
    expect(desk.text()).toContain("It has changed in the meantime");
    expect(desk.value("starts_on")).toBe("2091-02-01");
    expect(await get(id)).toMatchObject({ due_days: 14, starts_on: "2091-02-01" });
    desk.fill({ due_days: "3" });
    await save(desk);
    expect(await get(id)).toMatchObject({ due_days: 3, starts_on: "2091-02-01" });
  });

  test("keeps all of its bill that the form does not ask for, and all that nobody touched", async () => {
    const { due_date: _, ...business } = businessRequest;
    const back = { description: "Taken back", quantity: -1, unit_price: "2.00", tax_rate: "19" };
    const before = {
      ...{ ...business, line_items: [...business.line_items, back] },
      ...{ metadata: { order: "7" }, reminders: [3], reference: "R {month}" },
      ...{ notes: "For {period}", purchase_order: "PO 1", delivery_date: "2090-01-02", payment_terms: "" },
    };
    const { id } = await make({ invoice: before });
    const desk = await open(`/invoices/new?repeat=${id}`, "de");
    expect(desk.value("rate")).toBe("0,8607");
    await desk.choose("as", "repeat");
    expect(desk.path).toMatch(/change\?draft=/);
    await desk.press("Speichern");
    expect((await get(id)).invoice).toEqual(before);
    await desk.open(`/desk/invoices/new?repeat=${id}`);
    desk.fill({ vendor_name: "Fjord Coworking", "quantity-0": "2,5" });
    await desk.choose("as", "repeat");
    desk.fill({ due_days: "9" });
    await desk.press("Speichern");
    const [first, ...rest] = before.line_items;
    expect(await get(id)).toMatchObject({ due_days: 9, made: 0 });
    expect((await get(id)).invoice).toEqual({
      ...{ ...before, vendor_name: "Fjord Coworking" },
      line_items: [{ ...first, quantity: 2.5 }, ...rest],
    });
    expect((await till.api("GET", "/api/invoices")).body.data).toEqual([]);
    await desk.open("/desk/invoices?kind=drafts");
    expect(desk.text()).not.toContain("Fjord Coworking");
  });

  test("says beside its field what is wrong with a bill, and changes nothing", async () => {
    const { id } = await make({ invoice: { ...invoice, customer_name: "Old", vendor_name: undefined } });
    const desk = await open(`/invoices/new?repeat=${id}`);
    expect(desk.value("vendor_name")).toBe("Old");
    desk.fill({ vendor_email: "nobody" });
    await desk.choose("as", "repeat");
    expect(desk.text("#vendor_email-fault")).toContain("email");
    expect((await get(id)).invoice.vendor_email).toBe(invoice.vendor_email);
    desk.fill({ vendor_email: "new@globex.example", vendor_name: "New" });
    await desk.choose("as", "repeat");
    await save(desk);
    expect((await get(id)).invoice).toEqual({
      ...{ ...invoice, vendor_name: "New", vendor_email: "new@globex.example" },
    });
  });

  test("tells why it is not made, in the reader's language", async () => {
    const { id } = await make({ starts_on: "2027-01-31", invoice: { ...invoice, currency: "EUR" } });
    const waiting = await until(
      () => get(id),
      ({ reason }) => reason !== null,
    );
    expect(waiting.reason).toBe("no current rate of USDC in EUR is to be had");
    const desk = await open(`/recurring/${id}`, "de");
    expect(desk.text()).toMatch(/Es gibt gerade keinen Wechselkurs.*Till versucht es weiter/);
    await desk.open(`/desk/recurring/${id}/change`);
    desk.fill({ every: "weeks 1" });
    await desk.press("Speichern");
    expect(desk.text()).toContain("31. Januar ist noch auszustellen");
    expect((await get(id)).every).toEqual({ months: 1 });
    await till.api("DELETE", `/api/recurring/${id}`);
  });

  test("that is refused is corrected at the desk, and what it missed is made", async () => {
    const { id } = await make({ starts_on: "2027-02-10" });
    till.db.run(
      "UPDATE recurring SET invoice = json_set(invoice, '$.line_items[0].unit_price', '1,2,3') WHERE id = ?",
      [id],
    );
    const before = await invoices();
    clockMs = Date.parse("2027-02-12T12:00Z");
    await till.pause();
    await till.resume();
    const refused = await untilIs(() => get(id), { status: "paused" });
    expect(refused.reason).toStartWith("invoice.line_items[0].unit_price must be");
    const desk = await open(`/recurring/${id}`, "fr");
    expect(desk.text()).not.toContain("must be");
    expect(desk.text()).toMatch(/Till n’a pas pu établir cette facture.*Corrigez-la/);
    await desk.open(`/desk/invoices/new?repeat=${id}`);
    desk.fill({ "unit_price-0": "12,00" });
    await desk.choose("as", "repeat");
    await desk.press("Enregistrer");
    expect(await invoices()).toBe(before);
    await desk.press("Reprendre");
    await until(invoices, (count) => count === before + 1);
    expect(await get(id)).toMatchObject({ made: 1, status: "active", last_made: { date: "2027-02-10" } });
    clockMs = Date.parse("2027-01-31T12:00Z");
  });
});

describe("a series without an invoice", () => {
  test("begins at the list, goes through the bill to its dates, and is made once", async () => {
    const before = await invoices();
    const desk = await open("/recurring");
    await desk.press("New repeating invoice");
    expect(desk.value("due_date")).toBeNull();
    desk.fill({ ...customer, "description-0": "Popcorn {month}", "unit_price-0": "12.00" });
    await desk.press("Continue");
    expect(desk.path).toMatch(/recurring\/new\?draft=\d+/);
    expect(desk.text()).toContain("for Kino Babylon");
    desk.fill({ starts_on: "2090-02-01" });
    const again = desk.copy();
    await desk.press("Start repeating");
    const id = idOf(desk);
    expect(await get(id)).toMatchObject({
      ...{ starts_on: "2090-02-01", made: 0, send_now: true },
      invoice: {
        vendor_name: "Kino Babylon",
        line_items: [{ description: "Popcorn {month}", unit_price: "12.00" }],
      },
    });
    expect(await invoices()).toBe(before);
    await again.press("Start repeating");
    expect(idOf(again)).toBe(id);
    await desk.open("/desk/invoices?kind=drafts");
    expect(desk.text()).not.toContain("Kino Babylon");
  });

  test("begins in the form of any invoice, too, and waits among the drafts", async () => {
    const desk = await open("/invoices/new");
    desk.fill({ ...customer, vendor_name: "Later Ltd", "description-0": "Rent", "unit_price-0": "1.00" });
    await desk.press("Repeat…");
    expect(desk.path).toMatch(/recurring\/new\?draft=/);
    await desk.open("/desk/invoices?kind=drafts");
    await desk.press("Later Ltd");
    await desk.press("Continue");
    expect(desk.path).toMatch(/recurring\/new\?draft=/);
  });
});

test("an invoice repeats from its page, is paused and resumed, and ends", async () => {
  const { invoice_number: number = "" } = await till.createInvoice({
    vendor_name: "Fjord Coworking",
    notes: "Beans, {month}",
    line_items: [{ description: "Office beans", quantity: 2, unit_price: "210.00" }],
  });
  const desk = await open(`/invoices/${number}`);
  await desk.press("Repeat…");
  desk.fill({ due_days: "x", ends_on: "2020-01-01" });
  await desk.press("Start repeating");
  expect(desk.text("#due_days-fault")).toContain("0 to 365");
  expect(desk.text("#ends_on-fault")).toContain("today or later");
  desk.fill({ due_days: "14", ends_on: "", starts_on: "2090-01-31", how: "draft" });
  await desk.press("Start repeating");
  expect(desk.text()).toContain("28 February 2090");
  const id = idOf(desk);
  expect(await get(id)).toMatchObject({
    invoice: { vendor_name: "Fjord Coworking", notes: "Beans, {month}" },
    every: { months: 1 },
    send_now: false,
    due_days: 14,
  });
  await desk.press("Pause");
  expect((await get(id)).status).toBe("paused");
  await desk.press("Resume");
  expect((await get(id)).status).toBe("active");
  await desk.open("/desk/recurring");
  expect(desk.text()).toContain("Every month");
  await desk.press("Fjord Coworking");
  await desk.press("End it…");
  await desk.press("End it");
  expect((await get(id)).status).toBe("ended");
});

test("an invoice of the 31st goes on on the last days of months, unless that is not wanted", async () => {
  const { invoice_number: number } = await till.createInvoice({ issue_date: "2027-01-31" });
  const desk = await open(`/recurring/new?like=${number}`);
  expect(desk.value("starts_on")).toBe("2027-02-28");
  expect(desk.text()).toContain("On day 31 in months that have it");
  await desk.press("Start repeating");
  expect(desk.text()).toMatch(/28 February ?31 March ?30 April/);
  const id = idOf(desk);
  expect(await get(id)).toMatchObject({ starts_on: "2027-02-28", day_of_month: 31 });
  await desk.press("Change…");
  desk.fill({ month_day: "" });
  await save(desk);
  expect(desk.text()).toMatch(/28 February ?28 March ?28 April/);
  expect(await get(id)).not.toHaveProperty("day_of_month");
  await desk.open(`/desk/recurring/new?like=${number}`);
  desk.fill({ every: "weeks 1" });
  await desk.press("Start repeating");
  expect(desk.text()).toMatch(/28 February ?7 March/);
});

describe("who may only bill", () => {
  const desk = shared(startDesk);
  let staff: Visitor;
  beforeAll(async () => {
    staff = visitor(desk, await addPerson(desk, "Tom", "staff"));
  });

  const own = "0x1111111111111111111111111111111111111111";
  const other = "0x2222222222222222222222222222222222222222";
  const bill = (wallet_address: string) => ({
    ...{ ...customer, description: "Rent", unit_price: "1.00" },
    ...{ quantity: "1", wallet_type: "byo", wallet_address },
  });

  test("directs no series to a wallet of their own, but changes one that a program directed to its own", async () => {
    expect((await staff.post("/desk/invoices/new", { ...bill(other), as: "repeat" })).status).toBe(422);
    // A draft is kept as it is.
    const kept = await staff.post("/desk/invoices/new", { ...bill(other), as: "draft" });
    const draft = /draft=(\d+)/.exec(kept.headers.get("location") ?? "")?.[1] ?? "";
    const html = await (await staff.get(`/desk/recurring/new?draft=${draft}`)).text();
    const key = /name="key" value="(\w+)"/.exec(html)?.[1] ?? "";
    const dates = {
      ...{ every: "months 1", starts_on: "2090-01-31", due_days: "14", how: "draft", missed: "newest" },
      ...{ draft, key },
    };
    const refused = await staff.post("/desk/recurring/new", dates);
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("wallet")]);
    expect((await desk.api("GET", "/api/recurring")).body.data).toEqual([]);

    const byo = { ...invoice, wallet_type: "byo", wallet_address: own };
    const { id } = (await desk.api("POST", "/api/recurring", { ...recurringRequest, invoice: byo })).body;
    const repeat = { repeat: id, as: "repeat" };
    expect((await staff.post("/desk/invoices/new", { ...bill(other), ...repeat })).status).toBe(422);
    const sent = await staff.post("/desk/invoices/new", { ...bill(own), ...repeat });
    expect(sent.headers.get("location")).toContain(`/desk/recurring/${id}/change?draft=`);
  });
});
