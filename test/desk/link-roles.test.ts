import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../src/domain/person.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import { addPerson, startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import { linkRequest, type TestTill } from "../support/till/till.ts";

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
    ["note", { note: "Seen" }, [303, 303, 303]],
    ["redeliver", { event: "none" }, [303, 303, nothing]],
    ["mark", { note: "" }, [303, nothing, nothing]],
    ["unmark", {}, [303, nothing, nothing]],
    ["void", { reason: "Twice" }, [303, nothing, nothing]],
  ] as const)("%s", async (deed, fields, expected) => {
    expect(await statuses((person) => person.post(`${one}/${deed}`, fields))).toEqual([...expected]);
    const location = (await visitor(till).post(`${one}/${deed}`, fields)).headers.get("location");
    expect(location).toBe("/desk/sign-in");
    expect((await as("owner").post(`${one}/${deed}`, { ...fields, form: "stale" })).status).toBe(nothing);
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
