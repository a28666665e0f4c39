import type { Db } from "../../store/database.ts";
import { countRows, type Tally } from "../../store/reports/statistics.ts";

/** How long counts are shown, at least, before counting again. */
const freshMsMin = 5_000;

/** Also rest this many times as long as counting took, so that a large database is not counted all the time. */
const restFactor = 20;

type Counts = Record<
  "invoice" | "link" | "webhook_event" | "mail" | "settlement" | "deposit" | "relay",
  Tally[]
>;

/** Rows by status or state, counted now and then, by one count at a time. */
export function createCounts(db: Db): () => Promise<Counts> {
  const count = async (): Promise<Counts> => ({
    invoice: await countRows(db, "invoice"),
    link: await countRows(db, "link"),
    webhook_event: await countRows(db, "webhook_event"),
    mail: await countRows(db, "mail"),
    settlement: await countRows(db, "settlement"),
    deposit: await countRows(db, "deposit"),
    relay: await countRows(db, "relay"),
  });
  let latest: Promise<Counts> | null = null;
  return () => {
    if (latest) return latest;
    const startedAt = performance.now();
    const counting = count();
    latest = counting;
    const forget = () => {
      if (latest === counting) latest = null;
    };
    const forgetLater = () =>
      setTimeout(forget, Math.max(freshMsMin, restFactor * (performance.now() - startedAt))).unref();
    counting.then(forgetLater, forget);
    return counting;
  };
}
