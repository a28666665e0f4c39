import { settings } from "../../config/settings.ts";
import type { SaidFault } from "../../language/faults.ts";
import { messageOf } from "../../lib/error.ts";
import { localUrl } from "../../lib/net/host.ts";
import { UsageError } from "../command.ts";
import { runningDev } from "../local/data-dir.ts";
import { patiently } from "../terminal/output.ts";

/** Talks to a running Till. The key goes into one header of requests to that Till, and nowhere else. */

const requestTimeoutMs = 10_000;

/** Resending an invoice's mail waits for the mail server, up to 16 s. */
const writeTimeoutMs = 30_000;

/** Attempts at a write without a response: the Idempotency-Key makes repeating safe. */
const writeAttemptsMax = 3;
const repeatDelayMs = 1_000;

type ClientOptions = {
  /** The address that somebody entered. With a key to send, it must match TILL_BASE_URL. */
  origin?: string | null;
  writeTimeoutMs?: number;
};

/**
 * Creates a client for TILL_BASE_URL, or for a server at TILL_HOST and TILL_PORT, with TILL_API_KEY. Throws a
 * UsageError if one of them is unusable.
 */
export function createClient(environment: Record<string, string | undefined>, options: ClientOptions = {}) {
  const key = environment["TILL_API_KEY"]?.trim() || null;
  const baseUrl = chooseBaseUrl(configuredUrl(environment), options.origin ?? null, key !== null);
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError("TILL_API_KEY is not an API key. Make one with: till key create");
  }

  /** Returns the response and its body, parsed by `read`. Throws a NoAnswer unless it arrives completely. */
  async function send<T>(
    path: string,
    init: RequestInit,
    timeoutMs: number,
    read: (response: Response) => Promise<T>,
  ): Promise<{ response: Response; body: T }> {
    const headers = new Headers(init.headers);
    if (key !== null) headers.set("authorization", `Bearer ${key}`);
    try {
      const ends = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])];
      const signal = AbortSignal.any(ends);
      const answer = fetch(`${baseUrl}${path}`, { ...init, headers, redirect: "manual", signal });
      const response = await patiently(`Waiting for Till at ${baseUrl} to answer …`, answer);
      return { response, body: await read(response) };
    } catch (thrown) {
      throw new NoAnswer(baseUrl, thrown);
    }
  }

  async function ask<T extends object>(path: string, init: RequestInit, timeoutMs: number): Promise<T> {
    const { response, body } = await send<unknown>(path, init, timeoutMs, jsonOrNull);
    if (response.ok && typeof body === "object" && body !== null) return body as T;
    if (isOfGateway(response.status, body)) {
      throw new NoAnswer(baseUrl, new Error(`what stands in front of it answers ${response.status}`));
    }
    throw refusal(baseUrl, response, body, key !== null);
  }

  async function getPdf(path: string): Promise<Uint8Array> {
    const { response, body } = await send<unknown>(path, {}, requestTimeoutMs, (answer) =>
      answer.headers.get("content-type") === "application/pdf" ? answer.bytes() : jsonOrNull(answer),
    );
    if (body instanceof Uint8Array) return body;
    throw refusal(baseUrl, response, body, key !== null);
  }

  async function write<T extends object>(path: string, init: RequestInit, attempt: number): Promise<T> {
    try {
      return await ask<T>(path, init, options.writeTimeoutMs ?? writeTimeoutMs);
    } catch (thrown) {
      if (!(thrown instanceof NoAnswer) || thrown.nothingSent || attempt >= writeAttemptsMax) throw thrown;
      await Bun.sleep(repeatDelayMs);
      return await write<T>(path, init, attempt + 1);
    }
  }

  const writing =
    (method: "POST" | "PATCH" | "DELETE") =>
    <T extends object>(
      path: string,
      body?: unknown,
      idempotencyKey: string = crypto.randomUUID(),
    ): Promise<T> => {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = {
        "idempotency-key": idempotencyKey,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      };
      return write<T>(path, { method, headers, ...json }, 1);
    };

  const get = <T extends object>(path: string) => ask<T>(path, {}, requestTimeoutMs);
  return {
    /** No trailing slash. */
    baseUrl,
    /** Returns any response, read to its end by `read`. Throws a NoAnswer. */
    send,
    /** Reads. Throws a NoAnswer, a Refused, or a FieldsRefused for an invalid query. */
    get,
    /** Reads a PDF. Throws what `get` throws. */
    getPdf,
    /** Reads something that may not exist: null for 404. */
    async find<T extends object>(path: string): Promise<T | null> {
      try {
        return await get<T>(path);
      } catch (thrown) {
        if (thrown instanceof Refused && thrown.status === 404) return null;
        throw thrown;
      }
    },
    /** Writes once per key, however often it is sent; by default, once per call. Throws what `get` throws. */
    post: writing("POST"),
    patch: writing("PATCH"),
    delete: writing("DELETE"),
  };
}

