/**
 * Checks that no regular expression of `src/` takes more than time in proportion to the text: one request would hold Till's
 * only thread with it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import ts from "typescript";

const root = join(import.meta.dir, "..");

/** The places of each expression. */
const found = new Map<string, string[]>();
for (const file of new Bun.Glob("src/**/*.{ts,tsx}").scanSync(root)) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.set(node.text, [...(found.get(node.text) ?? []), `${file}:${line + 1}`]);
    }
    node.forEachChild(visit);
  };
  visit(source);
}

let faults = 0;
for (const [text, places] of found) {
  const end = text.lastIndexOf("/");
  // Its other way tries random texts, by the clock.
  const result = await check(text.slice(1, end), text.slice(end + 1), {
    checker: "automaton",
    timeout: null,
  });
  if (result.status === "safe") continue;
  faults += 1;
  const why =
    result.status === "vulnerable"
      ? `its time is a ${result.complexity.summary}, as with ${result.attack.pattern}`
      : `${result.error.kind}: say it without looking around, or in several steps`;
  process.stderr.write(`${places.join(", ")}: ${text}\n  ${why}\n`);
}
process.exit(faults === 0 ? 0 : 1);
