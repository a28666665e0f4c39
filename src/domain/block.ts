/** A place on the chain: two blocks of the same number are the same only when their hashes are. */
export type BlockRef = { number: number; hash: string };
