import { beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../../src/domain/party/person.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import { addPerson, type Visitor, visitor } from "../../support/desk/desk.ts";
import { till, useDesk } from "../../support/desk/setup.ts";
import { linkRequest } from "../../support/till/till.ts";

/** What each may do, as the handbook says it: what their routes ask for is compared with what they answer in the matrix beside this. */
const roles = ["owner", "staff", "accountant"] as const;
const no = 403;
const all = [200, 200, 200];
const who = { bills: [200, 200, no], reads: [200, no, 200], owns: [200, no, no] };
const doneBy = { billing: [303, 303, no], owners: [303, no, no] };

useDesk();
const people = new Map<Role, Visitor>();
const as = (role: Role) => people.get(role) as Visitor;
const invoice = "/desk/invoices/INV-0001";
let link = "";
beforeAll(async () => {
  for (const role of roles) people.set(role, visitor(till, await addPerson(till, role, role)));
  await till.createInvoice();
  link = `/desk/links/${(await till.api("POST", "/api/links", linkRequest)).body.slug}`;
});

const statuses = async (ask: (person: Visitor) => Promise<Response>) => {
  const answers = [];
  for (const role of roles) answers.push((await ask(as(role))).status);
  return answers;
};

test("what a role may read", async () => {
  for (const [path, expected] of [
    ["/desk/invoices", all],
    [invoice, all],
    ["/desk/invoices.csv", who.reads],
    ["/desk/invoices/new", who.bills],
    [`${invoice}/void`, who.owns],
    [`${invoice}/credit`, who.owns],
    ["/desk/credit-notes", all],
    ["/desk/customers", all],
    ["/desk/links", all],
    [link, all],
    [`${link}/preview`, all],
    [`${link}/print`, all],
    [`${link}/void`, who.owns],
    ["/desk/links/new", who.bills],
    ["/desk/links/preview", who.bills],
    ["/desk/counter", who.bills],
  ] as const)
    expect([path, await statuses((person) => person.get(path))]).toEqual([path, [...expected]]);
});

// In an order in which each can be done.
test.each([
  ["an invoice", (): string => invoice, ["note", "send", "remind", "redeliver", "mark", "unmark", "void"]],
  ["a link", (): string => link, ["note", "redeliver", "mark", "unmark", "void"]],
] as const)("what a role may do with %s", async (_, at, deeds) => {
  const fields = { note: "Seen", again: "true", event: "none", how: "", reason: "Twice" };
  for (const deed of deeds) {
    const expected = /mark|void/.test(deed) ? doneBy.owners : doneBy.billing;
    const given = await statuses((person) => person.post(`${at()}/${deed}`, fields));
    expect([deed, given]).toEqual([deed, expected]);
  }
});

describe("the desk", () => {
  test("shows each what they may do, and no more", async () => {
    await till.createInvoice();
    for (const [role, sends, voids] of [
      ["owner", true, true],
      ["staff", true, false],
      ["accountant", false, false],
    ] as const) {
      const html = await (await as(role).get("/desk/invoices/INV-0002")).text();
      expect(html.includes('action="/desk/invoices/INV-0002/send"')).toBe(sends);
      expect(html.includes("/desk/invoices/INV-0002/void")).toBe(voids);
      expect(html.includes("/desk/invoices/INV-0002/note")).toBe(sends);
    }
    // Nobody who may not is offered to bill or to charge.
    const doors = /href="\/desk\/(invoices\/new|links\/new|counter)/;
    for (const path of ["", "/invoices", "/links", "/customers", "/credit-notes", "/money"])
      expect(await (await as("accountant").get(`/desk${path}`)).text()).not.toMatch(doors);
    expect(await (await as("staff").get("/desk")).text()).toMatch(doors);
  });

  test("remembers who did what to which invoice", () => {
    const deeds = till.db
      .query<{ deed: string }, []>(
        "SELECT person_name || ' ' || action || ' ' || subject || ' ' || outcome AS deed FROM audit ORDER BY id",
      )
      .all()
      .map(({ deed }) => deed);
    expect(deeds).toContain("owner invoice.void INV-0001 done");
    expect(deeds).toContain("staff invoice.send INV-0001 done");
    expect(deeds).toContain("staff invoice.note INV-0001 done");
    expect(deeds.some((deed) => deed.startsWith("accountant "))).toBe(false);
  });
});

test("an owner alone has another system told of payments of a link; its secret is shown once", async () => {
  const form = {
    ...{ often: "once", expected_amount: "9.00", business_name: "Corner Shop", once: "hook" },
    ...{ merchant_email: "owner@corner.example", webhook_url: "https://shop.example/hooks" },
  };
  const make = (role: Role, more = {}) => as(role).post("/desk/links/new", { ...form, ...more });
  const faulty = await make("owner", { webhook_url: "shop" });
  expect(await (await as("owner").get("/desk/links/new")).text()).toContain('action="/desk/links/new"');
  expect([faulty.status, await faulty.text()]).toEqual([422, expect.stringContaining("webhook_url-fault")]);
  const made = await (await make("owner")).text();
  expect(made).toMatch(/id="secret">\s*whsec_\S+\s*</);
  const slug = /\/desk\/links\/(\w{16})/.exec(made)?.[1] ?? "";
  expect(LinkStore.bySlug(till.db, slug)?.webhookUrl).toBe("https://shop.example/hooks");
  expect((await make("owner")).headers.get("location")).toBe(`/desk/links/${slug}?did=MakeLink`);
  const byStaff = (await make("staff", { once: "other" })).headers.get("location") ?? "";
  const other = /links\/(\w{16})/.exec(byStaff)?.[1] ?? "";
  expect(LinkStore.bySlug(till.db, other)?.webhookUrl).toBe(null);
  expect(await (await as("staff").get("/desk/links/new")).text()).not.toContain("webhook_url");
});

test("who charges may cancel what nothing has come for, and no other link", async () => {
  const charge = (person: Visitor) => person.post("/desk/counter", { digits: "500", what: "", once: "x" });
  expect(await statuses(charge)).toEqual(doneBy.billing);
  const sale = (await charge(as("staff"))).headers.get("location") ?? "";
  const slug = sale.split("/").at(-1) ?? "";
  expect((await as("accountant").post(`${sale}/cancel`)).status).toBe(no);
  expect((await as("staff").post(`${sale}/cancel`)).status).toBe(303);
  expect(LinkStore.bySlug(till.db, slug)?.status).toBe("void");
  const { body } = await till.api("POST", "/api/links", linkRequest);
  expect((await as("staff").post(`/desk/counter/${body.slug}/cancel`)).status).toBe(404);
  expect(LinkStore.bySlug(till.db, body.slug)?.status).toBe("pending");
});
