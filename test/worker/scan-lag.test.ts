import { expect, test } from "bun:test";
import { createScanLag } from "../../src/worker/scan-lag.ts";

test("counts from when a scan was due, not from the last one", () => {
  const lag = createScanLag(0);
  lag.started(0);
  lag.caughtUp(1_000);
  expect(lag.problem(500_000)).toBeNull();
  lag.started(500_000);
  lag.started(530_000);
  expect(lag.problem(560_000)).toBeNull();
  expect(lag.problem(560_001)).toBe("the chain was last read 559 s ago");
  lag.caughtUp(561_000);
  expect(lag.problem(700_000)).toBeNull();
});
