import type { Refund } from "../../../domain/payment/refund.ts";
import { faceOf, type Receivable } from "../../../domain/receivable/receivable.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { StateName } from "../../parts/state.tsx";

export const listPath = "/desk/refunds";

export const refundHref = ({ id }: Pick<Refund, "id">): string => `${listPath}/${id}`;

/** Returns where a refund begins. */
export const refundStart = (owner: Receivable): string =>
  `${listPath}/new?${owner.kind}=${encodeURIComponent(faceOf(owner).name)}`;

/** Returns the subject of a refund, as people know it. */
export function shortNameOf(owner: Receivable, { say }: Locale): string {
  const { number, product, name } = faceOf(owner);
  return number ?? product ?? say("linkNamed", { slug: name });
}

/** Returns the recipient; null if unknown. */
export function whomOf(owner: Receivable): string | null {
  const { customerName, customerEmail } = faceOf(owner);
  return customerName ?? customerEmail;
}

/** Returns a refund's progress, for a list and for its page. */
export function stateOf({ state, address }: Pick<Refund, "state" | "address">): {
  name: StateName;
  word: TextKey;
} {
  if (state === "requested")
    return address === null
      ? { name: "open", word: "refundWaitsAddress" }
      : { name: "late", word: "refundWaitsApproval" };
  if (state === "approved") return { name: "seen", word: "refundApproved" };
  if (state === "sent") return { name: "seen", word: "refundOnItsWay" };
  return state === "confirmed"
    ? { name: "paid", word: "refundedTitle" }
    : { name: "void", word: "refundTaken" };
}
