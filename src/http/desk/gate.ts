import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { hostName } from "../../domain/brand.ts";
import { type Duty, may, type Role } from "../../domain/party/person.ts";
import type { TextKey } from "../../language/locale.ts";
import { whenFor } from "../../language/when.ts";
import type { DeedText, DeskAssets, DeskFrame } from "../../pages/desk/frame.tsx";
import { deskMessage } from "../../pages/desk/parts/message.tsx";
import type { People } from "../../people/people.ts";
import { type ActiveSession, formTokenOf, sessionOf } from "../../people/sessions.ts";
import * as DeskReport from "../../store/reports/desk/home.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import { bodyBytesMax, isFromDesk } from "../access/guard.ts";
import type { Limits } from "../access/limits.ts";
import type { HttpDeps } from "../deps.ts";
import { readForm } from "../fields/body.ts";
import { withEtag } from "../pages/html.ts";
import { localeOf } from "../pages/locale.ts";
import { answer, pageHeaders, seeOther } from "./answer.ts";
import { chainState } from "./chain-state.ts";
import { cookieOf } from "./door/cookie.ts";
import { createProving } from "./door/proving.ts";

/** A request of somebody who may make it. */
export type Visit = {
  request: Request;
  params: Readonly<Record<string, string>>;
  /** What follows the path. */
  query: URLSearchParams;
  /** Unix time in milliseconds. */
  now: number;
  frame: DeskFrame;
  /** In development, where nobody signs in, an owner without a name. */
  who: { id: number | null; name: string; role: Role; sessionId: number | null };
};

/** What became of a form. */
export type FormOutcome =
  /**
   * It was done: the browser goes to `to`, where `did` is told once. `subject`: what it was done to, for the audit;
   * `deed`: what was done, of a form that can do several things.
   */
  | {
      kind: "done";
      to: string;
      did?: DeedText;
      subject?: string;
      deed?: string;
      headers?: Record<string, string>;
    }
  /** It was done, and the page shows what is shown only once, such as a key. */
  | { kind: "shown"; html: string; subject?: string }
  /** Nothing was done: the page says why. */
  | { kind: "refused"; html: string }
  /** It was tried and did not work: the page says why. */
  | { kind: "failed"; html: string };

type RouteDeed = {
  duty: Duty;
  /** What the audit calls it: `invoice.void`. */
  deed: string;
};

type MaybePromise<T> = T | Promise<T>;

/** Of a route without parameters, Elysia gives none. */
type Context = { request: Request; params?: Record<string, string> };
type FormContext = Context & { body: unknown };

/** What a route with a form is given as its hook: the fields. */
export const deskForm = { parse: ({ request }: { request: Request }) => readForm(request, bodyBytesMax) };

/** Who is let in, and how often they may try. */
export type Doorway = {
  people: People;
  limits: Limits;
  /** Whom a form counts for; null when that is not known. */
  clientOf: (request: Request) => string | null;
};

export type Gate = ReturnType<typeof createGate>;

