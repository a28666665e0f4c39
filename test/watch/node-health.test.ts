import { describe, expect, test } from "bun:test";
import { WrongChain } from "../../src/chain/node/probe.ts";
import { DatabaseDamaged, DatabaseLocked } from "../../src/store/database.ts";
import {
  crowdedWarning,
  type HealthEvent,
  initialHealth,
  isCheckpointFalse,
  lagProblem,
  problem,
  reduce,
} from "../../src/watch/node-health.ts";

const after = (...events: [HealthEvent, number][]) =>
  events.reduce((state, [event, at]) => reduce(state, event, at), initialHealth(0));
const failed = (message: string): HealthEvent => ({ kind: "failed", thrown: new Error(message) });

describe("a failure", () => {
  test("is a problem when it lasts, or when nothing has ever gone well", () => {
    expect(problem(after([failed("refused"), 0]), 0)).toBe("refused");
    const well = after([failed("refused"), 0], [{ kind: "succeeded" }, 1]);
    expect(problem(well, 1)).toBeNull();
    const again = [failed("refused"), failed("refused")].reduce(
      (state, event, i) => reduce(state, event, 100_000 + i * 3_000),
      well,
    );
    expect(problem(again, 103_000)).toBeNull();
    expect(problem(again, 110_000)).toBe("refused");
    expect(problem(reduce(again, { kind: "succeeded" }, 110_000), 110_000)).toBeNull();
  });

  test("of the database is one at once, but for a lock, which another program may hold for a moment", () => {
    const well = after([{ kind: "succeeded" }, 0]);
    const broken = reduce(well, { kind: "failed", thrown: new DatabaseDamaged("till.db", "torn") }, 1);
    expect(problem(broken, 1)).toStartWith("payments cannot be stored: ");
    const locked = reduce(well, { kind: "failed", thrown: new DatabaseLocked() }, 1);
    expect(problem(locked, 1)).toBeNull();
    expect(problem(locked, 60_000)).toStartWith("payments cannot be stored: ");
  });

  test("of the wrong chain stays until a node was checked", () => {
    const wrong = after(
      [{ kind: "failed", thrown: new WrongChain("another chain") }, 0],
      [{ kind: "succeeded" }, 1],
    );
    expect(problem(wrong, 1)).toBe("another chain");
    expect(problem(reduce(wrong, { kind: "checked" }, 2), 2)).toBeNull();
  });
});

test("the lag counts from when a scan was due, not from the last one", () => {
  const reached = after([{ kind: "due" }, 0], [{ kind: "reached" }, 1_000]);
  expect(lagProblem(reached, 500_000)).toBeNull();
  const due = reduce(reduce(reached, { kind: "due" }, 500_000), { kind: "due" }, 530_000);
  expect(lagProblem(due, 560_000)).toBeNull();
  expect(lagProblem(due, 560_001)).toBe("the chain was last read 559 s ago");
  expect(lagProblem(reduce(due, { kind: "reached" }, 561_000), 700_000)).toBeNull();
});

describe("a checkpoint above the head", () => {
  const behind = (node: string, head: number, headSec: number, now: number): HealthEvent => ({
    kind: "behind",
    node,
    head,
    headSec,
    seen: 9_999,
    now,
  });
  const seconds = (from: number, to: number, step: number) =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);

  test("is given up after ten minutes of growing heads that are up to date, of every node", () => {
    let state = initialHealth(0);
    for (const sec of seconds(0, 600, 5))
      state = reduce(state, behind("one", 100 + sec, sec, sec * 1000), sec * 1000);
    expect(isCheckpointFalse(state, 2, 600_000)).toBe(false);
    for (const sec of seconds(601, 610, 1))
      state = reduce(state, behind("two", 100 + sec, sec, sec * 1000), sec * 1000);
    expect(isCheckpointFalse(state, 2, 610_000)).toBe(true);
    expect(isCheckpointFalse(reduce(state, { kind: "on chain" }, 610_000), 2, 610_000)).toBe(false);
  });

  test("is believed when the node lags, or stands still", () => {
    const [lagging, standing] = [
      (sec: number) => behind("one", 100 + sec, sec - 61, sec * 1000),
      (sec: number) => behind("one", 100, sec, sec * 1000),
    ].map((event) =>
      seconds(0, 900, 5).reduce((state, sec) => reduce(state, event(sec), sec * 1000), initialHealth(0)),
    );
    for (const state of [lagging, standing])
      expect(state && isCheckpointFalse(state, 1, 900_000)).toBe(false);
  });
});

test("a crowded block is a warning for ten minutes", () => {
  const state = after([{ kind: "crowded", block: 7 }, 1_000]);
  expect(crowdedWarning(state, 600_999)).toContain("block 7 had more transfers");
  expect(crowdedWarning(state, 601_000)).toBeNull();
});
