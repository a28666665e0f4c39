import type { paths } from "./schema.ts";
import type { Patience } from "./send.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

type Contents<C> = C extends { responses: infer R } ? Of<R[keyof R], "content"> : never;
type Of<T, Name extends string> = T extends { [K in Name]: infer V } ? V : never;

/** What a call answers as JSON. */
export type Answer<C> = Of<Contents<C>, "application/json">;

type PathsOf<M extends Method, Media> = {
  [P in keyof paths]: Extract<keyof Contents<paths[P][M]>, Media> extends never ? never : P;
}[keyof paths];

export type JsonPath<M extends Method> = PathsOf<M, "application/json">;
export type FilePath = PathsOf<"get", "application/pdf" | "application/xml" | "text/csv">;

/** What a list has that comes in pages. */
export type Entry<C> = Answer<C> extends { data: (infer T)[]; has_more: boolean } ? T : never;

export type ListPath = { [P in keyof paths]: Entry<paths[P]["get"]> extends never ? never : P }[keyof paths];

type Path<V> = [V] extends [never] ? { path?: never } : { path: V };
type Body<V> = [V] extends [never] ? { body?: never } : { body: V };
type Query<V> = [V] extends [never] ? { query?: never } : { query?: V };
type Once<V> = [V] extends [never] ? { idempotencyKey?: never } : { idempotencyKey?: string | undefined };

/** What may be left out of a call's parameters. */
type Maybe<C, In extends string> = C extends { parameters: { [K in In]?: infer V } } ? NonNullable<V> : never;

type Init<C> = Path<Of<Of<C, "parameters">, "path">> &
  Body<Of<Of<Of<C, "requestBody">, "content">, "application/json">> &
  Query<Maybe<C, "query">> &
  Once<Maybe<C, "header">> &
  Patience & { signal?: AbortSignal | undefined };

/** The second argument of a call; it may be left out where nothing is needed. */
export type Asked<C> = Record<never, never> extends Init<C> ? [asked?: Init<C>] : [asked: Init<C>];
