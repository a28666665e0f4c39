import { beforeAll, describe, expect, test } from "bun:test";
import { createApiKey } from "../../src/http/access/api-key.ts";
import * as AuditStore from "../../src/store/tables/desk/audit.ts";
import * as PersonStore from "../../src/store/tables/desk/person.ts";
import * as OwnerMailStore from "../../src/store/tables/outbox/owner-mail.ts";
import { addPerson, entryUrl, password, type Visitor, visitor } from "../support/desk/desk.ts";
import { owner, till, useDesk } from "../support/desk/setup.ts";
import { until, untilMailed } from "../support/till/till.ts";

useDesk();
let staff: Visitor;
beforeAll(async () => {
  // Without any invoice Home says what to do first, and nothing else.
  await till.createInvoice();
  staff = visitor(till, await addPerson(till, "Jonas", "staff"));
});

const list = "/desk/settings/people";
const textOf = async (who: Visitor, path: string) => (await who.get(path)).text();
const names = () => PersonStore.listActive(till.db).map(({ name }) => name);
const handleOf = (id: number) => PersonStore.credentialsOf(till.db, id)?.handle ?? "";

describe("after a restored backup", () => {
  test("the owner sees who had been removed, and removes all of them with one proof", async () => {
    const eve = await addPerson(till, "Eve", "owner");
    const zoe = await addPerson(till, "Zoe", "staff");
    const eveHere = visitor(till, eve);
    expect(await textOf(owner, list)).not.toContain("A backup was restored");
    PersonStore.markBroughtBack(till.db, [eve, zoe].map(handleOf), true);
    for (const path of [list, "/desk"]) {
      const shown = await textOf(owner, path);
      expect(shown).toContain("A backup was restored");
      expect(shown).toContain("may be able to sign in again: 2 (Eve and Zoe)");
    }
    // Neither who may not remove anybody, nor who was removed.
    for (const [who, path] of [
      [staff, "/desk"],
      [eveHere, "/desk"],
      [eveHere, list],
    ] as const)
      expect(await textOf(who, path)).not.toContain("A backup was restored");
    for (const deed of ["remove-again", "keep"]) {
      expect((await staff.post(`${list}/${deed}`, { proof: password })).status).toBe(403);
      expect((await eveHere.post(`${list}/${deed}`, { proof: password })).status).toBe(404);
    }

    const refused = await owner.post(`${list}/remove-again`, { proof: "wrong" });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('id="faults"');
    expect(names()).toEqual(["Mara", "Jonas", "Eve", "Zoe"]);

    expect((await owner.post(`${list}/remove-again`, { proof: password })).status).toBe(303);
    expect(names()).toEqual(["Mara", "Jonas"]);
    expect((await eveHere.get("/desk")).status).toBe(303);
    expect(AuditStore.list(till.db, { before: null, limit: 1 })).toMatchObject([
      { personName: "Mara", action: "person.remove", subject: "Eve, Zoe", outcome: "done" },
    ]);
    for (const path of [list, "/desk"])
      expect(await textOf(owner, path)).not.toContain("A backup was restored");
  });

  test("where nobody knows who was removed, the owner is asked to look, and says that it is fine", async () => {
    PersonStore.markBroughtBack(till.db, [], false);
    for (const path of [list, "/desk"]) expect(await textOf(owner, path)).toContain("Look through the list");
    expect(await textOf(owner, list)).not.toContain("remove-again");
    expect((await owner.post(`${list}/remove-again`, { proof: password })).status).toBe(404);
    expect((await owner.post(`${list}/keep`)).status).toBe(422);
    expect((await owner.post(`${list}/keep`, { proof: password })).status).toBe(303);
    expect(names()).toEqual(["Mara", "Jonas"]);
    for (const path of [list, "/desk"])
      expect(await textOf(owner, path)).not.toContain("A backup was restored");
  });
});

test("owners hear at once of who came in by an invitation, and of a key that a key made", async () => {
  PersonStore.setEmail(till.db, PersonStore.byName(till.db, "Mara")?.id ?? 0, "mara@shop.example");
  const isTold = (words: string) =>
    until(
      () => till.mail.list(),
      (mails) => mails.some(({ to, subject }) => to.includes("mara@shop.example") && subject.includes(words)),
    );
  // With nothing left to send, nobody looks again for a minute.
  await untilMailed(till);
  const path = new URL(entryUrl(till, { role: "owner", name: "Ida" })).pathname;
  expect((await visitor(till).post(path, { name: "Ida", password })).status).toBe(303);
  await isTold("Ida changed who is an owner");
  await until(
    () => OwnerMailStore.nextDue(till.db),
    (at) => at === null,
  );
  const authorization = `Bearer ${createApiKey(till.db, "Backup", Date.now()).key}`;
  await till.api("POST", "/api/keys", { name: "Shop", scope: "shop" }, { authorization });
  await isTold("API key Backup made an API key");
});
