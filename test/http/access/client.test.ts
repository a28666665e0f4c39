import { describe, expect, test } from "bun:test";
import { clientOf } from "../../../src/http/access/guard.ts";
import { ipOwner, parseIpRanges, plainIp } from "../../../src/lib/net/host.ts";

const trust = (text: string) => parseIpRanges(text) ?? null;

describe("clientOf", () => {
  const direct = { isPublic: true, trustProxy: null };
  const proxied = { isPublic: true, trustProxy: trust("127.0.0.1, 10.0.0.0/8") };

  test("is the address of the connection, whatever a header says, when no proxy is trusted", () => {
    expect(clientOf("203.0.113.7", "198.51.100.1", direct)).toBe("203.0.113.7");
    expect(clientOf("::ffff:203.0.113.7", null, direct)).toBe("203.0.113.7");
  });

  test("is unknown when a public Till is reached from its own machine and no proxy is trusted", () => {
    expect(clientOf("127.0.0.1", "198.51.100.1", direct)).toBeNull();
    expect(clientOf("::1", null, direct)).toBeNull();
    expect(clientOf("127.0.0.1", null, { isPublic: false, trustProxy: null })).toBe("127.0.0.1");
  });

  test.each([
    ["198.51.100.1", "198.51.100.1"],
    ["9.9.9.9, 198.51.100.1", "198.51.100.1"],
    ["127.0.0.1, 198.51.100.1", "198.51.100.1"],
    ["198.51.100.1, 10.1.2.3", "198.51.100.1"],
    ["198.51.100.1:4711", "198.51.100.1"],
    ["[2001:db8::1]:4711", "2001:db8:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["198.51.100.1, nonsense", null],
    ["unix:", null],
    ["", null],
    ["10.1.1.1,".repeat(1_000), null],
    // A customer in the shop's own network, which is trusted as a whole.
    ["10.1.1.1", "10.1.1.1"],
    ["nonsense, 10.1.1.1", "10.1.1.1"],
  ])("behind a trusted proxy, %s makes it %s", (header, client) => {
    expect(clientOf("127.0.0.1", header, proxied)).toBe(client);
    expect(clientOf("203.0.113.7", header, proxied)).toBe("203.0.113.7");
  });

  test.each([
    [null, ["127.0.0.1"]],
    ["unix:", ["127.0.0.1"]],
    ["198.51.100.1, nonsense", ["127.0.0.1"]],
    // The operator, in a browser on this machine.
    ["127.0.0.1", []],
    ["198.51.100.1", []],
  ])("of a proxy that sends %p, %p say nothing", (header, silent) => {
    const heard: string[] = [];
    clientOf("127.0.0.1", header, proxied, (proxy) => heard.push(proxy));
    expect(heard).toEqual(silent);
  });
});

describe("ipOwner", () => {
  test("is the same for all addresses of an IPv6 network of 64 bits", () => {
    const owners = ["2001:db8::1", "2001:DB8:0:0:ffff::", "2001:db8::ffff:1:2:3"].map((ip) =>
      ipOwner(plainIp(ip) ?? ""),
    );
    expect(new Set(owners)).toEqual(new Set(["2001:db8:0:0::/64"]));
    expect(ipOwner("2001:db8:0:1::1")).not.toBe(owners[0]);
    expect(ipOwner("::1")).toBe("0:0:0:0::/64");
    expect(ipOwner(plainIp("fe80::1%eth0") ?? "")).toBe("fe80:0:0:0::/64");
  });
});

describe("parseIpRanges", () => {
  test("takes addresses and ranges and nothing else", () => {
    const ranges = trust("192.0.2.1,2001:db8::/32");
    expect(["192.0.2.1", "2001:db8::5", "192.0.2.2", "::1", "x"].map((ip) => ranges?.has(ip))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    for (const text of [
      "true",
      "1",
      "10.0.0.0/33",
      "::/129",
      "10.0.0.0/",
      "localhost",
      "10.0.0.1;10.0.0.2",
      ",",
    ]) {
      expect(parseIpRanges(text)).toBeUndefined();
    }
  });
});
