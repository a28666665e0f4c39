/** A block on the chain: blocks with the same number are the same only if their hashes match. */
export type BlockRef = { number: number; hash: string };

/** The transaction that moved the money, and its block. */
export type Inclusion = { txHash: string; blockNumber: number; blockHash: string };

/** A block tag for which the node itself judges the depth. */
export type ConfirmationTag = "safe" | "finalized";

/**
 * When a transfer counts: at a number of blocks including its own, at an age by the chain's clock, or when the node
 * says so.
 */
export type Confirmations = number | { ms: number } | ConfirmationTag;

/** In the form of the setting: "5", "10s", "safe". */
export const confirmationsName = (confirmations: Confirmations): string =>
  typeof confirmations === "object" ? `${confirmations.ms / 1_000}s` : String(confirmations);

/** Milliseconds until a payment counts, and how many that takes in total; null when only the node can say. */
export type Counting = { inMs: number | null; ofMs: number | null };
