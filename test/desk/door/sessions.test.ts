import { describe, expect, test } from "bun:test";
import { localPath } from "../../../src/desk/door/door.tsx";
import { setCookie } from "../../../src/http/access/cookie.ts";
import { unasked } from "../../../src/lib/net/unasked.ts";
import { createChallenges } from "../../../src/people/passkeys.ts";
import { createPasswords } from "../../../src/people/password.ts";
import { idleMsMax } from "../../../src/people/sessions.ts";
import * as PasskeyStore from "../../../src/store/tables/desk/passkey.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import { addPerson, entryUrl, password, startDesk, visitor } from "../../support/desk/desk.ts";
import { ownPort } from "../../support/http/port.ts";
import { shared } from "../../support/per-file.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { startServedTill } from "../../support/till/process.ts";
import { callTill } from "../../support/till/run-till.ts";

let skewMs = 0;
const now = () => Date.now() + skewMs;
const hourMs = 3_600_000;
const till = shared(() => startDesk({}, { now }));

const signIn = (who: ReturnType<typeof visitor>, name: string, more: Record<string, string> = {}) =>
  who.post("/desk/sign-in", { name, password, ...more });

const isIn = async (who: ReturnType<typeof visitor>) => (await who.get("/desk/settings/me")).status === 200;

describe("a session", () => {
  test("is always a new one, whatever cookie the browser came with", async () => {
    await addPerson(till, "Fixed", "staff");
    const planted = "P".repeat(43);
    const browser = visitor(till);
    const first = await browser.post(
      "/desk/sign-in",
      { name: "Fixed", password },
      { cookie: `till=${planted}` },
    );
    expect(first.status).toBe(303);
    expect(browser.cookie).toMatch(/^[\w-]{43}$/);
    expect(browser.cookie).not.toBe(planted);
    expect((await visitor(till).get("/desk", { cookie: `till=${planted}` })).status).toBe(303);

    const before = browser.cookie;
    await signIn(browser, "Fixed");
    expect(browser.cookie).not.toBe(before);
    expect((await visitor(till).get("/desk", { cookie: `till=${before}` })).status).toBe(303);
  });

  test("whose cookie was stolen opens nothing once it is signed out, revoked, or its person removed", async () => {
    const mara = await addPerson(till, "Mara", "owner");
    const jonas = await addPerson(till, "Jonas", "staff");
    const owner = visitor(till, mara);
    const stolen = (of: ReturnType<typeof visitor>) =>
      visitor(till).get("/desk", { cookie: `till=${of.cookie}` });

    const signedOut = visitor(till, jonas);
    const cookie = `till=${signedOut.cookie}`;
    await signedOut.post("/desk/sign-out");
    expect((await visitor(till).get("/desk", { cookie })).status).toBe(303);

    const revoked = visitor(till, jonas);
    expect((await stolen(revoked)).status).toBe(200);
    expect(
      (await owner.post(`/desk/settings/people/${jonas}/sessions/end`, { proof: password })).status,
    ).toBe(303);
    expect((await stolen(revoked)).status).toBe(303);

    const own = visitor(till, jonas);
    const other = visitor(till, jonas);
    await own.post("/desk/settings/me/sessions/end");
    expect([(await stolen(own)).status, (await stolen(other)).status]).toEqual([200, 303]);

    await owner.post(`/desk/settings/people/${jonas}/remove`, { proof: password });
    expect((await stolen(own)).status).toBe(303);
    expect((await signIn(visitor(till), "Jonas")).status).toBe(422);
    expect((await stolen(owner)).status).toBe(200);
  });

  test("of somebody else cannot be ended by who is no owner", async () => {
    const ada = visitor(till, await addPerson(till, "Ada", "staff"));
    const bob = visitor(till, await addPerson(till, "Bob", "accountant"));
    for (let id = 1; id < 30; id++) await bob.post(`/desk/settings/me/sessions/${id}/end`);
    expect(await isIn(ada)).toBe(true);
  });

  test("ends after 12 hours without use, and after 30 days however it is used", async () => {
    const id = await addPerson(till, "Late", "staff");
    const idle = visitor(till, id);
    skewMs = idleMsMax - 60_000;
    expect(await isIn(idle)).toBe(true);
    skewMs += idleMsMax + 60_000;
    expect(await isIn(idle)).toBe(false);
    skewMs = 0;
    const busy = visitor(till, id);
    for (; skewMs < 30 * 24 * hourMs; skewMs += 11 * hourMs) expect(await isIn(busy)).toBe(true);
    expect(await isIn(busy)).toBe(false);
    skewMs = 0;
  });

  test("is not kept by an open page that asks for what is new", async () => {
    const open = visitor(till, await addPerson(till, "Away", "staff"));
    const poll = () => open.get("/desk", unasked);
    skewMs = 11 * hourMs;
    expect((await poll()).status).toBe(200);
    skewMs = idleMsMax + 60_000;
    expect((await poll()).status).toBe(303);
    expect(await isIn(open)).toBe(false);
    skewMs = 0;
  });

  test("has the new role with the next click", async () => {
    const owner = visitor(till, await addPerson(till, "Boss", "owner"));
    const id = await addPerson(till, "Climber", "owner");
    const climber = visitor(till, id);
    expect((await climber.get("/desk/settings/people")).status).toBe(200);
    const answer = await owner.post(`/desk/settings/people/${id}/role`, {
      role: "accountant",
      proof: password,
    });
    expect(answer.status).toBe(303);
    expect((await climber.get("/desk/settings/people")).status).toBe(403);
  });

  test("is kept in a cookie that scripts and other hosts do not see, nor plain HTTP where there is TLS", async () => {
    const id = await addPerson(till, "Cookie", "staff");
    const plain = await signIn(visitor(till), "Cookie");
    expect(plain.headers.getSetCookie()[0]).toMatch(/^till=[\w-]{43}; Path=\/;.* HttpOnly; SameSite=Lax$/);
    expect(id).toBeGreaterThan(0);
    const secure = await startDesk({ TILL_BASE_URL: "https://pay.acme.example", TILL_OPEN_API: "true" });
    await addPerson(secure, "Cookie", "staff");
    const [line = ""] = (await signIn(visitor(secure), "Cookie")).headers.getSetCookie();
    expect(line).toMatch(/^__Host-till=[\w-]{43}; Path=\/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax$/);
    await secure.stop();
  });
});

