import { describe, expect, test } from "bun:test";
import { createTurns } from "../../src/lib/loop.ts";

describe("createTurns", () => {
  test("runs one piece of work in a turn of the event loop, in order, with others in between", async () => {
    const turns = createTurns();
    const order: string[] = [];
    const others = setInterval(() => order.push("other"), 0);
    const work = (name: string) =>
      turns.take(() => {
        order.push(name);
        Bun.sleepSync(5);
        return name;
      });
    expect(await Promise.all(["a", "b", "c", "d"].map(work))).toEqual(["a", "b", "c", "d"]);
    clearInterval(others);
    expect(order.filter((name) => name !== "other")).toEqual(["a", "b", "c", "d"]);
    for (const [before, after] of ["ab", "bc", "cd"])
      expect(order.slice(order.indexOf(before ?? ""), order.indexOf(after ?? ""))).toContain("other");
  });

  test("hands on what a piece of work throws, and runs the next one", async () => {
    const turns = createTurns();
    const failed = turns.take(() => {
      throw new Error("no such page");
    });
    const next = turns.take(() => "made");
    expect(failed).rejects.toThrow("no such page");
    expect(await next).toBe("made");
    expect(await turns.take(() => "made later")).toBe("made later");
  });
});
