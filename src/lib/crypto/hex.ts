export type Hex = `0x${string}`;

/** Bytes as `0x` and two digits each, in lower case. */
export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

/** A whole number from 0 on as JSON-RPC writes it: `0x1f`, without zeros in front. */
export function quantityHex(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** Whether a node said one word of the EVM: a hash, a topic, a number of 256 bits. */
export function isWord(value: unknown): value is Hex {
  return typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value);
}
