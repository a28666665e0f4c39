import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { createChallenges, passkeyHost } from "../../../src/people/passkeys.ts";
import * as AuditStore from "../../../src/store/tables/desk/audit.ts";
import * as PasskeyStore from "../../../src/store/tables/desk/passkey.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import { startBrowser } from "../../support/browser/browser.ts";
import { type Authenticator, addAuthenticator } from "../../support/desk/authenticator.ts";
import { addPerson, entryUrl, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import { ownPort } from "../../support/http/port.ts";
import type { TestTill } from "../../support/till/till.ts";

/** Two desks on one machine, which any name under localhost is. The second one's passkeys are of another host. */
let till: TestTill;
let other: TestTill;
let browser: Browser;
let page: Page;
let device: Authenticator;
let owner: number;
let mallory: number;
let skewMs = 0;

beforeAll(async () => {
  const port = String(ownPort());
  [till, other, browser] = await Promise.all([
    startDesk({}, { now: () => Date.now() + skewMs }),
    startDesk({ TILL_PORT: port, TILL_BASE_URL: `http://other.localhost:${port}` }),
    startBrowser(),
  ]);
  page = await browser.newPage();
  device = await addAuthenticator(page);
  mallory = await register(other, "Mallory");
  owner = await register(till, "Mara");
});
afterAll(async () => {
  await browser.close();
  await Promise.all([till.stop(), other.stop()]);
});

async function register(at: TestTill, name: string): Promise<number> {
  await page.goto(entryUrl(at, { role: "owner", name }));
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await page.waitForURL(/\/desk(\?did=Enter)?$/);
  return PersonStore.byName(at.db, name)?.id ?? 0;
}

/** What a page of the desk asks the browser with. */
async function optionsAt(who: Visitor, path: string): Promise<Record<string, unknown>> {
  const html = await (await who.get(path)).text();
  const [, text = ""] = /data-options="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(text.replaceAll(/&(quot|#34);/g, '"').replaceAll("&amp;", "&"));
}

/** Has the device sign, on whatever page it is just now. */
const sign = (options: Record<string, unknown>): Promise<string> =>
  page.evaluate(`(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)});
    return JSON.stringify((await navigator.credentials.get({ publicKey })).toJSON());
  })()`);

const signIn = (passkey: string) => visitor(till).post("/desk/sign-in", { passkey });
const askToSignIn = () => optionsAt(visitor(till), "/desk/sign-in");

test("passkeys are offered where browsers make them", () => {
  const hosts = [
    "https://pay.acme.example",
    "http://localhost:3000",
    "http://till.localhost",
    "https://127.0.0.1",
  ];
  const none = [
    "http://pay.acme.example",
    "http://127.0.0.1:3000",
    "https://[2001:db8::1]",
    "http://[::1]:3000",
  ];
  expect(hosts.map(passkeyHost)).toEqual(["pay.acme.example", "localhost", "till.localhost", null]);
  expect(none.map(passkeyHost)).toEqual([null, null, null, null]);
});

test("the owner opens the first link, makes a passkey, signs out and in again", async () => {
  const made = (await device.credentials()).filter(({ rpId }) => rpId === "localhost");
  expect(made).toMatchObject([{ isResidentCredential: true }]);
  expect(await page.getByText("Mara").first().isVisible()).toBe(true);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(/\/desk\/sign-in(\?did=SignOut)?$/);
  await page.goto(`${till.baseUrl}/desk?x=1`);
  await page.waitForURL("**/desk/sign-in**");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("**/desk");
  const deeds = AuditStore.list(till.db, { before: null, limit: 9 }).map(({ action }) => action);
  expect(deeds).toEqual(["session.begin", "session.end", "session.enter"]);
  // Where passkeys do not work, it is said where they do.
  await page.goto(`${till.localUrl}/desk/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("work only at localhost").waitFor();
});

describe("a passkey", () => {
  test("signs in without a name, and names nobody before", async () => {
    await page.goto(`${till.baseUrl}/desk/sign-in`);
    const options = await askToSignIn();
    expect(options).toMatchObject({ rpId: "localhost", userVerification: "required" });
    expect(options).not.toHaveProperty("allowCredentials");
    expect((await signIn(await sign(options))).status).toBe(303);
  });

  test("whose answer is sent again opens nothing", async () => {
    const given = await sign(await askToSignIn());
    const tries = await Promise.all([signIn(given), signIn(given), signIn(given)]);
    expect(tries.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
    expect((await signIn(given)).status).toBe(422);
  });

  test("that signed for a page that was shown too long ago, or by another Till, opens nothing", async () => {
    const late = await sign(await askToSignIn());
    skewMs = 301_000;
    expect((await signIn(late)).status).toBe(422);
    skewMs = 0;
    const theirs = await optionsAt(visitor(other), "/desk/sign-in");
    expect((await signIn(await sign({ ...theirs, rpId: "localhost" }))).status).toBe(422);
  });

  test("that signed on a page of another origin of the same host opens nothing", async () => {
    await page.goto(`http://localhost:${other.config.port}/desk/sign-in`);
    const given = await sign(await askToSignIn());
    expect(originOf(given)).toBe(`http://localhost:${other.config.port}`);
    expect((await signIn(given)).status).toBe(422);
  });

  test("of another host opens nothing, even if it were known", async () => {
    const [foreign] = PasskeyStore.listOf(other.db, mallory);
    const known = PasskeyStore.byCredential(other.db, foreign?.credentialId ?? "");
    if (known === null) throw new Error("no passkey was made");
    PasskeyStore.insert(till.db, { ...known, personId: owner });
    await page.goto(`${other.baseUrl}/desk/sign-in`);
    const given = await sign({ ...(await askToSignIn()), rpId: "other.localhost" });
    expect((await signIn(given)).status).toBe(422);
    await page.goto(`${till.baseUrl}/desk/sign-in`);
  });

  test("of a device that did not ask for a fingerprint or PIN opens nothing", async () => {
    await device.cdp.send("WebAuthn.setUserVerified", { authenticatorId: device.id, isUserVerified: false });
    const given = await sign({ ...(await askToSignIn()), userVerification: "discouraged" });
    expect((await signIn(given)).status).toBe(422);
    await device.cdp.send("WebAuthn.setUserVerified", { authenticatorId: device.id, isUserVerified: true });
  });

  test("whose answer was changed opens nothing", async () => {
    const given = JSON.parse(await sign(await askToSignIn()));
    const changed = [
      { ...given, response: { ...given.response, signature: given.response.authenticatorData } },
      { ...given, response: { ...given.response, authenticatorData: given.response.clientDataJSON } },
      { ...given, id: "AAAA", rawId: "AAAA" },
      { ...given, response: null },
      { ...given, type: "password" },
    ];
    for (const each of changed) expect((await signIn(JSON.stringify(each))).status).toBe(422);
    for (const junk of ["", "null", "[]", "{}", "{", '{"id":1}', '{"id":"x","response":{}}'])
      expect((await signIn(junk)).status).toBe(422);
    expect((await signIn(JSON.stringify(given))).status).toBe(303);
  });
});

