import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What opens the wallet of a test. */
export const passphrase = "correct horse battery staple";

/** A fresh directory that is removed with everything in it. */
export function makeDataDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "till-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
