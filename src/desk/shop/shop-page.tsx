import type { Party } from "../../domain/party/party.ts";
import { MerchantMark } from "../../pages/brand-mark.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { WholeAddress } from "../parts/copy.tsx";
import { Choices, DeskForm, FaultSummary, type FormFault, TextArea, TextField } from "../parts/form/form.tsx";
import { PartyFields } from "../parts/form/party-fields.tsx";
import { ProofField, type ProofProps } from "../parts/form/proof.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { Rule, Setting } from "../parts/setting.tsx";

/** The profile as it is typed. */
export type ShopForm = {
  name: string;
  email: string;
  address: string;
  dueDays: string;
  notes: string;
  /** The money goes to a wallet of the merchant's own. */
  isOwn: boolean;
  wallet: string;
  /** Saved for the mail address, for invoices of programs too. */
  details: Party;
  paymentTerms: string;
  usdParity: boolean;
};

/** What a variable of the environment says. */
export type RuleText = { label: string; value: string; variable: string };

type ShopProps = {
  frame: DeskFrame;
  form: ShopForm;
  faults: readonly FormFault[];
  /** Asked for where the money is to go somewhere else. */
  proof: ProofProps;
  brand: readonly RuleText[];
  rules: readonly RuleText[];
  nextNumber: string;
};

/** What new invoices and links start from, and what is in force. */
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
        <ProfileForm {...props} />
        <Setting title={locale.say("brandTitle")} text={locale.say("brandText")}>
          <div class="form">
            <Rules frame={frame} rules={props.brand} />
            <BrandPreview {...props} />
          </div>
        </Setting>
        <Setting title={locale.say("rulesTitle")} text={locale.say("rulesText")}>
          <Rules frame={frame} rules={props.rules} />
        </Setting>
      </>
    ),
  });
}

function ProfileForm({ frame, form, faults, proof }: ShopProps) {
  const { locale } = frame;
  const field = { locale, faults };
  return (
    <DeskForm frame={frame} action="/desk/settings/profile" className="settings-form">
      <FaultSummary locale={locale} faults={proof.kind === "none" ? faults : []} />
      <Setting title={locale.say("profileWho")} text={locale.say("profileWhoText")}>
        <div class="form">
          <div class="two">
            <TextField
              {...field}
              name="name"
              label={locale.say("shopName")}
              value={form.name}
              extra={{ autocomplete: "organization", maxlength: "200", dir: "auto" }}
            />
            <TextField
              {...field}
              name="email"
              label={locale.say("email")}
              hint={locale.say("profileEmailHint")}
              value={form.email}
              extra={{ type: "email", autocomplete: "email", maxlength: "254" }}
            />
          </div>
          <TextArea
            {...field}
            name="address"
            label={locale.say("shopAddress")}
            hint={locale.say("profileAddressHint")}
            value={form.address}
            extra={{ autocomplete: "street-address", maxlength: "500", dir: "auto" }}
          />
        </div>
      </Setting>
      <MerchantDetails {...{ frame, form, faults }} />
      <Setting title={locale.say("profileInvoices")} text={locale.say("profileInvoicesText")}>
        <div class="form">
          <TextField
            {...field}
            name="due_days"
            label={locale.say("profileDueDays")}
            value={form.dueDays}
            unit={locale.say("profileDueUnit")}
            extra={{ inputmode: "numeric", maxlength: "3" }}
          />
          <TextArea
            {...field}
            name="notes"
            label={locale.say("notes")}
            hint={locale.say("profileNotesHint")}
            value={form.notes}
            optional
            extra={{ maxlength: "2000", dir: "auto" }}
          />
          <Payout {...{ frame, form, faults }} />
          {proof.kind !== "none" && <ConfirmPayout {...{ frame, form, faults, proof }} />}
          <p>
            <SubmitButton text={locale.say("save")} />
          </p>
        </div>
      </Setting>
    </DeskForm>
  );
}

function Payout({ frame: { locale }, form, faults }: Pick<ShopProps, "frame" | "form" | "faults">) {
  return (
    <Choices
      locale={locale}
      name="payout"
      label={locale.say("profilePayout")}
      choices={[
        ["managed", "tillsWallet", "profileManagedText"],
        ["own", "ownWalletTitle", "profileOwnText"],
      ]}
      chosen={form.isOwn ? "own" : "managed"}
    >
      <div class="choice-more">
        <TextField
          locale={locale}
          name="wallet"
          label={locale.say("walletAddress")}
          hint={locale.say("profileWalletHint")}
          value={form.wallet}
          faults={faults}
          extra={{ autocomplete: "off", spellcheck: "false", dir: "ltr", maxlength: "42", class: "address" }}
        />
      </div>
    </Choices>
  );
}

/** New invoices are to pay another wallet: the address whole, and who asks once more. */
function ConfirmPayout({
  frame: { locale },
  form,
  faults,
  proof,
}: Pick<ShopProps, "frame" | "form" | "faults" | "proof">) {
  return (
    <div class="notice confirm" role="alert" tabindex="-1" id="faults">
      <div>
        <strong>{locale.say("profileConfirm")}</strong>
        <p>{locale.say("profileConfirmText")}</p>
        <WholeAddress address={form.wallet} />
        <ProofField locale={locale} proof={proof} faults={faults} />
      </div>
    </div>
  );
}

/** Read only: what is in force, and the variable that says so. */
function Rules({ frame, rules }: { frame: DeskFrame; rules: readonly RuleText[] }) {
  return (
    <dl class="rules">
      {rules.map((rule) => (
        <Rule frame={frame} {...rule} />
      ))}
    </dl>
  );
}

/** The head of an invoice's page, in the operator's colours. */
function BrandPreview({ frame, form, nextNumber }: ShopProps) {
  const { locale, brand, shopName } = frame;
  const name = form.name === "" ? shopName : form.name;
  return (
    <div class="preview" aria-hidden="true">
      <div class="preview-page">
        <div class="card">
          <div class="payer-head">
            {brand.logo === null ? (
              <MerchantMark name={name} brand={brand} />
            ) : (
              <img class="preview-logo" src={brand.logo} alt="" />
            )}
            <p>
              <strong dir="auto">{name}</strong>
              <span class="soft">{locale.say("invoiceNumber", { number: nextNumber })}</span>
            </p>
          </div>
          <div>
            <span class="pill">{locale.say("awaitingPayment")}</span>
            <p class="figure">
              <span class="num">
                {locale.figure("96.00")}
                <span class="unit"> USDC</span>
              </span>
            </p>
          </div>
        </div>
      </div>
    </div>
  );
}

/** What the law wants of the seller, and the terms. */
function MerchantDetails({ frame, form, faults }: Pick<ShopProps, "frame" | "form" | "faults">) {
  const { locale } = frame;
  return (
    <Setting
      title={locale.say("partyDetails")}
      text={locale.say("partyDetailsText")}
      more={locale.say("partyInstead")}
    >
      <div class="form">
        <PartyFields locale={locale} prefix="details" typed={form.details} faults={faults} />
        <TextArea
          locale={locale}
          name="payment_terms"
          label={locale.say("paymentTerms")}
          value={form.paymentTerms}
          rows={2}
          faults={faults}
          extra={{ maxlength: "500", dir: "auto" }}
        />
        <label class="check">
          <input type="checkbox" name="usd_parity" value="on" checked={form.usdParity} />
          <span>
            <span>{locale.say("partyParity")}</span> <span class="soft">{locale.say("partyParityText")}</span>
          </span>
        </label>
      </div>
    </Setting>
  );
}
