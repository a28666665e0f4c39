import { describe, expect, test } from "bun:test";
import type { LookupAddress } from "node:dns";
import { request } from "node:http";
import type { LookupFunction } from "node:net";
import { PrivateAddressError, publicLookup, type Resolve } from "../../../src/lib/net/address-guard.ts";
import { httpReceiver } from "../../outbox/receivers.ts";

const v4 = (address: string): LookupAddress => ({ address, family: 4 });
const v6 = (address: string): LookupAddress => ({ address, family: 6 });
const answering =
  (...addresses: LookupAddress[]): Resolve =>
  (_hostname, resolved) =>
    resolved(null, addresses);

function look(resolve: Resolve | undefined, all: boolean, hostname = "shop.example") {
  return new Promise<{ error: Error | null; found: unknown }>((done) => {
    publicLookup(resolve)(hostname, { all }, (error, found) => done({ error, found }));
  });
}

describe("publicLookup", () => {
  test("passes public addresses on, in their order", async () => {
    const addresses = [v6("2606:4700:4700::1111"), v4("1.1.1.1")];
    expect(await look(answering(...addresses), true)).toEqual({ error: null, found: addresses });
    expect(await look(answering(...addresses), false)).toEqual({
      error: null,
      found: "2606:4700:4700::1111",
    });
  });

  test("refuses a name when any of its addresses is not public", async () => {
    for (const bad of [v4("10.0.0.1"), v6("::ffff:127.0.0.1"), v6("64:ff9b::a00:1"), v4("169.254.169.254")]) {
      for (const addresses of [[bad], [v4("1.1.1.1"), bad], [bad, v4("1.1.1.1")]]) {
        const { error, found } = await look(answering(...addresses), true);
        expect(error).toBeInstanceOf(PrivateAddressError);
        expect(JSON.stringify(found)).not.toContain(bad.address);
      }
    }
  });

  test("resolves with the system: localhost is refused, an unknown name is not found", async () => {
    expect((await look(undefined, true, "localhost")).error).toBeInstanceOf(PrivateAddressError);
    expect((await look(undefined, true, "no-such-host.invalid")).error).toMatchObject({ code: "ENOTFOUND" });
  });

  test("takes an empty answer for a name without an address", async () => {
    expect((await look(answering(), true)).error?.message).toContain("host name not found");
  });

  test("does not tell the address behind a name", async () => {
    const { error } = await look(answering(v4("10.20.30.40")), true, "db.internal.example");
    expect(error?.message).toContain("db.internal.example is not a public address");
    expect(error?.message).not.toContain("10.20.30.40");
  });

  test("is asked once for each request, and the connection goes to what it found", async () => {
    const canary = await httpReceiver((_request, answer) => answer.end());
    let asked = 0;
    const resolve: Resolve = (_hostname, resolved) => {
      asked += 1;
      // A name that answers differently from the second look-up on.
      resolved(null, [v4(asked === 1 ? "1.1.1.1" : "127.0.0.1")]);
    };
    const found: unknown[] = [];
    const lookup: LookupFunction = (hostname, options, done) =>
      publicLookup(resolve)(hostname, options, (error, address) => {
        found.push(error ?? address);
        // Stands for the Internet, which no test may reach.
        if (options.all) done(error, [v4("127.0.0.1")]);
        else done(error, "127.0.0.1", 4);
      });
    const status = await new Promise((done, failed) => {
      const options = {
        hostname: "rebinding.example",
        port: canary.port,
        method: "POST",
        agent: false,
        lookup,
      };
      request(options, (answer) => done(answer.statusCode))
        .on("error", failed)
        .end();
    });
    expect([status, asked, canary.connections()]).toEqual([200, 1, 1]);
    expect(JSON.stringify(found)).toContain("1.1.1.1");
    canary.stop();
  });
});
