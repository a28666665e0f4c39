import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { isLoopbackHost } from "../lib/net/host.ts";
import { plainIp } from "../lib/net/ip.ts";
import type { Db } from "../store/database.ts";
import * as PasskeyStore from "../store/tables/desk/passkey.ts";
import { type Challenges, challengeMs } from "./challenge.ts";

/** COSE names of ES256, EdDSA and RS256, which every device knows one of. */
const algorithms = [-7, -8, -257];

/** What a browser is asked with: JSON for `navigator.credentials`. */
export type PasskeyOptions = string;

/** A passkey that was just made, before it is somebody's. */
export type NewPasskey = {
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: readonly string[];
};

export type Passkeys = {
  /** Whether browsers make passkeys for this Till: with TLS or on localhost, and not for an IP address (WebAuthn, 5.1.2). */
  arePossible: boolean;
  /** Asks for a signature of any passkey of this Till, or of one person's. */
  request(purpose: string, personId?: number): PasskeyOptions;
  /** Asks for a new passkey that finds its person by itself. */
  creation(purpose: string, person: { handle: string; name: string; id?: number }): PasskeyOptions;
  /** The id of the person whose passkey signed for this, once; null when it is not good. */
  verify(response: string, purpose: string, now: number): Promise<number | null>;
  /** The passkey that was made for this, once; null when it is not good. */
  verifyNew(response: string, purpose: string): Promise<NewPasskey | null>;
};

/** The host that passkeys of this Till belong to; null where browsers make none. */
export function passkeyHost(baseUrl: string): string | null {
  const { protocol, hostname } = new URL(baseUrl);
  if (plainIp(hostname.replace(/^\[|\]$/g, "")) !== null) return null;
  return protocol === "https:" || isLoopbackHost(hostname) ? hostname : null;
}

type PasskeysDeps = { db: Db; baseUrl: string; shopName: () => string; challenges: Challenges };

export function createPasskeys({ db, baseUrl, shopName, challenges }: PasskeysDeps): Passkeys {
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
    arePossible: host !== null,

    request: (purpose, personId) =>
      JSON.stringify({
        challenge: challenges.make(purpose),
        rpId,
        timeout: challengeMs,
        userVerification: "required",
        // Without a list the device offers whose passkeys it holds: nobody learns who works here.
        ...(personId === undefined ? {} : { allowCredentials: named(personId) }),
      }),

    creation: (purpose, { handle, name, id }) =>
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

    async verify(text, purpose, now) {
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
      return isNoted ? passkey.personId : null;
    },

    async verifyNew(text, purpose) {
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
      // No device makes one that is somebody's already.
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

/** Only of a response that was verified. */
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
