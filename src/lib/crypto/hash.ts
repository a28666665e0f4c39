import { createHmac } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** HMAC-SHA256 (RFC 2104), 32 bytes. Text, as key or as data, stands for its UTF-8 bytes. */
export function hmacSha256(key: Uint8Array | string, data: Uint8Array | string): Uint8Array {
  return new Uint8Array(createHmac("sha256", key).update(data).digest());
}

/** Keccak-256 as Ethereum uses it (the padding of the original submission, not that of NIST's SHA3-256). */
export function keccak256(data: Uint8Array | string): Uint8Array {
  return keccak_256(typeof data === "string" ? new TextEncoder().encode(data) : data);
}
