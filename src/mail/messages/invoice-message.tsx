import { billedTotal, type Invoice, referenceLengthMax } from "../../domain/bill/invoice.ts";
import { type Brand, hostName } from "../../domain/brand.ts";
import * as Usdc from "../../domain/usdc.ts";
import { isTestNetwork, type Network } from "../../domain/wallet/network.ts";
import { billedOf, type SumRow, sumRows } from "../../language/bill.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { fromTheLeft, type Locale, speak, type TextKey } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { isolate, lines, type Message, nameLengthMax, singleLine, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import { type Block, mailOf } from "./blocks.tsx";
import { Button, ink, type MailContent, soft } from "./mail-layout.tsx";

/** How a total comes about. */
type Bill = Pick<
  Invoice,
  "discount" | "pricesIncludeTax" | "totals" | "currency" | "total" | "merchantDetails"
>;

/** Why the customer gets it: it is new, it is still open, or part of it was paid. */
export type InvoicePurpose = "invoice" | "reminder" | "part";

export type InvoiceMessageProps = Readonly<{
  purpose: InvoicePurpose;
  merchantName: string;
  merchantEmail: string;
  vendorName: string;
  invoiceNumber: string;
  /** Plain decimals of USDC, `"1500.00"`; also the amounts below. */
  total: string;
  /** Null where the total is the sum of the lines: then nothing of it is said. */
  bill: Bill | null;
  /** `YYYY-MM-DD` */
  dueDate: string;
  overdue: boolean;
  /** What has arrived so far, if anything; `remaining` null: nothing is left to pay. */
  payment: { readonly received: string; readonly remaining: string | null } | null;
  /** What the merchant owes because of credit notes, in words; none when that is nothing. */
  owedBack?: string | null;
  /** http(s) URLs of this installation. */
  invoiceUrl: string;
  pdfUrl: string;
  notes: string | null;
  reference: string | null;
  network: Pick<Network, "label" | "chainId">;
  /** Whether the PDF is attached. */
  hasPdf: boolean;
  /** Who runs this Till. */
  brand: Brand;
  language: LanguageCode;
}>;

/** In characters. */
const noteLineLengthMax = 2000;

const sentences = {
  invoice: "hasSent",
  reminder: "reminderSentence",
  part: "partSentence",
} as const satisfies Record<InvoicePurpose, TextKey>;

const subjects = {
  invoice: "invoiceSubject",
  reminder: "reminderSubject",
  part: "partSubject",
} as const satisfies Record<InvoicePurpose, TextKey>;

/**
 * A mail that brings an invoice to the customer, or asks for what is left of it. It names no deposit address: whoever forges a mail would
 * change just that. Throws a RangeError when a URL is not http(s).
 */
export function invoiceMessage(props: InvoiceMessageProps): Pick<Message, "subject" | "text" | "html"> {
  const locale = speak(props.language);
  const { say, figure } = locale;
  const { total } = props;
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const number = singleLine(props.invoiceNumber, nameLengthMax);
  const day = locale.day(props.dueDate);
  const received = props.payment?.received ?? null;
  const remaining = props.payment ? props.payment.remaining : total;
  const state = remaining === null ? "paid" : props.overdue ? "overdue" : "open";
  const partly = received !== null && remaining !== null;
  const isReceived = props.owedBack && received !== null && received !== "0.00";
  const amount = remaining ?? (isReceived ? received : total);
  const texts = {
    open: partly ? (["restDue", "stillToPay"] as const) : (["sumDue", "amountDue"] as const),
    overdue: [partly ? "restWasDue" : "sumWasDue", "amountOverdue"],
    paid: ["sumPaid", "amountPaid"],
  } as const;
  const [sumKey, labelKey] = texts[state];
  const asides = [
    ...(partly ? [say("receivedOf", { received: figure(received), total: figure(total) })] : []),
    ...(props.bill?.currency ? [billedOf(props.bill, locale).billed?.rate ?? ""] : []),
    ...(props.owedBack ? [props.owedBack] : []),
  ];
  const sum = say(sumKey, { amount: figure(amount), day });
  const content: MailContent = {
    subject: say(subjects[props.purpose], { number, merchant: isolate(merchantName), sum }),
    preview: sum,
    merchantName,
    replyTo: props.merchantEmail,
    sentBy: "sentBy",
    brand: props.brand,
    locale,
    url: webUrl(props.invoiceUrl).href,
  };
  const notes = props.notes ? lines(props.notes, noteLineLengthMax) : [];
  return mailOf(content, [
    opening(content, { ...props, number }),
    Blocks.figure(locale, {
      label: say(labelKey),
      look: looks[state],
      amount: locale.usdc(amount),
      aside: asides.length === 0 ? null : asides.join(" · "),
      due: state === "paid" ? null : say(state === "overdue" ? "wasDueOn" : "dueOn", { day }),
    }),
    Blocks.sums(locale, props.bill === null ? [] : sumsOf(props.bill, locale)),
    actions(content, props, say(state === "paid" ? "viewInvoice" : "viewAndPayInvoice")),
    Blocks.quote(
      <Rich locale={locale} text="noteFrom" values={{ merchant: <bdi>{merchantName}</bdi> }} />,
      locale.labelled(say("noteFrom", { merchant: isolate(merchantName) })),
      notes,
    ),
    advice(content, props, state === "paid"),
  ]);
}

