import type { SumRow } from "../../../language/bill.ts";
import type { Draft } from "../../../store/tables/desk/draft.ts";
import { SubmitButton } from "../../parts/button.tsx";
import { CurrencyFields } from "../../parts/form/currency-fields.tsx";
import {
  Choices,
  DeskForm,
  FaultSummary,
  type FormFault,
  fieldsOf,
  Problem,
} from "../../parts/form/form.tsx";
import { LanguageField } from "../../parts/form/language-field.tsx";
import { PartyFields } from "../../parts/form/party-fields.tsx";
import type { DeskFrame } from "../../parts/frame.tsx";
import { headedPage } from "../../parts/head.tsx";
import { Lines } from "./lines.tsx";
import { Preview } from "./preview.tsx";
import { type billOf, editPath, formPath, isTyped, type KeptForm } from "./typed.ts";

export type InvoiceFormProps = KeptForm & {
  frame: DeskFrame;
  bill: ReturnType<typeof billOf>;
  /** What the total is in USDC just now, when it is in another currency and a rate is known. */
  inUsdc: { amount: string; rate: string } | null;
  /** How the total comes about, where it is not the sum of the lines alone. */
  sums: readonly SumRow[];
  /** Whether discounts and taxes are asked for. */
  hasTerms: boolean;
  faults: readonly FormFault[];
  /** What cannot be said beside a field. */
  problem: string | null;
  /** What it is kept as. */
  draft: Draft | null;
  /** Customers that were billed before. */
  customers: readonly { name: string; email: string }[];
  /** Whether a mail server is set: without one nobody is mailed anything. */
  hasMail: boolean;
  /** What the page of the invoice begins with, such as `pay.shop.example/i/`. */
  pageBeginning: string;
  /** An example of the code that the customer scans, as the address of a picture. */
  exampleQr: string;
};

/** The form of a new invoice, with what the customer will see beside it. */
export function invoiceFormPage(props: InvoiceFormProps): string {
  const { frame, draft, faults, problem } = props;
  const { locale, when } = frame;
  const { area } = fieldsOf(props);
  return headedPage({
    frame,
    place: "invoices",
    title: locale.say("newInvoice"),
    back: "invoices",
    line: draft ? locale.say("savedAsDraft", { time: when.momentInText(draft.changedAt) }) : undefined,
    isForm: true,
    body: (
      <div class="columns columns-preview">
        <DeskForm frame={frame} action={formPath} className="form invoice-form">
          <button type="submit" class="visually-hidden" formaction={editPath} tabindex="-1">
            {locale.say("updatePreview")}
          </button>
          <input type="hidden" name="key" value={props.key} />
          {draft !== null && <input type="hidden" name="draft" value={String(draft.id)} />}
          <Problem text={problem} />
          <FaultSummary locale={locale} faults={faults} />
          <Customer {...props} />
          <ForBusiness {...props} />
          <CurrencyFields {...props} />
          <Lines {...props} />
          {area("notes", locale.say("wordsToCustomer"), 2, { optional: true, dir: "auto" })}
          <PaidInto {...props} />
          <BilledBy {...props} />
          <Bottom {...props} />
        </DeskForm>
        <Preview {...props} />
      </div>
    ),
  });
}

function Customer(props: InvoiceFormProps) {
  const { say } = props.frame.locale;
  const { text, area } = fieldsOf(props);
  return (
    <>
      <div class="two">
        {text("vendor_name", say("customer"), { list: "known", autocomplete: "off", dir: "auto" })}
        {text("vendor_email", say("email"), { type: "email", inputmode: "email", autocomplete: "off" })}
        <datalist id="known">
          {props.customers.map(({ name, email }) => (
            <option value={name} data-email={email}>
              {email}
            </option>
          ))}
        </datalist>
      </div>
      <div class="two">
        {text("due_date", say("due"), { type: "date" })}
        {text("reference", say("theirReference"), { optional: true, autocomplete: "off", dir: "auto" })}
      </div>
      {area("vendor_address", say("customerAddress"), 2, { optional: true, dir: "auto" })}
      <LanguageField
        locale={props.frame.locale}
        label={say("languageOfTheirs")}
        otherwise={say("languageOfCustomer")}
        value={props.typed.language}
        faults={props.faults}
      />
    </>
  );
}

