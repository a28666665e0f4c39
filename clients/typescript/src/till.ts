import { takesKey } from "./calls.ts";
import { parsed, TillError } from "./error.ts";
import type { paths } from "./schema.ts";
import { type Patience, type Read, type Sending, send } from "./send.ts";
import type { Answer, Asked, Entry, FilePath, JsonPath, ListPath, Method } from "./types.ts";

export type TillOptions = Patience & {
  /** Where Till is, such as `https://pay.example`. */
  baseUrl: string;
  /** `till_…`; without one, only what is public can be asked. */
  apiKey?: string | undefined;
  /** In the place of the global one. */
  fetch?: Sending["fetch"] | undefined;
};

type Does<M extends Method> = <P extends JsonPath<M>>(
  path: P,
  ...asked: Asked<paths[P][M]>
) => Promise<Answer<paths[P][M]>>;

type OfGet<P extends keyof paths> = paths[P]["get"];

export type Till = { [M in Method]: Does<M> } & {
  /** Downloads a PDF, an e-invoice or a CSV; the answer's `type` says which. */
  file<P extends FilePath>(path: P, ...asked: Asked<OfGet<P>>): Promise<Blob>;
  /** Every entry of a list, the newest first. The next page is asked for when the loop gets there. */
  list<P extends ListPath>(path: P, ...asked: Asked<OfGet<P>>): AsyncGenerator<Entry<OfGet<P>>, void>;
};

/** What any call may be asked with; the types above say which of it. */
type AnyAsked = Patience & {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
};

const withKey = new RegExp(`^(?:${takesKey.join("|").replaceAll(/\{\w+\}/g, "[^/]+")})$`);

/** What an entry of a list is called: links have a slug, customers an email, all others an id. */
type Page = { data: { id?: string; slug?: string; email?: string }[]; has_more: boolean };

/**
 * A client of the Till at `baseUrl`. A call returns what Till answers, or throws a TillError.
 *
 * ```ts
 * const till = createTill({ baseUrl: "https://pay.example", apiKey: process.env.TILL_API_KEY });
 * const invoice = await till.get("/api/invoices/{id}", { path: { id: "INV-0042" } });
 * ```
 */
export function createTill({ baseUrl, apiKey, fetch: own, ...patience }: TillOptions): Till {
  const base = baseOf(baseUrl);
  // What fetch says of a wrong header repeats it.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("apiKey is not one of Till's");

  const does =
    (method: string, accept = "application/json", read: Read<unknown> = jsonOf) =>
    async (path: string, { path: values, query, body, idempotencyKey: given, ...asked }: AnyAsked = {}) => {
      const call = `${method} ${path}`;
      const url = base + filled(path, values) + queryOf(query);
      const headers = new Headers({ accept });
      if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
      if (body !== undefined) headers.set("content-type", "application/json");
      const idempotencyKey = withKey.test(call) ? (given ?? crypto.randomUUID()) : null;
      // A newer Till may take one where this client knows of none.
      const key = given ?? idempotencyKey;
      if (key !== null) headers.set("idempotency-key", key);
      const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
      const fetchBy: Sending["fetch"] = (url, init) => (own ?? fetch)(url, init);
      return send({ ...patience, ...asked, fetch: fetchBy, call, url, init, idempotencyKey }, read);
    };
  const get = does("GET");

  async function* list(path: string, asked: AnyAsked = {}): AsyncGenerator<unknown, void> {
    let query: Record<string, unknown> = { limit: 100, ...asked.query };
    for (;;) {
      const { data, has_more } = (await get(path, { ...asked, query })) as Page;
      if (!Array.isArray(data)) throw new TillError(`GET ${path}`, "unreadable", "The answer is no list.");
      yield* data;
      if (!has_more) return;
      const last = data.at(-1);
      const after = last?.id ?? last?.slug ?? last?.email;
      if (after === undefined || after === query["starting_after"])
        throw new TillError(`GET ${path}`, "unreadable", "There is more, but not after the last entry.");
      query = { ...query, starting_after: after };
    }
  }
  const [post, put, patch] = [does("POST"), does("PUT"), does("PATCH")];
  const file = does("GET", "*/*", blobOf);
  // Its types come from Till's description of its calls.
  return { get, post, put, patch, delete: does("DELETE"), file, list } as unknown as Till;
}

function baseOf(baseUrl: string): string {
  const { protocol, origin, pathname, href } = new URL(baseUrl);
  // What fetch says of a wrong URL repeats the password in it.
  if (!/^https?:$/.test(protocol) || origin + pathname !== href)
    throw new TypeError("baseUrl must be where Till is, such as https://pay.example");
  return href.replace(/\/+$/, "");
}

/** Puts values into `/api/invoices/{id}`. Throws for those that would make it the path of something else. */
function filled(path: string, values: Record<string, string> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value !== "string" || /^\.{0,2}$/.test(value))
      throw new TypeError(`path.${name} must be a text, and neither empty nor dots`);
    return encodeURIComponent(value);
  });
}

function queryOf(values: Record<string, unknown> = {}): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given as [string, string][])}`;
}

async function jsonOf(response: Response, call: string): Promise<unknown> {
  const value = parsed(await response.text());
  if (typeof value === "object" && value !== null) return value;
  const detail = "The answer is no JSON object. Check that baseUrl is exactly that of Till.";
  throw new TillError(call, "unreadable", detail, { status: response.status });
}

const blobOf: Read<Blob> = async ({ body, headers }, _, heard) => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of body ?? []) {
    heard();
    parts.push(part);
  }
  return new Blob(parts, { type: headers.get("content-type") ?? "" });
};
