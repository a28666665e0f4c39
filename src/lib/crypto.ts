import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { world } from "./world.ts";

/** Lower-case letters and digits without `0`, `o`, `1` and `l`, which people confuse. */
const alphabet = "23456789abcdefghijkmnpqrstuvwxyz";

/** 16 characters are 80 bits, so that nobody finds somebody else's page by guessing. */
const slugLength = 16;

/** A random name for the end of a URL. */
export function newSlug(): string {
  return randomName(slugLength);
}

const slugForm = new RegExp(`^[${alphabet}]{${slugLength}}$`);

/** Returns whether a text has the form of a slug. */
export function isSlug(text: string): boolean {
  return slugForm.test(text);
}

/** A slug derived from a text. As hard to guess as the text. */
export function slugOf(text: string): string {
  return nameFrom(createHash("sha256").update(text).digest().subarray(0, slugLength));
}

/** 26 letters and digits are 130 bits. */
const idLength = 26;

/** A permanent id: `mail_` and 26 letters and digits. */
export function newId(kind: string): string {
  return idFrom(kind, world.randomBytes(idLength));
}

/** An id derived from bytes, at least 26 of them. */
export function idFrom(kind: string, bytes: Uint8Array): string {
  return `${kind}_${nameFrom(bytes.subarray(0, idLength))}`;
}

/** A random name of `length` letters and digits, 5 bits each. */
export function randomName(length: number): string {
  return nameFrom(world.randomBytes(length));
}

/** A name with a letter or digit for 5 bits of each byte. */
function nameFrom(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join("");
}

/** HMAC-SHA256 (RFC 2104), 32 bytes. Text, as key or data, is encoded in UTF-8. */
export function hmacSha256(key: Uint8Array | string, data: Uint8Array | string): Uint8Array {
  return new Uint8Array(createHmac("sha256", key).update(data).digest());
}

/** Keccak-256 as Ethereum uses it (with the padding of the original submission, not of NIST's SHA3-256). */
export function keccak256(data: Uint8Array | string): Uint8Array {
  return keccak_256(typeof data === "string" ? new TextEncoder().encode(data) : data);
}

export type Hex = `0x${string}`;

/** Bytes as `0x` and two digits each, in lower case. */
export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

/** A non-negative whole number in JSON-RPC form: `0x1f`, without leading zeros. */
export function quantityHex(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** Returns whether a node's value is one EVM word: a hash, a topic, or a number of 256 bits. */
export function isWord(value: unknown): value is Hex {
  return typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value);
}

/** A new secret for a person or a program to present, in base64url: 256 bits cannot be guessed. */
export function newToken(): string {
  return world.randomBytes(32).toString("base64url");
}

/** Returns whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** The stored form of a token. A single round of SHA-256 is enough for an unguessable secret. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Short texts at rest: AES-256-GCM with a random nonce, which is safe for 2³² texts per key. */
const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Prefix of sealed texts, which distinguishes them from plain ones. */
export const sealedPrefix = "sealed1:";

/**
 * Seals and opens texts with one key, which it does not expose. `place` says where a sealed text belongs: it opens
 * nowhere else, so that nobody who can write to the database can move one.
 */
export type Vault = ReturnType<typeof createVault>;

/** `key` has 32 bytes. */
export function createVault(key: Uint8Array) {
  return {
    seal(text: string, place: string): string {
      const nonce = world.randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(place));
      const sealed = [nonce, sealing.update(text, "utf8"), sealing.final(), sealing.getAuthTag()];
      return sealedPrefix + Buffer.concat(sealed).toString("base64");
    },
    /** Throws a SealBroken if the text was changed, belongs to another place or was sealed with another key. */
    open(sealed: string, place: string): string {
      const bytes = Buffer.from(sealed.slice(sealedPrefix.length), "base64");
      if (!sealed.startsWith(sealedPrefix) || bytes.length < nonceBytes + tagBytes)
        throw new SealBroken(place);
      try {
        const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
          .setAAD(Buffer.from(place))
          .setAuthTag(bytes.subarray(-tagBytes));
        return (
          opening.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + opening.final("utf8")
        );
      } catch {
        // GCM only knows that the tag does not match.
        throw new SealBroken(place);
      }
    },
  };
}

export class SealBroken extends Error {
  override readonly name = "SealBroken";
  constructor(place: string) {
    super(`The ${place} cannot be decrypted: it was changed, or encrypted by another wallet`);
  }
}
