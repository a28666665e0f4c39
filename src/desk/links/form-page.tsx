import { Choices, DeskForm, FaultSummary, TextArea, TextField } from "../parts/form/form.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import type { LinkField, LinkFormProps } from "./form.ts";

type Props = { props: LinkFormProps };

/** The form of a new link, beside the page that it makes. Which fields there are follows what is chosen, by the style. */
export function linkFormPage(props: LinkFormProps): string {
  const { frame, faults } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "links",
    title: locale.say("newLink"),
    back: "links",
    isForm: true,
    body: (
      <div class="columns columns-preview">
        <DeskForm frame={frame} action="/desk/links" className="form link-form">
          <input type="hidden" name="once" value={props.once} autocomplete="off" />
          <FaultSummary locale={locale} faults={faults} />
          <Text
            props={props}
            name="product_description"
            label={locale.say("linkWhat")}
            hint={locale.say("linkWhatHint")}
            optional
          />
          <Choose props={props} name="often" label={locale.say("linkOften")} />
          <div class="if-again">
            <Choose props={props} name="price" label={locale.say("linkWhoseAmount")} />
          </div>
          <Amounts props={props} />
          <div class="two">
            <Text
              props={props}
              name="expires_on"
              label={locale.say("linkEndsOn")}
              hint={locale.say("linkEndsHint")}
              extra={{ type: "date", min: props.today }}
              optional
            />
            <Text
              props={props}
              name="reference"
              label={locale.say("linkReference")}
              hint={locale.say("linkReferenceHint")}
              optional
            />
          </div>
          <More props={props} />
          <div class="bottom">
            <button type="submit" class="button">
              {locale.say("linkMake")}
            </button>
            <noscript>
              <button type="submit" class="button button-quiet" name="as" value="preview">
                {locale.say("updatePreview")}
              </button>
            </noscript>
          </div>
        </DeskForm>
        <Preview props={props} />
      </div>
    ),
  });
}

function Text({
  props: { frame, typed, faults },
  name,
  extra = {},
  ...rest
}: Props & {
  name: LinkField;
  label: string;
  hint?: string;
  optional?: boolean;
  unit?: string;
  extra?: Readonly<Record<string, string | boolean>>;
}) {
  return (
    <TextField
      locale={frame.locale}
      name={name}
      value={typed[name]}
      faults={faults}
      extra={{ autocomplete: "off", dir: "auto", ...extra }}
      {...rest}
    />
  );
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

function Choose({
  props: { frame, typed },
  name,
  label,
}: Props & { name: keyof typeof choices; label: string }) {
  return (
    <Choices locale={frame.locale} name={name} label={label} choices={choices[name]} chosen={typed[name]} />
  );
}

const decimal = { inputmode: "decimal", dir: "ltr" };

/** One price, or from one to another. */
function Amounts({ props }: Props) {
  const { locale } = props.frame;
  return (
    <>
      <div class="two if-fixed">
        <Text
          props={props}
          name="expected_amount"
          label={locale.say("linkPrice")}
          unit="USDC"
          extra={decimal}
        />
        <div class="if-again">
          <Text
            props={props}
            name="quantity_max"
            label={locale.say("linkQuantity")}
            hint={locale.say("linkQuantityHint")}
            extra={{ inputmode: "numeric", dir: "ltr" }}
            optional
          />
        </div>
      </div>
      <div class="two if-chosen">
        <Text props={props} name="amount_min" label={locale.say("linkMin")} unit="USDC" extra={decimal} />
        <Text props={props} name="amount_max" label={locale.say("linkMax")} unit="USDC" extra={decimal} />
      </div>
    </>
  );
}

const moreFields: readonly string[] = [
  "success_url",
  "embed_origins",
  "webhook_url",
  "business_name",
  "merchant_email",
  "wallet_type",
  "wallet_address",
];

/** What is rarely wanted. It stands open where something in it is missing or wrong. */
function More({ props }: Props) {
  const { frame, typed, faults } = props;
  const { locale } = frame;
  const isOpen =
    faults.some(({ field }) => moreFields.includes(field)) ||
    typed.business_name === "" ||
    typed.merchant_email === "";
  return (
    <details class="billed-by" open={isOpen}>
      <summary>
        <span class="name-of">{locale.say("more")}</span>
        <span class="soft">{locale.say("linkMoreText")}</span>
      </summary>
      <div class="form">
        <div class="two">
          <Text
            props={props}
            name="business_name"
            label={locale.say("linkShop")}
            hint={locale.say("linkShopHint")}
            extra={{ autocomplete: "organization" }}
          />
          <Text
            props={props}
            name="merchant_email"
            label={locale.say("linkEmail")}
            hint={locale.say("linkEmailHint")}
            extra={{ type: "email", autocomplete: "email", dir: "ltr" }}
          />
        </div>
        <Choose props={props} name="wallet_type" label={locale.say("linkPaidInto")} />
        <div class="if-byo">
          <Text
            props={props}
            name="wallet_address"
            label={locale.say("linkWallet")}
            extra={{ spellcheck: "false", dir: "ltr", class: "address" }}
          />
        </div>
        <Text
          props={props}
          name="success_url"
          label={locale.say("linkSuccess")}
          hint={locale.say("linkSuccessHint")}
          extra={{ inputmode: "url", dir: "ltr", placeholder: "https://" }}
          optional
        />
        <TextArea
          locale={locale}
          name="embed_origins"
          label={locale.say("linkOrigins")}
          value={typed.embed_origins}
          hint={locale.say("linkOriginsHint")}
          faults={faults}
          rows={2}
          extra={{ inputmode: "url", dir: "ltr", spellcheck: "false" }}
          optional
        />
        {props.mayHook && (
          <Text
            props={props}
            name="webhook_url"
            label={locale.say("linkWebhook")}
            hint={locale.say("linkWebhookHint")}
            extra={{ inputmode: "url", dir: "ltr", placeholder: "https://" }}
            optional
          />
        )}
      </div>
    </details>
  );
}

/** The page itself, in a frame in which nothing runs: the script asks for it again as the form changes. */
function Preview({ props: { frame, previewHref, pageBeginning } }: Props) {
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
