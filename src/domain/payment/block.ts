/** A place on the chain: two blocks of the same number are the same only when their hashes are. */
export type BlockRef = { number: number; hash: string };

/** The transaction that moved some money, and its block. */
export type Inclusion = { txHash: string; blockNumber: number; blockHash: string };

/** A block that the node itself takes for deep enough. */
export type ConfirmationTag = "safe" | "finalized";

/** When a transfer counts: at so many blocks, its own included, or in the block that the node gives this tag. */
export type Confirmations = number | ConfirmationTag;
