import { parseName } from "../../domain/party/person.ts";
import { cookieOf, setCookie } from "../../http/access/cookie.ts";
import { seeOther } from "../../http/answer/html.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import { fill } from "../../lib/text/english.ts";
import { beginSession, deviceOf, knownBrowser, knownMark, sessionOf } from "../../people/sessions.ts";
import { transactTogether } from "../../store/group-commit.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import * as PersonStore from "../../store/tables/desk/person.ts";
import * as SessionStore from "../../store/tables/desk/session.ts";
import { answer } from "../answer.ts";
import type { Gate, SignInDeps } from "../gate.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { line } from "../parts/form/controls.tsx";
import { PasskeyField } from "../parts/form/proof.tsx";
import { formOf } from "../parts/form/rows.ts";
import { type DoorLook, DoorNotice, doorPage, letIn, localPath } from "./door.tsx";
import { openIdPath, openIdRoutes } from "./openid.ts";

const purpose = "sign-in";

/** A page shown again after a failed attempt. */
type Shown = { query: URLSearchParams; usesPassword: boolean; name?: string; fault?: TextKey };

/** Signing in, with a passkey or with name and password, and signing out. */
export function signInRoutes(deps: HttpDeps, gate: Gate, doorway: SignInDeps): void {
  const { db, baseUrl } = deps;
  const { people, limits, clientOf } = doorway;
  const { passkeys, passwords } = people;

  function page(request: Request, { query, usesPassword, name = "", fault }: Shown): string {
    const look = gate.look(request);
    const isPossible = passkeys.arePossible;
    const provider = deps.config.openId?.name ?? "";
    return signInPage({
      ...look,
      nobody: !PersonStore.anyActive(db),
      options: isPossible && !usesPassword ? passkeys.request(purpose) : null,
      arePasskeysPossible: isPossible,
      arePasswordsUsed: PersonStore.anyPassword(db),
      to: query.get("to"),
      isSignedOut: query.get("did") === "SignOut",
      name,
      provider: provider === "" ? null : provider,
      fault: fault === undefined ? null : fill(look.locale.texts[fault], { name: provider }),
    });
  }

  async function begin(
    request: Request,
    { personId, passkeyId }: { personId: number; passkeyId: number | null },
    to: string,
    mark: string | null,
  ): Promise<Response> {
    const now = deps.now();
    const device = deviceOf(request.headers.get("user-agent") ?? "");
    const personName = PersonStore.byId(db, personId)?.name ?? "";
    const token = await transactTogether(db, () => {
      const session = beginSession(db, { personId, device, now, passkeyId });
      const { sessionId } = session;
      const entry = { at: now, personId, personName, action: "session.begin", subject: device, sessionId };
      AuditStore.note(db, entry);
      return session.token;
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
    // The password may have been changed while the check was queued.
    const isStill = person !== null && PersonStore.credentialsOf(db, person.id)?.passwordHash === hash;
    if (verdict === "wrong" || !isStill || hash === null) {
      limits.take("SIGN_INS", client);
      return refuse("signInWrong", 422);
    }
    return await begin(request, { personId: person.id, passkeyId: null }, to, knownMark(person.id, hash));
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
    const signed = await passkeys.verify(form.get("passkey") ?? "", purpose, deps.now());
    if (signed !== null) return await begin(request, signed, to, null);
    const shown = { query: form, usesPassword: false, fault: "signInRefused" } as const;
    return answer(page(request, shown), 422);
  });
  openIdRoutes(deps, gate, doorway, (request, to, fault, status) => {
    const query = new URLSearchParams(to === "/desk" ? {} : { to });
    return answer(page(request, { query, usesPassword: !passkeys.arePossible, fault }), status);
  });
  gate.action("/desk/sign-out", "read", "session.end", ({ who }) => {
    if (who.sessionId !== null && who.id !== null)
      SessionStore.remove(db, { id: who.sessionId, personId: who.id });
    const headers = { "set-cookie": setCookie("session", null, baseUrl) };
    return { kind: "done", to: "/desk/sign-in", did: "didSignOut", headers };
  });
}

type SignInPageProps = DoorLook & {
  /** True if nobody can sign in yet. */
  nobody: boolean;
  /** Options for a passkey; null for the form with a password. */
  options: string | null;
  arePasskeysPossible: boolean;
  arePasswordsUsed: boolean;
  /** The name of the provider of OpenID Connect; null without one. */
  provider: string | null;
  /** The page to go to afterwards. */
  to: string | null;
  isSignedOut: boolean;
  name: string;
  fault: string | null;
};

function signInPage(props: SignInPageProps): string {
  const { nobody, locale, shopName, isSignedOut, fault } = props;
  if (nobody)
    return doorPage({
      look: props,
      title: locale.say("nobodyYet"),
      text: locale.say("nobodyYetText"),
      body: (
        <>
          {fault !== null && <DoorNotice late>{fault}</DoorNotice>}
          <LoginCommand locale={locale} />
          <ByProvider {...props} />
        </>
      ),
    });
  return doorPage({
    look: props,
    title: locale.say("signInTo", { shop: shopName }),
    text: locale.say("signInText"),
    body: (
      <>
        {isSignedOut && fault === null && <DoorNotice>{locale.say("didSignOut")}</DoorNotice>}
        {fault !== null && <DoorNotice late>{fault}</DoorNotice>}
        {props.options === null ? (
          <ByPassword {...props} />
        ) : (
          <ByPasskey {...props} options={props.options} />
        )}
        <ByProvider {...props} />
        <details>
          <summary>{locale.say("cannotSignIn")}</summary>
          <LoginCommand locale={locale} />
        </details>
      </>
    ),
  });
}

const action = "/desk/sign-in";

/** Returns the other way to sign in, keeping the page to go to afterwards. */
function otherWay(to: string | null, usesPassword: boolean): string {
  const query = new URLSearchParams({
    ...(usesPassword ? { password: "" } : {}),
    ...(to === null ? {} : { to }),
  });
  return query.size === 0 ? action : `${action}?${query}`;
}

function To({ to }: { to: string | null }) {
  return to === null ? "" : <input type="hidden" name="to" value={to} />;
}

type ByPasskeyProps = Pick<SignInPageProps, "locale" | "to" | "arePasswordsUsed"> & { options: string };

function ByPasskey({ locale, options, to, arePasswordsUsed }: ByPasskeyProps) {
  return (
    <form class="box" method="post" action={action}>
      <To to={to} />
      <SubmitButton kind="large full" icon="key" text={locale.say("signInByPasskey")} />
      <PasskeyField locale={locale} name="passkey" options={options} />
      <p class="soft small">{locale.say("signInByPasskeyText")}</p>
      {arePasswordsUsed && (
        <ButtonLink
          href={otherWay(to, true)}
          kind="plain full"
          text={locale.say("signInByPasswordInstead")}
        />
      )}
    </form>
  );
}

const passwordForm = formOf({
  name: {
    label: "yourName",
    control: line({ autocomplete: "username", autocapitalize: "off", spellcheck: "false", required: true }),
  },
  password: {
    label: "password",
    control: line({ type: "password", autocomplete: "current-password", required: true }),
  },
});

function ByPassword({ locale, to, name, fault, arePasskeysPossible }: SignInPageProps) {
  const field = passwordForm.fields({ frame: { locale }, typed: { name, password: "" }, faults: [] });
  return (
    <form class="box form" method="post" action={action}>
      <To to={to} />
      {field("name")}
      {field("password", fault === null ? {} : { extra: { "aria-invalid": "true" } })}
      <SubmitButton kind="large full" text={locale.say("signIn")} />
      {arePasskeysPossible && (
        <ButtonLink
          href={otherWay(to, false)}
          kind="plain full"
          text={locale.say("signInByPasskeyInstead")}
        />
      )}
    </form>
  );
}

/** A link, not a form: a page of the desk lets no form send a browser elsewhere. */
function ByProvider({ locale, provider, to }: Pick<SignInPageProps, "locale" | "provider" | "to">) {
  if (provider === null) return "";
  const query = to === null ? "" : `?${new URLSearchParams({ to })}`;
  return (
    <ButtonLink
      href={`${openIdPath}${query}`}
      kind="quiet large full"
      text={locale.say("signInBy", { name: provider })}
    />
  );
}

/** How the person with the machine lets somebody in. */
export function LoginCommand({ locale }: { locale: Locale }) {
  return (
    <div class="box">
      <p>{locale.say("loginCommandText")}</p>
      <div class="code">
        <pre>till login</pre>
      </div>
    </div>
  );
}
