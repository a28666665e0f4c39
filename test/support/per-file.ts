import { afterAll, beforeAll } from "bun:test";

/** How to end what was started, the newest at the end. */
const running: (() => unknown)[] = [];

type Ending = { stop(): unknown } | { close(): unknown };

/**
 * What the tests of a file or a `describe` share: started before the first of them, in the order of the lines, and ended
 * after the last one in the opposite order.
 */
export function shared<T extends Ending>(start: () => T | Promise<T>): T {
  let started: T | null = null;
  beforeAll(async () => {
    const made = await start();
    started = made;
    running.push(() => ("stop" in made ? made.stop() : made.close()));
  });
  afterAll(async () => {
    await running.pop()?.();
  });
  const current = () => {
    if (started === null) throw new Error("It is not there before the first test.");
    return started;
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, value),
    ownKeys: () => Reflect.ownKeys(current()),
    has: (_, name) => Reflect.has(current(), name),
    getOwnPropertyDescriptor(_, name) {
      const descriptor = Reflect.getOwnPropertyDescriptor(current(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
