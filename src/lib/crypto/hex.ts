export type Hex = `0x${string}`;

/** Bytes as `0x` and two digits each, in lower case. */
export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

/** A whole number from 0 on as JSON-RPC writes it: `0x1f`, without zeros in front. */
export function quantityHex(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}
