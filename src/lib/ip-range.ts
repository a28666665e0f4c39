import { BlockList, isIP } from "node:net";

/** Which addresses: single ones and ranges. */
export type IpRanges = { has(ip: string): boolean };

/** Reads `"10.0.0.0/8, ::1"`: addresses and ranges (RFC 4632) with commas. Undefined when it holds anything else. */
export function parseIpRanges(text: string): IpRanges | undefined {
  const list = new BlockList();
  for (const entry of text.split(",").map((part) => part.trim())) {
    const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const version = isIP(address);
    if (version === 0) return undefined;
    const family = version === 4 ? "ipv4" : "ipv6";
    const bitsMax = version === 4 ? 32 : 128;
    const bits = prefix === undefined ? bitsMax : Number(prefix);
    if (bits > bitsMax) return undefined;
    list.addSubnet(address, bits, family);
  }
  return { has: (ip) => isIP(ip) !== 0 && list.check(ip, isIP(ip) === 4 ? "ipv4" : "ipv6") };
}

/** An address as it is compared: IPv4 that is written inside IPv6 (`::ffff:1.2.3.4`) as IPv4. Null when it is none. */
export function plainIp(text: string): string | null {
  const version = isIP(text);
  if (version === 4) return text;
  if (version === 0) return null;
  const hostname = new URL(`http://[${text.replace(/%.*$/s, "")}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
}

/**
 * Whose address it is: an IPv4 address stands for itself, of an IPv6 address the first 64 bits, because the rest is
 * its owner's to choose (RFC 6177). Takes what `plainIp` returns.
 */
export function ipOwner(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? 0 : tail.split(":").length;
    while (groups.length + after < 8 && groups.length < 4) groups.push("0");
  }
  return `${[...groups, ...(tail?.split(":") ?? [])].slice(0, 4).join(":")}::/64`;
}
