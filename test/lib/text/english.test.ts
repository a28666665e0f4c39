import { expect, test } from "bun:test";
import { alternatives, counted, sentence } from "../../../src/lib/text/english.ts";

test("counts one and many", () => {
  expect([0, 1, 2].map((count) => counted(count, "payment"))).toEqual([
    "0 payments",
    "1 payment",
    "2 payments",
  ]);
});

test("names what there is to choose from", () => {
  expect(alternatives(["csv"])).toBe("csv");
  expect(alternatives(["csv", "json"])).toBe("csv or json");
  expect(alternatives(["csv", "json", "text"])).toBe("csv, json or text");
});

test("makes a sentence", () => {
  expect(sentence("the node, which is at v2.1, is behind")).toBe("The node, which is at v2.1, is behind.");
  expect(sentence("")).toBe(".");
});
