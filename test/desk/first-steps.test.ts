import { afterEach, beforeEach, expect, test } from "bun:test";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import { addPerson, startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import type { TestTill } from "../support/till/till.ts";

let till: TestTill;
let owner: Visitor;
beforeEach(async () => {
  till = await startDesk();
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
});
afterEach(() => till.stop());

const pageOf = async (path: string) => (await owner.get(path)).text();

const shop = { name: "Café Morgenrot", email: "hello@morgenrot.example", due_days: "14", payout: "managed" };
const parts = {
  "details.street": "Lindenallee 4",
  "details.postal_code": "20144",
  "details.city": "Hamburg",
  "details.country": "DE",
  "details.tax_id": "22/815/08154",
};

/** The fields of a page's form that have a value, as a browser sends them. */
function typedIn(html: string): Record<string, string> {
  const inputs = [
    ...html.matchAll(/<input(?! type="(?:radio|checkbox)")[^>]* name="(\w+)" value="([^"]*)"/g),
  ];
  const areas = [...html.matchAll(/<textarea[^>]* name="(\w+)"[^>]*>([^<]*)</g)];
  return Object.fromEntries([...inputs, ...areas].map(([, name, value]) => [name, value]));
}

const bill = {
  vendor_name: "Hotel Linde",
  vendor_email: "ap@linde.example",
  vendor_address: "",
  description: "Coffee",
  quantity: "1",
  unit_price: "10",
  as: "make",
};

async function bills(changes: Record<string, string> = {}): Promise<number> {
  const { form: _, ...typed } = typedIn(await pageOf("/desk/invoices/new"));
  return (await owner.post("/desk/invoices/new", { ...typed, ...bill, ...changes })).status;
}

const isTicked = async () => !(await pageOf("/desk")).includes("Fill in your details");

test("an address in parts is one: the step is done, and the first invoice is made with it", async () => {
  expect(await isTicked()).toBe(false);
  expect((await owner.post("/desk/settings/profile", { ...shop, ...parts, address: "" })).status).toBe(303);
  expect(await isTicked()).toBe(true);
  expect(await bills()).toBe(303);
  expect(InvoiceStore.bySequence(till.db, 1)?.merchantAddress).toBe("Lindenallee 4\n20144 Hamburg\nGermany");
});

test("a form from before the address was known, or that leaves it out, takes it too", async () => {
  const { form: _, ...typed } = typedIn(await pageOf("/desk/invoices/new"));
  await owner.post("/desk/settings/profile", { ...shop, ...parts, address: "" });
  expect((await owner.post("/desk/invoices/new", { ...typed, ...bill })).status).toBe(303);
  expect(await bills({ merchant_address: "" })).toBe(303);
});

test.each([
  ["email and address", { ...shop, email: "", address: "" }, "Email, Address"],
  ["email", { ...shop, email: "", address: "1 Main Street" }, "Email"],
  ["address", { ...shop, address: "" }, "Address"],
  [
    "address, of which only the country is known",
    { ...shop, "details.country": "DE", address: "" },
    "Address",
  ],
])("without %s the step stays open and says so, as no invoice can be made", async (_, profile, missing) => {
  expect((await owner.post("/desk/settings/profile", profile)).status).toBe(303);
  expect(await isTicked()).toBe(false);
  for (const path of ["/desk", "/desk/settings/profile"])
    expect(await pageOf(path)).toContain(`An invoice still needs: ${missing}.`);
  expect(await bills()).toBe(422);
});

test("who only bills is told what keeps them waiting, and is led to no form", async () => {
  const fresh = await startDesk({}, { isNew: true });
  const staff = visitor(fresh, await addPerson(fresh, "Jonas", "staff"));
  const home = async () => (await staff.get("/desk")).text();
  const main = (html: string) => html.slice(html.indexOf("<main"), html.indexOf("</main"));
  expect(main(await home())).toContain("First, an owner has to choose where the money goes.");
  expect(main(await home())).not.toContain('href="/desk/invoices/new"');
  PreferenceStore.setWalletChosen(fresh.db, Date.now());
  expect(main(await home())).toContain('href="/desk/invoices/new"');
  await fresh.stop();
});