export type Client = ReturnType<typeof createClient>;

/** Returns null if the body is not JSON. */
function jsonOrNull(response: Response): Promise<unknown> {
  return response.json().catch((thrown: unknown) => {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  });
}

/**
 * Returns a Till's base URL, without a trailing slash. Throws a UsageError that names `name`, but never a password in
 * the URL.
 */
export function parseBaseUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash;
  if (!isPlain || url.username || url.password) {
    throw new UsageError(
      `${name} must be an http or https URL without a path, such as https://pay.example.com.`,
    );
  }
  return url.origin;
}

function configuredUrl(environment: Record<string, string | undefined>): string {
  const read = (name: "BASE_URL" | "HOST" | "PORT") => environment[`TILL_${name}`]?.trim();
  const baseUrl = read("BASE_URL");
  if (baseUrl) return parseBaseUrl(baseUrl, "TILL_BASE_URL");
  const [host, port] = [read("HOST"), read("PORT")];
  // A key must only go to a Till that somebody chose.
  const dev = host || port || environment["TILL_API_KEY"] ? null : runningDev(environment);
  if (dev) return dev.base_url;
  return parseBaseUrl(
    localUrl(host || settings.HOST.default, Number(port || settings.PORT.default)),
    "http:// with TILL_HOST and TILL_PORT",
  );
}

function chooseBaseUrl(ours: string, origin: string | null, hasKey: boolean): string {
  if (origin === null || origin === ours) return ours;
  // The sender of a link must not receive the key.
  if (hasKey) {
    throw new UsageError(
      `this belongs to ${origin}, but TILL_API_KEY is for ${ours}: set TILL_BASE_URL to choose.`,
    );
  }
  return origin;
}

/** True if a reverse proxy reports a missing response, rather than Till an error. */
function isOfGateway(status: number, body: unknown): boolean {
  const isTills = typeof body === "object" && body !== null && ("code" in body || "reasons" in body);
  return (status === 502 || status === 503 || status === 504) && !isTills;
}

/** There was no response: nothing listens there, it took too long, or the connection broke. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  /** True if certainly nothing has reached Till. */
  readonly nothingSent: boolean;
  constructor(baseUrl: string, cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const nothingSent = code === "ConnectionRefused" || code === "ECONNREFUSED";
    const advice = nothingSent
      ? "Start one with till dev or till serve, or set TILL_BASE_URL to where it is."
      : "Is it healthy? Its address comes from TILL_BASE_URL.";
    super(`no Till answers at ${baseUrl} (${messageOf(cause).replace(/\.$/, "")}). ${advice}`);
    this.nothingSent = nothingSent;
  }
}

/** Till, or another server at its address, refused. */
export class Refused extends Error {
  override readonly name = "Refused";
  constructor(
    readonly status: number,
    message: string,
    /** Other problems to look at. */
    readonly warnings: readonly string[] = [],
  ) {
    super(message);
  }
}

/** Till rejected fields of the request. */
export class FieldsRefused extends UsageError {
  override readonly name = "FieldsRefused";
  constructor(readonly faults: readonly SaidFault[]) {
    super(
      ["the request was refused:", ...faults.map(({ field, message }) => `  ${field} ${message}`)].join("\n"),
    );
  }
}

function refusal(baseUrl: string, response: Response, body: unknown, hasKey: boolean): Error {
  const { status } = response;
  if (status >= 300 && status < 400) {
    const to = response.headers.get("location") ?? "nowhere";
    return new Refused(status, `${baseUrl} redirects to ${to}; set TILL_BASE_URL to where Till really is.`);
  }
  const { detail, code, errors, reasons, warnings } = (body ?? {}) as Record<string, unknown>;
  if (status === 401 && code === "key_required") {
    const why = hasKey ? "does not know the key in TILL_API_KEY" : "asks for an API key";
    const advice = "Make one on its machine with till key create, and set TILL_API_KEY to it.";
    return new Refused(status, `Till at ${baseUrl} ${why}. ${advice}`);
  }
  if (status === 400 && Array.isArray(errors) && errors.length > 0) {
    return new FieldsRefused(
      errors.map(({ field, message }) => ({ field: String(field), message: String(message) })),
    );
  }
  if (Array.isArray(reasons)) {
    const also = Array.isArray(warnings) ? warnings.map(String) : [];
    return new Refused(status, reasons.map(String).join("\n"), also);
  }
  if (typeof detail === "string") return new Refused(status, detail);
  return new Refused(
    status,
    `what answers at ${baseUrl} is not Till: it answered ${status}, without an error that Till would give.`,
  );
}
