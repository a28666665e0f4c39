import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

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
export type Vault = {
  seal(text: string, place: string): string;
  /** Throws a SealBroken when the text was changed, belongs to another place or was sealed with another key. */
  open(sealed: string, place: string): string;
};

/** `key` has 32 bytes. */
export function createVault(key: Uint8Array): Vault {
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(place));
      const sealed = [nonce, sealing.update(text, "utf8"), sealing.final(), sealing.getAuthTag()];
      return sealedPrefix + Buffer.concat(sealed).toString("base64");
    },
    open(sealed, place) {
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
