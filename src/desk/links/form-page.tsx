import { askable } from "../../domain/link/bill.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, Problem } from "../parts/form/form.tsx";
import { languagesAfterStandard } from "../parts/form/languages.ts";
import { DeskIcon } from "../parts/icon.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import { OtherWallet } from "../shop/payout.tsx";
import { askedNames, linkForm, type TypedLink } from "./fields.ts";

type LinkFormProps = {
  frame: DeskFrame;
  /** The installation's language. */
  standard: LanguageCode;
  typed: TypedLink;
  faults: readonly FormFault[];
  /** Another reason why it was not created. */
  problem: string | null;
  /** True if the reader may set a webhook. */
  mayHook: boolean;
  /** Makes a form that is sent twice one link. */
  once: string;
  /** Where the money goes, if the settings name another wallet. */
  otherWallet: string | null;
  /** True if the seller's address and a tax number are set, which a receipt with tax needs. */
  isSellerKnown: boolean;
  /** Address of the preview of the payer's page. */
  previewHref: string;
  /** The beginning of the page's address. */
  pageBeginning: string;
};

/** The form of a new link, beside the page that it creates. CSS shows the fields that match the choices. */
export function linkFormPage(props: LinkFormProps): string {
  const { frame, faults } = props;
  const { say } = frame.locale;
  const field = linkForm.fields(props);
  return headedPage({
    frame,
    place: "links",
    title: say("newLink"),
    back: "links",
    isForm: true,
    body: (
      <div class="columns columns-preview">
        <DeskForm frame={frame} action="/desk/links/new" className="form link-form">
          <input type="hidden" name="once" value={props.once} autocomplete="off" />
          <Problem text={props.problem} />
          <FaultSummary locale={frame.locale} faults={faults} />
          <OtherWallet locale={frame.locale} wallet={props.otherWallet} />
          {field("product_description")}
          {field("often")}
          <div class="if-again">{field("price")}</div>
          <div class="two currency">
            {field("currency")}
            {field("rate")}
          </div>
          <div class="two if-fixed">
            {field("expected_amount")}
            <div class="if-again">{field("quantity_max")}</div>
          </div>
          <div class="two if-chosen">
            {field("amount_min")}
            {field("amount_max")}
          </div>
          <div class="two">
            {field("tax_rate", { hint: say(props.isSellerKnown ? "linkTaxHint" : "linkTaxHintSeller") })}
            {field("tax_category")}
          </div>
          <div class="if-untaxed">{field("tax_reason")}</div>
          <div class="two">
            {field("expires_on", { extra: { min: frame.when.today } })}
            {field("reference")}
          </div>
          <More {...props} />
          <div class="bottom">
            <SubmitButton text={say("linkMake")} />
            <noscript>
              <SubmitButton kind="quiet" sent={["as", "preview"]} text={say("updatePreview")} />
            </noscript>
          </div>
        </DeskForm>
        <Preview {...props} />
      </div>
    ),
  });
}

/** The details and answers asked of the payer. */
function Collected(props: LinkFormProps) {
  const { frame, typed } = props;
  const { say } = frame.locale;
  return (
    <>
      <fieldset>
        <legend>{say("linkAsk")}</legend>
        <p class="hint">{say("linkAskHint")}</p>
        {askable.map((field) => (
          <label class="check">
            <input
              type="checkbox"
              name={`collect_${field}`}
              value="on"
              checked={typed[`collect_${field}`] !== ""}
            />{" "}
            {say(askedNames[field])}
          </label>
        ))}
      </fieldset>
      {linkForm.fields(props)("questions")}
    </>
  );
}

const moreFields: readonly string[] = [
  "questions",
  "success_url",
  "embed_origins",
  "webhook_url",
  "business_name",
  "merchant_email",
  "wallet_type",
  "wallet_address",
];

/** Rarely used fields. Open if one of them is missing or wrong. */
function More(props: LinkFormProps) {
  const { frame, typed, faults } = props;
  const { say } = frame.locale;
  const field = linkForm.fields(props);
  const isOpen =
    faults.some(({ field }) => moreFields.includes(field)) ||
    [...askable.map((field) => typed[`collect_${field}`]), typed.questions].some((said) => said !== "") ||
    typed.business_name === "" ||
    typed.merchant_email === "";
  return (
    <details class="billed-by" open={isOpen}>
      <summary>
        <span class="name-of">{say("more")}</span>
        <span class="soft">{say("linkMoreText")}</span>
      </summary>
      <div class="form">
        <div class="two">
          {field("business_name")}
          {field("merchant_email")}
        </div>
        {field("wallet_type")}
        <div class="if-byo">{field("wallet_address")}</div>
        <Collected {...props} />
        {field("language", { options: languagesAfterStandard(props.standard, frame.locale) })}
        {field("success_url")}
        {field("embed_origins")}
        {props.mayHook && field("webhook_url")}
      </div>
    </details>
  );
}

/** The page itself, in a frame in which nothing runs: the script reloads it when the form changes. */
function Preview({ frame, previewHref, pageBeginning }: LinkFormProps) {
  const title = frame.locale.say("linkPreview");
  return (
    <figure class="stays">
      <div class="part-head">
        <figcaption>
          <h2>{title}</h2>
        </figcaption>
      </div>
      <div class="preview">
        <p class="preview-bar">
          <DeskIcon name="lock" />
          <bdi class="address">{pageBeginning}…</bdi>
        </p>
        <iframe
          class="preview-frame"
          id="preview"
          src={previewHref}
          title={title}
          sandbox="allow-same-origin"
          tabindex="-1"
        ></iframe>
      </div>
    </figure>
  );
}
