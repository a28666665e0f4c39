import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { beginSession, formTokenOf } from "../../../src/people/sessions.ts";
import * as AuditStore from "../../../src/store/tables/desk/audit.ts";
import * as PasskeyStore from "../../../src/store/tables/desk/passkey.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import * as SessionStore from "../../../src/store/tables/desk/session.ts";
import { startBrowser } from "../../support/browser/browser.ts";
import { addAuthenticator } from "../../support/desk/authenticator.ts";
import { addPerson, entryUrl, password, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import { type TestTill, until } from "../../support/till/till.ts";

const path = "/desk/settings/me/lost";

let till: TestTill;
let browser: Browser;
beforeAll(async () => {
  [till, browser] = await Promise.all([startDesk(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await till.stop();
});

const text = async (response: Response) =>
  (await response.text()).replace(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

async function enter(url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await addAuthenticator(page);
  await page.goto(url);
  return page;
}

/** A phone with a passkey of its own, and a laptop with another one. */
async function twoDevices() {
  const phone = await enter(entryUrl(till, { role: "owner", name: "Mara" }));
  await phone.getByRole("button", { name: "Create a passkey" }).click();
  await phone.waitForURL(/\/desk(\?did=Enter)?$/);
  const id = PersonStore.byName(till.db, "Mara")?.id ?? 0;
  const laptop = await enter(entryUrl(till, { personId: id }));
  await laptop.getByRole("button", { name: "Create a passkey" }).click();
  await laptop.waitForURL(/\/desk(\?did=Enter)?$/);
  return { phone, laptop, id };
}

test("a lost phone is ended from another device, which tells what was done with it", async () => {
  const { phone, laptop, id } = await twoDevices();
  const [onPhone, onLaptop] = PasskeyStore.listOf(till.db, id);
  expect(
    SessionStore.listOf(till.db, id)
      .map(({ passkeyId }) => passkeyId)
      .toSorted(),
  ).toEqual([onPhone?.id ?? 0, onLaptop?.id ?? 0].toSorted());
  PasskeyStore.rename(till.db, { id: onPhone?.id ?? 0, personId: id, name: "The phone" });
  // Whoever has the phone looks around and changes something that asks for no passkey.
  await phone.goto(`${till.baseUrl}/desk/settings/me`);
  await phone.getByLabel("Your email address").fill("thief@evil.example");
  await phone.locator("form[action$='/me/email'] button").click();
  await until(
    () => PersonStore.emailOf(till.db, id),
    (email) => email === "thief@evil.example",
  );

  await laptop.goto(`${till.baseUrl}/desk/settings/me`);
  await laptop.getByRole("link", { name: "Lost a phone or computer?" }).click();
  await laptop.waitForURL(/\/lost$/);
  const body = ((await laptop.locator("main").textContent()) ?? "").replaceAll(/\s+/g, " ");
  for (const part of [
    "Changed an email address thief@evil.example",
    "Signed in with a link",
    "The phone",
    "wait at least a day",
  ])
    expect(body).toContain(part);
  const listed = SessionStore.listOf(till.db, id);
  const other = listed.find(({ passkeyId }) => passkeyId === onPhone?.id);
  expect(AuditStore.listOfSession(till.db, other ?? { sessionId: 0 }, 9).map(({ action }) => action)).toEqual(
    ["person.email", "session.enter"],
  );

  await laptop.getByRole("link", { name: "Lock it out: The phone" }).click();
  // The script that asks for the passkey is there once the page is loaded.
  await laptop.waitForURL(/confirm/);
  await laptop.getByRole("button", { name: "Lock it out" }).click();
  await until(
    () => PasskeyStore.listOf(till.db, id),
    (passkeys) => passkeys.length === 1,
  );
  expect(PasskeyStore.listOf(till.db, id).map((passkey) => passkey.id)).toEqual([onLaptop?.id ?? 0]);
  expect(SessionStore.listOf(till.db, id).map(({ passkeyId }) => passkeyId)).toEqual([onLaptop?.id ?? 0]);
  await phone.goto(`${till.baseUrl}/desk`);
  expect(phone.url()).toContain("/desk/sign-in");
  await phone
    .getByRole("button", { name: /passkey/i })
    .first()
    .click();
  await phone.getByRole("alert").first().waitFor();
  expect(phone.url()).toContain("/desk/sign-in");
});

let one: Visitor;
let two: Visitor;
test("without a proof nothing is ended, nor the passkey of somebody else or the last way in", async () => {
  const id = await addPerson(till, "Tom", "staff");
  [one, two] = [visitor(till, id), visitor(till, id)];
  expect((await one.post(path, { passkey: "" })).status).toBe(422);
  const mara = PersonStore.byName(till.db, "Mara")?.id ?? 0;
  const [hers] = PasskeyStore.listOf(till.db, mara);
  expect((await one.post(path, { passkey: String(hers?.id), proof: password })).status).toBe(404);
  expect((await one.get(`${path}/confirm?passkey=${hers?.id}`)).status).toBe(404);
  expect((await two.get(path)).status).toBe(200);
  expect((await one.post(path, { passkey: "", proof: password })).headers.get("location")).toContain(
    "did=EndLost",
  );
  expect((await two.get(path)).headers.get("location")).toContain("/desk/sign-in");
  expect((await one.get(path)).status).toBe(200);
  expect(await text(await one.get(path))).toContain("You are signed in nowhere else");
});

test("a session has a number of its own, and none of the deeds of an earlier one", async () => {
  const id = await addPerson(till, "Ada", "owner");
  const ended = visitor(till, id);
  await ended.post("/desk/settings/me/name", { name: "Ada L" });
  const [before] = SessionStore.listOf(till.db, id);
  SessionStore.removeOf(till.db, id);
  const { token } = beginSession(till.db, { personId: id, device: "New", now: Date.now() + 1_000 });
  expect(formTokenOf(token)).not.toBe("");
  const [after] = SessionStore.listOf(till.db, id);
  // They are told as those of one that has ended.
  const past = { since: 0, limit: 9 };
  const told = AuditStore.listEnded(till.db, id, SessionStore.listOf(till.db, id), past);
  expect(told.map(({ action }) => action)).toEqual(["person.name"]);
  expect(after?.sessionId).toBeGreaterThan(before?.sessionId ?? 0);
  expect(AuditStore.listOfSession(till.db, after ?? { sessionId: 0 }, 9)).toEqual([]);
});
