import { type LookupAddress, lookup } from "node:dns";
import { connect, type LookupFunction, type Socket } from "node:net";
import { promisify } from "node:util";

/** All addresses of a host name or of an address, the preferred one first. Rejects when the name has none. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

const lookupAll = promisify(lookup);

/** Asks the system, which knows the local names as well; the mail library would ask a DNS server for `localhost`. */
export const resolveBySystem: Lookup = (host) => lookupAll(host, { all: true });

/**
 * Begins to connect to `port` of the first of these addresses, at least one, that takes a connection (RFC 8305). The
 * socket tells with `connect` or `error` what came of it.
 */
export function dial(addresses: readonly LookupAddress[], port: number): Socket {
  const lookup: LookupFunction = (_host, _options, done) => done(null, [...addresses]);
  // What is looked up is never a name here: the addresses are there already.
  return connect({ host: "mail-server.invalid", port, autoSelectFamily: true, lookup });
}
