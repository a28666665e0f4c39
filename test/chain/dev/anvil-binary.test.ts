import { describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AnvilMissing, findAnvil } from "../../../src/chain/dev/anvil.ts";

describe("findAnvil", () => {
  test("finds the binary that was installed with Till, not the launcher around it", () => {
    expect(findAnvil()).toContain(`anvil-${process.platform}-`);
  });

  test("takes the one on PATH where none was installed with Till", async () => {
    const dir = await mkdtemp(join(tmpdir(), "till-anvil-test-"));
    const file = join(dir, "anvil");
    await writeFile(file, "#!/bin/sh\n", { mode: 0o755 });
    expect(findAnvil("/", dir)).toBe(file);
    await rm(dir, { recursive: true });
  });

  test("says what to do when there is none", () => {
    expect(() => findAnvil("/", "/nowhere")).toThrow(AnvilMissing);
    expect(() => findAnvil("/", "/nowhere")).toThrow(/Install Foundry.*TILL_RPC_URL/);
  });
});
