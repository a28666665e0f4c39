import { expect, test } from "bun:test";
import { createChainTrouble } from "../../src/worker/chain-trouble.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

test("takes a failure for a problem when it lasts, or when nothing has ever gone well", () => {
  const trouble = createChainTrouble(silent, () => {});
  trouble.failed(new Error("refused"), 0);
  expect(trouble.problem(0)).toBe("refused");
  trouble.succeeded();
  expect(trouble.problem(1)).toBeNull();
  trouble.failed(new Error("refused"), 100_000);
  trouble.failed(new Error("refused"), 103_000);
  expect(trouble.problem(103_000)).toBeNull();
  expect(trouble.problem(110_000)).toBe("refused");
  trouble.succeeded();
  expect(trouble.problem(110_000)).toBeNull();
});
