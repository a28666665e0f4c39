import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { scripts } from "../../src/pages/scripts.ts";

test.each(Object.entries(scripts))(
  "%s is one classic script that leaves no names behind and cannot end its own element",
  (_, script) => {
    expect(script.trim()).toMatch(/^\(\(\) ?=> ?\{.+\}\)\(\);?$/s);
    expect(script).not.toMatch(/<\/script|<script|<!--|\bimport\b|\bexport\b/i);
    expect(script).not.toContain("WIDGET_TEXTS");
  },
);

/** Bun keeps what macros return where every project of the user can write. */
test("no source runs as a macro of the bundler", () => {
  const sources = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync()];
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => /\btype: "macro"/.test(readFileSync(file, "utf8")))).toEqual([]);
});
