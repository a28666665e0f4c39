import { isLoopbackHost } from "../../lib/net/host.ts";
import { type IpRanges, ipOwner, plainIp } from "../../lib/net/ip.ts";

type ClientRules = {
  isPublic: boolean;
  /** The proxies whose X-Forwarded-For is believed. */
  trustProxy: IpRanges | null;
};

/** Longer than any real chain of proxies. */
const hopsMax = 16;

/**
 * The client a request counts against: its address, or its /64 for IPv6. `peer` is the other end of the connection.
 * X-Forwarded-For is read from its end as long as the proxies before are trusted, so that the header alone gets nobody
 * counted elsewhere. Null when unknown: a public Till reached from its own machine has a proxy it was not told about,
 * and would count the whole world as one.
 */
export function clientOf(peer: string, forwardedFor: string | null, rules: ClientRules): string | null {
  const address = plainIp(peer);
  if (address === null) return null;
  if (rules.trustProxy === null) {
    return rules.isPublic && isLoopbackHost(address) ? null : ipOwner(address);
  }
  let client = address;
  const hops = (forwardedFor ?? "").split(",").slice(-hopsMax);
  while (rules.trustProxy.has(client)) {
    const hop = plainIp(withoutPort(hops.pop()?.trim() ?? ""));
    if (hop === null) break;
    client = hop;
  }
  return ipOwner(client);
}

/** Connections whose client to remember; longer headers than this are not remembered. */
const rememberedMax = 5_000;
const rememberedLengthMax = 100;

/** `clientOf` for a request's peer and headers, with a memory. */
export function createClientFinder(
  rules: ClientRules,
): (peer: string, request: Pick<Request, "headers">) => string | null {
  const remembered = new Map<string, string | null>();
  return (peer, request) => {
    // Reading a request's headers is what costs time.
    const forwardedFor = rules.trustProxy === null ? null : request.headers.get("x-forwarded-for");
    const key = forwardedFor === null ? peer : `${peer} ${forwardedFor}`;
    const cached = remembered.get(key);
    if (cached !== undefined) return cached;
    const client = clientOf(peer, forwardedFor, rules);
    if (remembered.size >= rememberedMax) remembered.clear();
    if (key.length <= rememberedLengthMax) remembered.set(key, client);
    return client;
  };
}

/** Some proxies add the port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function withoutPort(text: string): string {
  return text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
}
