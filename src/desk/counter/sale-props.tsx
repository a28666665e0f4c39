import type { Phase } from "../../pay/payment/state.ts";
import type { PaymentProps } from "../../pay/payment-props.ts";
import type { FormFault } from "../parts/form/form.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import type { QrPath } from "../parts/qr.tsx";

export type SaleProps = {
  frame: DeskFrame;
  slug: string;
  what: string | null;
  phase: Phase;
  payment: PaymentProps;
  /** What is asked for now: not confirmed, and not on its way either. `"0.00"` when nothing is. */
  toPay: string;
  codes: { wallet: QrPath; camera: QrPath };
  /** How far it is, in words: "2 of 5 confirmations". Null when nothing is on its way. */
  confirming: string | null;
  canCancel: boolean;
  /** Whether a receipt can be mailed. */
  canMail: boolean;
  typedEmail: string;
  faults: readonly FormFault[];
};

export function Sum({ frame: { locale }, amount }: { frame: DeskFrame; amount: string }) {
  const figure = locale.figure(amount);
  return (
    <p class={figure.length > 9 ? "figure figure-long" : "figure"}>
      <span class="num">
        {figure}
        <span class="unit"> USDC</span>
      </span>
    </p>
  );
}

export function What({ what }: { what: string | null }) {
  return what === null ? (
    ""
  ) : (
    <p class="soft" dir="auto">
      {what}
    </p>
  );
}
