import { describe, expect, test } from "bun:test";
import { bundle } from "../../src/pages/bundle.ts";

describe("bundle", () => {
  test.each(["invoice", "checkout", "widget/checkout-message", "copy-page"])(
    "%s is one script that cannot end its own element",
    (name) => {
      const script = bundle(name);
      expect(script.length).toBeGreaterThan(100);
      expect(script).not.toMatch(/<\/script|<script|<!--|\bimport\b|\bexport\b/i);
    },
  );

  test("a classic script leaves no names behind", () => {
    expect(bundle("widget/widget", "iife").trim()).toMatch(/^\(\(\) ?=> ?\{.*\}\)\(\);?$/s);
  });

  test("error: a script that is not there", () => {
    expect(() => bundle("no-such-script")).toThrow("no-such-script cannot be built");
  });
});
