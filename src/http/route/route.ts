import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { isTheirs } from "../../domain/party/api-key.ts";
import type { Caller } from "../../invoicing/once.ts";
import type { Outcome } from "../../invoicing/outcome.ts";
import { type Fault, why } from "../../language/faults.ts";
import type { Page } from "../../store/page.ts";
import { callerOf, type KeyRule, nameOf, walletFault } from "../access/api-key.ts";
import { readPreflight } from "../answer/html.ts";
import { listLimitDefault } from "../fields/list-limit.ts";
import { queryFaults } from "../fields/list-query.ts";
import type { Check, Tool } from "../mcp/tool.ts";
import { type ProblemCode, validationProblem } from "../problem/problem.ts";
import type { JsonAnswer } from "./act.ts";
import type { AppDeps } from "./app-deps.ts";
import { jsonBody, textBody } from "./body.ts";
import type { HttpDeps } from "./deps.ts";

export type MediaType = "application/pdf" | "application/xml" | "text/csv";

/** One call: its path, access, input, response and implementation. Routing, access, limits and docs come from it. */
export type Route = KeyRule & {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** With parameters like `:id`. */
  path: string;
  summary: string;
  body?: TObject;
  query?: TObject;
  /** On success; 200 by default. */
  status?: 201;
  /** The values of the path's parameter, if there are few. */
  names?: readonly string[];
  /** The response: a schema, or a media type. */
  gives: TSchema | MediaType;
  /** Other media types, depending on its query. */
  alsoGives?: readonly MediaType[];
  /** True if it accepts an Idempotency-Key. */
  once?: true;
  /** True if it reads the text of its body itself. */
  takesText?: true;
  /** True if a program pays there, by x402 or MPP. Its body is not read, and other sites' pages may call it. */
  isPaid?: true;
  /** True if other sites' pages may read it, without a key. */
  isReadAnywhere?: true;
  /** True if a key, although not needed, reveals more: then it must be valid. */
  keyShowsMore?: true;
  /** True for a POST without effects, which limits count as a read. */
  countsAsRead?: true;
  /** Its description as a tool for agents; without it, it is none. Calls that move money have none. */
  tool?: Tool;
  /** Errors that do not follow from the row's other fields. */
  fails?: readonly ProblemCode[];
  /** Called once; the function it returns responds to every request. */
  does: Handler<string, TObject>;
};

export type Handler<Name extends string, Query extends TObject = never> = {
  (deps: AppDeps): (input: CallInput<Name, Query>) => unknown;
  /** As in the row. */
  isConfined?: true;
};

type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Params<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type CallInput<Name extends string = never, Query extends TObject = never> = {
  params: Record<Name, string>;
  query: Static<Query>;
  request: Request;
  path: string;
  /** Parsed, but not validated. */
  body: unknown;
  /** The merchant that the request's key is confined to, normalized; null for all of them. */
  merchant: string | null;
};

/** Type-checks the row against its own path and query. */
export const route = <const Path extends string, Query extends TObject = never>(
  row: Omit<Route, "path" | "query" | "does"> & {
    path: Path;
    query?: Query;
    does: Handler<Params<Path>, Query>;
  },
): Route => ({ ...row.does, ...row }) as unknown as Route;

/** Calls a use case with the request's key and responds with its outcome as worded by `says`. */
export const runUseCase = <T>(
  { act }: HttpDeps,
  { request, merchant }: Pick<CallInput, "request" | "merchant">,
  does: (by: Caller) => Promise<Outcome<T>>,
  says: (value: T) => JsonAnswer,
): Promise<Response> => act(request, (key) => does({ key, merchant, who: nameOf(request) }), says);

/**
 * A kind of thing that paths name by `:param`: how to find one, how to get its merchant's mail address (null for things
 * shared by all merchants), and the response if there is none. Another merchant's things are treated as missing.
 */
export function subjectInPath<T>(
  param: "id" | "slug",
  findAny: (deps: HttpDeps, name: string) => T | null,
  merchantOf: ((thing: T, deps: HttpDeps) => string) | null,
  unknown: (deps: HttpDeps, name: string, merchant: string | null) => Response,
) {
  /** Finds a thing that the request may access. */
  const find =
    (deps: HttpDeps, { merchant }: Pick<CallInput, "merchant">) =>
    (name: string): T | null => {
      const thing = findAny(deps, name);
      if (thing === null || merchant === null) return thing;
      return merchantOf !== null && isTheirs(merchant, merchantOf(thing, deps)) ? thing : null;
    };
  /** Responds about the thing in the path. */
  const of = <Query extends TObject = never>(
    answer: (deps: HttpDeps, thing: T, input: CallInput<string, Query>) => unknown,
  ): Handler<string, Query> => {
    const does: Handler<string, Query> = (deps) => (input) => {
      const name = input.params[param] ?? "";
      const thing = find(deps, input)(name);
      return thing === null ? unknown(deps, name, input.merchant) : answer(deps, thing, input);
    };
    return merchantOf === null ? does : Object.assign(does, { isConfined: true } as const);
  };
  /** Calls a use case with it, the body and the key. */
  const act = <Value>(
    does: (deps: HttpDeps, thing: T, body: unknown, by: Caller) => Promise<Outcome<Value>>,
    says: (value: Value, deps: HttpDeps) => JsonAnswer,
  ) =>
    of((deps, thing, input) =>
      runUseCase(
        deps,
        input,
        (by) => does(deps, thing, input.body, by),
        (value) => says(value, deps),
      ),
    );
  /** The `check` of a tool that names one; a missing one is left to its call. */
  const check =
    (does: (deps: HttpDeps, thing: T, body: unknown) => ReturnType<Check>): Check =>
    (deps, { given, body, merchant }) => {
      const thing = find(deps, { merchant })(String(given[param]));
      return thing && does(deps, thing, body);
    };
  return { find, of, act, check };
}

/** Returns a page of a list. */
export const pageAnswer = <T>({ rows, next }: Page<T>, record: (row: T) => unknown) => ({
  data: rows.map(record),
  has_more: next !== null,
});

/** A program may send the body that another site would expect. It is not read. */
const unread = { parse: "none" } as const;

/** Serves the rows. A query is checked before its row sees it. */
export function serve(rows: readonly Route[], deps: AppDeps) {
  const app = new Elysia();
  for (const { method, path, query, isPaid, isReadAnywhere, takesText, does: prepare } of rows) {
    const does = prepare(deps);
    const answer = (input: CallInput<string, TObject>) => {
      const faults = query === undefined ? [] : queryFaults(query, input.query, input.request.url);
      const caller = callerOf(input.request);
      input.merchant = caller?.merchant ?? null;
      const wallet = caller && walletFault(deps.db, caller, input.body, deps.now());
      if (wallet !== null) faults.push(wallet);
      return faults.length > 0 ? validationProblem(faults) : does(input);
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

/** Looks up what a query names, and collects missing ones as faults. */
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
