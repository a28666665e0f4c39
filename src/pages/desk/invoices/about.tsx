import { Html } from "@elysiajs/html";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import type { Locale } from "../../../language/locale.ts";
import { partiesOf } from "../../../language/parties.ts";
import { copyWords } from "../../copy-button.tsx";
import { attr } from "../../text.ts";
import type { DetailProps } from "./detail-props.ts";
import { EInvoice } from "./e-invoice.tsx";
import { invoiceHref } from "./list/rows.tsx";

type Props = { props: DetailProps };

/** Beside an invoice: its page, its customer, and what it says. */
export function About({ props }: Props) {
  const { frame, invoice, links, customerHref } = props;
  const { locale } = frame;
  const { vendorAddress, vendorNumbers, vendorContact } = partiesOf(invoice, locale);
  const customerLines = [
    ...(vendorAddress === null ? [] : [vendorAddress]),
    ...[...vendorNumbers, ...vendorContact].map(({ label, value }) => locale.labelled(label, value)),
  ];
  return (
    <aside aria-label={attr(locale.say("aboutInvoice"))}>
      <div class="aside-part">
        <h2 safe>{locale.say("customersPage")}</h2>
        <div class="copyable">
          <label class="visually-hidden" for="page-url" safe>
            {locale.say("linkForCustomer")}
          </label>
          <input id="page-url" readonly value={attr(links.page)} />
          <Copy props={props} id="copy-link" text={links.page} label={locale.say("copyIt")} />
        </div>
      </div>
      <CustomerPart locale={locale} invoice={invoice} href={customerHref} lines={customerLines} />
      <div class="aside-part">
        <Facts props={props} />
      </div>
      <EInvoice frame={frame} href={invoiceHref(invoice.number)} lead="eInvoiceLacks" {...props.eInvoice} />
    </aside>
  );
}

type CustomerProps = {
  locale: Locale;
  invoice: Pick<Invoice, "vendorName" | "vendorEmail">;
  /** The desk's page of the customer; null when there is none. */
  href: string | null;
  /** What more there is to say of them. */
  lines?: readonly string[];
};

/** Who the customer is. */
export function CustomerPart({ locale, invoice, href, lines = [] }: CustomerProps) {
  const name = (
    <strong dir="auto" safe>
      {invoice.vendorName}
    </strong>
  );
  return (
    <div class="aside-part">
      <h2 safe>{locale.say("customer")}</h2>
      <p>
        {href === null ? (
          name
        ) : (
          <a class="reach" href={attr(href)}>
            {name}
          </a>
        )}
      </p>
      <p class="soft small prose">
        <bdi safe>{invoice.vendorEmail}</bdi>
        {lines.map((line) => (
          <span dir="auto" class="under-line" safe>
            {line}
          </span>
        ))}
      </p>
    </div>
  );
}

function Facts({ props }: Props) {
  const { frame, invoice } = props;
  const { locale } = frame;
  const facts = [
    [locale.say("factIssued"), locale.day(invoice.issueDate)],
    [locale.say("factDue"), locale.day(invoice.dueDate)],
    ...(invoice.reference === null ? [] : [[locale.say("factReference"), invoice.reference]]),
    ...partiesOf(invoice, locale).tradeFacts.map(({ label, value }) => [label, value] as const),
    [
      locale.say("paidInto"),
      invoice.walletType === "managed" ? locale.say("tillsWallet") : locale.say("ownWallet"),
    ],
  ] as const;
  const prose = [
    ...(invoice.paymentTerms === null ? [] : [[locale.say("paymentTerms"), invoice.paymentTerms]]),
    ...(invoice.notes === null ? [] : [[locale.say("factWords"), invoice.notes]]),
  ] as [string, string][];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div class="facts-line">
          <dt safe>{name}</dt>
          <dd dir="auto" safe>
            {value}
          </dd>
        </div>
      ))}
      {prose.map(([name, text]) => (
        <div>
          <dt safe>{name}</dt>
          <dd class="small prose" dir="auto" safe>
            {text}
          </dd>
        </div>
      ))}
      <div>
        <dt safe>{locale.say("factDeposit")}</dt>
        <dd class="small">
          <bdi class="address address-whole">
            {(invoice.deposit.address.match(/^0x.{4}|.{1,4}/g) ?? []).map((group) => (
              <span safe>{group}</span>
            ))}
          </bdi>
        </dd>
        <dd>
          <Copy
            props={props}
            id="copy-address"
            text={invoice.deposit.address}
            label={locale.say("copyTheAddress")}
          />
        </dd>
      </div>
    </dl>
  );
}

/** Only the script can copy, so only the script shows it. */
function Copy({ props, id, text, label }: Props & { id: string; text: string; label: string }) {
  const { locale } = props.frame;
  return (
    <button
      type="button"
      class="button button-quiet button-small"
      id={id}
      data-copy={attr(text)}
      data-words={attr(copyWords(locale.say("isCopied"), locale.say("isNotCopied")))}
      hidden=""
    >
      {Html.escapeHtml(label)}
    </button>
  );
}
