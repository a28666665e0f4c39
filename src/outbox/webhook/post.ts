import type { ClientRequest, IncomingMessage } from "node:http";
import { hostOf, mayBePublic } from "../../domain/event/webhook-url.ts";
import { isCertificateCode } from "../../lib/error.ts";
import { NoAddressError, PrivateAddressError, publicLookup } from "../../lib/net/address-guard.ts";
import { type Timer, world } from "../../lib/world.ts";

/** Time limit of a whole delivery: lookup, connection, TLS, headers and body. */
export const limitMsDefault = 15_000;

/** How much of an answer's body to read, and for how long, before closing the connection. */
const answerBytesMax = 64 * 1_024;
const answerBodyMsMax = 1_000;

/** `durationMs` runs until the answer's status line, or the failure. */
export type DeliveryOutcome =
  | { kind: "acknowledged"; httpStatus: number; durationMs: number }
  | { kind: "gone"; httpStatus: 410; durationMs: number }
  | {
      kind: "failed";
      httpStatus: number | null;
      reason: string;
      durationMs: number;
      /** For the operator, if a merchant must not learn as much. */
      detail?: string;
    };

/** Returns why a delivery failed; null if it was acknowledged. */
export function failureOf(outcome: DeliveryOutcome): string | null {
  if (outcome.kind === "failed") return outcome.reason;
  return outcome.kind === "gone" ? "answered 410 Gone" : null;
}

export type WebhookRequest = {
  /** As returned by `checkWebhookUrl`. */
  url: string;
  /** The signature headers. */
  headers: Record<string, string>;
  /** Sent byte for byte; a string as UTF-8. */
  body: Uint8Array | string;
  /** Refuses to connect to any address that is not on the public Internet. */
  publicOnly: boolean;
  /** Aborts at once when the service stops. */
  signal?: AbortSignal;
  limitMs?: number;
};

/**
 * Posts one webhook event once and returns the outcome. External failures are outcomes, never exceptions. The status
 * line decides; a little of the body is read, so that an ordinary receiver can finish writing. The connection is closed
 * when the promise resolves.
 */
export function postEvent(delivery: WebhookRequest): Promise<DeliveryOutcome> {
  const { publicOnly, signal, limitMs = limitMsDefault } = delivery;
  const startedAt = world.uptime();
  const durationMs = () => Math.round(world.uptime() - startedAt);
  const failed = (reason: string): DeliveryOutcome => {
    return { kind: "failed", httpStatus: null, reason, durationMs: durationMs() };
  };

  const failedWith = (error: unknown): DeliveryOutcome => {
    const reason = reasonOf(error);
    if (!publicOnly || !isAboutAddress(error)) return failed(reason);
    // The duration would reveal how long the lookup took.
    return {
      kind: "failed",
      httpStatus: null,
      reason: noPublicAddress,
      durationMs: 0,
      detail: reason,
    };
  };

  const url = new URL(delivery.url);
  if (signal?.aborted) return Promise.resolve(failed("stopped before it was sent"));
  if (publicOnly && !mayBePublic(hostOf(url))) {
    return Promise.resolve(failedWith(new PrivateAddressError(hostOf(url))));
  }

  return new Promise((resolve) => {
    let decided: DeliveryOutcome | undefined;
    let drainTimer: Timer | undefined;
    const request = start(url, delivery);

    // Does not wait for events after `destroy`: an upgraded connection emits none.
    const finish = (outcome: DeliveryOutcome) => {
      world.clearTimeout(limitTimer);
      world.clearTimeout(drainTimer);
      signal?.removeEventListener("abort", stop);
      request.destroy();
      resolve(decided ?? outcome);
    };
    const stop = () => finish(failed("stopped before an answer came"));
    const limitTimer = world.setTimeout(
      () => finish(failed(`no answer within ${limitMs / 1_000} s`)),
      limitMs,
    );
    signal?.addEventListener("abort", stop, { once: true });

    request.on("error", (error) => finish(failedWith(error)));
    request.on("close", () => finish(failed("the connection was closed before an answer came")));
    request.on("upgrade", (answer, socket) => {
      socket.destroy();
      finish(outcomeOf(answer, durationMs()));
    });
    request.on("response", (answer) => {
      const outcome = outcomeOf(answer, durationMs());
      decided = outcome;
      drainTimer = world.setTimeout(() => finish(outcome), answerBodyMsMax);
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > answerBytesMax) finish(outcome);
      });
      answer.on("end", () => finish(outcome));
      answer.on("error", () => finish(outcome));
    });
    request.end(bytesOf(delivery.body));
  });
}

