/** Parsers of settings. Each returns undefined for an invalid text. */
import type { Confirmations } from "../domain/payment/block.ts";
import { isIpAddress } from "../lib/net/host.ts";
import { alternatives } from "../lib/text/english.ts";

export function flag(text: string): boolean | undefined {
  if (text === "true") return true;
  return text === "false" ? false : undefined;
}

/** Parses a flag, with a description of valid values. */
export const flagRow = { parse: flag, wants: '"true" or "false"' };

/** Parses a whole number from `min` to `max`. */
export function integer(min: number, max: number) {
  return (text: string): number | undefined =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
}

/** Parses when a payment counts: `10s`, a number of blocks, or a block tag. */
export function confirmationsOf(text: string): Confirmations | undefined {
  if (text === "safe" || text === "finalized") return text;
  const seconds = text.endsWith("s") ? integer(1, 3_600)(text.slice(0, -1)) : undefined;
  return seconds === undefined ? integer(1, 10_000)(text) : { ms: seconds * 1_000 };
}

/** Parses one of these texts, with a description of valid values. */
export const oneOf = <const T extends string>(values: readonly T[]) => ({
  parse: (text: string): T | undefined => values.find((value) => value === text),
  wants: alternatives(values.map((value) => `"${value}"`)),
});

/** The same for a whole number. */
export const numberFrom = (min: number, max: number) => ({
  parse: integer(min, max),
  wants: `a number from ${min} to ${max}`,
});

/** Parses an IP address or a host name. */
export function hostName(text: string): string | undefined {
  if (isIpAddress(text)) return text.includes("%") ? undefined : text;
  // A URL's host turns `127.1` and `0` into the addresses that systems take them for.
  const isName =
    /^\w[\w-]*(\.\w[\w-]*)*$/.test(text) && URL.parse(`http://${text}`)?.hostname === text.toLowerCase();
  return isName ? text : undefined;
}

/** Parses one URL with a host and one of these protocols, as it was written; a comma would begin another. */
export function url(protocols: readonly string[]) {
  return (text: string): string | undefined => {
    const parsed = URL.parse(text);
    const isOne = parsed !== null && protocols.includes(parsed.protocol) && /^[^,]+$/.test(parsed.host);
    return isOne ? text : undefined;
  };
}

const smtpFlags = ["requireTLS", "ignoreTLS", "tls.rejectUnauthorized"];

/**
 * Parses the URL of a mail server. Query parameters that would be ignored are refused, as somebody may rely on one for
 * encryption.
 */
export function smtpUrl(text: string): string | undefined {
  const parsed = url(["smtp:", "smtps:"])(text);
  const query = [...(URL.parse(text)?.searchParams ?? [])];
  const isKnown = query.every(([name, value]) =>
    smtpFlags.includes(name) ? flag(value) !== undefined : name === "name" && value !== "",
  );
  return isKnown ? parsed : undefined;
}

/** Parses at least one of them, separated by commas, without duplicates, as a repeated node cannot vouch for itself. */
export function urls(protocols: readonly string[]) {
  return (text: string): string[] | undefined => {
    const entries = text.split(",").flatMap((entry) => entry.trim() || []);
    if (entries.length === 0 || !entries.every(url(protocols))) return undefined;
    return [...new Map(entries.map((entry) => [new URL(entry).href, entry])).values()];
  };
}

/** Parses the origin of an http(s) URL that has nothing else. */
export function originOf(text: string): string | undefined {
  if (!url(["http:", "https:"])(text)) return undefined;
  const { pathname, search, hash, username, origin } = new URL(text);
  return pathname === "/" && !search && !hash && !username ? origin : undefined;
}

export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Parses a decimal number in units of ten to the power of minus `digits`: with 18, ETH in wei. */
export function decimal(digits: number) {
  return (text: string): bigint | undefined => {
    const [, whole = "", fraction = ""] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text) ?? [];
    if (whole === "" || fraction.length > digits) return undefined;
    return BigInt(whole + fraction.padEnd(digits, "0"));
  };
}
