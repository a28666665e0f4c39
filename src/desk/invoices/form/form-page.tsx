import type { Locale } from "../../../language/locale.ts";
import { Figure } from "../../parts/amount.tsx";
import { opening, SubmitButton } from "../../parts/button.tsx";
import { ShortAddress } from "../../parts/copy.tsx";
import { Chip } from "../../parts/form/chip.tsx";
import { DeskForm, FaultSummary, Problem } from "../../parts/form/form.tsx";
import { PartyFields } from "../../parts/form/party-fields.tsx";
import { MoreMenu } from "../../parts/menu.tsx";
import { headedPage } from "../../parts/page/head.tsx";
import { OtherWallet } from "../../shop/payout.tsx";
import { listPath, seriesHref } from "../recurring/parts.ts";
import { Warnings } from "../warnings.tsx";
import { billForm, chipFields } from "./fields.ts";
import type { InvoiceFormProps } from "./form-props.ts";
import { Lines } from "./lines.tsx";
import { Preview } from "./preview.tsx";
import { editPath, formPath, isTyped } from "./typed.ts";

/** The form of a new invoice, with the customer's view beside it. */
export function invoiceFormPage(props: InvoiceFormProps): string {
  const { frame, draft, faults, problem, repeat } = props;
  const { locale, when } = frame;
  const [title, back] = placesOf(repeat, locale);
  const field = fieldsOf(props);
  return headedPage({
    frame,
    place: "invoices",
    title,
    back,
    line: draft ? locale.say("savedAsDraft", { time: when.momentInText(draft.changedAt) }) : undefined,
    isForm: true,
    body: (
      <div class="columns columns-preview">
        <DeskForm frame={frame} action={formPath} className="form invoice-form">
          <button type="submit" class="visually-hidden" formaction={editPath} tabindex="-1">
            {locale.say("updatePreview")}
          </button>
          <input type="hidden" name="key" value={props.key} />
          <p class="connection" id="signed-out" role="alert" hidden>
            {`${locale.say("didSignOut")}${locale.marks.gap}`}
            <a href="/desk/sign-in" {...opening.window}>
              {locale.say("signIn")}
            </a>
          </p>
          {repeat !== "" && <input type="hidden" name="repeat" value={repeat} />}
          {draft !== null && <input type="hidden" name="draft" value={String(draft.id)} />}
          {props.seen !== null && <input type="hidden" name="seen" value={props.seen} />}
          <Problem text={problem} />
          <FaultSummary locale={locale} faults={faults} />
          {/* At the top: the button stays in view, whatever is below it. */}
          <output id="other-wallet">
            <OtherWallet locale={locale} wallet={props.otherWallet} />
          </output>
          <Customer {...props} />
          <Lines {...props} />
          {repeat === "" && field("due_date")}
          {field("notes", { hint: repeat === "" ? undefined : locale.say("repeatWords", words) })}
          <Chips {...props} />
          <BilledBy {...props} />
          <output id="check">
            <Warnings locale={locale} warnings={props.warnings} />
          </output>
          <Bottom {...props} />
        </DeskForm>
        <Preview {...props} />
      </div>
    ),
  });
}

/** Placeholders allowed in texts of a repeating invoice. */
const words = { month: "{month}", year: "{year}", period: "{period}" };

/** Returns the title, and the page to go back to. */
function placesOf(repeat: string, { say }: Locale) {
  if (repeat === "") return [say("newInvoice"), "invoices"] as const;
  const isNew = repeat === "new";
  const href = isNew ? listPath : seriesHref({ id: repeat });
  return [say(isNew ? "repeatAnew" : "repeatBill"), { href, label: say("repeating") }] as const;
}

const fieldsOf = ({ frame, typed, faults }: InvoiceFormProps) =>
  billForm.fields({ frame, typed: { ...typed, prices_include_tax: "" }, faults });

function Customer(props: InvoiceFormProps) {
  const field = fieldsOf(props);
  return (
    <div class="two">
      {field("vendor_name")}
      {field("vendor_email")}
      <datalist id="known">
        {props.customers.map(({ name, email }) => (
          <option value={name} data-email={email}>
            {email}
          </option>
        ))}
      </datalist>
    </div>
  );
}

