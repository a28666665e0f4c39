import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { world } from "./world.ts";

/** Lower-case letters and digits without `0`, `o`, `1` and `l`, which people mistake for one another. */
const alphabet = "23456789abcdefghijkmnpqrstuvwxyz";

/** 16 letters and digits are 80 bits: nobody finds somebody else's page by trying. */
const slugLength = 16;

/** A name for the end of a URL. */
export function newSlug(): string {
  return randomName(slugLength);
}

const slugForm = new RegExp(`^[${alphabet}]{${slugLength}}$`);

/** Whether `newSlug` may have made it. */
export function isSlug(text: string): boolean {
  return slugForm.test(text);
}

/** The name that this text always gives. As hard to guess as the text is. */
export function slugOf(text: string): string {
  return nameFrom(createHash("sha256").update(text).digest().subarray(0, slugLength));
}

/** 26 letters and digits are 130 bits. */
const idLength = 26;

/** What a thing is called for ever: `mail_` and 26 letters and digits. */
export function newId(kind: string): string {
  return idFrom(kind, world.randomBytes(idLength));
}

/** The id that these bytes, at least 26 of them, always give. */
export function idFrom(kind: string, bytes: Uint8Array): string {
  return `${kind}_${nameFrom(bytes.subarray(0, idLength))}`;
}

/** A random name of `length` letters and digits, 5 bits each. */
export function randomName(length: number): string {
  return nameFrom(world.randomBytes(length));
}

/** A name with a letter or digit for each byte, of 5 of its bits. */
function nameFrom(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join("");
}

/** HMAC-SHA256 (RFC 2104), 32 bytes. Text, as key or as data, stands for its UTF-8 bytes. */
export function hmacSha256(key: Uint8Array | string, data: Uint8Array | string): Uint8Array {
  return new Uint8Array(createHmac("sha256", key).update(data).digest());
}

/** Keccak-256 as Ethereum uses it (the padding of the original submission, not that of NIST's SHA3-256). */
export function keccak256(data: Uint8Array | string): Uint8Array {
  return keccak_256(typeof data === "string" ? new TextEncoder().encode(data) : data);
}

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

/** A new secret for a person or a program to show, in base64url: 256 bits cannot be guessed. */
export function newToken(): string {
  return world.randomBytes(32).toString("base64url");
}

/** Whether a text has the form of one. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** What is stored of one. A single round of SHA-256 is enough for what cannot be guessed. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Short texts at rest: AES-256-GCM with a random nonce, which is good for 2³² texts under one key. */
const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** How a sealed text begins, so that it can be told from a plain one. */
export const sealedPrefix = "sealed1:";

/**
 * Seals and opens texts with one key, which cannot be read from it. `place` says where a sealed text belongs: it
 * opens nowhere else, so that nobody who can write to the database can move one.
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
    /** Throws a SealBroken when the text was changed, belongs to another place or was sealed with another key. */
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
        // GCM knows only that the tag does not fit.
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
