import type { Refund } from "../../../domain/payment/refund.ts";
import type { ReceiptSubject } from "../../../domain/receipt/receipt.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { StateName } from "../../parts/state.tsx";

export const listPath = "/desk/refunds";

export const refundHref = ({ id }: Pick<Refund, "id">): string => `${listPath}/${id}`;

/** Where a refund of something begins. */
export const refundStart = (owner: ReceiptSubject): string =>
  owner.kind === "invoice"
    ? `${listPath}/new?invoice=${encodeURIComponent(owner.invoice.number)}`
    : `${listPath}/new?link=${owner.link.slug}`;

/** What a refund is of, as people know it. */
export const whatOf = (owner: ReceiptSubject, { say }: Locale): string =>
  owner.kind === "invoice"
    ? owner.invoice.number
    : (owner.link.productDescription ?? say("linkNamed", { slug: owner.link.slug }));

/** Whom it goes to; null where nobody knows. */
export const whomOf = (owner: ReceiptSubject): string | null =>
  owner.kind === "invoice" ? owner.invoice.vendorName : owner.link.payerEmail;

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
