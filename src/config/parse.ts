/** Readers of settings. Each returns undefined for a text that it does not take. */
import type { Confirmations } from "../domain/payment/block.ts";
import { isIpAddress } from "../lib/net/host.ts";
import { alternatives } from "../lib/text/english.ts";

export function flag(text: string): boolean | undefined {
  if (text === "true") return true;
  return text === "false" ? false : undefined;
}

/** Reads a flag, and names what it takes. */
export const flagRow = { parse: flag, wants: '"true" or "false"' };

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number) {
  return (text: string): number | undefined =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
}

/** When a payment counts: `10s`, a number of blocks, or what a node calls its blocks. */
export function confirmationsOf(text: string): Confirmations | undefined {
  if (text === "safe" || text === "finalized") return text;
  const seconds = text.endsWith("s") ? integer(1, 3_600)(text.slice(0, -1)) : undefined;
  return seconds === undefined ? integer(1, 10_000)(text) : { ms: seconds * 1_000 };
}

/** Reads one of these texts, and names them. */
export const oneOf = <const T extends string>(values: readonly T[]) => ({
  parse: (text: string): T | undefined => values.find((value) => value === text),
  wants: alternatives(values.map((value) => `"${value}"`)),
});

/** The same for a whole number. */
export const numberFrom = (min: number, max: number) => ({
  parse: integer(min, max),
  wants: `a number from ${min} to ${max}`,
});

/** An IP address or the name of a host. */
export function hostName(text: string): string | undefined {
  if (isIpAddress(text)) return text.includes("%") ? undefined : text;
  // A URL's host turns `127.1` and `0` into the addresses that systems take them for.
  const isName =
    /^\w[\w-]*(\.\w[\w-]*)*$/.test(text) && URL.parse(`http://${text}`)?.hostname === text.toLowerCase();
  return isName ? text : undefined;
}

/** One URL with a host and one of these protocols, as it was written; a comma would begin another. */
export function url(protocols: readonly string[]) {
  return (text: string): string | undefined => {
    const parsed = URL.parse(text);
    const isOne = parsed !== null && protocols.includes(parsed.protocol) && /^[^,]+$/.test(parsed.host);
    return isOne ? text : undefined;
  };
}

const smtpFlags = ["requireTLS", "ignoreTLS", "tls.rejectUnauthorized"];

/** A mail server. What would be passed over in its query is refused: somebody may have meant it to encrypt. */
export function smtpUrl(text: string): string | undefined {
  const parsed = url(["smtp:", "smtps:"])(text);
  const query = [...(URL.parse(text)?.searchParams ?? [])];
  const isKnown = query.every(([name, value]) =>
    smtpFlags.includes(name) ? flag(value) !== undefined : name === "name" && value !== "",
  );
  return isKnown ? parsed : undefined;
}

/** At least one of them, separated by commas; each once, as one that stands twice cannot vouch for itself. */
export function urls(protocols: readonly string[]) {
  return (text: string): string[] | undefined => {
    const entries = text.split(",").flatMap((entry) => entry.trim() || []);
    if (entries.length === 0 || !entries.every(url(protocols))) return undefined;
    return [...new Map(entries.map((entry) => [new URL(entry).href, entry])).values()];
  };
}

/** The origin of an http(s) URL that has nothing else. */
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

/** A decimal number in units of ten to the power of minus `digits`: with 18, ETH in wei. */
export function decimal(digits: number) {
  return (text: string): bigint | undefined => {
    const [, whole = "", fraction = ""] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text) ?? [];
    if (whole === "" || fraction.length > digits) return undefined;
    return BigInt(whole + fraction.padEnd(digits, "0"));
  };
}