/** Fields that few invoices have. A chip is open if something was typed in it, or is wrong. */
function Chips(props: InvoiceFormProps) {
  const { frame, typed, faults } = props;
  const { locale } = frame;
  const { say } = locale;
  const field = fieldsOf(props);
  const isFilled = typed.was_filled || isTyped(typed.vendor_details);
  const isFaulty = (prefix: string) => faults.some(({ field }) => field.startsWith(prefix));
  const chip = (name: keyof typeof chipFields) => ({
    locale,
    name,
    isOpen: chipFields[name].some((field) => typed[field] !== "" || isFaulty(field)),
  });
  return (
    <fieldset class="chips">
      <legend>{say("addFields")}</legend>
      <Chip {...chip("currency")} label={say("pricesIn")}>
        <div class="two currency">
          {field("currency")}
          {field("rate")}
        </div>
        {field("tax_exchange_rate")}
      </Chip>
      <Chip {...chip("delivery")} label={say("deliveryDate")}>
        <div class="two">
          {field("delivery_from")}
          {field("delivery_to")}
        </div>
      </Chip>
      <Chip {...chip("order")} label={say("purchaseOrder")}>
        <div class="two">{chipFields.order.map((name) => field(name))}</div>
      </Chip>
      <Chip {...chip("reference")} label={say("theirReference")}>
        {field("reference")}
      </Chip>
      <Chip {...chip("address")} label={say("customerAddress")}>
        {field("vendor_address")}
      </Chip>
      <Chip
        locale={locale}
        name="business"
        label={say("partyForBusiness")}
        isOpen={isFilled || isFaulty("vendor_details.")}
      >
        {isFilled && <input type="hidden" name="was_filled" value="on" />}
        <p class="hint">{say("partyInstead")}</p>
        <PartyFields locale={locale} prefix="vendor_details" typed={typed.vendor_details} faults={faults} />
      </Chip>
      <Chip {...chip("terms")} label={say("paymentTerms")}>
        {(typed.had_terms || typed.payment_terms !== "") && (
          <input type="hidden" name="had_terms" value="on" />
        )}
        {field("payment_terms")}
      </Chip>
      <Chip {...chip("language")} label={say("language")}>
        {field("language")}
      </Chip>
    </fieldset>
  );
}

/** The total and the submit button, always visible; the rest in a menu. */
function Bottom({ frame, hasMail, draft, bill, typed, inUsdc, repeat }: InvoiceFormProps) {
  const { locale } = frame;
  const isOne = repeat === "";
  const makes = hasMail ? "send" : "make";
  const makeText = hasMail ? "sendInvoice" : "makeInvoice";
  const entry = (as: string, text: string) => (
    <li>
      <button type="submit" name="as" value={as}>
        {text}
      </button>
    </li>
  );
  return (
    <div class="bottom bottom-total">
      <div class="sum">
        <span class="soft small">{locale.say("total")}</span>
        <output id="total">
          <Figure locale={locale} amount={bill.totals.total} unit={typed.currency || "USDC"} />
        </output>
        {/* The total in USDC at the current rate. The live form replaces it, even if empty. */}
        <output id="in-usdc" class="soft small">
          {inUsdc !== null &&
            `${locale.labelled(locale.say("payInUsdc"), locale.usdc(inUsdc.amount))} · ${inUsdc.rate}`}
        </output>
        <noscript>
          <span class="soft small">{locale.say("sumWhenSent")}</span>
        </noscript>
      </div>
      <MoreMenu locale={locale}>
        {entry("draft", locale.say("saveDraft"))}
        {isOne && hasMail && entry("make", locale.say("makeWithoutSending"))}
        {isOne && entry("repeat", locale.say("repeat"))}
        {draft !== null && entry("drop", locale.say("dropDraft"))}
        <noscript>
          <li>
            <button type="submit" formaction={editPath}>
              {locale.say("updatePreview")}
            </button>
          </li>
        </noscript>
      </MoreMenu>
      <SubmitButton sent={["as", isOne ? makes : "repeat"]} text={locale.say(isOne ? makeText : "goOn")} />
    </div>
  );
}

/** The seller and the wallet, filled in from earlier invoices, so it is closed unless something is missing. */
function BilledBy(props: InvoiceFormProps) {
  const { typed, faults } = props;
  const { locale } = props.frame;
  const { say } = locale;
  const field = fieldsOf(props);
  const names = ["merchant_name", "merchant_email", "merchant_address"] as const;
  const isOpen =
    names.some((name) => typed[name] === "") ||
    faults.some(({ field }) => /^(merchant_(name|email|address)|wallet_(type|address))$/.test(field));
  return (
    <details class="billed-by" open={isOpen}>
      <summary>
        <span class="name-of">{say("billedBy")}</span>
        <bdi class="soft">{typed.merchant_name === "" ? say("billedByNobody") : typed.merchant_name}</bdi>
        <span class="soft">
          {locale.labelled(
            say("paidInto"),
            say(typed.wallet_type === "byo" ? "ownWalletTitle" : "tillsWallet"),
          )}{" "}
          {typed.wallet_type === "byo" && <ShortAddress address={typed.wallet_address} />}
        </span>
      </summary>
      <div class="form">
        <div class="two">
          {field("merchant_name")}
          {field("merchant_email")}
        </div>
        {field("merchant_address")}
        {field("wallet_type", { children: <div class="choice-more">{field("wallet_address")}</div> })}
      </div>
    </details>
  );
}
