import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { hostOf, mayBePublic } from "../../domain/event/webhook-url.ts";
import { PrivateAddressError, publicLookup } from "./address-guard.ts";
import * as Reason from "./reason.ts";

/** The limit for one whole delivery: look-up, connection, TLS, headers and body. */
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
      /** For the operator, where a merchant must not learn as much. */
      detail?: string;
    };

export type WebhookRequest = {
  /** As returned by `checkWebhookUrl`. */
  url: string;
  /** The signature headers. */
  headers: Record<string, string>;
  /** Sent byte for byte; a string as UTF-8. */
  body: Uint8Array | string;
  /** Refuse to connect to any address that is not on the public internet. */
  publicOnly: boolean;
  /** Gives up at once when the service stops. */
  signal?: AbortSignal;
  limitMs?: number;
};

/**
 * Posts one webhook event once and returns the outcome. Whatever happens outside is an outcome, never an exception. The
 * status line decides; a little of the body is read, so that an ordinary receiver can finish writing. The connection is
 * closed when the promise resolves.
 */
export function postEvent(delivery: WebhookRequest): Promise<DeliveryOutcome> {
  const { publicOnly, signal, limitMs = limitMsDefault } = delivery;
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  const failed = (reason: string): DeliveryOutcome => {
    return { kind: "failed", httpStatus: null, reason, durationMs: durationMs() };
  };

  const failedWith = (error: unknown): DeliveryOutcome => {
    const reason = Reason.ofError(error);
    if (!publicOnly || !Reason.isAboutAddress(error)) return failed(reason);
    // Nor does it reveal how long the look-up took.
    return {
      kind: "failed",
      httpStatus: null,
      reason: Reason.noPublicAddress,
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
    let drainTimer: ReturnType<typeof setTimeout> | undefined;
    const request = start(url, delivery);

    // Wait for no event after `destroy`: a connection that was taken over emits none.
    const finish = (outcome: DeliveryOutcome) => {
      clearTimeout(limitTimer);
      clearTimeout(drainTimer);
      signal?.removeEventListener("abort", stop);
      request.destroy();
      resolve(decided ?? outcome);
    };
    const stop = () => finish(failed("stopped before an answer came"));
    const limitTimer = setTimeout(() => finish(failed(`no answer within ${limitMs / 1_000} s`)), limitMs);
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
      drainTimer = setTimeout(() => finish(outcome), answerBodyMsMax);
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
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return send(url, {
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
  return { kind: "failed", httpStatus, reason: Reason.ofStatus(httpStatus), durationMs };
}

function bytesOf(body: Uint8Array | string): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}
