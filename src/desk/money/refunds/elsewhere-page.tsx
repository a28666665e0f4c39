import type { Receivable } from "../../../domain/receivable/receivable.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { StoredRefund } from "../../../store/tables/invoicing/refund.ts";
import { confirmPage } from "../../parts/form/confirm-page.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { refundForm } from "./new-page.tsx";
import { refundHref, shortNameOf } from "./parts.ts";

/** Asks before it is noted as given back: the customer is told so, and nothing takes that back. */
export function elsewherePage(frame: DeskFrame, refund: StoredRefund, owner: Receivable): string {
  const { locale } = frame;
  const href = refundHref(refund);
  return confirmPage({
    ...{ frame, place: "money", isDanger: false },
    back: { href, label: shortNameOf(owner, locale) },
    question: locale.say("refundMarkQuestion", { amount: locale.usdc(Usdc.formatExact(refund.amount)) }),
    text: locale.say("refundMarkText"),
    field: refundForm.fields({ frame, typed: refundForm.empty, faults: [] })("note"),
    action: `${href}/elsewhere`,
    keep: locale.say("refundKeep"),
    confirm: locale.say("refundMark"),
  });
}
