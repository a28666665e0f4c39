import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";

const project = join(import.meta.dir, "../..");

test("the executable knows its version, and the commit when it was built in a clone", () => {
  const printed = Bun.spawnSync([join(project, "dist/till"), "--version"]).stdout.toString();
  const isClone = existsSync(join(project, ".git")) && Bun.which("git") !== null;
  const commit = isClone ? / \([0-9a-f]{7,40}(-dirty)?\)/.source : "";
  expect(printed).toMatch(new RegExp(`^till ${RegExp.escape(manifest.version)}${commit}\n$`));
});
