import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { getAddress } from "viem";
import * as Address from "../../../src/domain/wallet/address.ts";

/** The examples of EIP-55. */
const examples = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

describe("checksum", () => {
  test.each(examples)("writes %s as EIP-55 does, whatever case it came in", (example) => {
    expect(Address.checksum(example) as string).toBe(example);
    expect(Address.checksum(example.toLowerCase()) as string).toBe(example);
    expect(Address.checksum(`0x${example.slice(2).toUpperCase()}`) as string).toBe(example);
  });

  test("agrees with viem on any address", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const hex = `0x${Buffer.from(bytes).toString("hex")}` as const;
        expect(Address.checksum(hex) as string).toBe(getAddress(hex));
      }),
      { seed: 1 },
    );
  });

  test.each(["", "0x", "0x123", `0x${"g".repeat(40)}`, `0x${"0".repeat(41)}`, "0".repeat(40)])(
    "throws for %j, which is no address",
    (text) => {
      expect(() => Address.checksum(text)).toThrow(RangeError);
    },
  );
});

describe("parse", () => {
  test.each(examples)("takes %s with its right checksum", (example) => {
    expect(Address.parse(example)).toEqual({ ok: true, address: example as Address.Address });
  });

  test("refuses an address without capital letters, and names the form to compare it with", () => {
    const expected = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" as Address.Address;
    const why = { code: "address_unchecked", values: { expected } } as const;
    expect(Address.parse(expected.toLowerCase())).toEqual({ ok: false, why });
  });

  test("hands out no right form of an address that may be mistyped", () => {
    const good = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    for (const text of [`${good.slice(0, -1)}c`, `0x${good.slice(2).toUpperCase()}`]) {
      expect(Address.parse(text)).toMatchObject({ ok: false, why: { code: "address_mistyped" } });
    }
  });

  test("refuses any address with one digit mistyped", () => {
    const good = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    for (let i = 2; i < good.length; i++) {
      const mistyped = good.slice(0, i) + (good[i] === "1" ? "2" : "1") + good.slice(i + 1);
      expect(Address.parse(mistyped)).toMatchObject({ ok: false, why: { code: "address_mistyped" } });
    }
  });

  test.each([
    "",
    "vitalik.eth",
    "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
    " 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n",
  ])("refuses %j, which does not have the form of an address", (text) => {
    const why = { code: "shape", values: { wants: Address.wanted } } as const;
    expect(Address.parse(text)).toEqual({ ok: false, why });
  });

  test("takes the zero address, which has no letters: whether it makes sense is the caller's question", () => {
    expect(Address.parse(Address.zero)).toEqual({ ok: true, address: Address.zero });
  });
});
