import type { Limits } from "../../http/access/limits.ts";
import type { TextKey } from "../../language/locale.ts";
import type { Proof, ProofFault, Proofs, Prover } from "../../people/people.ts";
import type { Db } from "../../store/database.ts";
import { unlocked } from "../../store/group-commit.ts";
import type { FormFault } from "../parts/form/form.tsx";
import type { Visit } from "../parts/page/visit.ts";

/** Asks a signed-in person for their passkey or password again. See `Proofs` for what belongs in a purpose. */
type Proving = {
  /** For `<ProofField>` in the form. */
  ask(visit: Visit, purpose: string, isForFirst?: boolean): Proof;
  /** Returns the fault to show if the form does not prove it. Uses up the proof: check everything else first. */
  check(
    visit: Visit,
    purpose: string,
    form: URLSearchParams,
    isForFirst?: boolean,
  ): Promise<FormFault | null>;
};

const texts = {
  passkey: "proofPasskey",
  password: "proofPassword",
  busy: "tooManyTries",
  missing: "proofMissing",
} as const satisfies Record<ProofFault, TextKey>;

const proverOf = ({ who: { id, sessionId } }: Visit): Prover | null =>
  id === null || sessionId === null ? null : { personId: id, sessionId };

export function createProving(
  db: Db,
  proofs: Proofs,
  limits: Pick<Limits, "check" | "take">,
  isStill: (visit: Visit) => boolean,
): Proving {
  return {
    ask(visit, purpose, isForFirst) {
      const prover = proverOf(visit);
      return prover === null ? { kind: "none" } : proofs.ask(prover, purpose, isForFirst);
    },

    async check(visit, purpose, form, isForFirst) {
      const prover = proverOf(visit);
      if (prover === null) return null;
      const client = `person ${prover.personId}`;
      const fault = limits.check("SIGN_INS", client)
        ? "busy"
        : await proofs.check(prover, purpose, form.get("proof") ?? "", isForFirst);
      // Otherwise the next step would hold up everybody while another program has the lock.
      await unlocked(db);
      // The session may have ended while the check was queued.
      if (!isStill(visit)) return { field: "proof", message: visit.frame.locale.say("refusedStale") };
      if (fault === null) return null;
      limits.take("SIGN_INS", client);
      return { field: "proof", message: visit.frame.locale.say(texts[fault]) };
    },
  };
}
