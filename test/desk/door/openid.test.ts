import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { makeEntryLink } from "../../../src/people/entry.ts";
import * as AccountStore from "../../../src/store/tables/desk/account.ts";
import * as AuditStore from "../../../src/store/tables/desk/audit.ts";
import * as EntryLinkStore from "../../../src/store/tables/desk/entry-link.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import * as ToldChangeStore from "../../../src/store/tables/desk/told-change.ts";
import { startBrowser } from "../../support/browser/browser.ts";
import { addAuthenticator } from "../../support/desk/authenticator.ts";
import { addPerson, entryUrl, password, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import { type OpenIdProvider, signInAt, startOpenIdProvider } from "../../support/http/openid.ts";
import { ownPort } from "../../support/http/port.ts";
import type { TestTill } from "../../support/till/till.ts";

let till: TestTill;
let provider: OpenIdProvider;
let owner: Visitor;
let browser: Browser;
let skewMs = 0;

const begin = "/desk/sign-in/openid";

beforeAll(async () => {
  const port = String(ownPort());
  const baseUrl = `http://localhost:${port}`;
  provider = await startOpenIdProvider(`${baseUrl}${begin}/back`);
  till = await startDesk(
    { ...signInAt(provider.issuer), TILL_PORT: port, TILL_BASE_URL: baseUrl, TILL_LIMIT_SIGN_INS: "30" },
    { now: () => Date.now() + skewMs },
  );
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await till.stop();
  await provider.stop();
});

const pathOf = ({ pathname, search }: URL) => pathname + search;
const locationOf = (response: Response) => response.headers.get("location") ?? "";
const byName = (name: string) => PersonStore.byName(till.db, name);

/** Goes to the provider and comes back, and returns what Till says to that. */
async function signIn(who: Visitor, login: string, from = begin): Promise<Response> {
  const away = await who.get(from);
  expect(away.status).toBe(303);
  return who.get(pathOf(await provider.signIn(locationOf(away), login)));
}

async function signedIn(login: string, ...groups: string[]): Promise<Visitor> {
  provider.groups.set(login, groups);
  const who = visitor(till);
  expect((await signIn(who, login)).status).toBe(303);
  return who;
}

describe("an account with a role", () => {
  test("makes a person of that role the first time, and is the same person afterwards, on the page that was wanted", async () => {
    provider.groups.set("jonas", ["everybody", "shop"]);
    const who = visitor(till);
    const first = await signIn(who, "jonas", `${begin}?to=/desk/invoices?status=paid`);
    expect([first.status, locationOf(first)]).toEqual([303, "/desk/invoices?status=paid"]);
    const jonas = byName("JONAS");
    expect(jonas?.role).toBe("staff");
    expect(AccountStore.ofPerson(till.db, jonas?.id ?? 0)).toEqual({
      issuer: provider.issuer,
      subject: "jonas",
    });
    expect((await who.get("/desk/invoices")).status).toBe(200);
    expect((await who.get("/desk/settings/people")).status).toBe(403);

    await signedIn("jonas", "shop");
    expect(PersonStore.listActive(till.db).map(({ name }) => name)).toEqual(["Mara", "JONAS"]);
    expect(AuditStore.list(till.db, { before: null, limit: 9 }).map(({ action }) => action)).toEqual([
      "session.begin",
      "session.begin",
      "person.join",
    ]);
  });

  test("is never taken for somebody else of the same name", async () => {
    await addPerson(till, "NORA", "owner");
    await signedIn("nora", "books");
    expect(byName("NORA")?.role).toBe("owner");
    expect(byName("NORA 2")?.role).toBe("accountant");
  });

  test("leads nowhere but to the desk", async () => {
    provider.groups.set("jonas", ["shop"]);
    for (const to of ["https://evil.example/desk", "//evil.example", "/desk/sign-out", "/pay/x"]) {
      const response = await signIn(visitor(till), "jonas", `${begin}?to=${encodeURIComponent(to)}`);
      expect(locationOf(response)).toBe("/desk");
    }
    const who = visitor(till);
    const away = await who.get(begin);
    const [, secret = ""] = /till-away=([\w-]+)\./.exec(away.headers.get("set-cookie") ?? "") ?? [];
    const back = pathOf(await provider.signIn(locationOf(away), "jonas"));
    const planted = { cookie: `till-away=${secret}.${encodeURIComponent("https://evil.example/desk")}` };
    expect(locationOf(await who.get(back, planted))).toBe("/desk");
  });

  test("ends the session that the browser had, and gets a new one", async () => {
    const who = await signedIn("jonas", "shop");
    const before = who.cookie;
    await signIn(who, "jonas");
    expect(who.cookie).not.toBe(before);
    expect((await visitor(till).get("/desk", { cookie: `till=${before}` })).status).toBe(303);
  });

  test("has the role that it has now: owners hear of an owner, and of one who is none any more", async () => {
    const told = () => till.db.query("SELECT kind, subject, created_by FROM told_change").all();
    const who = await signedIn("eva", "shop", "founders");
    expect(byName("EVA")?.role).toBe("owner");
    expect(told()).toEqual([{ kind: "owner", subject: "EVA", created_by: "Acme ID" }]);
    expect(ToldChangeStore.emailsBefore(till.db, 0, 9)).toEqual([]);
    expect((await who.get("/desk/settings/people")).status).toBe(200);

    await signedIn("eva", "books");
    expect(byName("EVA")?.role).toBe("accountant");
    expect(told()).toHaveLength(2);
    // In the browser that was signed in before, too.
    expect((await who.get("/desk/settings/people")).status).toBe(403);
    const log = await (await owner.get("/desk/settings/audit")).text();
    expect(log).toMatch(/Changed the role<\/strong> <bdi>EVA<\/bdi>.*?Acme ID/s);
  });
});

describe("an account is not let in", () => {
  test("without a role, and whoever lost it is signed out everywhere", async () => {
    const who = await signedIn("rolf", "shop");
    const guest = { person: null, role: "staff", name: "Guest" } as const;
    makeEntryLink(till.db, guest, { by: byName("ROLF")?.id ?? null, now: Date.now(), lastsMs: 60_000 });
    provider.groups.set("rolf", ["everybody", "SHOP", "shop2"]);
    const response = await signIn(visitor(till), "rolf");
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("Your account at Acme ID has no role at this desk");
    expect((await who.get("/desk")).status).toBe(303);
    expect(till.logged.at(-1)).toContain("noRole");
    expect(EntryLinkStore.listInvitations(till.db, Date.now())).toEqual([]);
  });

  test("once an owner removed it, until an owner lets it back in, as somebody new", async () => {
    const who = await signedIn("zoe", "bosses");
    const id = byName("ZOE")?.id ?? 0;
    const people = "/desk/settings/people";
    expect(await (await owner.get(`${people}/${id}`)).text()).toMatch(/Signs in with: Acme ID/);
    expect(await (await owner.get(`${people}/${id}/remove`)).text()).toContain("whatever their account");
    expect((await owner.post(`${people}/${id}/remove`, { proof: password })).status).toBe(303);
    expect((await who.get("/desk")).status).toBe(303);
    const refused = await signIn(visitor(till), "zoe");
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("You were removed from this desk");

    expect(await (await owner.get(people)).text()).toContain(`${people}/kept-out/${id}`);
    const letBack = (proof: string) => owner.post(`${people}/kept-out/${id}`, { proof });
    expect((await letBack("wrong")).status).toBe(422);
    expect((await signIn(visitor(till), "zoe")).status).toBe(403);
    expect((await letBack(password)).status).toBe(303);
    expect(await (await owner.get(people)).text()).not.toContain("kept-out");
    await signedIn("zoe", "shop");
    expect(byName("ZOE")).toMatchObject({ role: "staff" });
    expect(byName("ZOE")?.id).not.toBe(id);
  });

  test("in another browser than the one that began, or a second time, or too late", async () => {
    provider.groups.set("jonas", ["shop"]);
    const [who, stranger] = [visitor(till), visitor(till)];
    const away = await who.get(begin);
    const back = pathOf(await provider.signIn(locationOf(away), "jonas"));
    const stale = "it took too long, or was not finished";
    const theirs = await stranger.get(back);
    expect([theirs.status, (await theirs.text()).includes(stale)]).toEqual([422, true]);
    const cookie = (away.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
    expect((await who.get(back)).status).toBe(303);
    // Whoever has the cookie and the URL of before.
    for (const other of [who, stranger]) expect((await other.get(back, { cookie })).status).toBe(422);

    const late = visitor(till);
    const answer = pathOf(await provider.signIn(locationOf(await late.get(begin)), "jonas"));
    skewMs = 6 * 60_000;
    expect((await late.get(answer)).status).toBe(422);
    skewMs = 0;
    expect(late.cookie).toBeNull();
  });

  test("when the answer was made for what another browser began, or when somebody turned back", async () => {
    const [victim, attacker] = [visitor(till), visitor(till)];
    await victim.get(begin);
    const answer = await provider.signIn(locationOf(await attacker.get(begin)), "jonas");
    expect((await victim.get(pathOf(answer))).status).toBe(422);
    expect(victim.cookie).toBeNull();

    const who = visitor(till);
    const state = new URL(locationOf(await who.get(begin))).searchParams.get("state") ?? "";
    const turned = await who.get(`${begin}/back?${new URLSearchParams({ state, error: "access_denied" })}`);
    expect(turned.status).toBe(422);
    expect(await turned.text()).not.toContain("access_denied");
  });
});

test("keys that the provider changed between two sign-ins are those of the second one", async () => {
  await signedIn("jonas", "shop");
  provider.rotate();
  await signedIn("jonas", "shop");
});

test("the last owner stays one, whatever the provider says", async () => {
  await signedIn("last", "bosses");
  till.db.run("UPDATE person SET role = 'staff' WHERE role = 'owner' AND name <> 'LAST'");
  await signedIn("last", "shop");
  expect(byName("LAST")?.role).toBe("owner");
  till.db.run("UPDATE person SET role = 'owner' WHERE name = 'Mara'");
  await signedIn("last", "shop");
  expect(byName("LAST")?.role).toBe("staff");
});

test("at a new desk the first who comes must be an owner, whom the first link no longer waits for", async () => {
  const port = String(ownPort());
  const baseUrl = `http://localhost:${port}`;
  const elsewhere = await startOpenIdProvider(`${baseUrl}${begin}/back`);
  const changes = { ...signInAt(elsewhere.issuer), TILL_PORT: port, TILL_BASE_URL: baseUrl };
  await using fresh = await startDesk(changes, { isNew: true });
  const come = async (login: string) => {
    const who = visitor(fresh);
    return who.get(pathOf(await elsewhere.signIn(locationOf(await who.get(begin)), login)));
  };
  elsewhere.groups.set("jonas", ["shop"]).set("eva", ["bosses"]);
  expect((await come("jonas")).status).toBe(403);
  expect(await (await visitor(fresh).get("/desk/sign-in")).text()).toContain("Sign in with Acme ID");
  const first = entryUrl(fresh, { role: "owner" }).slice(fresh.baseUrl.length);
  expect((await visitor(fresh).get(first)).status).toBe(200);
  expect((await come("eva")).status).toBe(303);
  expect((await visitor(fresh).get(first)).status).toBe(404);
  expect((await come("jonas")).status).toBe(303);
  expect(fresh.db.query("SELECT count(*) AS count FROM told_change").get()).toEqual({ count: 0n });
  await elsewhere.stop();
});

test("who signs in there alone adds a passkey, just after signing in, and proves with it what is asked", async () => {
  provider.groups.set("ada", ["bosses"]);
  const page = await browser.newPage();
  await addAuthenticator(page);
  await page.goto(`${till.baseUrl}/desk/settings/people/invite`);
  await page.getByRole("link", { name: "Sign in with Acme ID" }).click();
  await page.locator("input[name=login]").fill("ada");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${till.baseUrl}/desk/settings/people/invite`);
  expect(await page.locator("#proof").textContent()).toContain("you have neither");

  skewMs = 6 * 60_000;
  await page.goto(`${till.baseUrl}/desk/settings/me/passkeys/add`);
  await page.locator("#proof").getByRole("link", { name: "sign in once more" }).click();
  // The provider knows them by now.
  await page.waitForURL(`${till.baseUrl}/desk/settings/me`);
  const told = () => till.db.query("SELECT subject FROM told_change WHERE created_by = 'ADA'").all();
  expect(told()).toEqual([]);
  await page.getByRole("link", { name: "Add a passkey" }).click();
  await page.waitForURL(/passkeys\/add$/);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.waitForURL(/settings\/me(\?did=AddPasskey)?$/);
  expect(told()).toEqual([{ subject: "ADA" }]);

  await page.goto(`${till.baseUrl}/desk/settings/people/invite`);
  await page.getByLabel("Their name").fill("Guest");
  await page.getByRole("button", { name: "Create the link" }).click();
  await page.getByText("/desk/enter/").waitFor();
  skewMs = 0;
});

test("a form that asks for a proof is refused without one, also from whoever just signed in", async () => {
  const who = await signedIn("paul", "bosses");
  const invite = await who.post("/desk/settings/people/invite", { name: "Eve", role: "owner" });
  expect(invite.status).toBe(422);
  const page = await invite.text();
  expect(page).toContain("you have neither");
  expect(page).toContain('href="/desk/settings/me"');
  skewMs = 6 * 60_000;
  const late = await who.post("/desk/settings/me/password", { password: "correct horse battery staple" });
  expect(late.status).toBe(422);
  skewMs = 0;
  const set = await who.post("/desk/settings/me/password", { password: "correct horse battery staple" });
  expect(set.status).toBe(303);
  // From now on it is that one.
  expect((await who.post("/desk/settings/me/password", { password: "another one of mine" })).status).toBe(
    422,
  );
});
