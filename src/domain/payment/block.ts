/** A place on the chain: two blocks of the same number are the same only when their hashes are. */
export type BlockRef = { number: number; hash: string };

/** The transaction that moved some money, and its block. */
export type Inclusion = { txHash: string; blockNumber: number; blockHash: string };

/** A block that the node itself takes for deep enough. */
export type ConfirmationTag = "safe" | "finalized";

/** When a transfer counts: at so many blocks, its own included, at an age by the chain's clock, or when the node says so. */
export type Confirmations = number | { ms: number } | ConfirmationTag;

/** As a setting names it: "5", "10s", "safe". */
export const confirmationsName = (confirmations: Confirmations): string =>
  typeof confirmations === "object" ? `${confirmations.ms / 1_000}s` : String(confirmations);

/** In how many ms a payment counts, and how many that takes in all; null when only the node can say. */
export type Counting = { inMs: number | null; ofMs: number | null };
