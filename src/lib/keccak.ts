import { keccak_256 } from "@noble/hashes/sha3";

/** Keccak-256 as Ethereum uses it (the padding of the original submission, not that of NIST's SHA3-256). */
export function keccak256(data: Uint8Array | string): Uint8Array {
  return keccak_256(data);
}
