import { describe, expect, test } from "bun:test";
import { newSecret } from "../../src/store/secrets.ts";

describe("newSecret", () => {
  test("is whsec_ and 32 bytes of base64, different each time", () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    expect(newSecret()).not.toBe(secret);
  });
});
