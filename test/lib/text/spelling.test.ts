import { describe, expect, test } from "bun:test";
import { nearest } from "../../../src/lib/text/text.ts";

describe("nearest", () => {
  const known = ["serve", "send", "show", "list", "link"];

  test("finds the word with the fewest letters dropped, added, changed or swapped", () => {
    expect(nearest("sevre", known)).toBe("serve");
    expect(nearest("shw", known)).toBe("show");
    expect(nearest("sennd", known)).toBe("send");
    expect(nearest("lisk", known)).toBe("list");
  });

  test("finds what was begun", () => {
    expect(nearest("se", ["serve", "list"])).toBe("serve");
  });

  test("finds nothing where nothing is near", () => {
    expect(nearest("xylophone", known)).toBeNull();
    expect(nearest("", known)).toBeNull();
  });
});
