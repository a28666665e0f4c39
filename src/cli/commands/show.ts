import * as Usdc from "../../domain/usdc.ts";
import type * as Answer from "../../http/fields/answer-schemas.ts";
import type * as EventAnswer from "../../http/fields/event-schemas.ts";
import {
  apiPath,
  type CreditNoteRecord,
  creditNoteHelp,
  findLinkRecord,
  findOf,
  findReusableRecord,
  type InvoiceRecord,
  type LinkRecord,
  type ReusableLinkRecord,
  standingOf,
  type Target,
  targetHelp,
} from "../api/target.ts";
import { command, onlyWord } from "../command.ts";
import {
  amountText,
  answer,
  say,
  sayFacts,
  sayTable,
  statusCell,
  type TextCell,
  timeText,
} from "../terminal/output.ts";
import { type EventRecord, sayEvents } from "./webhook.ts";

type TransferRecord = (typeof Answer.TransferRecord)["static"];
type TimelineEntry = (typeof EventAnswer.TimelineEntry)["static"];

export const show = command({
  calls: ["INVOICE|LINK|CREDIT-NOTE [--json]"],
  words: [
    ["INVOICE, LINK", targetHelp],
    ["CREDIT-NOTE", creditNoteHelp],
  ],
  flags: { json: { text: "the API's record, with credit notes, payments, webhook events and timeline" } },
  examples: ["till show INV-0001"],

  async run({ json }, words) {
    const word = onlyWord(words, "say what to show: till show INV-0001");
    const { client, target } = await findOf(word, ["invoice", "link", "reusable", "credit_note"]);
    if (target.kind === "credit_note") return answer(json, target.record, () => sayCreditNote(target.record));
    if (target.kind === "reusable") {
      const { reusable, payments, hasMore } = await findReusableRecord(client, target.record.slug);
      const record = { ...reusable, payments, has_more: hasMore };
      return answer(json, record, () => sayReusable(reusable, payments, hasMore));
    }
    const path = apiPath(target);
    const listOf = async <T>(what: string) => (await client.get<{ data: T[] }>(`${path}/${what}`)).data;
    const payments = await listOf<TransferRecord>("payments");
    const events = await listOf<EventRecord>("events");
    const timeline = await listOf<TimelineEntry>("timeline");
    const isCredited = target.kind === "invoice" && target.record.credited_amount !== undefined;
    const credits = isCredited ? await listOf<CreditNoteRecord>("credit-notes") : null;
    const link = target.kind === "link" ? await findLinkRecord(client, target.record.slug) : null;
    const credited = credits ? { credit_notes: credits } : {};
    if (json) return answer(json, { ...target.record, ...link, ...credited, payments, events, timeline }, "");
    if (target.kind === "invoice") sayInvoice(target.record);
    if (link) sayLink(link);
    if (credits) sayBelow("Credit notes", () => sayCredits(credits));
    if (payments.length > 0) sayBelow("Payments", () => sayPayments(payments));
    if (events.length > 0) sayBelow("Webhook events", () => sayEvents(events));
    const lines = timeline.map(({ at, summary }) => [timeText(at), summary]);
    sayBelow("Timeline", () => sayTable(["TIME", "WHAT HAPPENED"], lines));
    return 0;
  },
});

function sayBelow(title: string, tell: () => void): void {
  say(`\n${title}`);
  tell();
}

function sayCredits(notes: readonly CreditNoteRecord[]): void {
  sayTable(
    ["NUMBER", "ISSUED", { right: "CREDITED" }, { right: "TO RETURN" }, "REASON"],
    notes.map((note) => [
      note.credit_note_number,
      note.issue_date,
      moneyText(note.total_amount, note),
      Number(note.return_usdc) === 0 ? "" : `${amountText(note.return_usdc)} USDC`,
      note.reason.replaceAll("\n", " "),
    ]),
  );
}

