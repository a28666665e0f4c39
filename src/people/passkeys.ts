import { createHmac, timingSafeEqual } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { isLoopbackHost, plainIp } from "../lib/net/host.ts";
import { world } from "../lib/world.ts";
import type { Db } from "../store/database.ts";
import * as PasskeyStore from "../store/tables/desk/passkey.ts";

/** COSE ids of ES256, EdDSA and RS256. Every device supports one of them. */
const algorithms = [-7, -8, -257];

/** JSON for `navigator.credentials`. */
export type PasskeyOptions = string;

/** A newly created passkey that belongs to nobody yet. */
export type NewPasskey = {
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: readonly string[];
};

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Returns the host that this Till's passkeys belong to; null where browsers create none. */
export function passkeyHost(baseUrl: string): string | null {
  const { protocol, hostname } = new URL(baseUrl);
  if (plainIp(hostname.replace(/^\[|\]$/g, "")) !== null) return null;
  return protocol === "https:" || isLoopbackHost(hostname) ? hostname : null;
}

/** The person a new passkey is for. */
type Holder = { handle: string; name: string; id?: number };

type PasskeysDeps = {
  db: Db;
  baseUrl: string;
  shopName: () => string;
  challenges: ReturnType<typeof createChallenges>;
};

export function createPasskeys({ db, baseUrl, shopName, challenges }: PasskeysDeps) {
  const host = passkeyHost(baseUrl);
  const rpId = host ?? "";
  const named = (personId: number) =>
    PasskeyStore.listOf(db, personId).map(({ credentialId, transports }) => ({
      type: "public-key",
      id: credentialId,
      transports,
    }));
  const expected = (purpose: string) => ({
    expectedChallenge: (challenge: string) => challenges.isFor(challenge, purpose),
    expectedOrigin: baseUrl,
    expectedRPID: rpId,
    requireUserVerification: true,
  });

  return {
    /** True if browsers create passkeys here: with TLS or on localhost, not for an IP address (WebAuthn, 5.1.2). */
    arePossible: host !== null,

    /** Asks for a signature by any passkey of this Till, or by one person's. */
    request: (purpose: string, personId?: number): PasskeyOptions =>
      JSON.stringify({
        challenge: challenges.make(purpose),
        rpId,
        timeout: challengeMs,
        userVerification: "required",
        // Without a list, the device offers its own passkeys, so nobody learns who works here.
        ...(personId === undefined ? {} : { allowCredentials: named(personId) }),
      }),

    /** Asks for a new passkey that identifies its person by itself. */
    creation: (purpose: string, { handle, name, id }: Holder): PasskeyOptions =>
      JSON.stringify({
        challenge: challenges.make(purpose),
        rp: { id: rpId, name: shopName() },
        user: { id: handle, name, displayName: name },
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        timeout: challengeMs,
        excludeCredentials: id === undefined ? [] : named(id),
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
        attestation: "none",
      }),

    /** Returns the passkey that signed for this purpose, and its person. Works once; null for an invalid response. */
    async verify(
      text: string,
      purpose: string,
      now: number,
    ): Promise<{ personId: number; passkeyId: number } | null> {
      const response = parse<AuthenticationResponseJSON>(text);
      const passkey = response && PasskeyStore.byCredential(db, String(response.id));
      if (host === null || !response || !passkey) return null;
      const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
      const { credentialId, publicKey, counter } = passkey;
      const verification = await verifyAuthenticationResponse({
        response,
        credential: { id: credentialId, publicKey, counter },
        ...expected(purpose),
      }).catch(() => null);
      if (!verification?.verified || !challenges.use(challengeOf(response))) return null;
      const { newCounter } = verification.authenticationInfo;
      const isNoted = PasskeyStore.setUsed(db, passkey.id, { counter: newCounter, usedAt: now });
      return isNoted ? { personId: passkey.personId, passkeyId: passkey.id } : null;
    },

    /** Returns the passkey created for this purpose. Works once; null if the response is invalid. */
    async verifyNew(text: string, purpose: string): Promise<NewPasskey | null> {
      const response = parse<RegistrationResponseJSON>(text);
      if (host === null || !response) return null;
      const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
      const verification = await verifyRegistrationResponse({
        response,
        supportedAlgorithmIDs: algorithms,
        ...expected(purpose),
      }).catch(() => null);
      if (!verification?.verified || !challenges.use(challengeOf(response))) return null;
      const { id, publicKey, counter } = verification.registrationInfo.credential;
      // No device creates a credential id that somebody already has.
      if (PasskeyStore.byCredential(db, id) !== null) return null;
      return { credentialId: id, publicKey, counter, transports: transportsOf(response) };
    },
  };
}

function parse<T extends { id: string; response: { clientDataJSON: string } }>(text: string): T | null {
  try {
    const value = JSON.parse(text);
    return typeof value?.id === "string" && typeof value.response === "object" ? value : null;
  } catch {
    return null;
  }
}

/** Only for a verified response. */
function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  return JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString()).challenge;
}

const transportForm = /^[a-z-]{1,20}$/;
const transportsMax = 8;

function transportsOf({ response }: RegistrationResponseJSON): string[] {
  const transports: unknown = response.transports;
  if (!Array.isArray(transports)) return [];
  return transports
    .filter((each) => typeof each === "string" && transportForm.test(each))
    .slice(0, transportsMax);
}

/** Time to use the requested passkey. */
export const challengeMs = 5 * 60_000;

const nonceBytes = 16;
const timeBytes = 8;
const markBytes = 32;

/**
 * The challenges that passkeys sign. Each contains its own expiry and a MAC over its purpose: a signature for one
 * purpose proves nothing for another, and strangers who request many fill no memory.
 */
export function createChallenges(now: () => number) {
  const key = world.randomBytes(32);
  /** Used challenges, kept until they would have expired. */
  const used = new Map<string, number>();

  function markOf(head: Buffer, purpose: string): Buffer {
    return createHmac("sha256", key).update(head).update(purpose).digest();
  }
  return {
    /** Returns base64url, as browsers expect it. */
    make(purpose: string): string {
      const head = Buffer.alloc(timeBytes + nonceBytes);
      head.writeBigUInt64BE(BigInt(now() + challengeMs));
      world.randomBytes(nonceBytes).copy(head, timeBytes);
      return Buffer.concat([head, markOf(head, purpose)]).toString("base64url");
    },

    /** True if this run of Till made the challenge for this purpose and it has not expired or been used. */
    isFor(challenge: string, purpose: string): boolean {
      const bytes = Buffer.from(challenge, "base64url");
      if (bytes.length !== timeBytes + nonceBytes + markBytes) return false;
      // The same bytes in another spelling could be used a second time.
      if (bytes.toString("base64url") !== challenge) return false;
      const head = bytes.subarray(0, timeBytes + nonceBytes);
      const isOurs = timingSafeEqual(bytes.subarray(head.length), markOf(head, purpose));
      const leftMs = Number(head.readBigUInt64BE()) - now();
      // After the clock was set back, more time would be left than a challenge ever had.
      return isOurs && leftMs > 0 && leftMs <= challengeMs && !used.has(challenge);
    },

    /** Marks a challenge as used. Returns false if it already was. */
    use(challenge: string): boolean {
      for (const [each, expiresAt] of used) if (expiresAt <= now()) used.delete(each);
      if (used.has(challenge)) return false;
      used.set(challenge, Number(Buffer.from(challenge, "base64url").readBigUInt64BE()));
      return true;
    },
  };
}
