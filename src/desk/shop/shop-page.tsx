import type { Party } from "../../domain/party/party.ts";
import { SubmitButton } from "../parts/button.tsx";
import { WholeAddress } from "../parts/copy.tsx";
import { Choices, DeskForm, FaultSummary, type FormFault, fieldsOf } from "../parts/form/form.tsx";
import { PartyFields } from "../parts/form/party-fields.tsx";
import { ProofField, type ProofProps } from "../parts/form/proof.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import { Setting } from "../parts/setting.tsx";

/** The profile as it is typed. */
export type ShopForm = {
  name: string;
  email: string;
  address: string;
  due_days: string;
  notes: string;
  /** `own`: the money goes to a wallet of the merchant's own. Empty until somebody has chosen. */
  payout: "managed" | "own" | "";
  wallet: string;
  /** Saved for the mail address, for invoices of programs too. */
  details: Party;
  payment_terms: string;
  usd_parity: boolean;
};

type ShopProps = {
  frame: DeskFrame;
  typed: ShopForm;
  faults: readonly FormFault[];
  /** Asked for where the money is to go somewhere else. */
  proof: ProofProps;
  /** What was seen of that wallet; null for nothing worth a word. */
  remark: string | null;
  /** Whether money never went to that wallet. */
  isNewWallet: boolean;
  /** What keeps an invoice from being made; null before anything was saved, and when nothing does. */
  missing: string | null;
};

type FormProps = Pick<ShopProps, "frame" | "typed" | "faults">;

/** What new invoices and links start from. */
export function shopPage(props: ShopProps): string {
  const { frame } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsShop"),
    back: "settings",
    body: (
      <>
        {props.missing !== null && props.faults.length === 0 && <p class="notice">{props.missing}</p>}
        <ProfileForm {...props} />
      </>
    ),
  });
}

function ProfileForm(props: ShopProps) {
  const { frame, faults, proof } = props;
  const { locale } = frame;
  const { say } = locale;
  const { text, area } = fieldsOf(props);
  const email = { hint: say("profileEmailHint"), type: "email", autocomplete: "email", maxlength: "254" };
  const address = {
    hint: say("profileAddressHint"),
    autocomplete: "street-address",
    maxlength: "500",
    dir: "auto",
  };
  const days = { unit: say("profileDueUnit"), inputmode: "numeric", maxlength: "3" };
  const notes = { hint: say("profileNotesHint"), optional: true, maxlength: "2000", dir: "auto" } as const;
  return (
    <DeskForm frame={frame} action="/desk/settings/profile" className="settings-form">
      <FaultSummary locale={locale} faults={proof.kind === "none" ? faults : []} />
      <Setting title={locale.say("profileWho")} text={locale.say("profileWhoText")}>
        <div class="form">
          <div class="two">
            {text("name", say("shopName"), { autocomplete: "organization", maxlength: "200", dir: "auto" })}
            {text("email", say("email"), email)}
          </div>
          {area("address", say("shopAddress"), 3, address)}
        </div>
      </Setting>
      <MerchantDetails {...props} />
      <Setting title={locale.say("profileInvoices")} text={locale.say("profileInvoicesText")}>
        <div class="form">
          {text("due_days", say("profileDueDays"), days)}
          {area("notes", say("notes"), 3, notes)}
          <Payout {...props} />
          {proof.kind !== "none" && <ConfirmPayout {...props} />}
          <p>
            <SubmitButton text={locale.say("save")} />
          </p>
        </div>
      </Setting>
    </DeskForm>
  );
}

/** Where the money goes: Till's wallet, or the address of another. */
export function Payout(
  props: Pick<ShopProps, "frame" | "faults"> & {
    typed: Pick<ShopForm, "payout" | "wallet">;
    isLabelHidden?: boolean;
  },
) {
  const { locale } = props.frame;
  const wallet = {
    hint: locale.say("profileWalletHint"),
    ...{ autocomplete: "off", spellcheck: "false", dir: "ltr", maxlength: "42", class: "address" },
  };
  return (
    <Choices
      locale={locale}
      name="payout"
      label={locale.say("profilePayout")}
      isLabelHidden={props.isLabelHidden ?? false}
      choices={[
        ["managed", "tillsWallet", "profileManagedText"],
        ["own", "ownWalletTitle", "profileOwnText"],
      ]}
      chosen={props.typed.payout}
      faults={props.faults}
    >
      <div class="choice-more">{fieldsOf(props).text("wallet", locale.say("walletAddress"), wallet)}</div>
    </Choices>
  );
}

type ConfirmPayoutProps = Pick<ShopProps, "frame" | "faults" | "proof" | "remark" | "isNewWallet"> & {
  typed: Pick<ShopForm, "wallet">;
};

/** New invoices are to pay another wallet, or another mail address is told: who asks once more, a new wallet's address whole. */
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

/** What the law wants of the seller, and the terms. */
function MerchantDetails(props: FormProps) {
  const { typed, faults } = props;
  const { locale } = props.frame;
  const terms = { maxlength: "500", dir: "auto" };
  return (
    <Setting
      title={locale.say("partyDetails")}
      text={locale.say("partyDetailsText")}
      more={locale.say("partyInstead")}
    >
      <div class="form">
        <PartyFields locale={locale} prefix="details" typed={typed.details} faults={faults} />
        {fieldsOf(props).area("payment_terms", locale.say("paymentTerms"), 2, terms)}
        <label class="check">
          <input type="checkbox" name="usd_parity" value="on" checked={typed.usd_parity} />
          <span>
            <span>{locale.say("partyParity")}</span> <span class="soft">{locale.say("partyParityText")}</span>
          </span>
        </label>
      </div>
    </Setting>
  );
}
