import { isCertificateCode } from "../../lib/error.ts";
import { NoAddressError, PrivateAddressError } from "./address-guard.ts";

/** Longest reason, in characters: the names in a certificate come from outside and may be of any length. */
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
export function ofStatus(httpStatus: number): string {
  const redirect = httpStatus >= 300 && httpStatus < 400 && httpStatus !== 304;
  return redirect ? `answered ${httpStatus}; redirects are not followed` : `answered ${httpStatus}`;
}

/** A failed request's error as a sentence that a merchant can act on. It never contains what was sent. */
export function ofError(error: unknown): string {
  return clean(sentence(error));
}

/**
 * The same sentence however a name leads to no public address: whether it exists inside the operator's network is not
 * the merchant's business.
 */
export const noPublicAddress =
  "the host is not a public address, or its name was not found: webhooks are sent to public addresses only";

/** Whether the request ended before connecting to any address. */
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
