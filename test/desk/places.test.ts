import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The places of the desk are its folders: of two, only one imports the other. What all share is in `parts`. */

const placeOf = (file: string) => /^src\/desk\/([\w-]+)\//.exec(file)?.[1] ?? null;

test("no two places of the desk import each other", () => {
  const imports = new Map<string, string>();
  for (const file of new Bun.Glob("src/desk/*/**/*.{ts,tsx}").scanSync()) {
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g)) {
      const to = join(dirname(file), path);
      const [place, other] = [placeOf(file), placeOf(to)];
      if (place !== null && other !== null && place !== other)
        imports.set(`${place} imports ${other}`, `${file} imports ${to}`);
    }
  }
  expect(imports.size).toBeGreaterThan(20);
  const both = [...imports].filter(([pair]) => imports.has(pair.split(" ").reverse().join(" ")));
  expect(both).toEqual([]);
});
