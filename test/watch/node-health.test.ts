import { describe, expect, test } from "bun:test";
import { createPace } from "../../src/chain/node/pace.ts";
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
  const behind = (seen: number): HealthEvent => ({ kind: "behind", node: "one", head: 7, headSec: 0, seen });
  expect(lagProblem(reduce(due, behind(9), 560_001), 560_001)).toEndWith("and block 9 was seen before");
  expect(lagProblem(reduce(due, behind(5), 560_001), 560_001)).toEndWith("but has no block 5");
});

describe("a checkpoint above the head", () => {
  const pace = createPace(200);
  const head = { number: 1_000, timestampSec: 100 };

  test("was never on the chain when it is further above a new block than a minute's lag explains", () => {
    expect(isCheckpointFalse(1_600, head, pace, 100_000)).toBe(false);
    expect(isCheckpointFalse(1_601, head, pace, 100_000)).toBe(true);
    expect(isCheckpointFalse(1_061, head, createPace(2_000), 100_000)).toBe(true);
  });

  test("is believed when the node's newest block is old, or the clock is wrong", () => {
    expect(isCheckpointFalse(9_999, head, pace, 161_000)).toBe(false);
    expect(isCheckpointFalse(9_999, head, pace, 39_000)).toBe(false);
  });
});

test("a crowded block is a warning for ten minutes", () => {
  const state = after([{ kind: "crowded", block: 7 }, 1_000]);
  expect(crowdedWarning(state, 600_999)).toContain("block 7 had more transfers");
  expect(crowdedWarning(state, 601_000)).toBeNull();
});
