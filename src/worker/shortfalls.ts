import { readConfirmed } from "../chain/confirmations.ts";
import { mustBeOnChain } from "../chain/scan.ts";
import type { Config } from "../config.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Log } from "../log-events.ts";
import * as Shortfall from "../service/shortfall.ts";
import type { Db } from "../store/database.ts";
import * as ShortfallStore from "../store/shortfall.ts";
import { type Chore, msUntil } from "./chores.ts";

const sliceMs = 1_000;
const logCallsPerSlice = 4;

/** Compares what addresses hold with the books, soon after each payment and ever less often, until it is settled. */
export function createShortfallChore(
  { network, confirmations, logRange }: Config,
  db: Db,
  log: Log,
  clock: () => number,
): Chore {
  let nextAt = 0;
  return {
    dueInMs(now) {
      const times = [ShortfallStore.nextAt(db), ShortfallStore.nextCompareAt(db)].filter((at) => at !== null);
      if (times.length === 0) return null;
      const dueInMs = Math.min(...times.map((at) => msUntil(at, now, Shortfall.compareMsMax)));
      return Math.max(dueInMs, msUntil(nextAt, now, sliceMs));
    },
    async slice({ provider: { rpc, balances }, checkpoint, now }) {
      nextAt = now + sliceMs;
      const latest = now + Shortfall.compareMsMax;
      const short = ShortfallStore.due(db, now, latest);
      const deposits = short ? [short] : ShortfallStore.listToCompare(db, now, latest, balances.batch);
      const { stateBlock } = await readConfirmed(rpc, confirmations);
      const block = Math.min(stateBlock, checkpoint.number);
      const found = await balances.read(
        deposits.map(({ address }) => address),
        block,
      );
      // The balances of another chain would say nothing.
      await mustBeOnChain(rpc, checkpoint);
      const held = deposits.map(({ index }, at) => ({ index, balance: found[at] ?? 0n }));
      if (!short) return Shortfall.compare(db, held, block, now);
      const tracing = { db, rpc, usdc: network.usdc, logRange, now: clock };
      const balance = found[0] ?? 0n;
      logExplained(
        log,
        short,
        await Shortfall.explain(tracing, short.index, { block, balance }, logCallsPerSlice),
      );
    },
    failed() {},
  };
}

/** Says what was found out about a deposit that holds less than the books say. */
export function logExplained(
  log: Log,
  { address }: ShortfallStore.ToCompare,
  explained: Shortfall.Explained,
): void {
  if (explained.kind === "unclear") return;
  if (explained.moved > 0n) {
    const amount = Usdc.formatExact(explained.moved);
    log.info("settlement.elsewhere", "somebody else settled a deposit", { deposit: address, amount });
  }
  if (!explained.isNews) return;
  const amount = Usdc.formatExact(explained.missing);
  log.error("payment.missing", "an address holds less than was credited", { deposit: address, amount });
}
