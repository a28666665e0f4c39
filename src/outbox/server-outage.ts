import { backoffMs } from "../lib/loop.ts";
import type { MailOutcome } from "../mail/smtp/outcome.ts";
import { isOutage } from "./mail-recorder.ts";

/** How often one mail is tried while the mail server as a whole is down, to find out whether it is back. */
const lookMs = { min: 60_000, max: 300_000 };

export type ServerOutage = ReturnType<typeof createServerOutage>;

/** Tracks whether the mail server as a whole is down. `onBack` is called when it answers again. */
export function createServerOutage(clock: () => number, onBack: () => void) {
  /** Consecutive failures since the server last accepted or refused a mail. */
  let failures = 0;
  let lookAt = Number.NEGATIVE_INFINITY;
  return {
    /** Notes the outcome of an attempt, and returns it. */
    heard(outcome: MailOutcome): MailOutcome {
      if (isOutage(outcome)) {
        failures += 1;
        lookAt = clock() + backoffMs(failures, lookMs);
      } else if (failures > 0) {
        failures = 0;
        lookAt = Number.NEGATIVE_INFINITY;
        onBack();
      }
      return outcome;
    },
    /** Leaves the server alone for a while. */
    rest(): void {
      lookAt = clock() + lookMs.min;
    },
    /** How long until the next attempt, in ms; 0 if it may be now. */
    lookInMs: (): number => Math.max(0, lookAt - clock()),
  };
}