describe("the last owner", () => {
  test("can neither go nor become less", async () => {
    const alone = await startDesk();
    const id = await addPerson(alone, "Only", "owner");
    const only = visitor(alone, id);
    const role = await only.post(`/desk/settings/people/${id}/role`, { role: "staff", proof: password });
    expect([role.status, await role.text()]).toEqual([
      422,
      expect.stringContaining("This is the only owner."),
    ]);
    const gone = await only.post(`/desk/settings/people/${id}/remove`, { proof: password });
    expect([gone.status, await gone.text()]).toEqual([
      422,
      expect.stringContaining("This is the only owner."),
    ]);
    expect((await only.post("/desk/settings/me/password/remove", { proof: password })).status).toBe(422);
    expect(PersonStore.byId(alone.db, id)).toMatchObject({ role: "owner", removedAt: null });
    await alone.stop();
  });
});

describe("a one-time link", () => {
  const enterForm = { name: "New", password: "correct horse battery" };

  test("is not used up by who only opens it, and lets one in", async () => {
    const url = entryUrl(till, { role: "staff", name: "New" });
    for (let opened = 0; opened < 3; opened++) expect((await visitor(till).get(url)).status).toBe(200);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
    const tries = await Promise.all(
      [1, 2, 3, 4].map((n) => visitor(till).post(url, { ...enterForm, name: `New ${n}` })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404]);
    expect((await visitor(till).get(url)).status).toBe(404);
  });

  test("that has expired or was taken back opens nothing", async () => {
    const url = entryUrl(till, { role: "staff", name: "Late" });
    skewMs = 301_000;
    expect((await visitor(till).get(url)).status).toBe(404);
    expect((await visitor(till).post(url, { ...enterForm, name: "Too late" })).status).toBe(404);
    skewMs = 0;
    const invited = entryUrl(till, { role: "staff", name: "Uninvited" });
    const owner = visitor(till, await addPerson(till, "Inviter", "owner"));
    const page = await (await owner.get("/desk/settings/people")).text();
    const id = [...page.matchAll(/invitations\/(\d+)\/take-back/g)].at(-1)?.[1];
    expect((await owner.post(`/desk/settings/invitations/${id}/take-back`)).status).toBe(303);
    expect((await visitor(till).get(invited)).status).toBe(404);
  });

  test("for who comes back replaces the one before, and dies with its person", async () => {
    const id = await addPerson(till, "Returner", "staff");
    const [older, newer] = [entryUrl(till, { personId: id }), entryUrl(till, { personId: id })];
    expect((await visitor(till).get(older)).status).toBe(404);
    expect((await visitor(till).get(newer)).status).toBe(200);
    const owner = visitor(till, await addPerson(till, "Remover", "owner"));
    await owner.post(`/desk/settings/people/${id}/remove`, { proof: password });
    expect((await visitor(till).get(newer)).status).toBe(404);
  });

  test("stands in no log", () => {
    const tokens = till.logged.join("\n").match(/\/desk\/enter\/[\w-]{43}/g);
    expect(tokens).toBeNull();
  });
});

