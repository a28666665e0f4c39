import { Choices, DeskForm, FaultSummary, TextArea, TextField } from "../../parts/form/form.tsx";
import { deskPage } from "../../parts/frame.tsx";
import { PageHead } from "../../parts/head.tsx";
import { Lines } from "./lines.tsx";
import { Preview } from "./preview.tsx";
import { editPath, formPath, type InvoiceFormProps } from "./props.ts";
import { CurrencyFields, ForBusiness } from "./terms.tsx";

type Props = { props: InvoiceFormProps };

/** The form of a new invoice, with what the customer will see beside it. */
export function invoiceFormPage(props: InvoiceFormProps): string {
  const { frame, draft, faults, problem } = props;
  const { locale, when } = frame;
  return deskPage({
    frame,
    place: "invoices",
    title: locale.say("newInvoice"),
    isForm: true,
    body: (
      <>
        <PageHead
          back={{ href: "/desk/invoices", label: locale.say("invoices") }}
          title={locale.say("newInvoice")}
          {...(draft === null
            ? {}
            : { line: locale.say("savedAsDraft", { time: when.momentInText(draft.changedAt) }) })}
        />
        <div class="columns columns-preview">
          <DeskForm frame={frame} action={formPath} className="form invoice-form">
            <button type="submit" class="visually-hidden" formaction={editPath} tabindex="-1">
              {locale.say("updatePreview")}
            </button>
            <input type="hidden" name="key" value={props.key} />
            {draft !== null && <input type="hidden" name="draft" value={String(draft.id)} />}
            {problem !== null && (
              <p class="notice notice-late" role="alert">
                {problem}
              </p>
            )}
            <FaultSummary locale={locale} faults={faults} />
            <Customer props={props} />
            <ForBusiness props={props} />
            <CurrencyFields props={props} />
            <Lines props={props} />
            <TextArea
              locale={locale}
              name="notes"
              label={locale.say("wordsToCustomer")}
              value={props.typed.notes}
              optional
              rows={2}
              faults={faults}
              extra={{ dir: "auto" }}
            />
            <PaidInto props={props} />
            <BilledBy props={props} />
            <Bottom props={props} />
          </DeskForm>
          <Preview props={props} />
        </div>
      </>
    ),
  });
}

function Customer({ props: { frame, typed, faults, customers } }: Props) {
  const { locale } = frame;
  const field = { locale, faults };
  return (
    <>
      <div class="two">
        <TextField
          {...field}
          name="vendor_name"
          label={locale.say("customer")}
          value={typed.vendor_name}
          extra={{ list: "known", autocomplete: "off", dir: "auto" }}
        />
        <TextField
          {...field}
          name="vendor_email"
          label={locale.say("email")}
          value={typed.vendor_email}
          extra={{ type: "email", inputmode: "email", autocomplete: "off" }}
        />
        <datalist id="known">
          {customers.map(({ name, email }) => (
            <option value={name} data-email={email}>
              {email}
            </option>
          ))}
        </datalist>
      </div>
      <div class="two">
        <TextField
          {...field}
          name="due_date"
          label={locale.say("due")}
          value={typed.due_date}
          extra={{ type: "date" }}
        />
        <TextField
          {...field}
          name="reference"
          label={locale.say("theirReference")}
          value={typed.reference}
          optional
          extra={{ autocomplete: "off", dir: "auto" }}
        />
      </div>
      <TextArea
        {...field}
        name="vendor_address"
        label={locale.say("customerAddress")}
        value={typed.vendor_address}
        optional
        rows={2}
        extra={{ dir: "auto" }}
      />
    </>
  );
}

function Bottom({ props: { frame, hasMail, draft } }: Props) {
  const { locale } = frame;
  return (
    <div class="bottom">
      <button type="submit" class="button" name="as" value={hasMail ? "send" : "make"}>
        {locale.say(hasMail ? "sendInvoice" : "makeInvoice")}
      </button>
      <button type="submit" class="button button-quiet" name="as" value="draft">
        {locale.say("saveDraft")}
      </button>
      {hasMail && (
        <button type="submit" class="button button-plain" name="as" value="make">
          {locale.say("makeWithoutSending")}
        </button>
      )}
      {draft !== null && (
        <button type="submit" class="button button-plain" name="as" value="drop">
          {locale.say("dropDraft")}
        </button>
      )}
      <noscript>
        <button type="submit" class="button button-quiet" formaction={editPath}>
          {locale.say("updatePreview")}
        </button>
      </noscript>
    </div>
  );
}

type ShopProps = { props: InvoiceFormProps };

/** Where the money goes. */
function PaidInto({ props: { frame, typed, faults } }: ShopProps) {
  const { locale } = frame;
  return (
    <Choices
      locale={locale}
      name="wallet_type"
      label={locale.say("paidInto")}
      choices={[
        ["managed", "tillsWallet", "tillsWalletText"],
        ["byo", "ownWallet", "ownWalletText"],
      ]}
      chosen={typed.wallet_type}
    >
      <div class="choice-more">
        <TextField
          locale={locale}
          name="wallet_address"
          label={locale.say("walletAddress")}
          value={typed.wallet_address}
          faults={faults}
          extra={{ autocomplete: "off", spellcheck: "false", dir: "ltr", class: "address" }}
        />
      </div>
    </Choices>
  );
}

const shopFields: readonly string[] = ["merchant_name", "merchant_email", "merchant_address"];

/** Who bills: filled in from what was said before, so it is closed unless something is missing. */
function BilledBy({ props: { frame, typed, faults } }: ShopProps) {
  const { locale } = frame;
  const field = { locale, faults };
  const isFaulty = faults.some(({ field }) => shopFields.includes(field));
  const isMissing =
    typed.merchant_name === "" || typed.merchant_email === "" || typed.merchant_address === "";
  return (
    <details class="billed-by" open={isFaulty || isMissing}>
      <summary>
        <span class="name-of">{locale.say("billedBy")}</span>
        <bdi class="soft">
          {typed.merchant_name === "" ? locale.say("billedByNobody") : typed.merchant_name}
        </bdi>
      </summary>
      <div class="form">
        <div class="two">
          <TextField
            {...field}
            name="merchant_name"
            label={locale.say("shopName")}
            value={typed.merchant_name}
            extra={{ autocomplete: "organization", dir: "auto" }}
          />
          <TextField
            {...field}
            name="merchant_email"
            label={locale.say("email")}
            value={typed.merchant_email}
            hint={locale.say("shopEmailHint")}
            extra={{ type: "email", autocomplete: "email" }}
          />
        </div>
        <TextArea
          {...field}
          name="merchant_address"
          label={locale.say("shopAddress")}
          value={typed.merchant_address}
          rows={2}
          extra={{ autocomplete: "street-address", dir: "auto" }}
        />
      </div>
    </details>
  );
}
