import { isCertificateCode } from "../../lib/error.ts";
import { NoAddressError, PrivateAddressError } from "./address-guard.ts";

/** Longest reason, in characters: a certificate's names come from outside and can be of any length. */
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

/** What a status other than 2xx and 410 means to a merchant. */
export function ofStatus(httpStatus: number): string {
  const redirect = httpStatus >= 300 && httpStatus < 400 && httpStatus !== 304;
  return redirect ? `answered ${httpStatus}; redirects are not followed` : `answered ${httpStatus}`;
}

/** A sentence that a merchant can act on, from what a request failed with. It never carries what was sent. */
export function ofError(error: unknown): string {
  return clean(sentence(error));
}

/**
 * What a merchant is told, whichever way a name leads to no public address: whether it exists inside the operator's
 * network is not theirs to know.
 */
export const noPublicAddress =
  "the host is not a public address, or its name was not found: webhooks are sent to public addresses only";

/** Whether the request ended before any address was connected to. */
export function isAboutAddress(error: unknown): boolean {
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
