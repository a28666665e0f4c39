import { drainMicrotasks } from "bun:jsc";
import type { Timer } from "../../src/lib/world.ts";

/** Whoever waits: once it is dead, nothing of it runs any more. */
export type Life = { isAlive: boolean };

/** The process's own: the simulation puts another in its place. */
const { setImmediate } = globalThis;

type Entry = { at: number; order: number; run: () => void; life: Life };

/** The turns of the event loop that one call gives before the process gets a turn of its own. */
const stepsAtOnce = 20_000;

export type Time = ReturnType<typeof createTime>;

/** A time that passes only when nothing is left to do in it: then it jumps to the next timer. */
export function createTime(startMs: number, realMsMax = Number.POSITIVE_INFINITY) {
  const begunAt = performance.now();
  let now = startMs;
  let order = 0;
  let steps = 0;
  /** A binary heap, the earliest first. */
  const heap: Entry[] = [];
  let soon: Entry[] = [];

  const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);

  function push(entry: Entry): void {
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Entry;
      if (!isBefore(entry, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = entry;
  }

  function pop(): Entry | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Entry, heap[below] as Entry)) below += 1;
      const child = heap[below] as Entry;
      if (!isBefore(child, last)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }

  function enter(entry: Entry): void {
    if (!entry.life.isAlive) return;
    steps += 1;
    entry.run();
    drainMicrotasks();
  }

  /** Runs what is due until then, a while at most. Returns whether that was all. */
  function runSome(until: number, isOver: () => boolean): boolean {
    drainMicrotasks();
    for (const end = steps + stepsAtOnce; steps < end; ) {
      if (isOver()) return true;
      if (soon.length > 0) {
        const turn = soon;
        soon = [];
        for (const entry of turn) enter(entry);
        continue;
      }
      const next = heap[0];
      if (next === undefined || next.at > until) {
        now = Math.max(now, until);
        return true;
      }
      pop();
      now = Math.max(now, next.at);
      enter(next);
    }
    return false;
  }

  const idle: Life = { isAlive: false };
  const everybody: Life = { isAlive: true };
  return {
    now: () => now,
    startMs,
    /** Turns so far. */
    steps: () => steps,
    after(ms: number, run: () => void, life: Life = everybody): Timer & { cancel(): void } {
      order += 1;
      const entry = { at: now + Math.max(1, Number.isFinite(ms) ? Math.ceil(ms) : 1), order, run, life };
      // As the system's timers do with what is longer than 24.8 days.
      if (ms > 0x7fffffff) entry.at = now + 1;
      if (life.isAlive) push(entry);
      const timer = {
        unref: () => timer,
        cancel: () => {
          entry.life = idle;
        },
      };
      return timer;
    },
    soon(run: () => void, life: Life = everybody): void {
      order += 1;
      if (life.isAlive) soon.push({ at: now, order, run, life });
    },
    sleep(ms: number): Promise<void> {
      return new Promise((resolve) => void this.after(ms, resolve));
    },
    /** Lets the time pass until then, or until it is over. Throws when that takes too long on the real clock. */
    async run(until: number, isOver: () => boolean = () => false): Promise<void> {
      for (let done = false; !done; ) {
        if (performance.now() - begunAt > realMsMax)
          throw new Error(`The simulation took longer than ${realMsMax / 1_000} s.`);
        // Microtasks can be drained only from outside of one.
        done = await new Promise<boolean>((resolve, reject) =>
          setImmediate(() => {
            try {
              resolve(runSome(until, isOver));
            } catch (thrown) {
              reject(thrown);
            }
          }),
        );
      }
    },
  };
}
