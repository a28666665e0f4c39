import { describe, expect, test } from "bun:test";
import { hmacSha256, keccak256 } from "../../src/lib/crypto.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("hmacSha256", () => {
  test("gives the results of RFC 4231, test cases 1, 2 and 6", () => {
    expect(hex(hmacSha256(new Uint8Array(20).fill(0x0b), "Hi There"))).toBe(
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    );
    expect(hex(hmacSha256("Jefe", "what do ya want for nothing?"))).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    expect(
      hex(
        hmacSha256(new Uint8Array(131).fill(0xaa), "Test Using Larger Than Block-Size Key - Hash Key First"),
      ),
    ).toBe("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  });

  test("takes text and its UTF-8 bytes as the same key and data", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(hmacSha256("schlüssel", "Grüße 💶")).toEqual(hmacSha256(bytes("schlüssel"), bytes("Grüße 💶")));
  });
});

describe("keccak256", () => {
  test("has Ethereum's padding, not that of SHA3-256", () => {
    expect(Buffer.from(keccak256("")).toString("hex")).toBe(
      "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
    );
  });

  test("takes text as its UTF-8 bytes: the topic of a Transfer log", () => {
    const expected = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    const text = "Transfer(address,address,uint256)";
    expect(Buffer.from(keccak256(text)).toString("hex")).toBe(expected);
    expect(Buffer.from(keccak256(Buffer.from(text))).toString("hex")).toBe(expected);
  });
});
