import { readOutflow } from "../chain/outflow.ts";
import { type Rpc, RpcError, RpcUnreachable } from "../chain/rpc.ts";
import type { Address } from "../domain/address.ts";
import * as Usdc from "../domain/usdc.ts";
import { type Db, transact } from "../store/database.ts";
import * as OpinionStore from "../store/opinion.ts";
import * as SettlementStore from "../store/settlement.ts";
import * as ShortfallStore from "../store/shortfall.ts";

/**
 * What addresses hold, compared with what the books say. More is a payment that nobody told of, which is looked for
 * elsewhere. Less has been moved, which its Transfer logs prove, or it was never there.
 */

const minuteMs = 60_000;
/** No comparison is planned further ahead than this. */
export const compareMsMax = 86_400_000;
/** After this long the daily check of old addresses takes over. */
const compareForMs = 30 * 86_400_000;
const explainAgainMsMax = 6 * 3_600_000;

/** So many transfers of a deposit are looked into when its money is missing. */
const doubtedMax = 100;

/**
 * Compares what deposits held right after a block with the books, and plans the next time: after a minute, two, four,
 * and so on, at least daily. Those that hold too little are noted.
 */
export function compare(
  db: Db,
  held: readonly { index: number; balance: bigint }[],
  block: number,
  now: number,
): void {
  transact(db, () => {
    for (const { index, balance } of held) {
      const { received, settled, changedAt, isMoving, lastBlock } = ShortfallStore.books(db, index);
      const ageMs = now - changedAt;
      const pauseMs = Math.min(compareMsMax, Math.max(minuteMs, ageMs));
      const isOver = received <= settled || ageMs > compareForMs;
      ShortfallStore.compareAgain(db, index, isOver ? null : now + pauseMs);
      // A node that has not got the payment itself cannot tell that it is gone.
      if (isMoving || lastBlock > block) continue;
      if (balance + settled >= received) ShortfallStore.remove(db, index);
      else ShortfallStore.note(db, index, now);
    }
  });
}

/** What it takes to look for outgoing transfers. */
export type Tracing = { db: Db; rpc: Rpc; usdc: Address; logRange: number; now: () => number };

export type Explained =
  /** There are blocks left to read, or the money is being moved. */
  | { kind: "unclear" }
  /** So much was moved by somebody else, and so much is missing: `isNews` when that was not known. */
  | { kind: "clear"; moved: Usdc.Usdc; missing: Usdc.Usdc; isNews: boolean };

/**
 * Finds out why a deposit held less than the books say right after a block: reads its outgoing transfers on from where
 * the last call came to, with at most `callsMax` calls for logs. What they prove is recorded as settled by somebody
 * else. For the rest every node will be asked whether it knows the payments. Throws what the node's answers make it
 * throw.
 */
export async function explain(
  { db, rpc, usdc, logRange, now }: Tracing,
  index: number,
  { block, balance }: { block: number; balance: bigint },
  callsMax: number,
): Promise<Explained> {
  ShortfallStore.note(db, index, now());
  const noted = ShortfallStore.byIndex(db, index);
  if (!noted) return { kind: "unclear" };
  const traced = { ...noted };
  let range = logRange;
  for (let calls = 0; calls < callsMax && traced.tracedTo < block; calls++) {
    const from = traced.tracedTo + 1;
    const to = Math.min(block, traced.tracedTo + range);
    try {
      const moved = await readOutflow(rpc, usdc, noted, { from, to });
      traced.moved = Usdc.sum([traced.moved, moved]);
      traced.tracedTo = to;
    } catch (thrown) {
      const tooMuch = thrown instanceof RpcError || (thrown instanceof RpcUnreachable && thrown.tooMuch);
      if (!tooMuch || to === from) {
        // Others come first the next time.
        ShortfallStore.save(db, traced, now() + minuteMs);
        throw thrown;
      }
      range = Math.ceil((to - traced.tracedTo) / 2);
    }
  }
  return transact(db, () => conclude(db, traced, { block, balance }, now()));
}

function conclude(
  db: Db,
  traced: ShortfallStore.Shortfall,
  { block, balance }: { block: number; balance: bigint },
  now: number,
): Explained {
  const { index, noticedAt, missing: missingBefore } = traced;
  const { received, settled, isMoving, lastBlock } = ShortfallStore.books(db, index);
  if (traced.tracedTo < block || isMoving || lastBlock > block) {
    ShortfallStore.save(db, traced, isMoving ? now + minuteMs : now);
    return { kind: "unclear" };
  }
  const gone = received - settled - balance;
  const proven = traced.moved - settled;
  const moved = Usdc.fromMicro(gone <= 0n || proven <= 0n ? 0n : gone < proven ? gone : proven);
  if (moved > 0n) SettlementStore.recordElsewhere(db, { index, amount: moved }, now);
  if (gone <= moved) {
    ShortfallStore.remove(db, index);
    return { kind: "clear", moved, missing: Usdc.zero, isNews: false };
  }
  const missing = Usdc.fromMicro(gone - moved);
  const pauseMs = Math.min(explainAgainMsMax, Math.max(minuteMs, (now - noticedAt) / 2));
  ShortfallStore.save(db, { ...traced, missing }, Math.ceil(now + pauseMs));
  OpinionStore.doubt(db, index, now, doubtedMax);
  return { kind: "clear", moved, missing, isNews: missing !== missingBefore };
}
