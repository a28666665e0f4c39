import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import { hostName } from "../../domain/brand.ts";
import * as Usdc from "../../domain/usdc.ts";
import { isTestNetwork } from "../../domain/wallet/network.ts";
import { owedBack, paidSoFar } from "../../language/bill.ts";
import { billedOf } from "../../language/bill-currency.ts";
import { fromTheLeft, type Locale, speak, type TextKey } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import { type SumRow, sumRows } from "../../language/sums.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { isolate, lines, nameLengthMax, singleLine, type Written, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import { type Block, mailOf } from "./blocks.tsx";
import { Button, ink, type MailContent, type MailSettings, soft } from "./mail-layout.tsx";
import * as Tables from "./tables.tsx";

/** Why the customer gets it: it is new, still open, or partly paid. */
export type InvoicePurpose = "invoice" | "reminder" | "part";

type InvoiceMail = Readonly<{
  purpose: InvoicePurpose;
  invoice: Invoice.Invoice;
  isOverdue: boolean;
  /** True if the PDF is attached. */
  hasPdf: boolean;
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
 * Sends an invoice to the customer, or asks for the rest of it. Names no deposit address, because that is what a forger
 * would change. Only the first mail has the merchant's notes. Throws a RangeError if a URL is not http(s).
 */
export function invoiceMessage(settings: MailSettings, mail: InvoiceMail): Written {
  const { purpose, invoice } = mail;
  const locale = speak(invoice.language ?? settings.language);
  const { say, figure } = locale;
  const merchantName = singleLine(invoice.merchantName, nameLengthMax);
  const number = singleLine(invoice.number, nameLengthMax);
  const day = locale.day(invoice.dueDate);
  const total = Usdc.formatExact(invoice.deposit.net);
  const { received, remaining } = paidSoFar(invoice) ?? { received: null, remaining: total };
  const owed = owedBack(invoice, isolate(merchantName), locale);
  const unpaid = mail.isOverdue ? "overdue" : "open";
  const state = remaining === null ? "paid" : unpaid;
  const partly = received !== null && remaining !== null;
  const isReceived = owed && received !== null && received !== "0.00";
  const amount = remaining ?? (isReceived ? received : total);
  const texts = {
    open: partly ? (["restDue", "stillToPay"] as const) : (["sumDue", "amountDue"] as const),
    overdue: [partly ? "restWasDue" : "sumWasDue", "amountOverdue"],
    paid: ["sumPaid", "amountPaid"],
  } as const;
  const [sumKey, labelKey] = texts[state];
  const asides = [
    partly && say("receivedOf", { received: figure(received), total: figure(total) }),
    invoice.credited === 0n && billedOf(invoice, locale).billed?.rate,
    owed,
  ].filter(Boolean);
  const sum = say(sumKey, { amount: figure(amount), day });
  const content: MailContent = {
    subject: say(subjects[purpose], { number, merchant: isolate(merchantName), sum }),
    preview: sum,
    merchantName,
    replyTo: invoice.merchantEmail,
    sentBy: "sentBy",
    brand: settings.brand,
    locale,
    url: webUrl(Invoice.pageUrl(settings.baseUrl, invoice)).href,
  };
  const notes = purpose === "invoice" ? lines(invoice.notes ?? "", noteLineLengthMax) : [];
  return mailOf(content, [
    opening(content, mail),
    Blocks.figure(locale, {
      label: say(labelKey),
      look: looks[state],
      amount: locale.usdc(amount),
      aside: asides.length === 0 ? null : asides.join(" · "),
      due: state === "paid" ? null : say(state === "overdue" ? "wasDueOn" : "dueOn", { day }),
    }),
    Tables.sums(locale, sumsOf(invoice, locale)),
    actions(content, settings, mail, say(state === "paid" ? "viewInvoice" : "viewAndPayInvoice")),
    Blocks.quote(
      <Rich locale={locale} text="noteFrom" values={{ merchant: <bdi>{merchantName}</bdi> }} />,
      locale.labelled(say("noteFrom", { merchant: isolate(merchantName) })),
      notes,
    ),
    advice(content, settings, mail, state === "paid"),
  ]);
}

const looks = { open: "soft", overdue: "late", paid: "done" } as const;

/** Returns the rows that lead to the total; none if it is just the lines, or if a credit note changed it. */
function sumsOf(invoice: Invoice.Invoice, locale: Locale): SumRow[] {
  const rows = sumRows(invoice, locale);
  if (invoice.credited !== 0n || (rows.length === 0 && invoice.currency === null)) return [];
  const billed = Currency.formatOf(invoice, Invoice.billedTotal(invoice));
  const total = { label: locale.say("total"), amount: locale.figure(billed) };
  const unit = invoice.currency === null ? "" : ` ${invoice.currency.code}`;
  return [...rows, { ...total, isAside: false }].map(({ label, amount, isAside = false }) => ({
    label,
    // A minus stays before its number.
    amount: isAside ? amount : fromTheLeft(`${amount}${unit}`, locale),
  }));
}

/** The sender, the recipient and the reason for the mail. */
function opening({ locale, merchantName }: MailContent, { purpose, invoice }: InvoiceMail): Block {
  const { say, labelled } = locale;
  const number = singleLine(invoice.number, nameLengthMax);
  const vendor = singleLine(invoice.vendorName, nameLengthMax);
  const reference = invoice.reference && singleLine(invoice.reference, Invoice.referenceLengthMax);
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

/** The links to the page and the PDF. */
function actions(
  content: MailContent,
  { baseUrl }: MailSettings,
  { invoice, hasPdf }: InvoiceMail,
  label: string,
): Block {
  const { say, labelled } = content.locale;
  const pdfUrl = webUrl(Invoice.pdfUrl(baseUrl, invoice)).href;
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

/** Explains which USDC to send, and where the address is: never in a mail, as a forged one can bring a forged PDF. */
function advice(
  { locale, url, brand }: MailContent,
  { network }: MailSettings,
  { hasPdf }: InvoiceMail,
  isPaid: boolean,
): Block {
  const { say, marks } = locale;
  const origin = `${new URL(url).origin}/`;
  const address = say(hasPdf ? "noAddressWithPdf" : "noAddress", { brand: hostName(brand) });
  const only = [
    say("onlyOn", { network: network.label }),
    ...(isTestNetwork(network) ? [say("testNetwork")] : []),
  ];
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
