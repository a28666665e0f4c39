import type { BlockRef } from "../../../src/domain/payment/block.ts";
import type { Db } from "../../../src/store/database.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import type { Scanned } from "../../../src/watch/payment/payment.ts";

const blockMs = 200;
const manyBlocks = 100_000;

/** What a look at the chain brought, as the watcher says it; `undoAbove`: the recorded blocks above this one are gone. */
export function looked(
  db: Db,
  { undoAbove = null, ...rest }: Partial<Scanned> & { checkpoint: BlockRef; undoAbove?: number | null },
): Scanned {
  return {
    settledNumber: 0,
    blockMs,
    replaced: undoAbove === null ? [] : TransferStore.listBlocksAbove(db, undoAbove, manyBlocks),
    transfers: [],
    confirmedUpTo: -1,
    late: [],
    unclear: [],
    emptied: [],
    ...rest,
  };
}

/** Takes the chain for read up to a block; no reorganisation reaches below it. */
export function putCheckpoint(db: Db, { number, hash }: BlockRef): void {
  CheckpointStore.put(db, { number, hash, settledNumber: number, blockUs: blockMs * 1_000 });
}
