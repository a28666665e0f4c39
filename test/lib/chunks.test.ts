import { expect, test } from "bun:test";
import { chunks } from "../../src/lib/loop.ts";

test("chunks holds every item once and in order, no more than asked for in each", () => {
  expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunks([1, 2], 2)).toEqual([[1, 2]]);
  expect(chunks([], 2)).toEqual([]);
});
