import { createHash, timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { hostName } from "../domain/brand.ts";
import type { LanguageCode } from "../domain/language.ts";
import { type Duty, may } from "../domain/party/person.ts";
import { cookieOf } from "../http/access/cookie.ts";
import { bodyBytesMax, isFromDesk } from "../http/access/guard.ts";
import type { Limits } from "../http/access/limits.ts";
import { localeOf, seeOther, withEtag } from "../http/answer/html.ts";
import { readForm } from "../http/route/body.ts";
import type { HttpDeps } from "../http/route/deps.ts";
import type { TextKey } from "../language/locale.ts";
import { whenFor } from "../language/when.ts";
import { isUnasked } from "../lib/net/unasked.ts";
import { world } from "../lib/world.ts";
import type { People } from "../people/people.ts";
import { type ActiveSession, formTokenOf, sessionOf } from "../people/sessions.ts";
import { transactTogether, unlocked } from "../store/group-commit.ts";
import * as DeskReport from "../store/reports/desk/home.ts";
import * as AuditStore from "../store/tables/desk/audit.ts";
import { answer, chainState, didOf, pageHeaders, withDid } from "./answer.ts";
import { createProving } from "./door/proving.ts";
import type { DeskAssets, DeskFrame } from "./parts/page/desk-frame.ts";
import { deskMessage } from "./parts/page/document.tsx";
import type { FormOutcome, Visit } from "./parts/page/visit.ts";
import { countText } from "./parts/place.ts";
import { profileOf } from "./shop/profile-form.ts";

export type MaybePromise<T> = T | Promise<T>;

/** Elysia passes no parameters for a route without any. */
type Context = { request: Request; params?: Record<string, string> };
type FormContext = Context & { body: unknown };

/** The person signed in with a browser; null in development. */
type Browser = { session: ActiveSession | null; formToken: string };

/** How people sign in, and how often they may try. */
export type SignInDeps = {
  people: People;
  limits: Limits;
  /** The client a form counts against; null if unknown. */
  clientOf: (request: Request) => string | null;
};

export type Gate = ReturnType<typeof createGate>;

/** Guards every page and form of the desk: who makes the request, and may they? */
export function createGate(deps: HttpDeps, assets: () => DeskAssets, { people, limits }: SignInDeps) {
  const { db, config, dev, baseUrl } = deps;
  const devFormToken = world.randomBytes(16).toString("base64url");

  function signedIn(request: Request): Browser | null {
    if (dev !== null) return { session: null, formToken: devFormToken };
    const token = cookieOf(request, "session", baseUrl);
    const isUse = !isUnasked(request);
    const session = token === null ? null : sessionOf(db, token, deps.now(), { isUse });
    return token === null || session === null ? null : { session, formToken: formTokenOf(token) };
  }

  /** Returns the common appearance of pages before signing in. */
  function look(request: Request, own: LanguageCode | null = null) {
    const locale = localeOf(request, config.language, () => own);
    return { locale, shopName: shopNameOf(deps), brand: config.brand, assets: assets() };
  }

  function frameOf({ request, query, who }: Omit<Visit, "frame">, formToken: string): DeskFrame {
    const shown = look(request, who.language);
    return {
      ...shown,
      when: whenFor(shown.locale, config.timeZone, deps.now()),
      person: who.id === null ? null : who,
      // Getters, evaluated when a page is rendered: a form that redirects needs none.
      get openCount() {
        const open = DeskReport.owed(db).invoices;
        return open === 0 ? null : countText(open);
      },
      get watch() {
        return chainState(deps);
      },
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

  function visitOf({ request, params = {} }: Context, { session, formToken }: Browser): Visit {
    const query = new URL(request.url).searchParams;
    const who: Visit["who"] = session
      ? { ...session.person, sessionId: session.sessionId }
      : { id: null, name: "", role: "owner", language: null, sessionId: null };
    const visit = { request, params, query, now: deps.now(), who };
    return { ...visit, frame: frameOf(visit, formToken) };
  }

  /** True if the visitor is unchanged: while a form waits, the session may end or the role change. */
  function isStill({ request, who }: Visit): boolean {
    const session = signedIn(request)?.session;
    if (session === undefined) return false;
    return (session?.sessionId ?? null) === who.sessionId && (session?.person.role ?? "owner") === who.role;
  }

  /** Returns the visitor who sent a form, if it comes from the desk and they may send it; else the response. */
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

  const routes = new Elysia();

  /** Attaches each route's requirements, for a test that walks through them all. */
  function addForm(
    path: string,
    demands: { duty?: Duty; action?: string },
    handler: (context: FormContext) => Promise<Response>,
  ): void {
    const parse = ({ request }: Context) => readForm(request, bodyBytesMax, true);
    routes.post(path, Object.assign(handler, demands), { parse });
  }

  const unguarded =
    (handler: (context: FormContext) => MaybePromise<string | Response>) =>
    async (context: FormContext): Promise<Response> => {
      const page = await handler(context);
      return page instanceof Response ? page : answer(page);
    };

  return {
    /** All added routes. */
    routes,

    look,

    /** Asks for the passkey or password again: before moving money or letting others in. */
    proving: createProving(db, people.proofs, limits, isStill),

    isStill,

    /** Adds a page for people who may do `duty`. The handler returns its HTML, or null for not found. */
    page(path: string, duty: Duty, handler: (visit: Visit) => MaybePromise<string | Response | null>): void {
      const show = (context: Context): MaybePromise<Response> => {
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
      routes.get(path, Object.assign(show, { duty }));
    },

    /**
     * Adds a form that changes something, for people who may do `duty`. Recorded in the audit as `action`, such as
     * `invoice.void`, before it runs. The handler gets its fields, and returns null for not found.
     */
    action(
      path: string,
      duty: Duty,
      action: string,
      handler: (visit: Visit, form: URLSearchParams) => MaybePromise<FormOutcome | null>,
    ): void {
      addForm(path, { duty, action }, async (context) => {
        const form = context.body as URLSearchParams;
        const visit = formVisit(context, duty);
        if (visit instanceof Response) return visit;
        // Waits for another program's lock here, while other requests run, so that the next write does not have to.
        const audit = await transactTogether(db, () =>
          AuditStore.begin(db, {
            at: visit.now,
            personId: visit.who.id,
            personName: visit.who.name,
            action,
            subject: Object.values(visit.params)[0] ?? null,
            sessionId: visit.who.sessionId,
          }),
        );
        let outcome: FormOutcome | null;
        try {
          outcome = await handler(visit, form);
        } catch (thrown) {
          AuditStore.end(db, audit, "failed");
          throw thrown;
        }
        // While it worked, another program may have begun to write.
        await unlocked(db);
        if (outcome === null || typeof outcome === "string") {
          AuditStore.forget(db, audit);
          return outcome === null ? notFound(context.request) : answer(outcome, 422);
        }
        if (outcome.kind === "failed") {
          AuditStore.end(db, audit, "failed");
          return answer(outcome.html, 422);
        }
        const { action: better, changes } = outcome.kind === "done" ? outcome : {};
        AuditStore.end(db, audit, "done", { subject: outcome.subject, action: better, changes });
        if (outcome.kind === "shown") return answer(outcome.html, 200, outcome.headers);
        return seeOther(withDid(outcome.to, outcome.did), outcome.headers);
      });
    },

    /** Adds a form that changes nothing, and is shown again with the requested change, such as another line. */
    edit(
      path: string,
      duty: Duty,
      handler: (visit: Visit, form: URLSearchParams) => MaybePromise<string | null>,
    ): void {
      addForm(path, { duty }, async (context) => {
        const visit = formVisit(context, duty);
        if (visit instanceof Response) return visit;
        const page = await handler(visit, context.body as URLSearchParams);
        return page === null ? notFound(context.request) : answer(page);
      });
    },

    /** Adds a page and its form for somebody who has not signed in yet. A form must come from the desk itself. */
    door: {
      get: (path: string, handler: Parameters<typeof unguarded>[0]) =>
        void routes.get(path, unguarded(handler)),
      post: (path: string, handler: Parameters<typeof unguarded>[0]) =>
        addForm(path, {}, async (context) =>
          isFromDesk(context.request, baseUrl)
            ? unguarded(handler)(context)
            : refusal(context.request, "refusedForeign"),
        ),
    },
  };
}

export function shopNameOf({ config, db }: Pick<HttpDeps, "config" | "db">): string {
  return config.brand.name ?? profileOf(db).name ?? hostName(config.brand);
}

function goToSignIn(request: Request): Response {
  const { pathname, search } = new URL(request.url);
  const to =
    request.method === "GET" && pathname !== "/desk" ? `?to=${encodeURIComponent(pathname + search)}` : "";
  return seeOther(`/desk/sign-in${to}`);
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
