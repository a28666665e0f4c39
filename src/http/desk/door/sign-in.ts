import { parseName } from "../../../domain/party/person.ts";
import type { TextKey } from "../../../language/locale.ts";
import { signInPage } from "../../../pages/desk/door/sign-in-page.tsx";
import { deviceOf } from "../../../people/device.ts";
import { knownBrowser, knownMark } from "../../../people/known-browser.ts";
import { beginSession, sessionOf } from "../../../people/sessions.ts";
import { transactTogether } from "../../../store/group-commit.ts";
import * as AuditStore from "../../../store/tables/desk/audit.ts";
import * as PersonStore from "../../../store/tables/desk/person.ts";
import * as SessionStore from "../../../store/tables/desk/session.ts";
import type { HttpDeps } from "../../deps.ts";
import { answer, seeOther } from "../answer.ts";
import type { Doorway, Gate } from "../gate.ts";
import { cookieOf, setCookie } from "./cookie.ts";
import { letIn, localPath } from "./let-in.ts";

const purpose = "sign-in";

/** Shown again after a failed attempt. */
type Shown = { query: URLSearchParams; usesPassword: boolean; name?: string; fault?: TextKey };

/** Signing in, with a passkey or with name and password, and signing out. */
export function signInRoutes(deps: HttpDeps, gate: Gate, { people, limits, clientOf }: Doorway): void {
  const { db, baseUrl } = deps;
  const { passkeys, passwords } = people;

  function page(request: Request, { query, usesPassword, name = "", fault }: Shown): string {
    const look = gate.look(request);
    const isPossible = passkeys.arePossible;
    return signInPage({
      ...look,
      nobody: !PersonStore.anyActive(db),
      options: isPossible && !usesPassword ? passkeys.request(purpose) : null,
      arePasskeysPossible: isPossible,
      arePasswordsUsed: PersonStore.anyPassword(db),
      to: query.get("to"),
      isSignedOut: query.get("did") === "SignOut",
      name,
      fault: fault === undefined ? null : look.locale.texts[fault],
    });
  }

  async function begin(
    request: Request,
    personId: number,
    to: string,
    mark: string | null,
  ): Promise<Response> {
    const now = deps.now();
    const device = deviceOf(request.headers.get("user-agent") ?? "");
    const personName = PersonStore.byId(db, personId)?.name ?? "";
    const token = await transactTogether(db, () => {
      AuditStore.note(db, { at: now, personId, personName, action: "session.begin", subject: device });
      return beginSession(db, { personId, device, now });
    });
    return letIn(request, token, to, deps, mark);
  }

  async function byPassword(request: Request, form: URLSearchParams, to: string): Promise<Response> {
    const nameText = form.get("name") ?? "";
    const person = PersonStore.byName(db, parseName(nameText) ?? "");
    const hash = person && (PersonStore.credentialsOf(db, person.id)?.passwordHash ?? null);
    const browser =
      person && hash ? knownBrowser(cookieOf(request, "known", baseUrl), person.id, hash) : null;
    const client = browser ?? clientOf(request) ?? `name ${(parseName(nameText) ?? "").toLowerCase()}`;
    const refuse = (fault: TextKey, status: number) =>
      answer(page(request, { query: form, usesPassword: true, name: nameText, fault }), status);

    if (limits.check("SIGN_INS", client)) return refuse("tooManyTries", 429);
    const verdict = await passwords.check(form.get("password") ?? "", hash, browser !== null);
    if (verdict === "busy") return refuse("tooManyTries", 429);
    // While it waited its turn the password may have been changed.
    const isStill = person !== null && PersonStore.credentialsOf(db, person.id)?.passwordHash === hash;
    if (verdict === "wrong" || !isStill || hash === null) {
      limits.take("SIGN_INS", client);
      return refuse("signInWrong", 422);
    }
    return await begin(request, person.id, to, knownMark(person.id, hash));
  }

  gate.door.get("/desk/sign-in", ({ request }) => {
    const query = new URL(request.url).searchParams;
    const token = cookieOf(request, "session", baseUrl);
    const isIn = deps.dev !== null || (token !== null && sessionOf(db, token, deps.now()) !== null);
    if (isIn) return seeOther(localPath(query.get("to"), baseUrl));
    const usesPassword = query.has("password") || !passkeys.arePossible;
    return page(request, { query, usesPassword });
  });
  gate.door.post("/desk/sign-in", async ({ request, body }) => {
    const form = body as URLSearchParams;
    const to = localPath(form.get("to"), baseUrl);
    if (form.has("password")) return await byPassword(request, form, to);
    const personId = await passkeys.verify(form.get("passkey") ?? "", purpose, deps.now());
    if (personId !== null) return await begin(request, personId, to, null);
    const shown = { query: form, usesPassword: false, fault: "signInRefused" } as const;
    return answer(page(request, shown), 422);
  });
  gate.action("/desk/sign-out", "read", "session.end", ({ who }) => {
    if (who.sessionId !== null && who.id !== null)
      SessionStore.remove(db, { id: who.sessionId, personId: who.id });
    const headers = { "set-cookie": setCookie("session", null, baseUrl) };
    return { kind: "done", to: "/desk/sign-in", did: "didSignOut", headers };
  });
}