/** What stands before every page and every form of the desk: who asks, and whether they may. */
export function createGate(deps: HttpDeps, assets: DeskAssets, { people, limits }: Doorway) {
  const { db, config, dev, baseUrl } = deps;
  const devFormToken = randomBytes(16).toString("base64url");

  function signedIn(request: Request): { session: ActiveSession | null; formToken: string } | null {
    if (dev !== null) return { session: null, formToken: devFormToken };
    const token = cookieOf(request, "session", baseUrl);
    const session = token === null ? null : sessionOf(db, token, deps.now());
    return token === null || session === null ? null : { session, formToken: formTokenOf(token) };
  }

  /** What the pages before signing in are shown in, too. */
  function look(request: Request) {
    const locale = localeOf(request, config.language);
    return { locale, shopName: shopNameOf(deps), brand: config.brand, assets };
  }

  function frameOf(
    request: Request,
    query: URLSearchParams,
    who: Visit["who"],
    formToken: string,
  ): DeskFrame {
    const shown = look(request);
    const open = DeskReport.owed(db).invoices;
    return {
      ...shown,
      when: whenFor(shown.locale, config.timeZone, deps.now()),
      person: who.id === null ? null : who,
      openCount: open === 0 ? null : open > openCountMax ? `${openCountMax}+` : String(open),
      watch: chainState(deps),
      networkName: config.network.label,
      formToken,
      did: didOf(query, shown.locale.texts),
    };
  }

  function refusal(request: Request, text: TextKey): Response {
    return answer(deskMessage({ ...look(request), title: "refused", text }), 403);
  }

  const notFound = (request: Request) =>
    answer(deskMessage({ ...look(request), title: "deskNotFound", text: "deskNotFoundText" }), 404);

  function visitOf(
    { request, params = {} }: Context,
    browser: NonNullable<ReturnType<typeof signedIn>>,
  ): Visit {
    const { session, formToken } = browser;
    const query = new URL(request.url).searchParams;
    const who: Visit["who"] = session
      ? { ...session.person, sessionId: session.sessionId }
      : { id: null, name: "", role: "owner", sessionId: null };
    return { request, params, query, now: deps.now(), who, frame: frameOf(request, query, who, formToken) };
  }

  /** Whether nothing about who asks has changed: while a form waits, a session ends, or somebody gets another role. */
  function isStill({ request, who }: Visit): boolean {
    const browser = signedIn(request);
    if (browser === null) return false;
    const { session } = browser;
    return (session?.sessionId ?? null) === who.sessionId && (session?.person.role ?? "owner") === who.role;
  }

  /** Who sends a form, when it is the desk's and they may; else the answer. */
  function formVisit(context: FormContext, duty: Duty): Visit | Response {
    const { request } = context;
    if (!isFromDesk(request, baseUrl)) return refusal(request, "refusedForeign");
    const browser = signedIn(request);
    if (!browser) return goToSignIn(request);
    const form = context.body as URLSearchParams;
    if (!isSame(form.get("form") ?? "", browser.formToken)) return refusal(request, "refusedStale");
    const visit = visitOf(context, browser);
    return may(visit.who.role, duty) ? visit : refusal(request, "refusedRole");
  }

  const gate = {
    look,

    /** Asks for the passkey or the password once more: for moving money, and for letting others in. */
    proving: createProving(people.proofs, limits, isStill),

    isStill,

    /** A page for who may do `duty`. The handler returns its HTML, or null when there is no such thing. */
    page(duty: Duty, handler: (visit: Visit) => MaybePromise<string | Response | null>) {
      return (context: Context): MaybePromise<Response> => {
        const { request } = context;
        const browser = signedIn(request);
        if (!browser) return goToSignIn(request);
        const visit = visitOf(context, browser);
        if (!may(visit.who.role, duty)) return refusal(request, "refusedRole");
        const finish = (content: string | Response | null) => {
          if (content === null) return notFound(request);
          return content instanceof Response ? content : withEtag(request, "text/html", content, pageHeaders);
        };
        const page = handler(visit);
        return page instanceof Promise ? page.then(finish) : finish(page);
      };
    },

    /**
     * A form that does something, for who may do `duty`. It is in the audit before it is done. The handler gets its
     * fields, and returns null when there is no such thing.
     */
    action(
      { duty, deed }: RouteDeed,
      handler: (visit: Visit, form: URLSearchParams) => FormOutcome | null | Promise<FormOutcome | null>,
    ) {
      return async (context: FormContext): Promise<Response> => {
        const { request } = context;
        const form = context.body as URLSearchParams;
        const visit = formVisit(context, duty);
        if (visit instanceof Response) return visit;
        const audit = AuditStore.begin(db, {
          at: visit.now,
          personId: visit.who.id,
          personName: visit.who.name,
          action: deed,
          subject: Object.values(visit.params)[0] ?? null,
        });
        let outcome: FormOutcome | null;
        try {
          outcome = await handler(visit, form);
        } catch (thrown) {
          AuditStore.end(db, audit, "failed");
          throw thrown;
        }
        if (outcome === null || outcome.kind === "refused") AuditStore.forget(db, audit);
        else if (outcome.kind === "failed") AuditStore.end(db, audit, "failed");
        else
          AuditStore.end(db, audit, "done", {
            subject: outcome.subject,
            action: outcome.kind === "done" ? outcome.deed : undefined,
          });
        if (outcome === null) return notFound(request);
        if (outcome.kind === "shown") return answer(outcome.html);
        if (outcome.kind !== "done") return answer(outcome.html, 422);
        return seeOther(withDid(outcome.to, outcome.did), outcome.headers);
      };
    },

    /** A form that changes nothing: it is shown again with what it asks for, such as one line more. */
    edit(duty: Duty, handler: (visit: Visit, form: URLSearchParams) => MaybePromise<string | null>) {
      return async (context: FormContext): Promise<Response> => {
        const visit = formVisit(context, duty);
        if (visit instanceof Response) return visit;
        const page = await handler(visit, context.body as URLSearchParams);
        return page === null ? notFound(context.request) : answer(page);
      };
    },

    /** A page or a form for who is not signed in yet. A form must come from the desk itself. */
    door(handler: (context: FormContext) => string | Response | Promise<string | Response>) {
      return async (context: FormContext): Promise<Response> => {
        const { request } = context;
        if (request.method === "POST" && !isFromDesk(request, baseUrl))
          return refusal(request, "refusedForeign");
        const page = await handler(context);
        return page instanceof Response ? page : answer(page);
      };
    },
  };

  // What a route asks of people can be read from it: a test walks through all of them.
  return {
    ...gate,
    page: (...args: Parameters<typeof gate.page>) => Object.assign(gate.page(...args), { duty: args[0] }),
    edit: (...args: Parameters<typeof gate.edit>) => Object.assign(gate.edit(...args), { duty: args[0] }),
    action: (...args: Parameters<typeof gate.action>) => Object.assign(gate.action(...args), args[0]),
  };
}

/** What this Till's shop is called. */
export function shopNameOf({ config, db }: Pick<HttpDeps, "config" | "db">): string {
  return (
    config.brand.name ??
    PreferenceStore.profile(db).name ??
    DeskReport.newestMerchant(db) ??
    hostName(config.brand)
  );
}

/** More than this are "many". */
const openCountMax = 99;

function goToSignIn(request: Request): Response {
  const { pathname, search } = new URL(request.url);
  const to =
    request.method === "GET" && pathname !== "/desk" ? `?to=${encodeURIComponent(pathname + search)}` : "";
  return seeOther(`/desk/sign-in${to}`);
}

const didPrefix = "did";

/** What `?did=` names: one of the texts that tell of a deed, never a text of somebody's own. */
function didOf(query: URLSearchParams, texts: Readonly<Record<string, string>>): DeedText | null {
  const key = `${didPrefix}${query.get("did") ?? ""}`;
  return key !== didPrefix && Object.hasOwn(texts, key) ? (key as DeedText) : null;
}

function withDid(to: string, did: DeedText | undefined): string {
  if (did === undefined) return to;
  return `${to}${to.includes("?") ? "&" : "?"}did=${did.slice(didPrefix.length)}`;
}

/** Takes as long whether they differ at the first letter or the last. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
