import { describe, expect, test } from "bun:test";
import { keccak256 } from "../../src/lib/keccak.ts";

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
