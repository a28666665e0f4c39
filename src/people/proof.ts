import type { Db } from "../store/database.ts";
import * as PasskeyStore from "../store/tables/desk/passkey.ts";
import * as PersonStore from "../store/tables/desk/person.ts";
import type { PasskeyOptions, Passkeys } from "./passkeys.ts";
import type { Passwords } from "./password.ts";

/** How somebody signed in proves that it is still them. */
export type Proof =
  /** In development nobody signs in, so nothing is asked. */
  | { kind: "none" }
  | { kind: "passkey"; options: PasskeyOptions }
  /** For people without a passkey. */
  | { kind: "password" };

/** The session that asks, and its person. */
export type Prover = { personId: number; sessionId: number };

/** Why a proof was rejected. */
export type ProofFault = "passkey" | "password" | "busy";

/**
 * Proofs for what a stolen session must not do: moving money, letting others in. A proof is for one purpose of one
 * session: the passkey signs a challenge that carries both, is good for five minutes and works once. So whatever the
 * deed depends on, such as an amount and an address, belongs into the purpose, as the form sends it:
 *
 * ```ts
 * const purpose = `withdraw ${amount} ${address}`;
 * proofs.ask(prover, purpose);                    // for the page with the form
 * await proofs.check(prover, purpose, given);     // for what the form sent; null when it is good
 * ```
 */
export type Proofs = {
  ask(prover: Prover, purpose: string): Proof;
  check(prover: Prover, purpose: string, proof: string): Promise<ProofFault | null>;
};

export function createProofs(deps: {
  db: Db;
  now: () => number;
  passkeys: Passkeys;
  passwords: Passwords;
}): Proofs {
  const { db, now, passkeys, passwords } = deps;
  const inFull = ({ personId, sessionId }: Prover, purpose: string) =>
    JSON.stringify(["prove", personId, sessionId, purpose]);

  function passwordOf({ personId }: Prover): string | null {
    if (passkeys.arePossible && PasskeyStore.listOf(db, personId).length > 0) return null;
    return PersonStore.credentialsOf(db, personId)?.passwordHash ?? null;
  }
  return {
    ask(prover, purpose) {
      if (passwordOf(prover) !== null) return { kind: "password" };
      const options = passkeys.request(inFull(prover, purpose), prover.personId);
      return { kind: "passkey", options };
    },

    async check(prover, purpose, given) {
      const hash = passwordOf(prover);
      if (hash !== null) {
        const verdict = await passwords.check(given, hash, true);
        return verdict === "right" ? null : verdict === "busy" ? "busy" : "password";
      }
      const personId = await passkeys.verify(given, inFull(prover, purpose), now());
      return personId === prover.personId ? null : "passkey";
    },
  };
}
