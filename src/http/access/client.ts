import { isLoopbackHost } from "../../lib/net/host.ts";
import { type IpRanges, ipOwner, plainIp } from "../../lib/net/ip.ts";

type ClientRules = {
  isPublic: boolean;
  /** The proxies whose X-Forwarded-For is believed. */
  trustProxy: IpRanges | null;
};

/** Nobody has more proxies in a row; a longer list was made up. */
const hopsMax = 16;

/**
 * Whom a request counts for: an address, or of IPv6 the /64. `peer` is the address at the other end of the connection.
 * X-Forwarded-For is read from its end for as long as the proxies before are trusted, so that nobody can put themselves
 * elsewhere by sending the header. Null when it cannot be known: a public Till that is reached from its own machine is
 * behind a proxy that it was not told of, and all the world would count as one.
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

/** The addresses of this many connections are worked out once; longer headers than this are not remembered. */
const rememberedMax = 5_000;
const rememberedLengthMax = 100;

/** `clientOf` for the peer and the headers of a request; it remembers what it found. */
export function createClientFinder(
  rules: ClientRules,
): (peer: string, request: Pick<Request, "headers">) => string | null {
  const remembered = new Map<string, string | null>();
  return (peer, request) => {
    // A request's headers cost something as soon as they are looked at.
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

/** Some proxies write the port too: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function withoutPort(text: string): string {
  return text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
}
