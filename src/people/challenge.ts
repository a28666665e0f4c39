import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long somebody has to use the passkey asked for. */
export const challengeMs = 5 * 60_000;

const nonceBytes = 16;
const timeBytes = 8;
const markBytes = 32;

/**
 * What a passkey signs. A challenge contains its own expiry and a mark of its purpose: a signature for one purpose
 * proves nothing for another, and strangers who request many fill no memory.
 */
export type Challenges = {
  /** Base64url, as browsers expect it. */
  make(purpose: string): string;
  /** Whether it was made for this purpose, by this run of Till, and has not expired. */
  isFor(challenge: string, purpose: string): boolean;
  /** Uses it up. Returns false when it was used before. */
  use(challenge: string): boolean;
};

export function createChallenges(now: () => number): Challenges {
  const key = randomBytes(32);
  /** Used challenges, until they would have expired. */
  const used = new Map<string, number>();

  function markOf(head: Buffer, purpose: string): Buffer {
    return createHmac("sha256", key).update(head).update(purpose).digest();
  }
  return {
    make(purpose) {
      const head = Buffer.alloc(timeBytes + nonceBytes);
      head.writeBigUInt64BE(BigInt(now() + challengeMs));
      randomBytes(nonceBytes).copy(head, timeBytes);
      return Buffer.concat([head, markOf(head, purpose)]).toString("base64url");
    },

    isFor(challenge, purpose) {
      const bytes = Buffer.from(challenge, "base64url");
      if (bytes.length !== timeBytes + nonceBytes + markBytes) return false;
      // The same bytes in another spelling could be used a second time.
      if (bytes.toString("base64url") !== challenge) return false;
      const head = bytes.subarray(0, timeBytes + nonceBytes);
      const isOurs = timingSafeEqual(bytes.subarray(head.length), markOf(head, purpose));
      const leftMs = Number(head.readBigUInt64BE()) - now();
      // With a clock set back, more time is left than there ever was.
      return isOurs && leftMs > 0 && leftMs <= challengeMs && !used.has(challenge);
    },

    use(challenge) {
      for (const [each, expiresAt] of used) if (expiresAt <= now()) used.delete(each);
      if (used.has(challenge)) return false;
      used.set(challenge, Number(Buffer.from(challenge, "base64url").readBigUInt64BE()));
      return true;
    },
  };
}
