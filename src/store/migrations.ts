import type { Database } from "bun:sqlite";
import invoices from "./schema/01-invoices.sql" with { type: "text" };
import links from "./schema/02-links.sql" with { type: "text" };
import apiKeys from "./schema/03-api-keys.sql" with { type: "text" };
import idempotency from "./schema/04-idempotency.sql" with { type: "text" };
import pastBlocks from "./schema/05-past-blocks.sql" with { type: "text" };
import settlement from "./schema/06-settlement.sql" with { type: "text" };
import withdrawal from "./schema/07-withdrawal.sql" with { type: "text" };
import floor from "./schema/08-floor.sql" with { type: "text" };
import sealedSecrets from "./schema/09-sealed-secrets.sql" with { type: "text" };
import mailKinds from "./schema/10-mail-kinds.sql" with { type: "text" };
import failedSettlements from "./schema/11-failed-settlements.sql" with { type: "text" };
import waitingWebhooks from "./schema/12-waiting-webhooks.sql" with { type: "text" };
import manySmallPayments from "./schema/13-many-small-payments.sql" with { type: "text" };
import mailHandover from "./schema/14-mail-handover.sql" with { type: "text" };
import payersAndFees from "./schema/15-payers-and-fees.sql" with { type: "text" };
import withdrawalEnds from "./schema/16-withdrawal-ends.sql" with { type: "text" };
import tolerance from "./schema/17-tolerance.sql" with { type: "text" };
import secondOpinion from "./schema/18-second-opinion.sql" with { type: "text" };

/**
 * The schema as an append-only list: each step runs once, in order, in a transaction of its own. A step that
 * has been released is never changed. Amounts are micro-USDC, times Unix milliseconds, hashes and addresses
 * text with 0x.
 */
const migrations: readonly string[] = [
  invoices,
  links,
  apiKeys,
  idempotency,
  pastBlocks,
  settlement,
  withdrawal,
  floor,
  sealedSecrets,
  mailKinds,
  failedSettlements,
  waitingWebhooks,
  manySmallPayments,
  mailHandover,
  payersAndFees,
  withdrawalEnds,
  tolerance,
  secondOpinion,
];

/** The schema of this Till: how many steps there are. */
export const newestSchema = migrations.length;

/** How many steps of the schema a database has; 0 when it is new. */
export function schemaOf(db: Database): number {
  return Number(db.query<{ user_version: bigint | number }, []>("PRAGMA user_version").get()?.user_version);
}

/** Brings the schema to this version. Throws a SchemaTooNew when a later Till has written the database. */
export function migrate(db: Database): void {
  const version = () => schemaOf(db);
  if (version() > migrations.length) throw new SchemaTooNew(version(), migrations.length);
  for (const [index, sql] of migrations.entries()) {
    if (version() > index) continue;
    db.transaction(() => {
      // Another process may have come first: only what is seen under the write lock counts.
      if (version() > index) return;
      db.run(sql);
      db.run(`PRAGMA user_version = ${index + 1}`);
    }).immediate();
  }
}

export class SchemaTooNew extends Error {
  override readonly name = "SchemaTooNew";
  constructor(found: number, known: number) {
    super(
      `The database was written by a later version of Till (schema ${found}; this one knows ${known}). ` +
        "Use that version, or restore a backup made before the upgrade.",
    );
  }
}
