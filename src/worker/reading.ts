import { reread } from "../chain/scan.ts";
import { addressesPerTopicMax, topicOf } from "../chain/transfer-log.ts";
import type { Transfer } from "../domain/transfer.ts";
import type { Log } from "../log-events.ts";
import type { Db } from "../store/database.ts";
import type { WatchedDeposit } from "../store/deposit.ts";
import * as ReadingStore from "../store/reading.ts";
import * as TransferStore from "../store/transfer.ts";
import { type Chore, type ChoreFacts, msUntil } from "./chores.ts";
import { listUntold, PaymentUntold } from "./untold-payment.ts";

/** A rescan that somebody waits for goes on at once, whatever nobody waits for takes its time. */
const sliceMs = { rescan: 20, late: 1_000 } as const;

/** A rescan that fails this often in a row, over about four minutes, ends: somebody is waiting for it. */
const rescanFailuresMax = 8;

/** A late reading that has not found what came is done again after 10 s, 40 s, and so on, as long as money is there. */
const untoldRestMsMin = 10_000;
const untoldRestMsMax = 6 * 3_600_000;
const untoldRestFactor = 4;

/**
 * The readings of a kind that are open, the oldest first: the blocks that `till rescan` asks for, or those in which
 * late money came. Each is a chore of its own, so that one that fails does not keep the others waiting, and one is
 * taken up when those before it are done or rest.
 */
export function createReadings(db: Db, kind: ReadingStore.Reading["kind"], log: Log): () => Chore[] {
  const known = new Map<number, Chore>();
  const pace = { nextAt: 0 };
  return () => {
    const open = new Set(ReadingStore.listOpen(db, kind));
    for (const id of known.keys()) if (!open.has(id)) known.delete(id);
    for (const id of open) if (!known.has(id)) known.set(id, createReading(db, id, kind, pace, log));
    return [...known.values()];
  };
}

/** A slice is one range of blocks for at most 1,000 addresses; how far the reading is stands in the database. */
function createReading(
  db: Db,
  id: number,
  kind: ReadingStore.Reading["kind"],
  pace: { nextAt: number },
  log: Log,
): Chore {
  let restUntil = 0;
  let timesUntold = 0;

  /** Takes off the list whatever is found in full. Returns the rest of it, once that is so for all of the list. */
  async function listLeft(
    reading: ReadingStore.Reading,
    deposits: readonly WatchedDeposit[],
    isWhole: boolean,
    facts: ChoreFacts,
  ): Promise<WatchedDeposit[]> {
    const untold = new Set(await listUntold(db, deposits, facts));
    const told = deposits.map(({ index }) => index).filter((index) => !untold.has(index));
    ReadingStore.dropDeposits(db, id, told);
    return isWhole ? ReadingStore.listDeposits(db, { ...reading, nextDeposit: 0 }, addressesPerTopicMax) : [];
  }

  async function readSlice(reading: ReadingStore.Reading & { to: number }, facts: ChoreFacts) {
    const { provider, checkpoint, credit } = facts;
    const deposits = ReadingStore.listDeposits(db, reading, addressesPerTopicMax);
    const recipients = new Map(deposits.map(({ index, address }) => [topicOf(address), index]));
    const isKnown = (transfer: Transfer) => TransferStore.isRecorded(db, transfer);
    let { sliceTo, found } = reading;
    let from = reading.next;
    while (deposits.length > 0 && from <= (sliceTo ?? from)) {
      const blocks = { from, to: sliceTo ?? reading.to };
      const some = await reread({ ...provider, checkpoint }, blocks, recipients, isKnown);
      if (some.transfers.length > 0) credit(some.transfers);
      found += some.transfers.length;
      sliceTo ??= some.to;
      from = some.to + 1;
    }
    const last = deposits.at(-1);
    // Without any deposit there is nothing to read in any block.
    const readTo = sliceTo ?? reading.to;
    const isWhole = !last || deposits.length < addressesPerTopicMax;
    const isLast = readTo >= reading.to;
    const [untold, ...others] =
      kind === "late" && isLast ? await listLeft(reading, deposits, isWhole, facts) : [];
    const next = untold ? reading.from : readTo + 1;
    ReadingStore.save(db, {
      ...reading,
      found,
      // What was missing the last time still is until all blocks have been read again.
      problem: timesUntold > 0 && !(isWhole && isLast) ? reading.problem : null,
      ...(isWhole
        ? { next, nextDeposit: 0, sliceTo: null }
        : { nextDeposit: last.index + 1, sliceTo: readTo }),
      finishedAt: isWhole && isLast && !untold ? facts.now : null,
    });
    if (found > reading.found)
      log.info("payment.found", "payments were found in older blocks", { count: found - reading.found });
    if (!untold) return;
    restUntil = facts.now + Math.min(untoldRestMsMax, untoldRestMsMin * untoldRestFactor ** timesUntold);
    timesUntold += 1;
    throw new PaymentUntold(provider.rpc.host, reading, untold.address, others.length);
  }

  return {
    dueInMs(now) {
      return Math.max(msUntil(pace.nextAt, now, sliceMs[kind]), msUntil(restUntil, now, untoldRestMsMax));
    },
    async slice(facts) {
      const reading = ReadingStore.byId(db, id);
      if (!reading) return;
      const head = facts.checkpoint.number;
      const to = reading.to ?? Math.min(reading.wantedTo ?? head, head);
      if (reading.from > to) {
        const problem = kind === "rescan" ? `the chain is at block ${head} only` : null;
        ReadingStore.save(db, { ...reading, to, problem, finishedAt: facts.now });
        return;
      }
      // Before it is read: what is found warms its address again, and that is a reading of its own.
      if (reading.to === null) ReadingStore.save(db, { ...reading, to });
      await readSlice({ ...reading, to }, facts);
      pace.nextAt = facts.now + sliceMs[kind];
    },
    failed(problem, times, now) {
      const reading = ReadingStore.byId(db, id);
      if (!reading) return;
      const isOver = kind === "rescan" && times >= rescanFailuresMax;
      ReadingStore.save(db, { ...reading, problem, finishedAt: isOver ? now : null });
    },
  };
}
