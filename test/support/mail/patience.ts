import { afterAll, beforeAll } from "bun:test";
import { enter, world } from "../../../src/lib/world.ts";
import { waitMsMax } from "../../../src/outbox/mails/attachments.ts";

/**
 * In the tests of this file, mails wait for their PDFs as long as it takes on a machine that stands still: otherwise they
 * go out without.
 */
export function patient(): void {
  const system = { ...world };
  beforeAll(() =>
    enter({
      ...system,
      setTimeout: (run, ms) => system.setTimeout(run, ms === waitMsMax ? 25 * ms : ms),
    }),
  );
  afterAll(() => enter(system));
}