function start(url: URL, { headers, body, publicOnly }: WebhookRequest): ClientRequest {
  return world.request(url, {
    method: "POST",
    agent: false,
    // Explicit, because an environment variable could turn the check off for the whole process.
    rejectUnauthorized: true,
    ...(publicOnly ? { lookup: publicLookup() } : {}),
    headers: {
      ...headers,
      "Content-Type": "application/json",
      "Content-Length": bytesOf(body).length,
      "User-Agent": "Till",
      Accept: "*/*",
      "Accept-Encoding": "identity",
      Connection: "close",
    },
  });
}

function outcomeOf(answer: IncomingMessage, durationMs: number): DeliveryOutcome {
  const httpStatus = answer.statusCode ?? 0;
  if (httpStatus >= 200 && httpStatus < 300) return { kind: "acknowledged", httpStatus, durationMs };
  if (httpStatus === 410) return { kind: "gone", httpStatus, durationMs };
  return { kind: "failed", httpStatus, reason: reasonOfStatus(httpStatus), durationMs };
}

function bytesOf(body: Uint8Array | string): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

/** Maximum length of a reason, in characters: the names in a certificate come from outside and may be of any length. */
const reasonLengthMax = 300;

const sentences: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was closed before an answer came",
  EPIPE: "the connection was closed before an answer came",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host's network cannot be reached",
  EADDRNOTAVAIL: "the host cannot be reached",
  ETIMEDOUT: "the host did not accept the connection in time",
  ENOTFOUND: "host name not found",
  ENODATA: "host name not found",
  EAI_AGAIN: "the host name could not be looked up for now",
  ETIMEOUT: "the host name could not be looked up for now",
  HPE_HEADER_OVERFLOW: "the answer's headers are too long",
};

/** A status other than 2xx and 410, explained to a merchant. */
function reasonOfStatus(httpStatus: number): string {
  const redirect = httpStatus >= 300 && httpStatus < 400 && httpStatus !== 304;
  return redirect ? `answered ${httpStatus}; redirects are not followed` : `answered ${httpStatus}`;
}

/** A failed request's error as a sentence that a merchant can act on. It never contains what was sent. */
function reasonOf(error: unknown): string {
  return clean(sentence(error));
}

/**
 * The same sentence however a name fails to lead to a public address: whether it exists inside the operator's network
 * is not the merchant's business.
 */
const noPublicAddress =
  "the host is not a public address, or its name was not found: webhooks are sent to public addresses only";

/** Returns whether the request ended before connecting to any address. */
function isAboutAddress(error: unknown): boolean {
  if (error instanceof PrivateAddressError || error instanceof NoAddressError) return true;
  return error instanceof Error && "syscall" in error && /^(getaddrinfo|query)/.test(String(error.syscall));
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return "the request failed";
  if (error instanceof PrivateAddressError || error instanceof NoAddressError) return error.message;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const text = sentences[code];
  if (text) return text;
  if (code.startsWith("HPE_")) return "the answer is not valid HTTP";
  if (isCertificateCode(code)) return `the certificate is not valid: ${error.message}`;
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") return `no TLS connection could be made (${code})`;
  return code === "" ? "the request failed" : `the request failed (${code})`;
}

function clean(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, " ");
  return line.length > reasonLengthMax ? `${line.slice(0, reasonLengthMax - 1)}…` : line;
}
