import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { checkSignIn } from "../../../src/doctor/check-sign-in.ts";
import type { Finding } from "../../../src/domain/finding.ts";
import { accountFrom, discover, signInUrl } from "../../../src/lib/net/openid.ts";
import { enter, world } from "../../../src/lib/world.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import { addPerson, password, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import { type Lies, type LyingOpenId, startLyingOpenId } from "../../support/http/lying-openid.ts";
import { client, signInAt } from "../../support/http/openid.ts";
import type { TestTill } from "../../support/till/till.ts";

let till: TestTill;
let liar: LyingOpenId;
const begin = "/desk/sign-in/openid";

/** An answer that never comes is waited for a fiftieth as long. */
const system = { ...world };
let isHurried = false;
beforeAll(async () => {
  enter({ ...system, timeout: (ms) => system.timeout(isHurried ? ms / 50 : ms) });
  liar = startLyingOpenId();
  till = await startDesk({ ...signInAt(liar.issuer), TILL_LIMIT_SIGN_INS: "0" });
  await addPerson(till, "Mara", "owner");
});
afterAll(async () => {
  enter(system);
  await till.stop();
  await liar.stop();
});
beforeEach(() => {
  isHurried = false;
  liar.lie({});
});

const locationOf = (response: Response) => response.headers.get("location") ?? "";

/** Begins and comes back, with something else in the URL if told. */
async function signIn(who: Visitor, changes: Record<string, string> = {}): Promise<Response> {
  const away = await who.get(begin);
  if (away.status !== 303) return away;
  const back = liar.signIn(locationOf(away));
  for (const [name, value] of Object.entries(changes)) back.searchParams.set(name, value);
  return who.get(back.pathname + back.search);
}

/** Nobody is let in, the page says so, and the log says why, without a secret. */
async function isRefused(reason: string, changes: Record<string, string> = {}): Promise<void> {
  const who = visitor(till);
  const logged = till.logged.length;
  const response = await signIn(who, changes);
  expect(response.status).toBe(502);
  const page = await response.text();
  expect(page).toContain("Acme ID did not answer as it should");
  expect(page).toContain('name="passkey"');
  expect(who.cookie).toBeNull();
  const line = till.logged.slice(logged).find((each) => each.includes("sign_in.failed")) ?? "";
  expect(line).toContain(reason);
  for (const secret of [client.secret, "eyJ", "access", "Eve"]) expect(line).not.toContain(secret);
  expect(PersonStore.listActive(till.db).map(({ name }) => name)).toEqual(["Mara"]);
}

const now = () => Math.floor(Date.now() / 1_000);

const tokens: [what: string, lies: Lies, reason: string][] = [
  ["that nobody signed", { alg: "none" }, "JWS"],
  ["signed with the public key as a secret", { alg: "HS256 with the public key" }, "JWS"],
  ["signed with the client's secret", { alg: "HS256 with the secret" }, "JWS"],
  ["signed by another key", { alg: "another key" }, "signature"],
  ["for another client", { claims: { aud: "other" } }, "aud"],
  ["for several clients", { claims: { aud: [client.id, "other"] } }, "aud"],
  ["of another issuer", { claims: { iss: "https://evil.example" } }, "iss"],
  ["of another sign-in", { claims: { nonce: "n" } }, "nonce"],
  ["without a nonce", { claims: { nonce: undefined } }, "nonce"],
  ["from long ago", { claims: { iat: now() - 7_200, exp: now() - 3_600 } }, "exp"],
  ["of nobody", { claims: { sub: undefined } }, "sub"],
  ["of a subject that is no text", { claims: { sub: { $ne: null } } }, "sub"],
  ["of a subject without end", { claims: { sub: "x".repeat(256) } }, "names no account"],
  ["with groups of somebody else", { claims: { groups: undefined }, userinfo: { sub: "mallory" } }, "sub"],
];

describe("nobody is let in by a token", () => {
  for (const [what, lies, reason] of tokens)
    test(what, async () => {
      liar.lie(lies);
      await isRefused(reason);
    });

  test("that is missing", async () => {
    const answer = () => Response.json({ access_token: "access", token_type: "Bearer" });
    liar.lie({ instead: { path: "/token", answer } });
    await isRefused("id_token");
  });
});

