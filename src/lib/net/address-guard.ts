import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "../../lib/net/host.ts";
import { world } from "../world.ts";

type Resolved = (error: Error | null, addresses: LookupAddress[]) => void;

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string, resolved: Resolved) => void;

/**
 * A `lookup` for `node:http` and `node:https` that allows requests to public addresses only. The name is resolved once
 * and the connection goes to one of the addresses checked here, so that a name cannot answer differently between check
 * and use. A single non-public address rejects them all, as an honest receiver has no such mix.
 *
 * Node never looks up a host that already is an address: check those before the request.
 */
export function publicLookup(resolve: Resolve = (host, done) => world.lookup(host, done)): LookupFunction {
  return (hostname, options, found) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return found(error ?? new NoAddressError(hostname), "");
      if (!addresses.every(({ address }) => isPublicAddress(address))) {
        return found(new PrivateAddressError(hostname), "");
      }
      if (options.all) return found(null, addresses);
      found(null, first.address, first.family);
    });
  };
}

/**
 * A host that would lead a request into a private network. The message omits the address: whoever named the host must
 * not learn how names resolve inside the operator's network.
 */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";

  constructor(readonly hostname: string) {
    super(`${hostname} is not a public address`);
  }
}

export class NoAddressError extends Error {
  override readonly name = "NoAddressError";

  constructor(readonly hostname: string) {
    super(`host name not found: ${hostname} has no address`);
  }
}
