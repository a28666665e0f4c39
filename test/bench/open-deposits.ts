import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Address } from "../../src/domain/wallet/address.ts";
import { closeDatabase, openDatabase, transact } from "../../src/store/database.ts";
import type { TestChain } from "../support/chain/chain.ts";
import type { ServedTill } from "../support/till/process.ts";
import { storeInvoice } from "../support/till/records.ts";
import { until } from "../support/till/till.ts";

/** A day of blocks is made in seconds here: an address that is as new as that would not be looked for in them. */
const depositAgeMs = 2 * 86_400_000;
/** A busy machine takes long to start a Till. */
const followedMsMax = 60_000;

/** Puts invoices of 100.00 USDC into the data of a Till that is paused, and returns their addresses. */
export function storeOpenDeposits(dataDir: string, count: number): Address[] {
  const db = openDatabase(dataDir);
  try {
    const now = Date.now() - depositAgeMs;
    return transact(db, () => Array.from({ length: count }, () => storeInvoice(db, { now }).deposit.address));
  } finally {
    closeDatabase(db);
  }
}

/** Creates a payment link by the API and returns where its status is. */
export async function createLink(till: ServedTill): Promise<string> {
  const { status, body } = await till.api("POST", "/api/links", {
    business_name: "Shop",
    expected_amount: "25.00",
    merchant_email: "a@shop.example",
    wallet_type: "managed",
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return `/api/payments/status/${body.slug}`;
}

/** `checkpoint` is -1 before the first. */
export type Progress = { transfers: number; checkpoint: number };

/** Looks into Till's data from outside, without asking Till. */
export function watchProgress(dataDir: string): { now(): Progress; close(): void } {
  const db = new Database(join(dataDir, "till.db"), { readonly: true });
  const query = db.query<{ transfers: number; checkpoint: number | null }, []>(
    "SELECT (SELECT count(*) FROM transfer) AS transfers, (SELECT max(block_number) FROM checkpoint) AS checkpoint",
  );
  return {
    now() {
      const row = query.get();
      return { transfers: row?.transfers ?? 0, checkpoint: row?.checkpoint ?? -1 };
    },
    close: () => db.close(),
  };
}

/** Waits until Till has begun to follow the chain. */
export async function followed(till: ServedTill): Promise<void> {
  const progress = watchProgress(till.dataDir);
  await until(progress.now, ({ checkpoint }) => checkpoint >= 0, followedMsMax);
  progress.close();
}

export async function headOf(chain: Pick<TestChain, "rpc">): Promise<number> {
  return Number(await chain.rpc("eth_blockNumber"));
}
