import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../../src/domain/party/person.ts";
import { addPerson, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import type { TestTill } from "../../support/till/till.ts";

let till: TestTill;
const people = new Map<Role, Visitor>();
const as = (role: Role) => people.get(role) as Visitor;

beforeAll(async () => {
  till = await startDesk();
  for (const role of ["owner", "staff", "accountant"] as const)
    people.set(role, visitor(till, await addPerson(till, role, role)));
  await till.createInvoice();
});
afterAll(() => till.stop());

const one = "/desk/invoices/INV-0001";
const nothing = 403;

describe("what a role may do with invoices", () => {
  test.each([
    ["the list", "/desk/invoices", [200, 200, 200]],
    ["an invoice", one, [200, 200, 200]],
    ["the CSV", "/desk/invoices.csv", [200, nothing, 200]],
    ["the form of a new one", "/desk/invoices/new", [200, 200, nothing]],
    ["the question before it is void", `${one}/void`, [200, nothing, nothing]],
    ["the question what is credited of it", `${one}/credit`, [200, nothing, nothing]],
    ["credit notes", "/desk/credit-notes", [200, 200, 200]],
    ["customers", "/desk/customers", [200, 200, 200]],
  ] as const)("reading %s", async (_, path, expected) => {
    const statuses = [];
    for (const role of ["owner", "staff", "accountant"] as const)
      statuses.push((await as(role).get(path)).status);
    expect(statuses).toEqual([...expected]);
  });

  // In an order in which each can be done.
  test.each([
    ["write a note", "note", { note: "Seen" }, [303, 303, nothing]],
    ["send it", "send", {}, [303, 303, nothing]],
    ["remind of it", "remind", { again: "true" }, [303, 303, nothing]],
    ["send a webhook again", "redeliver", { event: "none" }, [303, 303, nothing]],
    ["mark it as paid", "mark", { how: "" }, [303, nothing, nothing]],
    ["take that back", "unmark", {}, [303, nothing, nothing]],
    ["void it", "void", { reason: "Twice" }, [303, nothing, nothing]],
  ] as const)("%s", async (_, deed, fields, expected) => {
    const statuses = [];
    for (const role of ["owner", "staff", "accountant"] as const)
      statuses.push((await as(role).post(`${one}/${deed}`, fields)).status);
    expect(statuses).toEqual([...expected]);
  });

  test("the page shows each what they may do, and no more", async () => {
    await till.createInvoice();
    const shown = async (role: Role) => await (await as(role).get("/desk/invoices/INV-0002")).text();
    for (const [role, sends, voids] of [
      ["owner", true, true],
      ["staff", true, false],
      ["accountant", false, false],
    ] as const) {
      const html = await shown(role);
      expect(html.includes('action="/desk/invoices/INV-0002/send"')).toBe(sends);
      expect(html.includes("/desk/invoices/INV-0002/void")).toBe(voids);
      expect(html.includes("/desk/invoices/INV-0002/note")).toBe(sends);
    }
  });

  test("no page offers an accountant to bill or to charge", async () => {
    const pages = ["", "/invoices", "/links", "/customers", "/credit-notes", "/money"].map(
      (path) => `/desk${path}`,
    );
    const doors = /href="\/desk\/(invoices\/new|links\/new|counter)/;
    for (const path of pages) expect(await (await as("accountant").get(path)).text()).not.toMatch(doors);
    expect(await (await as("staff").get("/desk")).text()).toMatch(doors);
  });

  test("the audit names who did what to which invoice", () => {
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
