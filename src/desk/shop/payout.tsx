import type { Locale } from "../../language/locale.ts";
import { WholeAddress } from "../parts/copy.tsx";
import { choices, line } from "../parts/form/controls.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../parts/form/proof.tsx";
import { formOf, type Row, type Shown } from "../parts/form/rows.ts";
import type { DeskFrame } from "../parts/page/desk-frame.ts";

/** The address of the merchant's own wallet. */
export const walletRow = {
  control: line({ autocomplete: "off", spellcheck: "false", dir: "ltr", maxlength: "42", class: "address" }),
  fault: ({ say }, { code }) => {
    if (code === "wallet_missing") return say("faultWalletMissing");
    return say(code === "wallet_deposit" ? "walletDeposit" : "faultWallet");
  },
} as const satisfies Omit<Row, "label">;

/** Where the money goes, in every form that asks. `payout` is empty until somebody has chosen. */
export const payoutRows = {
  payout: {
    label: "profilePayout",
    control: {
      ...choices([
        ["managed", "tillsWallet", "profileManagedText"],
        ["own", "ownWalletTitle", "profileOwnText"],
      ]),
      read: (form, name) => ["managed", "own"].find((payout) => payout === form.get(name)) ?? "",
    },
    fault: "settingFaultChoice",
  },
  wallet: { label: "walletAddress", hint: "profileWalletHint", ...walletRow, of: ["wallet_address"] },
} as const satisfies Record<string, Row>;

export const payoutForm = formOf(payoutRows);
export type TypedPayout = typeof payoutForm.empty;

/** Till's wallet, or the address of another. */
export function Payout({
  isLabelHidden = false,
  ...shown
}: Shown<TypedPayout> & { isLabelHidden?: boolean }) {
  const field = payoutForm.fields(shown);
  return field("payout", { isLabelHidden, children: <div class="choice-more">{field("wallet")}</div> });
}

/** Says that a form pays another wallet than the settings name: it may be older than them. */
export function OtherWallet({ locale, wallet }: { locale: Locale; wallet: string | null }) {
  if (wallet === null) return "";
  return (
    <div class="notice notice-late">
      <div>
        <p>{locale.say("otherWallet")}</p>
        {wallet === "managed" ? <p>{locale.say("tillsWallet")}</p> : <WholeAddress address={wallet} />}
      </div>
    </div>
  );
}

export type ConfirmPayoutProps = {
  frame: DeskFrame;
  typed: Pick<TypedPayout, "wallet">;
  faults: readonly FormFault[];
  proof: ProofProps;
  /** A remark about that wallet from the chain; null if there is nothing notable. */
  remark: string | null;
  /** True if money never went to that wallet. */
  isNewWallet: boolean;
};

/** Asks to confirm that new invoices pay another wallet, shown in full if new, or that another address is notified. */
export function ConfirmPayout({ frame: { locale }, typed, isNewWallet, ...asked }: ConfirmPayoutProps) {
  const { faults, proof, remark } = asked;
  return (
    <div class="notice confirm" role="alert" tabindex="-1" id="faults">
      <div>
        <strong>{locale.say("profileConfirm")}</strong>
        <p>{locale.say(isNewWallet ? "profileConfirmText" : "profileConfirmMore")}</p>
        {isNewWallet && <WholeAddress address={typed.wallet} />}
        {remark !== null && <p>{remark}</p>}
        {isNewWallet && <input type="hidden" name="told" value={typed.wallet} />}
        {remark !== null && <input type="hidden" name="seen" value={remark} />}
        <ProofField locale={locale} proof={proof} faults={faults} />
      </div>
    </div>
  );
}