describe("a provider is not believed", () => {
  const discovery = "/.well-known/openid-configuration";
  const never = () => new Promise<Response>(() => {});
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(1_000_000).fill(0x20));
        },
      }),
      { headers: { "content-type": "application/json" } },
    );
  const answers: [what: string, answer: () => Response | Promise<Response>, reason: string][] = [
    ["answers 500", () => new Response("", { status: 500 }), "status"],
    ["sends on elsewhere", () => Response.redirect("https://evil.example/"), "status"],
    ["answers without end", endless, "more than 262144 bytes"],
    ["never answers", never, "timed out"],
    ["answers with something else", () => new Response("<html>"), "content-type"],
    ["refuses the client", () => Response.json({ error: "invalid_client" }, { status: 401 }), ""],
  ];
  for (const path of [discovery, "/token", "/keys", "/me"])
    for (const [what, answer, reason] of answers)
      test(`that ${what} at ${path}`, async () => {
        isHurried = answer === never;
        liar.lie({ instead: { path, answer }, ...(path === "/me" && { claims: { name: undefined } }) });
        await isRefused(reason);
      });

  test("and the log says what it has against the client", async () => {
    const answer = () => Response.json({ error: "invalid_client" }, { status: 401 });
    liar.lie({ instead: { path: "/token", answer } });
    await isRefused("(invalid_client)");
  });

  test("that says it is another one", async () => {
    liar.lie({ discovery: { issuer: "https://evil.example" } });
    await isRefused("issuer");
  });

  test("that has the secret sent over plain http", async () => {
    liar.lie({ discovery: { token_endpoint: "http://evil.example/token" } });
    await isRefused("evil.example is not https");
  });

  test("whose answer names another one, as after a mix-up", async () => {
    await isRefused("iss", { iss: "https://evil.example" });
  });
});

test("an account with nothing but a subject gets in, with a clock that is seconds off, and a name that is one", async () => {
  const claims = { name: "<b>\u0000", groups: "shop", exp: now() - 3, iat: now() + 20 };
  liar.lie({ claims: { ...claims, sub: "<script>" } });
  const who = visitor(till);
  expect((await signIn(who)).status).toBe(303);
  expect(PersonStore.byName(till.db, "<script>")?.role).toBe("staff");
  expect(await (await who.get("/desk")).text()).not.toContain("<script>");
  // As RFC 6749, section 2.3.1, has it.
  const [, credentials = ""] = (liar.authorization ?? "").split(" ");
  const [id, secret = ""] = atob(credentials).split(":");
  expect([id, new URLSearchParams(`secret=${secret}`).get("secret")]).toEqual([client.id, client.secret]);
  till.db.run("UPDATE person SET removed_at = 1 WHERE name = '<script>'");
});

test("a name has nothing in it that cannot be seen or reverses what stands beside it", async () => {
  const names = [
    ["Ma\u200bra\u200f\u00ad ", "Mara 2"],
    ["\u202eoga", "nora"],
  ] as const;
  for (const [name, called] of names) {
    liar.lie({ claims: { sub: called, name, preferred_username: called, groups: "shop" } });
    expect((await signIn(visitor(till))).status).toBe(303);
    expect(PersonStore.byName(till.db, called)?.role).toBe("staff");
    till.db.run("UPDATE person SET removed_at = 1 WHERE name = ?", [called]);
  }
});

test("a mail address makes nobody anything unless the provider has verified it", async () => {
  const email = "mara@shop.example";
  const signedIn = { issuer: liar.issuer, clientId: client.id, clientSecret: client.secret };
  const proven = async (claims: Record<string, unknown>) => {
    liar.lie({ claims: { email, ...claims } });
    const discovered = await discover(signedIn);
    const asked = { secret: "secret", claim: "email" };
    const redirectUri = `${till.baseUrl}${begin}/back`;
    const url = liar.signIn((await signInUrl(discovered, { ...asked, redirectUri })).href);
    return (await accountFrom(discovered, { ...asked, url })).values;
  };
  expect(await proven({ email_verified: true })).toEqual([email]);
  for (const email_verified of [undefined, false, "false"])
    expect(await proven({ email_verified })).toEqual([]);
});

test("the provider is asked for groups if it has a scope for them, and what it answers with has one use", async () => {
  const scopeOf = async () => new URL(locationOf(await visitor(till).get(begin))).searchParams.get("scope");
  expect(await scopeOf()).toBe("openid profile");
  liar.lie({ discovery: { scopes_supported: ["openid", "groups", "email"] } });
  expect(await scopeOf()).toBe("openid profile groups");
  const { searchParams } = new URL(locationOf(await visitor(till).get(begin)));
  expect(searchParams.get("code_challenge_method")).toBe("S256");
  expect(searchParams.get("response_type")).toBe("code");
  const states = await Promise.all([0, 1].map(async () => locationOf(await visitor(till).get(begin))));
  expect(new Set(states.map((url) => new URL(url).searchParams.get("state"))).size).toBe(2);
});

test("other ways to sign in work while the provider is down, and till doctor says that it is", async () => {
  const findings: Finding<string>[] = [];
  await checkSignIn(till.config, (finding) => findings.push(finding));
  await liar.stop();
  await checkSignIn(till.config, (finding) => findings.push(finding));
  expect(findings.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    "ok: Acme ID answers as the provider of sign-ins.",
    expect.stringContaining("warning: Acme ID does not answer as a provider of sign-ins: "),
  ]);
  await isRefused("connect");
  const mara = visitor(till);
  expect((await mara.post("/desk/sign-in", { name: "Mara", password })).status).toBe(303);
  expect((await mara.get("/desk")).status).toBe(200);
});
