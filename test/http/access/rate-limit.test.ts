import { describe, expect, test } from "bun:test";
import { createRateLimit } from "../../../src/http/access/limits.ts";

function limitAt(options: { count: number; perMs: number; keysMax?: number }) {
  const clock = { ms: 0 };
  return { clock, limit: createRateLimit({ keysMax: 100, ...options, now: () => clock.ms }) };
}

describe("createRateLimit", () => {
  test("lets as many through at once as in the whole time, then one for each share of it", () => {
    const { clock, limit } = limitAt({ count: 3, perMs: 60_000 });
    expect([1, 2, 3].map(() => limit.take("a"))).toEqual([0, 0, 0]);
    expect(limit.take("a")).toBe(20_000);
    clock.ms = 19_999;
    expect(limit.take("a")).toBe(1);
    clock.ms = 20_000;
    expect([limit.take("a"), limit.take("a")]).toEqual([0, 20_000]);
    clock.ms = 1_000_000;
    expect([1, 2, 3, 4].map(() => limit.take("a") > 0)).toEqual([false, false, false, true]);
  });

  test("counts every key apart, and looking takes nothing", () => {
    const { limit } = limitAt({ count: 1, perMs: 1_000 });
    expect([limit.waitMs("a"), limit.take("a"), limit.waitMs("a"), limit.take("b")]).toEqual([
      0, 0, 1_000, 0,
    ]);
  });

  test("remembers a key while fewer than half of the most others came after it, and no more than the most", () => {
    const { limit } = limitAt({ count: 1, perMs: 1_000, keysMax: 100 });
    limit.take("a");
    for (let i = 0; i < 49; i++) limit.take(`x${i}`);
    expect(limit.take("a")).toBe(1_000);
    for (let i = 0; i < 1_000; i++) limit.take(`y${i}`);
    expect(limit.take("a")).toBe(0);
  });

  test("does not grow while very many addresses come by", () => {
    const limit = createRateLimit({ count: 1, perMs: 60_000, keysMax: 1_000 });
    for (let i = 0; i < 50_000; i++) limit.take(`warm ${i}`);
    Bun.gc(true);
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200_000; i++) limit.take(`address ${i}`);
    Bun.gc(true);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4 * 1024 * 1024);
  });
});