const looks = { open: "soft", overdue: "late", paid: "done" } as const;

function sumsOf(bill: Bill, locale: Locale): SumRow[] {
  const rows = sumRows(bill, locale);
  if (rows.length === 0 && bill.currency === null) return [];
  const total = { label: locale.say("total"), amount: locale.figure(Usdc.format(billedTotal(bill))) };
  const unit = bill.currency === null ? "" : ` ${bill.currency.code}`;
  return [...rows, total].map(({ label, amount }) => ({
    label,
    // A minus stays before its number.
    amount: fromTheLeft(`${amount}${unit}`, locale),
  }));
}

/** Who writes to whom, and why. */
function opening(
  { locale, merchantName }: MailContent,
  { purpose, number, ...props }: InvoiceMessageProps & { number: string },
): Block {
  const { say, labelled } = locale;
  const vendor = singleLine(props.vendorName, nameLengthMax);
  const reference = props.reference && singleLine(props.reference, referenceLengthMax);
  const crossed = purpose === "reminder" ? say("alreadyPaid") : null;
  const names = { merchant: isolate(merchantName), vendor: isolate(vendor) };
  const name = (
    <bdi class="ink" style={ink}>
      {vendor}
    </bdi>
  );
  return Blocks.heading(
    {
      above: [
        <span style="white-space:nowrap;">{say("invoiceNumber", { number })}</span>,
        ...(reference === null
          ? []
          : [
              <>
                {say("reference") + locale.marks.colon}
                <bdi>{reference}</bdi>
              </>,
            ]),
      ],
      title: <bdi>{merchantName}</bdi>,
      below: (
        <>
          <Rich locale={locale} text={sentences[purpose]} values={{ vendor: name }} />
          {crossed !== null && (
            <>
              <br />
              {crossed}
            </>
          )}
        </>
      ),
    },
    [
      ...(purpose === "invoice"
        ? [say("merchantHasSent", names), "", labelled(say("invoice"), number)]
        : [
            say("invoiceFrom", { number, merchant: names.merchant }),
            "",
            say(sentences[purpose], { vendor: names.vendor }),
            ...(crossed === null ? [] : [crossed]),
            "",
          ]),
      ...(reference === null ? [] : [labelled(say("reference"), isolate(reference))]),
    ],
  );
}

/** The page, and the PDF. */
function actions(content: MailContent, { hasPdf, ...props }: InvoiceMessageProps, label: string): Block {
  const { say, labelled } = content.locale;
  const pdfUrl = webUrl(props.pdfUrl).href;
  return {
    text: [
      labelled(label),
      content.url,
      "",
      labelled(say("downloadPdf")),
      pdfUrl,
      ...(hasPdf ? [say("pdfAttached")] : []),
    ],
    html: (
      <>
        <Button content={content} label={label} />
        <p style="margin:10px 0 0;font-size:14px;line-height:21px;">
          <Blocks.Link content={content} href={pdfUrl}>
            {say("downloadPdf")}
          </Blocks.Link>
          {hasPdf && (
            <span class="soft" style={soft}>
              <br />
              {say("pdfAttached")}
            </span>
          )}
        </p>
      </>
    ),
  };
}

/** Which USDC, and where the deposit address stands: never in a mail, as a forged one can bring a forged PDF. */
function advice({ locale }: MailContent, props: InvoiceMessageProps, isPaid: boolean): Block {
  const { say, marks } = locale;
  const origin = `${webUrl(props.invoiceUrl).origin}/`;
  const address = say(props.hasPdf ? "noAddressWithPdf" : "noAddress", { brand: hostName(props.brand) });
  const { label: network } = props.network;
  const only = [say("onlyOn", { network }), ...(isTestNetwork(props.network) ? [say("testNetwork")] : [])];
  const Strong = ({ children }: { children: Child }) => (
    <strong class="ink" style={ink}>
      {children}
    </strong>
  );
  return Blocks.panel(
    [...(isPaid ? [say("nothingLeft")] : [...only, say("pageShows")]), "", say("checkLink"), origin, address],
    <>
      {!isPaid && (
        <p style="margin:0 0 10px;">
          <Strong>{only.join(marks.gap).trimEnd()}</Strong>
          {marks.gap}
          {say("pageShows")}
        </p>
      )}
      <p style="margin:0;">
        <Strong>
          {say("checkLink")}
          <br />
          <span dir="ltr" style="word-break:break-word;overflow-wrap:anywhere;">
            {origin}
          </span>
        </Strong>
        <br />
        {address}
      </p>
    </>,
  );
}
