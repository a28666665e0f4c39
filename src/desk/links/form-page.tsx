import * as Tax from "../../domain/bill/tax.ts";
import { askable } from "../../domain/link/bill.ts";
import { type LanguageCode, languages } from "../../language/languages.ts";
import { SubmitButton } from "../parts/button.tsx";
import { CurrencyFields } from "../parts/form/currency-fields.tsx";
import {
  Choices,
  DeskForm,
  FaultSummary,
  type FormFault,
  fieldsOf,
  Problem,
  SelectField,
} from "../parts/form/form.tsx";
import { LanguageField } from "../parts/form/language-field.tsx";
import { categoryNames } from "../parts/form/tax-kinds.ts";
import { DeskIcon } from "../parts/icon.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import { askedNames } from "./detail-parts.tsx";
import type { TypedLink } from "./form.ts";

type LinkFormProps = {
  frame: DeskFrame;
  /** Of the installation. */
  standard: LanguageCode;
  typed: TypedLink;
  faults: readonly FormFault[];
  /** Why it was not made, besides them. */
  problem: string | null;
  /** Whether the reader may have other systems told of what is paid. */
  mayHook: boolean;
  /** What makes a form that is sent twice one link. */
  once: string;
  /** Whether the seller has said its address and a tax number, which a receipt with tax needs. */
  isSellerKnown: boolean;
  /** Where the page that the payer would see is shown. */
  previewHref: string;
  /** How the address of the page begins. */
  pageBeginning: string;
};

const words = { autocomplete: "off", dir: "auto" };
const amount = { autocomplete: "off", dir: "ltr", inputmode: "decimal" };
const url = {
  autocomplete: "off",
  dir: "ltr",
  inputmode: "url",
  placeholder: "https://",
  optional: true,
} as const;

/** The form of a new link, beside the page that it makes. Which fields there are follows what is chosen, by the style. */
export function linkFormPage(props: LinkFormProps): string {
  const { frame, faults } = props;
  const { say } = frame.locale;
  const { text } = fieldsOf(props);
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
          {text("product_description", say("linkWhat"), {
            hint: say("linkWhatHint"),
            optional: true,
            ...words,
          })}
          <Choose {...props} name="often" label={say("linkOften")} />
          <div class="if-again">
            <Choose {...props} name="price" label={say("linkWhoseAmount")} />
          </div>
          <CurrencyFields {...props} />
          <Amounts {...props} />
          <TaxFields {...props} />
          <div class="two">
            {text("expires_on", say("linkEndsOn"), {
              hint: say("linkEndsHint"),
              optional: true,
              ...words,
              type: "date",
              min: frame.when.today,
            })}
            {text("reference", say("linkReference"), {
              hint: say("linkReferenceHint"),
              optional: true,
              ...words,
            })}
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

const choices = {
  often: [
    ["once", "linkOnce", "linkOnceText"],
    ["again", "linkAgain", "linkAgainText"],
  ],
  price: [
    ["fixed", "linkFixed", "linkFixedText"],
    ["chosen", "linkChosen", "linkChosenText"],
  ],
  wallet_type: [
    ["managed", "tillsWallet", "linkManagedText"],
    ["byo", "ownWalletTitle", "linkByoText"],
  ],
} as const;

type ChooseProps = Pick<LinkFormProps, "frame" | "typed"> & { name: keyof typeof choices; label: string };

function Choose({ frame, typed, name, label }: ChooseProps) {
  return (
    <Choices locale={frame.locale} name={name} label={label} choices={choices[name]} chosen={typed[name]} />
  );
}

/** One price, or from one to another. */
function Amounts(props: LinkFormProps) {
  const { say } = props.frame.locale;
  const { text } = fieldsOf(props);
  const count = { autocomplete: "off", dir: "ltr", inputmode: "numeric", optional: true } as const;
  return (
    <>
      <div class="two if-fixed">
        {text("expected_amount", say("linkPrice"), amount)}
        <div class="if-again">
          {text("quantity_max", say("linkQuantity"), { hint: say("linkQuantityHint"), ...count })}
        </div>
      </div>
      <div class="two if-chosen">
        {text("amount_min", say("linkMin"), amount)}
        {text("amount_max", say("linkMax"), amount)}
      </div>
    </>
  );
}

/** The tax in the price, as of a line of an invoice. */
function TaxFields(props: LinkFormProps) {
  const { frame, typed, faults, isSellerKnown } = props;
  const { say } = frame.locale;
  const { text } = fieldsOf(props);
  const options = Tax.categories.map((value) => ({ value, label: say(categoryNames[value]) }));
  return (
    <>
      <div class="two">
        {text("tax_rate", say("taxRate"), {
          hint: say(isSellerKnown ? "linkTaxHint" : "linkTaxHintSeller"),
          optional: true,
          autocomplete: "off",
          inputmode: "decimal",
          dir: "ltr",
        })}
        <SelectField
          locale={frame.locale}
          name="tax_category"
          label={say("taxKind")}
          value={typed.tax_category}
          options={[{ value: "", label: say("taxKindOfRate") }, ...options]}
          faults={faults}
        />
      </div>
      <div class="if-untaxed">{text("tax_reason", say("taxReason"), { optional: true, ...words })}</div>
    </>
  );
}

/** What the payer may say of themselves, and answer. */
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
      {fieldsOf(props).area("questions", say("linkQuestions"), 3, {
        hint: say("linkQuestionsHint"),
        optional: true,
        dir: "auto",
      })}
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

/** What is rarely wanted. It stands open where something in it is missing or wrong. */
function More(props: LinkFormProps) {
  const { frame, typed, faults } = props;
  const { say } = frame.locale;
  const { text, area } = fieldsOf(props);
  const isOpen =
    faults.some(({ field }) => moreFields.includes(field)) ||
    [...askable.map((field) => typed[`collect_${field}`]), typed.questions].some((said) => said !== "") ||
    typed.business_name === "" ||
    typed.merchant_email === "";
  const name = { hint: say("linkShopHint"), autocomplete: "organization", dir: "auto" };
  const email = { hint: say("linkEmailHint"), type: "email", autocomplete: "email", dir: "ltr" };
  const origins = { hint: say("linkOriginsHint"), optional: true, inputmode: "url", dir: "ltr" } as const;
  const address = { autocomplete: "off", spellcheck: "false", dir: "ltr", class: "address" };
  return (
    <details class="billed-by" open={isOpen}>
      <summary>
        <span class="name-of">{say("more")}</span>
        <span class="soft">{say("linkMoreText")}</span>
      </summary>
      <div class="form">
        <div class="two">
          {text("business_name", say("linkShop"), name)}
          {text("merchant_email", say("linkEmail"), email)}
        </div>
        <Choose {...props} name="wallet_type" label={say("linkPaidInto")} />
        <div class="if-byo">{text("wallet_address", say("linkWallet"), address)}</div>
        <Collected {...props} />
        <LanguageField
          locale={frame.locale}
          label={say("languageOfTheirs")}
          otherwise={say("languageAsSetUp", { language: languages[props.standard].name })}
          value={typed.language}
          faults={faults}
        />
        {text("success_url", say("linkSuccess"), { hint: say("linkSuccessHint"), ...url })}
        {area("embed_origins", say("linkOrigins"), 2, { ...origins, spellcheck: "false" })}
        {props.mayHook && text("webhook_url", say("linkWebhook"), { hint: say("linkWebhookHint"), ...url })}
      </div>
    </details>
  );
}

/** The page itself, in a frame in which nothing runs: the script asks for it again as the form changes. */
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