function sayCreditNote(note: CreditNoteRecord): void {
  const taxes = (note.tax_breakdown ?? []).map((row): [string, string] => ["Tax", taxText(row, note)]);
  sayFacts([
    ["Credit note", { text: note.credit_note_number, color: "bold" }],
    ["Invoice", note.invoice_number],
    ...taxes,
    ["Credited", moneyText(note.total_amount, note)],
    ["In USDC", note.currency === "USDC" ? null : `${amountText(note.credited_usdc)} USDC`],
    ["To return", Number(note.return_usdc) === 0 ? null : `${amountText(note.return_usdc)} USDC`],
    ["Reason", note.reason],
    ["Issued", note.issue_date],
    ["Mailed", note.sent_at ? timeText(note.sent_at) : "not yet"],
    ...partyFacts(note),
    ["PDF", note.pdf_url],
    ["Id", note.id],
  ]);
  if (note.line_items.length > 0) sayLines(note.line_items);
}

function sayInvoice(invoice: InvoiceRecord): void {
  const due: TextCell = invoice.overdue
    ? { text: `${invoice.due_date} overdue`, color: "red" }
    : invoice.due_date;
  const money = (amount = "0.00") => moneyText(amount, invoice);
  const { credited_amount } = invoice;
  sayFacts([
    ["Invoice", { text: invoice.invoice_number, color: "bold" }],
    ["Status", statusCell(invoice.status)],
    ["Subtotal", invoice.subtotal_amount === undefined ? null : money(invoice.subtotal_amount)],
    ["Discount", Number(invoice.discount_amount ?? 0) === 0 ? null : `-${money(invoice.discount_amount)}`],
    ...(invoice.tax_breakdown ?? []).map((row): [string, string] => ["Tax", taxText(row, invoice)]),
    ["Total", money(invoice.total_amount)],
    ...rateFacts(invoice, "In USDC"),
    ["Credited", credited_amount === undefined ? null : `-${money(credited_amount)}`],
    ["Received", `${amountText(invoice.received_amount)} USDC`],
    ...standingFacts({ kind: "invoice", record: invoice }),
    ["Issued", invoice.issue_date],
    ["Due", due],
    ["Mailed", invoice.sent_at ? timeText(invoice.sent_at) : "not yet"],
    ...closedFacts(invoice),
    ...partyFacts(invoice),
    ["Terms", invoice.payment_terms ?? null],
    ["Delivered", invoice.delivery_date ?? null],
    ["Delivered", invoice.delivery_from ? `${invoice.delivery_from} to ${invoice.delivery_to}` : null],
    ["Buyer ref.", invoice.buyer_reference ?? null],
    ["Order", invoice.purchase_order ?? null],
    ["Wallet", `${invoice.wallet_type} ${invoice.wallet_address}`],
    ["Page", invoice.invoice_url],
    ["PDF", invoice.pdf_url],
    ["Address", invoice.deposit_address],
    ["Webhook", invoice.webhook_url],
    ["Reference", invoice.reference ?? null],
    ["Notes", invoice.notes],
    ["Id", invoice.id],
  ]);
  sayLines(invoice.line_items);
}

type Quoted = Pick<InvoiceRecord, "currency" | "expected_usdc" | "exchange_rate">;

/** What a link asks for, and of which price in a currency, how long. */
export function linkPriceFacts(link: Partial<LinkRecord>): [string, string][] {
  const { expected_amount = "", currency, amount, exchange_rate, rate_expires_at } = link;
  const expected: [string, string] = ["Expected", `${amountText(expected_amount)} USDC`];
  if (currency === undefined || amount === undefined || exchange_rate === undefined) return [expected];
  return [
    ["Price", `${amountText(amount)} ${currency}`],
    expected,
    rateFact(currency, exchange_rate),
    ...(rate_expires_at === undefined
      ? []
      : [["Holds until", timeText(rate_expires_at)] as [string, string]]),
  ];
}

function rateFact(currency: string, { rate, source, fetched_at }: ExchangeRate): [string, string] {
  return ["Rate", `1 USDC = ${rate} ${currency}, ${source}, ${timeText(fetched_at)}`];
}

type ExchangeRate = NonNullable<LinkRecord["exchange_rate"]>;

