import { type Finding, warning } from "../../domain/finding.ts";
import { type IpRanges, ipOwner, isLoopbackHost, plainIp } from "../../lib/net/host.ts";
import { pathOf } from "./guard.ts";

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
 * counted elsewhere.
 *
 * Null when unknown, and then no limit per address applies. A public Till reached from its own machine has a proxy it
 * was not told about. A trusted proxy may not say whom it asks for: `onSilent` gets its address. Counting it as a
 * client would count the whole world as one, so that a few payers an hour would keep all others from paying. It would
 * stop no attacker, because whoever has a trusted address can choose whom to count as.
 */
export function clientOf(
  peer: string,
  forwardedFor: string | null,
  rules: ClientRules,
  onSilent: (proxy: string) => void = () => {},
): string | null {
  const address = plainIp(peer);
  if (address === null) return null;
  if (rules.trustProxy === null) {
    return rules.isPublic && isLoopbackHost(address) ? null : ipOwner(address);
  }
  let client = address;
  const hops = (forwardedFor ?? "").split(",").slice(-hopsMax);
  const lastHop = hops.at(-1)?.trim() ?? "";
  while (rules.trustProxy.has(client)) {
    const hop = plainIp(withoutPort(hops.pop()?.trim() ?? ""));
    if (hop === null) break;
    client = hop;
  }
  if (client !== address || !rules.trustProxy.has(address)) return ipOwner(client);
  // A proxy beside Till that passes on the operator's own request names this machine.
  if (plainIp(withoutPort(lastHop)) === null) onSilent(address);
  return null;
}

/** Connections whose client to remember; longer headers than this are not remembered. */
const rememberedMax = 5_000;
const rememberedLengthMax = 100;

/** What the machine's own programs ask for, without a proxy: checks of health, and figures. */
const askedLocally = /^\/(health\/|metrics$)/;

/** Whether a request may well have come without the proxy: with a key, or for a check of health. */
const isMachines = (request: Pick<Request, "headers" | "url">) =>
  request.headers.has("authorization") || askedLocally.test(pathOf(request.url) ?? "");

/** So many requests in a row are not one visitor who sends X-Forwarded-For for fun. */
const forwardedMin = 20;

export type ProxyWatch = ReturnType<typeof createProxyWatch>;

/** Finds a proxy that nobody named: all requests bring an X-Forwarded-For, and none is believed. */
export function createProxyWatch({ trustProxy }: Pick<ClientRules, "trustProxy">) {
  let [unbelieved, proxy] = [0, ""];
  return {
    saw(peer: string, forwardedFor: string | null, request: Pick<Request, "headers" | "url">): void {
      if (forwardedFor === null && unbelieved === 0) return;
      const address = plainIp(peer);
      if (address === null) return;
      if (forwardedFor !== null && !trustProxy?.has(address)) [unbelieved, proxy] = [unbelieved + 1, address];
      // What the operator asks for on the machine itself tells nothing.
      else if (forwardedFor !== null || !(isLoopbackHost(address) || isMachines(request))) unbelieved = 0;
    },
    warnings: (): Finding[] =>
      unbelieved < forwardedMin
        ? []
        : [
            warning(
              "proxy",
              `every request brings an X-Forwarded-For that Till does not believe, the last one from ${proxy}: so clients ` +
                "cannot be told apart, and limits per address hold for all as one or for none. If that is your reverse " +
                "proxy, name it in TILL_TRUST_PROXY",
            ),
          ],
  };
}

/**
 * `clientOf` for a request's peer and headers, with a memory. Tells `onSilent` of the first trusted proxy that does not
 * say whom it asks for, unless the request may well have come without it.
 */
export function createClientFinder(
  rules: ClientRules,
  watch: Pick<ProxyWatch, "saw">,
  onSilent: (proxy: string) => void,
): (peer: string, request: Pick<Request, "headers" | "url">) => string | null {
  const remembered = new Map<string, string>();
  let isTold = false;
  return (peer, request) => {
    const said = request.headers.get("x-forwarded-for");
    watch.saw(peer, said, request);
    const forwardedFor = rules.trustProxy === null ? null : said;
    const key = forwardedFor === null ? peer : `${peer} ${forwardedFor}`;
    const cached = remembered.get(key);
    if (cached !== undefined) return cached;
    const client = clientOf(peer, forwardedFor, rules, (proxy) => {
      if (isTold || isMachines(request)) return;
      isTold = true;
      onSilent(proxy);
    });
    if (client === null) return null;
    if (remembered.size >= rememberedMax) remembered.clear();
    if (key.length <= rememberedLengthMax) remembered.set(key, client);
    return client;
  };
}

/** Some proxies add the port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function withoutPort(text: string): string {
  return text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
}
