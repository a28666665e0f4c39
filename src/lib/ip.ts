import { BlockList, isIP } from "node:net";

/**
 * Which IP addresses belong to the public Internet. The tables follow the IANA special-purpose registries
 * (RFC 6890 and its updates), rounded towards "not public" where a registry has exceptions inside a block.
 */

const notPublicV4 = subnets("ipv4", [
  ["0.0.0.0", 8], // "this network" and the unspecified address, RFC 791
  ["10.0.0.0", 8], // private, RFC 1918
  ["100.64.0.0", 10], // carrier-grade NAT, RFC 6598
  ["127.0.0.0", 8], // loopback, RFC 1122
  ["168.63.129.16", 32], // Azure's host agent: a public number that only its own guests reach
  ["169.254.0.0", 16], // link-local, where clouds serve their metadata, RFC 3927
  ["172.16.0.0", 12], // private, RFC 1918
  ["192.0.0.0", 24], // protocol assignments, RFC 6890
  ["192.0.2.0", 24], // documentation, RFC 5737
  ["192.88.99.0", 24], // 6to4 relays, RFC 7526
  ["192.168.0.0", 16], // private, RFC 1918
  ["198.18.0.0", 15], // benchmarking, RFC 2544
  ["198.51.100.0", 24], // documentation, RFC 5737
  ["203.0.113.0", 24], // documentation, RFC 5737
  ["224.0.0.0", 4], // multicast, RFC 5771
  ["240.0.0.0", 4], // reserved, and the broadcast address, RFC 1112
]);

/**
 * All of IPv6 that is routed publicly today (RFC 4291). Everything outside needs no line of its own:
 * unspecified, loopback, IPv4-mapped and -compatible, NAT64 (64:ff9b::/96 and 64:ff9b:1::/48), discard-only,
 * segment routing, unique local, link-local, site-local and multicast.
 */
const globalV6 = subnets("ipv6", [["2000::", 3]]);

const notPublicV6 = subnets("ipv6", [
  ["2001::", 23], // protocol assignments: Teredo, benchmarking, ORCHID, RFC 2928
  ["2001:db8::", 32], // documentation, RFC 3849
  ["2002::", 16], // 6to4 carries any IPv4 address inside, RFC 3056
  ["3fff::", 20], // documentation, RFC 9637
]);

/** Whether the text is an IPv4 or IPv6 address, without brackets. */
export function isIpAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/**
 * Whether an IPv4 or IPv6 address (no brackets) can only be a host on the public Internet. False for anything
 * that is not an address, for addresses with a zone, and for IPv4 written inside IPv6 in any way.
 */
export function isPublicAddress(ip: string): boolean {
  if (ip.includes("%")) return false;
  switch (isIP(ip)) {
    case 4:
      return !notPublicV4.check(ip, "ipv4");
    case 6:
      return globalV6.check(ip, "ipv6") && !notPublicV6.check(ip, "ipv6");
    default:
      return false;
  }
}

function subnets(family: "ipv4" | "ipv6", rows: [network: string, prefixBits: number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefixBits] of rows) list.addSubnet(network, prefixBits, family);
  return list;
}
