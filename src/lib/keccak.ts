import { keccak_256 } from "@noble/hashes/sha3.js";

/** Keccak-256 as Ethereum uses it (the padding of the original submission, not that of NIST's SHA3-256). */
export function keccak256(data: Uint8Array | string): Uint8Array {
  return keccak_256(typeof data === "string" ? new TextEncoder().encode(data) : data);
}
