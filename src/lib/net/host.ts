import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { world } from "../world.ts";

/** Returns whether a host name or IP literal (IPv6 with or without brackets) is this machine's loopback. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return (
    name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name)
  );
}

/** Returns whether binding this address means all addresses of the machine, so that it is no name to connect to. */
export function isEveryAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "[::]";
}

/** The URL for reaching a listener on `host` from this machine. */
export function localUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Returns a free port of `host`: `wanted`, or any for 0. Throws the system's error if there is none. */
export function freePort(host: string, wanted = 0): number {
  const probe = world.listen({ hostname: host, port: wanted, exclusive: true, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

/** All of publicly routed IPv6 today (RFC 4291): ranges reserved for later have no hosts either. */
const globalV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Azure's host agent: a public address that only its own guests reach. */
const azureAgent = "168.63.129.16";

/** Returns whether the text is an IPv4 or IPv6 address, without brackets. */
export function isIpAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/**
 * Returns whether an IPv4 or IPv6 address (no brackets) can only be a host on the public Internet, according to the
 * IANA special-purpose registries (RFC 6890 and its updates). False for anything that is not an address, for addresses
 * with a zone, and for IPv4 embedded in IPv6 in any form.
 */
export function isPublicAddress(ip: string): boolean {
  if (!isIpAddress(ip) || ip.includes("%")) return false;
  const address = ipaddr.parse(ip);
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv6 ? address.match(globalV6) : ip !== azureAgent;
}

/** The widest ranges of a single organisation: RFC 791's class A, and RFC 4193's private addresses. */
const widestBits = { ipv4: 8, ipv6: 7 };

/** A set of single addresses and ranges. */
export type IpRanges = {
  has(ip: string): boolean;
  /** Whether one of the ranges is wider than any organisation's. */
  isTooWide: boolean;
};

/** Parses `"10.0.0.0/8, ::1"`: addresses and ranges (RFC 4632) with commas. Undefined if it contains anything else. */
export function parseIpRanges(text: string): IpRanges | undefined {
  const entries = text.split(",").map((part) => part.trim());
  if (!entries.every((entry) => isIpAddress(entry) || isRange(entry))) return undefined;
  const listed = entries.map((entry) =>
    ipaddr.parseCIDR(entry.includes("/") ? entry : `${entry}/${isIP(entry) === 4 ? 32 : 128}`),
  );
  const isTooWide = listed.some(([address, bits]) => bits < widestBits[address.kind()]);
  return {
    isTooWide,
    has: (ip) => isIpAddress(ip) && ipaddr.subnetMatch(ipaddr.parse(ip), { listed }) === "listed",
  };
}

function isRange(text: string): boolean {
  const [address = "", bits = ""] = text.split("/", 2);
  return isIpAddress(address) && /^\d{1,3}$/.test(bits) && ipaddr.isValidCIDR(text);
}

/**
 * Normalises an address for comparison: IPv4 embedded in IPv6 (`::ffff:1.2.3.4`) becomes IPv4. Null if it is not an
 * address.
 */
export function plainIp(text: string): string | null {
  const version = isIP(text);
  if (version === 4) return text;
  return version === 0 ? null : ipaddr.process(text.replace(/%.*$/s, "")).toString();
}

/**
 * The part of an address that identifies its owner: all of an IPv4 address, the first 64 bits of an IPv6 address, as
 * its owner chooses the rest (RFC 6177). Takes the result of `plainIp`.
 */
export function ipOwner(ip: string): string {
  if (!ip.includes(":")) return ip;
  const network = ipaddr.IPv6.parse(ip).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(":")}::/64`;
}

/** The /48 around an IPv6 result of `ipOwner`, which one customer can have entirely and for free. Null otherwise. */
export function ipSite(owner: string): string | null {
  const [, site] = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/.exec(owner) ?? [];
  return site === undefined ? null : `${site}:/48`;
}
