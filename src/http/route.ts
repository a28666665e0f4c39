import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { isTheirs } from "../domain/party/api-key.ts";
import type { By } from "../invoicing/once.ts";
import type { Outcome } from "../invoicing/outcome.ts";
import { type Fault, why } from "../language/faults.ts";
import type { Page } from "../store/page.ts";
import { callerOf, type KeyRule, nameOf, walletFault } from "./access/api-key.ts";
import type { JsonAnswer } from "./act.ts";
import { readPreflight } from "./answer/html.ts";
import type { AppDeps } from "./app-deps.ts";
import { jsonBody, textBody } from "./body.ts";
import type { HttpDeps } from "./deps.ts";
import { listLimitDefault } from "./fields/list-limit.ts";
import { queryFaults } from "./fields/list-query.ts";
import type { Check, Tool } from "./mcp/tool.ts";
import { type ProblemCode, validationProblem } from "./problem/problem.ts";

export type MediaType = "application/pdf" | "application/xml" | "text/csv";

/** One call: where it is, who may make it, what it takes, gives and does. Routes, access, limits and docs come from it. */
export type Route = KeyRule & {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** With `:id` for what varies. */
  path: string;
  summary: string;
  body?: TObject;
  query?: TObject;
  /** Of success; 200 unless given. */
  status?: 201;
  /** The values of what varies in the path, when they are few. */
  names?: readonly string[];
  /** The answer: a schema, or a media type. */
  gives: TSchema | MediaType;
  /** What it gives by another value of its query. */
  alsoGives?: readonly MediaType[];
  /** Whether it takes an Idempotency-Key. */
  once?: true;
  /** Whether it reads the text of its body itself. */
  takesText?: true;
  /** Whether a program pays there, by x402 or MPP. Its body is not read, and pages of other sites may ask for it. */
  isPaid?: true;
  /** Whether pages of other sites may read it, without a key. */
  isReadAnywhere?: true;
  /** Whether a key, which is not needed, reveals more: then it must be valid. */
  keyShowsMore?: true;
  /** Whether it is a POST that does nothing by itself, so that limits count it as a read. */
  countsAsRead?: true;
  /** What it is to agents; without it, it is no tool of theirs. What moves money is none. */
  tool?: Tool;
  /** The errors that no other field of the row brings. */
  fails?: readonly ProblemCode[];
  /** Called once; what it returns answers every request. */
  does: Does<string, TObject>;
};

export type Does<Name extends string, Query extends TObject = never> = {
  (deps: AppDeps): (asked: Asked<Name, Query>) => unknown;
  /** As in the row. */
  isConfined?: true;
};

type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Params<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type Asked<Name extends string = never, Query extends TObject = never> = {
  params: Record<Name, string>;
  query: Static<Query>;
  request: Request;
  path: string;
  /** Parsed, but unchecked. */
  body: unknown;
  /** The merchant that the request's key is confined to, in its normal form; null for all of them. */
  merchant: string | null;
};

/** Checks the row against its own path and query. */
export const route = <const Path extends string, Query extends TObject = never>(
  row: Omit<Route, "path" | "query" | "does"> & {
    path: Path;
    query?: Query;
    does: Does<Params<Path>, Query>;
  },
): Route => ({ ...row.does, ...row }) as unknown as Route;

/** Calls a use case with the request's key and answers with what `says` makes of its outcome. */
export const acted = <T>(
  { act }: HttpDeps,
  { request, merchant }: Pick<Asked, "request" | "merchant">,
  does: (by: By) => Promise<Outcome<T>>,
  says: (value: T) => JsonAnswer,
): Promise<Response> => act(request, (key) => does({ key, merchant, who: nameOf(request) }), says);

/**
 * A kind of thing that paths name by `:param`: how to find one, the mail address of its merchant, or null for what is all
 * merchants', and what is answered where there is none. What is another merchant's than the key's is not there.
 */
