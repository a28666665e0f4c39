import { describe, expect, test } from "bun:test";
import { isIpAddress, isPublicAddress } from "../../../src/lib/net/host.ts";

/** Both ends of each block, and its neighbours outside when they are public. */
const notPublic: Record<string, string[]> = {
  "this network": ["0.0.0.0", "0.255.255.255"],
  private: ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
  "carrier-grade NAT": ["100.64.0.0", "100.127.255.255"],
  loopback: ["127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1"],
  "link-local and cloud metadata": ["169.254.0.0", "169.254.169.254", "fe80::1", "febf::1", "168.63.129.16"],
  "protocol assignments": ["192.0.0.0", "192.0.0.192", "2001:1ff:ffff::"],
  documentation: ["192.0.2.1", "198.51.100.255", "203.0.113.0", "2001:db8::1", "3fff:fff:ffff::1"],
  benchmarking: ["198.18.0.0", "198.19.255.255", "2001:2::1"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
  "reserved and broadcast": ["240.0.0.0", "255.255.255.255"],
  unspecified: ["::", "0.0.0.0"],
  "unique local and site-local": ["fc00::1", "fdff::1", "fd00:ec2::254", "fec0::1"],
  "IPv4-mapped": [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "0:0:0:0:0:ffff:a00:1",
    "::ffff:8.8.8.8",
    "::FFFF:10.0.0.1",
  ],
  "IPv4-compatible and translated": ["::127.0.0.1", "::7f00:1", "::ffff:0:127.0.0.1"],
  NAT64: ["64:ff9b::7f00:1", "64:ff9b::127.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::1"],
  "6to4": ["2002:7f00:1::1", "2002:808:808::1", "192.88.99.1"],
  Teredo: ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001::1"],
  "not yet given out": ["4000::1", "5f00::1", "8000::1", "100::1", "1fff::1"],
  "cloud metadata": [
    ...["169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.0.23", "fd00:ec2::254"], // AWS, Tencent
    ...["168.63.129.16", "fd20:ce::254", "fe80::a9fe:a9fe", "100.100.100.200"], // Azure, Google, OpenStack, Alibaba
    ...["192.0.0.192", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1"], // Oracle, and disguises
  ],
  zones: ["fe80::1%eth0", "2606:4700::1%lo"],
  "no addresses": [
    "",
    "localhost",
    "127.1",
    "0x7f000001",
    "2130706433",
    "[::1]",
    "1.2.3.4.5",
    "256.1.1.1",
    " 8.8.8.8",
  ],
};

const publicAddresses = [
  ...["1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"],
  ...["126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"],
  ...["192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0"],
  ...["198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "168.63.129.17"],
  ...["2000::1", "2001:200::1", "2001:db7::1", "2001:db9::1", "2003::1", "2606:4700:4700::1111", "3ffe::1"],
];

describe("isPublicAddress", () => {
  for (const [kind, addresses] of Object.entries(notPublic)) {
    test(`is false for ${kind}`, () => {
      expect(addresses.filter(isPublicAddress)).toEqual([]);
    });
  }

  test("is true for the neighbours of those blocks and for well-known hosts", () => {
    expect(publicAddresses.filter((address) => !isPublicAddress(address))).toEqual([]);
  });
});

describe("isIpAddress", () => {
  test("takes IPv4 and IPv6 and nothing that only resolves to them", () => {
    expect(["127.0.0.1", "::1", "::ffff:1.2.3.4"].every(isIpAddress)).toBe(true);
    expect(["localhost", "[::1]", "127.1", ""].some(isIpAddress)).toBe(false);
  });
});
