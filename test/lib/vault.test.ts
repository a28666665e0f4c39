import { describe, expect, test } from "bun:test";
import { createVault, SealBroken, sealedPrefix } from "../../src/lib/crypto.ts";

const key = new Uint8Array(32).fill(1);
const vault = createVault(key);

describe("createVault", () => {
  test.each(["", "whsec_c2VjcmV0", "é\u0000🌍", "x".repeat(100_000)])("opens what it sealed: %#", (text) => {
    const sealed = vault.seal(text, "row 1");
    expect(sealed).toStartWith(sealedPrefix);
    expect(createVault(key).open(sealed, "row 1")).toBe(text);
  });

  test("seals the same text differently each time", () => {
    const sealed = new Set(Array.from({ length: 100 }, () => vault.seal("same", "row 1")));
    expect(sealed.size).toBe(100);
  });

  test("opens nothing in another place or with another key", () => {
    const sealed = vault.seal("secret", "row 1");
    expect(() => vault.open(sealed, "row 2")).toThrow(SealBroken);
    expect(() => createVault(new Uint8Array(32)).open(sealed, "row 1")).toThrow(SealBroken);
  });

  test("opens nothing that was changed, cut off or never sealed", () => {
    const sealed = vault.seal("secret", "row 1");
    const bytes = Buffer.from(sealed.slice(sealedPrefix.length), "base64");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => vault.open(sealedPrefix + changed.toString("base64"), "row 1")).toThrow(SealBroken);
      const cut = sealedPrefix + bytes.subarray(0, at).toString("base64");
      expect(() => vault.open(cut, "row 1")).toThrow(SealBroken);
    }
    for (const text of ["", "secret", sealedPrefix])
      expect(() => vault.open(text, "row 1")).toThrow(SealBroken);
  });

  test("shows neither key nor text", () => {
    const shown = Bun.inspect(vault) + JSON.stringify(vault);
    expect(shown).not.toContain("1, 1");
    try {
      vault.open(vault.seal("hunter2", "row 1"), "row 2");
    } catch (thrown) {
      expect(Bun.inspect(thrown)).not.toContain("hunter2");
    }
  });
});