export function named<T>(
  param: "id" | "slug",
  findAny: (deps: HttpDeps, name: string) => T | null,
  merchantOf: ((thing: T, deps: HttpDeps) => string) | null,
  unknown: (deps: HttpDeps, name: string, merchant: string | null) => Response,
) {
  /** Finds what a request may name. */
  const find =
    (deps: HttpDeps, { merchant }: Pick<Asked, "merchant">) =>
    (name: string): T | null => {
      const thing = findAny(deps, name);
      if (thing === null || merchant === null) return thing;
      return merchantOf !== null && isTheirs(merchant, merchantOf(thing, deps)) ? thing : null;
    };
  /** Answers about the one that the path names. */
  const of = <Query extends TObject = never>(
    answer: (deps: HttpDeps, thing: T, asked: Asked<string, Query>) => unknown,
  ): Does<string, Query> => {
    const does: Does<string, Query> = (deps) => (asked) => {
      const name = asked.params[param] ?? "";
      const thing = find(deps, asked)(name);
      return thing === null ? unknown(deps, name, asked.merchant) : answer(deps, thing, asked);
    };
    return merchantOf === null ? does : Object.assign(does, { isConfined: true } as const);
  };
  /** Calls a use case with it, the body and the key. */
  const act = <Value>(
    does: (deps: HttpDeps, thing: T, body: unknown, by: By) => Promise<Outcome<Value>>,
    says: (value: Value, deps: HttpDeps) => JsonAnswer,
  ) =>
    of((deps, thing, asked) =>
      acted(
        deps,
        asked,
        (by) => does(deps, thing, asked.body, by),
        (value) => says(value, deps),
      ),
    );
  /** The `check` of a tool that names one; what is not there is left to its call. */
  const check =
    (does: (deps: HttpDeps, thing: T, body: unknown) => ReturnType<Check>): Check =>
    (deps, { given, body, merchant }) => {
      const thing = find(deps, { merchant })(String(given[param]));
      return thing && does(deps, thing, body);
    };
  return { find, of, act, check };
}

/** A page of a list. */
export const pageAnswer = <T>({ rows, next }: Page<T>, record: (row: T) => unknown) => ({
  data: rows.map(record),
  has_more: next !== null,
});

/** A program may send the body that another site would expect. Nobody reads it. */
const unread = { parse: "none" } as const;

/** Serves the rows. A query is checked before its row sees it. */
export function serve(rows: readonly Route[], deps: AppDeps) {
  const app = new Elysia();
  for (const { method, path, query, isPaid, isReadAnywhere, takesText, does: prepare } of rows) {
    const does = prepare(deps);
    const answer = (asked: Asked<string, TObject>) => {
      const faults = query === undefined ? [] : queryFaults(query, asked.query, asked.request.url);
      const caller = callerOf(asked.request);
      asked.merchant = caller?.merchant ?? null;
      const wallet = caller && walletFault(deps.db, caller, asked.body, deps.now());
      if (wallet !== null) faults.push(wallet);
      return faults.length > 0 ? validationProblem(faults) : does(asked);
    };
    const handler = answer as () => unknown;
    if (method === "get") app.get(path, handler);
    else {
      const body = takesText ? textBody : jsonBody;
      app.route(method.toUpperCase(), path, handler, isPaid ? unread : body);
    }
    if (isPaid && method === "get") app.options(path, handler, unread);
    if (isReadAnywhere) app.options(path, readPreflight);
  }
  return app;
}

/** Finds what a query names, and notes as faults what there is not. */
export function lookUpsIn<Query extends { limit?: string }>(query: Query) {
  const faults: Fault[] = [];
  return {
    faults,
    limit: Number(query.limit ?? listLimitDefault),
    lookUp<T>(field: keyof Query & string, find: (name: string) => T | null, what: string): T | null {
      const name = query[field];
      if (typeof name !== "string") return null;
      const found = find(name);
      if (found === null) faults.push({ field, ...why("shape", { wants: what }) });
      return found;
    },
  };
}
