import { integer, type Row, columns as table, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";

const block = { number: integer("block_number"), hash: text("block_hash") };

/** The block of a checkpoint or of a transfer. */
export const { fromRow } = table("checkpoint", block);

const columns = table("checkpoint", { ...block, settledNumber: integer(), blockUs: integer() });

export type Checkpoint = ReturnType<typeof columns.fromRow>;

/** The block up to which the books are complete; null before the first look. */
export function latest(db: Db): Checkpoint | null {
  const row = db.query<Row<Checkpoint>, []>(`SELECT ${columns.list} FROM checkpoint`).get();
  return row && columns.fromRow(row);
}

const dayUs = 86_400_000_000;

/** A block a day before the checkpoint: by then dormant addresses were compared, too. Null before the first look. */
export function dayEarlier(db: Db): number | null {
  const checkpoint = latest(db);
  return checkpoint && Math.max(0, checkpoint.number - Math.ceil(dayUs / checkpoint.blockUs));
}

/** The newest block that no reorganisation is expected to reach; 0 before the first look. */
export function settledNumber(db: Db): number {
  return numberOf(db, "SELECT settled_number FROM checkpoint") ?? 0;
}

/** Replaces the checkpoint. Call it in a transaction. */
export function put(db: Db, checkpoint: Checkpoint): void {
  db.query("DELETE FROM checkpoint").run();
  db.query(columns.insert()).run(columns.values(checkpoint));
}

const oneSweep = "SELECT block_number FROM sweep";

/** The block up to which all logs were read once; null if that has not begun. */
export const sweptTo = (db: Db): number | null => numberOf(db, oneSweep);

export function setSweptTo(db: Db, blockNumber: number): void {
  db.query(`INSERT INTO sweep (block_number) SELECT ?1 WHERE NOT EXISTS (${oneSweep})`).run(blockNumber);
  db.query("UPDATE sweep SET block_number = ?").run(blockNumber);
}