test("whoever signs in is led to a page of the desk, and nowhere else", async () => {
  const at = (to: string) => localPath(to, "https://pay.acme.example");
  // As BTCPay's plugin for WooCommerce writes it, in a shop whose host has a long name.
  const permissions = [
    ...["canviewinvoices", "cancreateinvoice", "canviewstoresettings", "canmodifyinvoices"],
    ...["cancreatenonapprovedpullpayments", "webhooks.canmodifywebhooks"],
  ].map((name) => `permissions=btcpay.store.${name}`);
  const host = `${"a-shop-whose-name-is-long.".repeat(9)}example`;
  const redirect = encodeURIComponent(`https://${host}/?btcpay-settings-callback`);
  const consent = `applicationName=${"Tea%20".repeat(10)}&strict=true&selectiveStores=true&redirect=${redirect}`;
  const inside = [
    "/desk",
    "/desk/invoices?state=open",
    "/desk?x",
    `/desk/settings/shops/connect?${consent}&${permissions.join("&")}`,
  ];
  expect(inside.map(at)).toEqual(inside);
  // The longest one, with whatever in it, still fits into a browser's cookie.
  const longest = `/desk?${"&".repeat(1_294)}`;
  expect(at(longest)).toBe(longest);
  const secret = createChallenges(Date.now).make("openid");
  const cookie = setCookie("away", `${secret}.${longest}`, "https://pay.acme.example");
  expect(cookie.length).toBeLessThan(4_096);
  const elsewhere = [
    "https://evil.example/desk",
    "//evil.example/desk",
    "/\\evil.example/desk",
    "\\\\evil.example",
    "/desk/..//evil.example",
    "/desk/../i/x",
    "/deskevil",
    "/desk@evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "/desk/sign-out",
    "/desk/enter/abc",
    "\t//evil.example",
    `/desk/${"x".repeat(1_300)}`,
    "",
  ];
  expect(elsewhere.map(at)).toEqual(elsewhere.map(() => "/desk"));
  await addPerson(till, "Wanderer", "staff");
  const answer = await signIn(visitor(till), "Wanderer", { to: "//evil.example/desk" });
  expect(answer.headers.get("location")).toBe("/desk");
});

describe("passwords", () => {
  test("of nobody and wrong ones are told the same, after as much work", async () => {
    await addPerson(till, "Known", "staff", await createPasswords().hash(password));
    const worked = { known: [] as number[], unknown: [] as number[] };
    const texts = new Set<string>();
    for (let round = 0; round < 3; round++) {
      for (const [kind, name] of [
        ["known", "Known"],
        ["unknown", "Nobody"],
      ] as const) {
        // What the processor worked, as a busy machine takes any time for it.
        const before = process.cpuUsage();
        const answer = await visitor(till).post("/desk/sign-in", { name, password: "wrong password here" });
        const { user, system } = process.cpuUsage(before);
        worked[kind].push(user + system);
        expect(answer.status).toBe(422);
        texts.add((await answer.text()).replaceAll(name, ""));
      }
    }
    expect(texts.size).toBe(1);
    const least = (all: number[]) => Math.min(...all);
    expect(least(worked.unknown)).toBeGreaterThan(least(worked.known) * 0.5);
    expect(least(worked.unknown)).toBeLessThan(least(worked.known) * 2);
  });

  test("are guessed slowly from one address, and a stranger's guesses lock nobody out of their own browser", async () => {
    const port = String(ownPort());
    const settings = { TILL_PORT: port, TILL_BASE_URL: `http://localhost:${port}`, TILL_LIMIT_SIGN_INS: "3" };
    const limited = await startDesk(settings, { limitClock: () => 0 });
    await addPerson(limited, "Mara", "owner");
    const mara = visitor(limited);
    expect((await signIn(mara, "Mara")).status).toBe(303);
    await mara.post("/desk/sign-out");
    const stranger = visitor(limited);
    const guess = () => stranger.post("/desk/sign-in", { name: "Mara", password: "a guess, and another" });
    const statuses = [];
    for (let tried = 0; tried < 5; tried++) statuses.push((await guess()).status);
    expect(statuses).toEqual([422, 422, 422, 429, 429]);
    // The right one would not help the stranger now, nor anybody new at the same address.
    expect((await signIn(stranger, "Mara")).status).toBe(429);
    expect((await signIn(mara, "Mara")).status).toBe(303);
    // A good link opens as ever, a wrong one is slowed down.
    expect((await stranger.get(entryUrl(limited, { role: "staff", name: "X" }))).status).toBe(200);
    expect((await stranger.get(`/desk/enter/${"A".repeat(43)}`)).status).toBe(429);
    await limited.stop();
  });

  test("that are set end the other sessions, and take the old one or nothing changes", async () => {
    const id = await addPerson(till, "Changer", "staff");
    const [here, there] = [visitor(till, id), visitor(till, id)];
    const change = (proof: string) =>
      here.post("/desk/settings/me/password", { password: "another long password", proof });
    expect((await change("not the old one")).status).toBe(422);
    expect(await isIn(there)).toBe(true);
    expect((await change(password)).status).toBe(303);
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    expect((await signIn(visitor(till), "Changer")).status).toBe(422);
  });
});

