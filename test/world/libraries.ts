import type { World } from "../../src/lib/world.ts";

const { setImmediate, setTimeout, clearTimeout } = globalThis;
const { verify } = Bun.password;

/** The libraries that Till uses take time from the process, and the password its hash from another thread. */
export function enterLibraries(world: World): void {
  Object.assign(globalThis, {
    setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) =>
      world.setImmediate(() => run(...given)),
    setTimeout: (run: () => void, ms: number) => world.setTimeout(run, ms),
    clearTimeout: world.clearTimeout,
  });
  const { verifySync } = Bun.password;
  Bun.password.verify = (password, hash) => Promise.resolve(verifySync(password, hash));
}

export function leaveLibraries(): void {
  Object.assign(globalThis, { setImmediate, setTimeout, clearTimeout });
  Bun.password.verify = verify;
}