/** What an invoice in another currency was issued for in USDC, and the rate; nothing of one in USDC. */
export function rateFacts(invoice: Quoted, label: "To pay" | "In USDC"): [string, string][] {
  const { currency, expected_usdc, exchange_rate } = invoice;
  if (currency === undefined || expected_usdc === undefined || exchange_rate === undefined) return [];
  return [[label, `${amountText(expected_usdc)} USDC`], rateFact(currency, exchange_rate)];
}

function sayLines(items: InvoiceRecord["line_items"]): void {
  say("\nLine items");
  sayTable(
    [{ right: "QUANTITY" }, { right: "PRICE" }, { right: "TOTAL" }, "DESCRIPTION"],
    items.map((item) => [
      [item.quantity, item.unit].filter(Boolean).join(" "),
      amountText(item.unit_price),
      amountText(item.line_total),
      [item.description, ...termsOf(item)].join("; "),
    ]),
  );
}

function standingFacts(target: Target): [string, string | null][] {
  const { due = Usdc.zero, toReturn = Usdc.zero } = standingOf(target) ?? {};
  const text = (sum: Usdc.Usdc) => (sum === 0n ? null : `${amountText(Usdc.formatExact(sum))} USDC`);
  return [
    ["Left to pay", text(due)],
    ["To return", text(toReturn)],
  ];
}

type Parties = Pick<InvoiceRecord, keyof InvoiceRecord & (`merchant_${string}` | `vendor_${string}`)>;

/** Seller and buyer, each with the address, and a line per detail as the API names it: `vat_id: DE136695976`. */
function partyFacts(of: Parties): [string, string][] {
  const text = (who: string, address: string | null, details: Record<string, string> = {}) =>
    [who, address, ...Object.entries(details).map((each) => each.join(": "))].filter(Boolean).join("\n");
  const seller = `${of.merchant_name_snapshot} <${of.merchant_email}>`;
  return [
    ["From", text(seller, of.merchant_address_snapshot, of.merchant_details)],
    ["To", text(`${of.vendor_name} <${of.vendor_email}>`, of.vendor_address, of.vendor_details)],
  ];
}

export const moneyText = (amount: string, { currency = "USDC" }: Pick<InvoiceRecord, "currency">) =>
  `${amountText(amount)} ${currency}`;

type TaxRow = NonNullable<InvoiceRecord["tax_breakdown"]>[number];

/** `19.00% on 1,080.00: 205.20 USDC` */
function taxText(row: TaxRow, invoice: Pick<InvoiceRecord, "currency" | "prices_include_tax">): string {
  const kind = row.tax_category === "standard" ? `${row.tax_rate}%` : row.tax_category;
  const why = row.tax_reason === undefined ? "" : ` (${row.tax_reason})`;
  const included = invoice.prices_include_tax ? ", included" : "";
  return `${kind} on ${amountText(row.taxable_amount)}: ${moneyText(row.tax_amount, invoice)}${included}${why}`;
}

/** A line's discount and tax. */
function termsOf({
  discount_percent,
  discount_amount,
  ...item
}: InvoiceRecord["line_items"][number]): string[] {
  const off = discount_percent === undefined ? discount_amount : `${discount_percent}%`;
  return [
    ...(off === undefined ? [] : [`less ${off}`]),
    ...(item.tax_category === "standard" ? [`tax ${item.tax_rate}%`] : []),
  ];
}

/** What the payer said of themselves, in one line. */
function payerText({ payer_details: said }: LinkRecord): string | null {
  if (said === undefined) return null;
  const answers = (said.answers ?? []).map(({ question, answer }) => `${question} ${answer}`);
  const texts = [said.name, said.address, said.tax_id, said.phone, ...answers];
  return texts.filter(Boolean).join(" · ").replaceAll("\n", ", ");
}