test("a challenge is good once, for its purpose, for five minutes, and in its own run", () => {
  let now = 1_800_000_000_000;
  const challenges = createChallenges(() => now);
  const made = challenges.make("sign-in");
  expect(challenges.make("sign-in")).not.toBe(made);
  expect(challenges.isFor(made, "sign-in")).toBe(true);
  expect(challenges.isFor(made, "enter 1")).toBe(false);
  expect(createChallenges(() => now).isFor(made, "sign-in")).toBe(false);
  // Other letters for the same bytes, and none at all.
  for (const other of [`${made}=`, `${made.slice(0, -1)}+`, made.slice(1), ""])
    expect(challenges.isFor(other, "sign-in")).toBe(false);
  // A device that does not count its signatures sends the same counter again: only this stands against it.
  expect([challenges.use(made), challenges.use(made)]).toEqual([true, false]);
  expect(challenges.isFor(made, "sign-in")).toBe(false);
  const late = challenges.make("sign-in");
  now += 300_000;
  expect(challenges.isFor(late, "sign-in")).toBe(false);
});

describe("a proof", () => {
  const makeKey = (who: Visitor, proof: string) =>
    who.post("/desk/settings/keys/new", { name: "webshop", proof });

  test("on the page of people removes again whom a restored backup brought back", async () => {
    await page.context().clearCookies();
    await page.goto(`${till.baseUrl}/desk/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(/\/desk(\?|$)/);
    const eve = await addPerson(till, "Eve", "staff");
    PersonStore.markBroughtBack(till.db, [PersonStore.credentialsOf(till.db, eve)?.handle ?? ""], true);
    await page.goto(`${till.baseUrl}/desk/settings/people`);
    // The page's script takes it out of the address at once.
    const isDone = page.waitForURL(/did=/);
    await page.getByRole("button", { name: "Remove them all again" }).click();
    await isDone;
    expect(await page.locator("main").textContent()).toContain("They are removed again");
    expect(PersonStore.byName(till.db, "Eve")).toBeNull();
  });

  test("is good for what it was made for, in its session, once", async () => {
    const mara = visitor(till, owner);
    const elsewhere = visitor(till, owner);
    const forKey = await sign(await optionsAt(mara, "/desk/settings/keys/new"));
    expect((await makeKey(elsewhere, forKey)).status).toBe(422);
    expect((await makeKey(mara, forKey)).status).toBe(200);
    expect((await makeKey(mara, forKey)).status).toBe(422);

    const forInvitation = await sign(await optionsAt(mara, "/desk/settings/people/invite"));
    expect((await makeKey(mara, forInvitation)).status).toBe(422);
    const forSignIn = await sign(await askToSignIn());
    expect((await makeKey(mara, forSignIn)).status).toBe(422);
    expect((await signIn(await sign(await optionsAt(mara, "/desk/settings/keys/new")))).status).toBe(422);
  });

  test("is asked for by the form, and another passkey is added with one", async () => {
    await page.context().clearCookies();
    await page.goto(`${till.baseUrl}/desk/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL("**/desk");
    await page.goto(`${till.baseUrl}/desk/settings/keys/new`);
    await page.getByLabel("What it is for").fill("bookkeeping");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Key for bookkeeping").first().waitFor();
    expect(await page.locator("#secret").textContent()).toMatch(/till_[\w-]{43}/);

    // A device makes no second passkey for the same person. What was proven before need not be proven again.
    const before = PasskeyStore.listOf(till.db, owner).length;
    await page.goto(`${till.baseUrl}/desk/settings/me/passkeys/add`);
    const add = page.getByRole("button", { name: "Add a passkey" });
    await add.click();
    await page.getByText("This device already has a passkey for you.").waitFor();
    await device.cdp.send("WebAuthn.clearCredentials", { authenticatorId: device.id });
    await add.click();
    await page.waitForURL(/\/desk\/settings\/me(\?did=AddPasskey)?$/);
    expect(PasskeyStore.listOf(till.db, owner)).toHaveLength(before + 1);
  });
});

const originOf = (given: string) =>
  JSON.parse(Buffer.from(JSON.parse(given).response.clientDataJSON, "base64url").toString()).origin;