test("of who has a passkey, that is asked for, and not the password", async () => {
  const id = await addPerson(till, "Colleague", "owner");
  PasskeyStore.insert(till.db, {
    ...{ personId: id, credentialId: "no", publicKey: new Uint8Array(1), counter: 0, transports: [] },
    ...{ name: "", createdAt: 1 },
  });
  const [passkey] = PasskeyStore.listOf(till.db, id);
  const remove = `/desk/settings/me/passkeys/${passkey?.id}/remove`;
  expect((await visitor(till, id).post(remove, { proof: password })).status).toBe(422);
  expect(PasskeyStore.listOf(till.db, id)).toHaveLength(1);
});

test("till serve says how to get in as long as nobody can sign in, and writes no way in into its log", async () => {
  const served = await startServedTill({ rpcUrl: "http://127.0.0.1:9", wsUrl: "ws://127.0.0.1:9" });
  const hints = () => [...served.output().matchAll(/desk\.first_link\].*till login/g)].length;
  expect(hints()).toBe(1);
  expect(served.output()).not.toContain("/desk/enter/");
  const [, baseUrl = ""] = /\[ready\].*url=(\S+)/.exec(served.output()) ?? [];
  const env = { TILL_DATA_DIR: served.dataDir, TILL_BASE_URL: baseUrl };
  const { stdout: link } = await callTill(["login"], { env });
  await served.pause("SIGTERM");
  await served.resume();
  expect(hints()).toBe(2);
  const entered = await fetch(link.trim(), {
    method: "POST",
    redirect: "manual",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ name: "Mara", password }),
  });
  expect(entered.status).toBe(303);
  await served.pause("SIGTERM");
  await served.resume();
  expect(hints()).toBe(2);
  expect(served.output()).not.toContain("/desk/enter/");
  await served.stop();
});

describe("till login", () => {
  test("lets the first owner in, then who is there, beside a running server", async () => {
    const fresh = await startDesk();
    const env = { TILL_DATA_DIR: fresh.config.dataDir, TILL_BASE_URL: fresh.baseUrl };
    const login = async (...args: string[]) => await callTill(["login", ...args], { env });
    const first = await login();
    expect(first.stdout).toMatch(/^http:\/\/localhost:\d+\/desk\/enter\/[\w-]{43}\n$/);
    expect(first.stderr).toContain("the first owner");
    // Nobody saw it in time, or somebody else did.
    const second = JSON.parse((await login("--json")).stdout);
    expect((await visitor(fresh).get(first.stdout.trim())).status).toBe(404);
    const mara = visitor(fresh);
    expect((await mara.post(second.url, { name: "Mara", password })).status).toBe(303);
    expect(await isIn(mara)).toBe(true);

    await addPerson(fresh, "Jonas", "staff");
    const back = (await login()).stdout.trim();
    expect(await (await visitor(fresh).get(back)).text()).toContain("Welcome back, Mara");
    const jonas = (await login("--name", "jonas")).stdout.trim();
    expect(await (await visitor(fresh).get(jonas)).text()).toContain("Welcome back, Jonas");
    const wrong = await login("--name", "Nobody");
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('"Mara", "Jonas"')]);
    await fresh.stop();
  });

  test("makes no database where there is none", async () => {
    const dir = makeDataDir();
    const { exitCode, stderr } = await callTill(["login"], { env: { TILL_DATA_DIR: `${dir.path}/nothing` } });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("TILL_DATA_DIR")]);
    dir.remove();
  });
});
