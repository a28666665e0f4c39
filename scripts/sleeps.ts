/**
 * Checks that no test sleeps for something to happen: on a busy machine it happens later, and the test fails. A test waits
 * for the event by `until`. Where time itself is what it needs, the line or the one above it says why, in a comment that
 * begins `// Time itself:`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

const sleep = /\bBun\.sleep\b|\bnew Promise\b.*\bsetTimeout\b/;
const reason = /\/\/ Time itself: \S/;
const lineOfReason = /^\s*(?:\? )?\/\/ Time itself: \S/;

/** The numbers of the lines of a test that sleep and do not say why. */
export function sleepsIn(text: string): number[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const isSaid = reason.test(line) || lineOfReason.test(lines[at - 1] ?? "");
    return sleep.test(line) && !isSaid ? [at + 1] : [];
  });
}

if (import.meta.main) {
  let faults = 0;
  for (const file of [...new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync(root)].sort()) {
    if (file.includes("node_modules/")) continue;
    const found = sleepsIn(readFileSync(join(root, file), "utf8"));
    faults += found.length;
    for (const line of found)
      process.stderr.write(
        `${file}:${line}: wait for the event by until(), or say in a comment: // Time itself: why\n`,
      );
  }
  process.exit(faults === 0 ? 0 : 1);
}
