import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../../src/domain/party/person.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import { addPerson, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import { linkRequest, type TestTill } from "../../support/till/till.ts";

const roles = ["owner", "staff", "accountant"] as const;
const nothing = 403;

let till: TestTill;
const people = new Map<Role, Visitor>();
const as = (role: Role) => people.get(role) as Visitor;
let one = "";

beforeAll(async () => {
  till = await startDesk();
  for (const role of roles) people.set(role, visitor(till, await addPerson(till, role, role)));
  one = `/desk/links/${(await till.api("POST", "/api/links", linkRequest)).body.slug}`;
});
afterAll(() => till.stop());

const statuses = async (ask: (person: Visitor) => Promise<Response>) => {
  const answers = [];
  for (const role of roles) answers.push((await ask(as(role))).status);
  return answers;
};

describe("what a role may do with links", () => {
  test("reading", async () => {
    expect(await statuses((person) => person.get("/desk/links"))).toEqual([200, 200, 200]);
    for (const part of ["", "/preview", "/print"])
      expect(await statuses((person) => person.get(one + part))).toEqual([200, 200, 200]);
    for (const path of ["/desk/links/new", "/desk/links/preview", "/desk/counter"])
      expect(await statuses((person) => person.get(path))).toEqual([200, 200, nothing]);
    expect(await statuses((person) => person.get(`${one}/void`))).toEqual([200, nothing, nothing]);
  });

  // In an order in which each can be done.
  test.each([
    ["note", { note: "Seen" }, [303, 303, nothing]],
    ["redeliver", { event: "none" }, [303, 303, nothing]],
    ["mark", { note: "" }, [303, nothing, nothing]],
    ["unmark", {}, [303, nothing, nothing]],
    ["void", { reason: "Twice" }, [303, nothing, nothing]],
  ] as const)("%s", async (deed, fields, expected) => {
    expect(await statuses((person) => person.post(`${one}/${deed}`, fields))).toEqual([...expected]);
  });

  test("an owner alone has another system told of payments; its secret is shown once", async () => {
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
    expect(await statuses(charge)).toEqual([303, 303, nothing]);
    const sale = (await charge(as("staff"))).headers.get("location") ?? "";
    const slug = sale.split("/").at(-1) ?? "";
    expect((await as("accountant").post(`${sale}/cancel`)).status).toBe(nothing);
    expect((await as("staff").post(`${sale}/cancel`)).status).toBe(303);
    expect(LinkStore.bySlug(till.db, slug)?.status).toBe("void");
    const { body } = await till.api("POST", "/api/links", linkRequest);
    expect((await as("staff").post(`/desk/counter/${body.slug}/cancel`)).status).toBe(404);
    expect(LinkStore.bySlug(till.db, body.slug)?.status).toBe("pending");
  });
});