function sayLink(link: LinkRecord): void {
  sayFacts([
    ["Link", { text: link.slug, color: "bold" }],
    ["Status", statusCell(link.status)],
    ...linkPriceFacts(link),
    ["Received", `${amountText(link.received_amount)} USDC`],
    ...standingFacts({ kind: "link", record: link }),
    ["Reusable", link.reusable_slug ? `${link.quantity} of link ${link.reusable_slug}` : null],
    ...closedFacts(link),
    ["Business", link.business_name],
    ["Product", link.product_description],
    ["Merchant", link.merchant_email],
    ["Reference", link.reference ?? null],
    ["Tax", link.tax_amount ?? null],
    ["Receipt", link.receipt_number ?? null],
    ["Receipt to", link.payer_email ?? null],
    ["Payer", payerText(link)],
    ["Wallet", `${link.wallet_type} ${link.wallet_address}`],
    ["Expires", link.expires_at ? timeText(link.expires_at) : null],
    ["Page", link.payment_link],
    ["Address", link.deposit_address],
    ["Webhook", link.webhook_url],
  ]);
}

/** How the merchant closed it. */
function closedFacts(record: InvoiceRecord | LinkRecord): [string, string | null][] {
  return [
    ["Marked paid", record.marked_paid_at ? timeText(record.marked_paid_at) : null],
    ["Voided", record.voided_at ? timeText(record.voided_at) : null],
    ["Reason", record.void_reason ?? null],
  ];
}

function sayPayments(payments: readonly TransferRecord[]): void {
  sayTable(
    [{ right: "AMOUNT" }, "STATE", "SEEN", { right: "BLOCK" }, { below: "TX" }, { below: "FROM" }],
    payments.map((payment) => [
      amountText(payment.amount),
      payment.confirmed
        ? { text: "confirmed", color: "green" }
        : { text: `${payment.confirmations} deep`, color: "yellow" },
      timeText(payment.seen_at),
      String(payment.block_number),
      payment.tx_hash,
      payment.from ?? "",
    ]),
  );
}

type Price = Pick<
  ReusableLinkRecord,
  "currency" | "expected_amount" | "amount" | "quantity_max" | "amount_min" | "amount_max"
>;

/** What one payment of a reusable link costs: `25.00 USDC`, `25.00 × 1 to 10 USDC`, or `1.00 to 500.00 EUR`. */
export function priceText(price: Price): string {
  const { currency = "USDC", quantity_max = 1, amount_min, amount_max } = price;
  const each = price.expected_amount ?? price.amount;
  if (each === undefined)
    return `${amountText(amount_min ?? "")} to ${amountText(amount_max ?? "")} ${currency}`;
  return `${amountText(each)}${quantity_max > 1 ? ` × 1 to ${quantity_max}` : ""} ${currency}`;
}

/** A reusable link, the totals of its payments, and the latest of them. */
function sayReusable(link: ReusableLinkRecord, payments: readonly LinkRecord[], hasMore: boolean): void {
  sayFacts([
    ["Reusable link", { text: link.slug, color: "bold" }],
    ["Status", statusCell(link.status)],
    ["Price", priceText(link)],
    ["Received", `${amountText(link.received_amount)} USDC`],
    ["Payments", `${link.payments_begun} begun, ${link.payments_paid} paid`],
    ["Business", link.business_name],
    ["Product", link.product_description],
    ["Merchant", link.merchant_email],
    ["Reference", link.reference ?? null],
    ["Wallet", `${link.wallet_type} ${link.wallet_address ?? ""}`.trim()],
    ["Page", link.payment_link],
    ["Closes", link.expires_at === undefined ? null : timeText(link.expires_at)],
    ["Voided", link.voided_at === undefined ? null : timeText(link.voided_at)],
    ["Reason", link.void_reason ?? null],
    ["Webhook", link.webhook_url],
  ]);
  if (payments.length === 0) return;
  say("\nPayments");
  sayTable(
    ["SLUG", "STATUS", { right: "QUANTITY" }, { right: "EXPECTED" }, { right: "RECEIVED" }, "BEGUN"],
    payments.map((payment) => [
      payment.slug,
      statusCell(payment.status),
      String(payment.quantity ?? 1),
      amountText(payment.expected_amount),
      amountText(payment.received_amount),
      timeText(payment.created_at),
    ]),
  );
  if (hasMore) say(`There are more: till list links --reusable ${link.slug} --all`);
}