/** The fields for an invoice to a business: open when one is faulty, or filled in with more than the shop's terms. */
function ForBusiness(props: InvoiceFormProps) {
  const { frame, typed, faults } = props;
  const { locale } = frame;
  const { say } = locale;
  const { text, area } = fieldsOf(props);
  const isFilled = typed.was_filled || isTyped(typed.vendor_details);
  const tradeFields = ["delivery_from", "delivery_to", "buyer_reference", "purchase_order"] as const;
  const isFaulty = faults.some(
    ({ field }) =>
      /^vendor_details\.|^payment_terms$/.test(field) || tradeFields.some((name) => name === field),
  );
  const isSaid = isFilled || tradeFields.some((name) => typed[name] !== "");
  const reference = { optional: true, autocomplete: "off", maxlength: "100", dir: "auto" } as const;
  return (
    <details class="for-business" open={isFaulty || isSaid}>
      <summary>
        <span class="name-of">{say("partyForBusiness")}</span>
        <span class="soft">{say("partyForBusinessText")}</span>
      </summary>
      <div class="form">
        {isFilled && <input type="hidden" name="was_filled" value="on" />}
        {(typed.had_terms || typed.payment_terms !== "") && (
          <input type="hidden" name="had_terms" value="on" />
        )}
        <p class="hint">{say("partyInstead")}</p>
        <PartyFields locale={locale} prefix="vendor_details" typed={typed.vendor_details} faults={faults} />
        <div class="two">
          {text("delivery_from", say("partyDeliveryFrom"), { optional: true, type: "date" })}
          {text("delivery_to", say("partyDeliveryTo"), { optional: true, type: "date" })}
        </div>
        <div class="two">
          {text("buyer_reference", say("buyerReference"), reference)}
          {text("purchase_order", say("purchaseOrder"), reference)}
        </div>
        {area("payment_terms", say("paymentTerms"), 2, { optional: true, maxlength: "500", dir: "auto" })}
      </div>
    </details>
  );
}

function Bottom({ frame, hasMail, draft }: InvoiceFormProps) {
  const { locale } = frame;
  return (
    <div class="bottom">
      <SubmitButton
        sent={["as", hasMail ? "send" : "make"]}
        text={locale.say(hasMail ? "sendInvoice" : "makeInvoice")}
      />
      <SubmitButton kind="quiet" sent={["as", "draft"]} text={locale.say("saveDraft")} />
      {hasMail && <SubmitButton kind="plain" sent={["as", "make"]} text={locale.say("makeWithoutSending")} />}
      {draft !== null && <SubmitButton kind="plain" sent={["as", "drop"]} text={locale.say("dropDraft")} />}
      <noscript>
        <SubmitButton kind="quiet" to={editPath} text={locale.say("updatePreview")} />
      </noscript>
    </div>
  );
}

/** Where the money goes. */
function PaidInto(props: InvoiceFormProps) {
  const { locale } = props.frame;
  const address = { autocomplete: "off", spellcheck: "false", dir: "ltr", class: "address" };
  return (
    <Choices
      locale={locale}
      name="wallet_type"
      label={locale.say("paidInto")}
      choices={[
        ["managed", "tillsWallet", "tillsWalletText"],
        ["byo", "ownWallet", "ownWalletText"],
      ]}
      chosen={props.typed.wallet_type}
    >
      <div class="choice-more">
        {fieldsOf(props).text("wallet_address", locale.say("walletAddress"), address)}
      </div>
    </Choices>
  );
}

/** Who bills: filled in from what was said before, so it is closed unless something is missing. */
function BilledBy(props: InvoiceFormProps) {
  const { typed, faults } = props;
  const { say } = props.frame.locale;
  const { text, area } = fieldsOf(props);
  const isOpen = (["merchant_name", "merchant_email", "merchant_address"] as const).some(
    (name) => typed[name] === "" || faults.some(({ field }) => field === name),
  );
  const email = { hint: say("shopEmailHint"), type: "email", autocomplete: "email" };
  return (
    <details class="billed-by" open={isOpen}>
      <summary>
        <span class="name-of">{say("billedBy")}</span>
        <bdi class="soft">{typed.merchant_name === "" ? say("billedByNobody") : typed.merchant_name}</bdi>
      </summary>
      <div class="form">
        <div class="two">
          {text("merchant_name", say("shopName"), { autocomplete: "organization", dir: "auto" })}
          {text("merchant_email", say("email"), email)}
        </div>
        {area("merchant_address", say("shopAddress"), 2, { autocomplete: "street-address", dir: "auto" })}
      </div>
    </details>
  );
}
