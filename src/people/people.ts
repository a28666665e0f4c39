import type { Db } from "../store/database.ts";
import { createChallenges } from "./challenge.ts";
import { createPasskeys, type Passkeys } from "./passkeys.ts";
import { createPasswords, type Passwords } from "./password.ts";
import { createProofs, type Proofs } from "./proof.ts";

/** How people show who they are. */
export type People = { passkeys: Passkeys; passwords: Passwords; proofs: Proofs };

export function createPeople(deps: {
  db: Db;
  baseUrl: string;
  now: () => number;
  shopName: () => string;
}): People {
  const passkeys = createPasskeys({ ...deps, challenges: createChallenges(deps.now) });
  const passwords = createPasswords();
  return { passkeys, passwords, proofs: createProofs({ ...deps, passkeys, passwords }) };
}
