import type { Node } from "../../chain/node/nodes.ts";
import { logCallsPerHour, logCallsPerHourMax, paceOf } from "../../chain/node/pace.ts";
import { addressesPerTopicMax } from "../../chain/transfer/transfer-log.ts";
import type { Transfer } from "../../domain/payment/transfer.ts";
import { counted } from "../../lib/text/english.ts";
import * as CheckpointStore from "../../store/tables/watch/checkpoint.ts";
import type { Watching } from "../deposits.ts";

/** How long after their block logs are read: by then nodes have those that they left out before. */
export const afterMs = 90_000;

/** Pause between two slices while there is much to read. */
const paceMs = 1_000;

/**
 * Reads the logs of all blocks once, as many blocks at a time as the node accepts. Balances prove that nothing is
 * missing, except for money at an address that was emptied before, if somebody else emptied it between two looks. With
 * a node that accepts few blocks per call this would take too many calls, so it is skipped.
 */
export function createSweep(
  { db, clock, log, nodes, deposits }: Watching,
  book: (transfers: readonly Transfer[], node: Node) => Promise<number>,
) {
  let nextAt = 0;
  const factsOf = ({ rpc, reader }: Node) => {
    const pace = paceOf(rpc);
    return {
      pace,
      range: reader.range,
      isAffordable: logCallsPerHour(reader.range, pace.blockMs) <= logCallsPerHourMax,
    };
  };

  return {
    /** Milliseconds until the next slice is due; null if there is nothing to read, or it would take too many calls. */
    dueInMs(): number | null {
      const checkpoint = CheckpointStore.latest(db);
      if (checkpoint === null || deposits.recipients.size === 0) return null;
      const { pace, range, isAffordable } = factsOf(nodes.for(0));
      const to = CheckpointStore.sweptTo(db);
      if (to === null) CheckpointStore.setSweptTo(db, checkpoint.number);
      if (to === null || !isAffordable) return null;
      const missing = to + range + pace.blocks(afterMs) - checkpoint.number;
      return Math.max(0, missing * pace.blockMs, nextAt - clock());
    },
    /** Reads one range. Throws when the node fails or answers nonsense. */
    async slice(node: Node): Promise<void> {
      nextAt = clock() + paceMs;
      const checkpoint = CheckpointStore.latest(db);
      const from = (CheckpointStore.sweptTo(db) ?? 0) + 1;
      const to = Math.min(
        (checkpoint?.number ?? 0) - factsOf(node).pace.blocks(afterMs),
        from + node.reader.range - 1,
      );
      if (to < from) return;
      const some = await node.reader.readSome({ from, to }, deposits.recipients);
      const count = await book(some.transfers, node);
      if (count > 0) log.warn("chain.incomplete", "the node had left transfers out", { count });
      CheckpointStore.setSweptTo(db, some.to);
    },
    warnings(): string[] {
      if (deposits.recipients.size === 0) return [];
      const { pace, range, isAffordable } = factsOf(nodes.for(0));
      if (isAffordable) return [];
      const calls = Math.round(
        logCallsPerHour(range, pace.blockMs) * Math.ceil(deposits.recipients.size / addressesPerTopicMax),
      );
      return [
        `the node takes only ${counted(range, "block")} in one call for logs, so Till finds payments by balances alone ` +
          `(to read all logs would take ${calls} calls an hour): it would miss one to an address that was emptied before, ` +
          "if somebody else emptied it again within a minute, and its WebSocket did not tell of it",
      ];
    },
  };
}
