import type { Refund } from "../../../domain/payment/refund.ts";
import { faceOf, type Receivable } from "../../../domain/receivable/receivable.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { StateName } from "../../parts/state.tsx";

export const listPath = "/desk/refunds";

export const refundHref = ({ id }: Pick<Refund, "id">): string => `${listPath}/${id}`;

/** Where a refund of something begins. */
export const refundStart = (owner: Receivable): string =>
  `${listPath}/new?${owner.kind}=${encodeURIComponent(faceOf(owner).name)}`;

/** What a refund is of, as people know it. */
export function shortNameOf(owner: Receivable, { say }: Locale): string {
  const { number, product, name } = faceOf(owner);
  return number ?? product ?? say("linkNamed", { slug: name });
}

/** Whom it goes to; null where nobody knows. */
export function whomOf(owner: Receivable): string | null {
  const { customerName, customerEmail } = faceOf(owner);
  return customerName ?? customerEmail;
}

/** How far a refund is, in a list and at the head of its page. */
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
