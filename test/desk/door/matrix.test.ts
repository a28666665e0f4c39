import { beforeAll, describe, expect, test } from "bun:test";
import { wordsOf } from "../../../src/desk/settings/audit-page.tsx";
import { may, type Role, roles } from "../../../src/domain/party/person.ts";
import { speak } from "../../../src/language/locale.ts";
import { formTokenOf } from "../../../src/people/sessions.ts";
import { addPerson, type Visitor, visitor } from "../../support/desk/desk.ts";
import { type DeskRoute, listDeskRoutes } from "../../support/desk/routes.ts";
import { till, useDesk } from "../../support/desk/setup.ts";

useDesk();
let routes: DeskRoute[];
let forms: DeskRoute[];
const visitors = {} as Record<Role, Visitor>;

/** What nobody has to be signed in for; everything else asks who it is. */
const doors = [
  // It only leads to the page where a shop is connected.
  "GET /api-keys/authorize",
  "GET /desk/enter/:token",
  "GET /desk/sign-in",
  "GET /desk/stop/:token",
  "POST /desk/enter/:token",
  "POST /desk/sign-in",
  "POST /desk/stop/:token",
];

beforeAll(async () => {
  routes = listDeskRoutes(till).filter(({ path }) => !path.startsWith("/desk/assets/"));
  forms = routes.filter(({ method }) => method === "POST");
  for (const role of roles) visitors[role] = visitor(till, await addPerson(till, `One of ${role}`, role));
});

/** Ids that are there are asked for elsewhere: here nobody may come as far as to see that there are none. */
const pathOf = ({ path }: DeskRoute) => path.replaceAll(/:\w+/g, "1");

/** All that is stored, but for when a session was last seen. */
function stored(): string {
  const tables = till.db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  const rows = tables.map(({ name }) => till.db.query(`SELECT * FROM "${name}"`).all());
  return Bun.inspect(rows, { depth: 9 }).replaceAll(/seen_at: \d+n/g, "");
}

/** Sends a form to every route that takes one; each must refuse it as `wanted` says, and nothing may be stored. */
async function refusedEverywhere(
  send: (path: string) => Promise<Response>,
  isRefused: (response: Response, route: DeskRoute) => boolean,
  of = forms,
): Promise<void> {
  const before = stored();
  const let_through: string[] = [];
  for (const route of of) {
    const response = await send(pathOf(route));
    if (!isRefused(response, route)) let_through.push(`${route.path}: ${response.status}`);
  }
  expect(let_through).toEqual([]);
  expect(stored()).toBe(before);
}

const isForbidden = ({ status }: Response) => status === 403;

test("every route but the doors asks for a duty, and every form is in the audit by a name people understand", () => {
  const open = routes.filter(({ duty }) => duty === null).map(({ method, path }) => `${method} ${path}`);
  expect(open.sort()).toEqual(doors);
  expect(routes.filter(({ method }) => method !== "GET" && method !== "POST")).toEqual([]);
  const english = speak("en");
  const actions = forms.flatMap(({ action }) => action ?? []);
  expect(actions.length).toBeGreaterThan(10);
  expect(actions.filter((action) => wordsOf(action, english) === action)).toEqual([]);
});

describe("every form of the desk is refused, and nothing is stored,", () => {
  const guarded = () => forms.filter(({ duty }) => duty !== null);

  test("without a session", async () => {
    const nobody = visitor(till);
    await refusedEverywhere(
      (path) => nobody.post(path),
      ({ status, headers }) => status === 303 && headers.get("location") === "/desk/sign-in",
      guarded(),
    );
  });

  test("with a session that never was", async () => {
    const nobody = visitor(till);
    const cookie = `till=${"A".repeat(43)}`;
    await refusedEverywhere(
      (path) => nobody.post(path, { form: formTokenOf("A".repeat(43)) }, { cookie }),
      ({ status, headers }) => status === 303 && headers.get("location") === "/desk/sign-in",
      guarded(),
    );
  });

  const foreign: [string, Record<string, string>][] = [
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["another origin of the same site", { "sec-fetch-site": "same-site", origin: "http://localhost:1" }],
    ["an address that was typed", { "sec-fetch-site": "none" }],
    ["another site that claims our origin", { "sec-fetch-site": "cross-site" }],
    ["an older browser on another site", { "sec-fetch-site": "", origin: "https://evil.example" }],
    ["a frame without an origin", { "sec-fetch-site": "", origin: "null" }],
  ];
  test.each(foreign)("from %s", async (_, headers) => {
    await refusedEverywhere((path) => visitors.owner.post(path, {}, headers), isForbidden);
  });

  test("from what says nothing of where it comes from", async () => {
    const send = (path: string) =>
      fetch(new URL(path, till.localUrl), {
        method: "POST",
        redirect: "manual",
        headers: { cookie: `till=${visitors.owner.cookie}` },
        body: new URLSearchParams({ form: visitors.owner.formToken }),
      });
    await refusedEverywhere(send, isForbidden);
  });

  test.each([
    ["none", ""],
    ["of another session", formTokenOf("A".repeat(43))],
  ])("with a form's token that is %s", async (_, form) => {
    await refusedEverywhere((path) => visitors.owner.post(path, { form }), isForbidden, guarded());
  });
});

describe.each([...roles])("%s", (role) => {
  test("is refused every page and form that their role is not for, and no other", async () => {
    const before = stored();
    const wrong: string[] = [];
    // Signing out comes last in a walk.
    for (const route of routes.filter(({ duty, path }) => duty !== null && path !== "/desk/sign-out")) {
      const { duty, method, path } = route;
      if (duty === null) continue;
      const isAllowed = may(role, duty);
      // What is allowed may change something; whether it does is told elsewhere.
      if (method === "POST" && isAllowed) continue;
      const { status } = await visitors[role][method === "GET" ? "get" : "post"](pathOf(route));
      if ((status === 403) === isAllowed || status >= 500) wrong.push(`${method} ${path}: ${status}`);
    }
    expect(wrong).toEqual([]);
    expect(stored()).toBe(before);
  });
});

test("no page is shown without a session, none in another site's frame, and none is kept by a cache", async () => {
  const nobody = visitor(till);
  for (const route of routes.filter(({ method }) => method === "GET")) {
    const response = await nobody.get(pathOf(route));
    const where = `${route.path}: ${response.status}`;
    if (route.duty !== null)
      expect([where, response.headers.get("location")]).toEqual([
        where,
        expect.stringMatching(/^\/desk\/sign-in/),
      ]);
    const shown = await visitors.owner.get(pathOf(route));
    if (!shown.headers.get("content-type")?.startsWith("text/html")) continue;
    // A page of payers is previewed in a frame of the desk's own.
    expect(shown.headers.get("content-security-policy")).toMatch(/frame-ancestors '(none|self)'/);
    expect(shown.headers.get("content-security-policy")).toMatch(/script-src '(self|sha256-[^']+)';/);
    expect([where, shown.headers.get("cache-control")]).toEqual([
      where,
      expect.stringMatching(/no-store|no-cache/),
    ]);
  }
});
