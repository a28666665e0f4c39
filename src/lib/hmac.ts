import { createHmac } from "node:crypto";

/** HMAC-SHA256 (RFC 2104), 32 bytes. Text, as key or as data, stands for its UTF-8 bytes. */
export function hmacSha256(key: Uint8Array | string, data: Uint8Array | string): Uint8Array {
  return new Uint8Array(createHmac("sha256", key).update(data).digest());
}
