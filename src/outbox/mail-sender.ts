import type { Log } from "../config/log-events.ts";
import { messageOf } from "../lib/error.ts";
import { createWakeable, sleep } from "../lib/loop.ts";
import type { Db } from "../store/database.ts";
import * as MailQueueStore from "../store/tables/outbox/mail-queue.ts";
import type { Mailer } from "./mailer.ts";

/** How often to check the clock, in case it was set. */
const idleMsMax = 60_000;

/** How long to leave a failing database alone. */
const faultMs = 5_000;

type MailSender = { wake(): void; stop(): Promise<void> };

/** Sends queued mails when they are due. */
export function startMailSender(deps: { db: Db; mailer: Mailer; log: Log; now: () => number }): MailSender {
  const { db, mailer, log, now } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = createWakeable();
  const interrupted = MailQueueStore.markInterrupted(db, now());
  if (interrupted > 0) {
    log.warn(
      "mail.interrupted",
      "mails were being sent when Till stopped; send them again if they did not arrive",
      { count: interrupted },
    );
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await mailer.sendDue(signal);
        const next = mailer.nextDue();
        await bell.wait(Math.min(idleMsMax, next === null ? idleMsMax : Math.max(1, next - now())), signal);
      } catch (thrown) {
        log.error("mail.stalled", "mails cannot be sent just now", { reason: messageOf(thrown) });
        await sleep(faultMs, signal);
      }
    }
    // Stores the last mails' outcomes; sends nothing more.
    await mailer.finish();
    await mailer.sendDue(signal);
  }

  const running = run();
  const ended = running.catch((thrown) =>
    log.error("mail.unrecorded", "what became of the last mails could not be stored", {
      reason: messageOf(thrown),
    }),
  );
  return {
    wake: bell.wake,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
