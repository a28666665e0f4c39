import * as Calendar from "../../../domain/calendar.ts";
import type * as InvoiceSchemas from "../../../http/fields/invoice-schemas.ts";
import { InvoiceRequest, parseInvoiceRequest } from "../../../invoicing/request/invoice.ts";
import { command } from "../../command.ts";
import { bold, money, rateText, timeText, usdc } from "../../records/format.ts";
import { say } from "../../terminal/output.ts";
import { type Facts, sayRecord } from "../../terminal/table.ts";
import { flagsOf, type Kind, merchantRows, type Rows, rulesKnown } from "./fields.ts";
import {
  askItems,
  bodyOf,
  describeItem,
  type InvoiceDraft,
  taxFault,
  taxText,
  totalText,
} from "./invoice-draft.ts";
import { issue, requestFlags, sayCode, secretFacts } from "./issue.ts";
import { parseItem } from "./line-item.ts";

type CreatedInvoice = (typeof InvoiceSchemas.CreatedInvoice)["static"];

const dueInDays = 30;

const rows: Rows<InvoiceDraft> = {
  merchant_email: {
    value: "EMAIL",
    text: "who bills",
    ask: "Your e-mail",
    fact: (of) => [["From", party(of.merchant_name, of.merchant_email, of.merchant_address)]],
    keep: true,
  },
  merchant_name: {
    value: "NAME",
    text: "the business name on the invoice",
    ask: "Your business name",
    keep: true,
  },
  merchant_address: {
    value: "TEXT",
    text: "its address; \\n starts a new line, here and in other texts",
    lines: true,
    ask: "Your business address",
    keep: true,
  },
  vendor_email: {
    value: "EMAIL",
    text: "who pays; Till mails the invoice there",
    ask: "Customer's e-mail, where the invoice is sent",
    fact: (of) => [["To", party(of.vendor_name, of.vendor_email, of.vendor_address)]],
  },
  vendor_name: { value: "NAME", text: "the customer's name", ask: "Customer's name" },
  vendor_address: { value: "TEXT", text: "the customer's address", lines: true, ask: "Customer's address" },
  line_items: {
    flag: "item",
    value: "ITEM",
    text: 'quantity (above 0), price and text, such as "10 x 150.00 Design"; with a unit, a discount and tax: "10 h x 150.00-10%+19% Design"; repeatable',
    many: true,
    read: parseItem,
    ask: "Line items",
    own: askItems,
    fact: ({ line_items = [] }) => [["Items", line_items.map(describeItem).join("\n")]],
  },
  tax_rate: {
    value: "PERCENT",
    text: "the tax of items that name none, such as 19.00",
    // Once somebody has charged tax, it is asked from then on.
    ask: "Tax in percent, added to the prices",
    name: "Tax",
    hint: "19",
    isAside: true,
    fault: taxFault,
    fact: (draft) => [
      ["Tax", draft.tax_rate && `${draft.tax_rate} %: ${taxText(draft)}`],
      ["Total", totalText(draft)],
    ],
    keep: true,
  },
  tax_category: {
    value: "CATEGORY",
    text: "of all items: standard, zero, exempt, reverse_charge, export or outside_scope (default: from the rate)",
  },
  tax_reason: { value: "TEXT", text: "why no tax is charged" },
  prices_include_tax: { text: "prices already include the tax" },
  discount_percent: { value: "PERCENT", text: "a discount on the whole, before tax" },
  discount_amount: { value: "AMOUNT", text: "the same as an amount; use one of the two" },
  currency: { value: "CODE", text: "of all amounts, such as EUR (default USDC)" },
  rate: {
    value: "RATE",
    text: "what 1 USDC costs in it; for EUR and USD, Till asks exchanges when you leave it out",
  },
  tax_exchange_rate: {
    value: "RATE",
    text: "what 1 of the currency costs in that of your country, for the tax; Till asks the central bank when you leave it out",
  },
  issue_date: {
    value: "DATE",
    text: "YYYY-MM-DD (default: today)",
    ask: "Issue date",
    hint: "today",
    fact: ({ issue_date = "today" }) => [["Issued", issue_date]],
  },
  due_date: {
    value: "DATE",
    text: "YYYY-MM-DD",
    ask: `Due date (Enter: in ${dueInDays} days)`,
    fallback: dueDefault,
    fact: "Due",
  },
  payment_terms: { value: "TEXT", text: "in words (default: those saved for the merchant)" },
  delivery_date: { value: "DATE", text: "when you delivered, YYYY-MM-DD" },
  delivery_from: null,
  delivery_to: null,
  buyer_reference: { value: "TEXT", text: "a reference that the customer wants named" },
  purchase_order: { value: "TEXT", text: "the customer's order number" },
  notes: {
    value: "TEXT",
    text: "text at the bottom of the invoice",
    lines: true,
    ask: "Notes at the bottom of the invoice",
    after: "reference",
    fact: "Notes",
  },
  ...merchantRows,
  send_now: null,
};

const party = (name = "", email = "", address?: string) =>
  [`${name} <${email}>`, ...(address ? [address] : [])].join("\n");

function dueDefault(): string {
  const today = Calendar.dayAt(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone);
  return Calendar.dayOf(Calendar.dayNumber(today) + dueInDays);
}

const kind: Kind<InvoiceDraft, CreatedInvoice> = {
  name: "invoice",
  path: "/api/invoices",
  schema: InvoiceRequest,
  rows,
  check: (body) => parseInvoiceRequest(body, rulesKnown),
  bodyOf,
  tell: sayCreated,
  watched: ({ invoice_id, invoice_number, invoice_url }) => ({
    path: `/api/invoices/${invoice_id}`,
    page: new URL(invoice_url).pathname,
    name: invoice_number,
    ids: { invoice_id, invoice_number },
  }),
  walk: {
    start: { line_items: [], send_now: true },
    title: "Invoice",
    question: ({ vendor_email }) => `Send this invoice to ${vendor_email}?`,
    send: (draft) => `Send it: ${totalText(draft)}`,
    leave: "Leave without an invoice",
  },
};

export const invoice = command({
  calls: ["[--watch]", "--merchant-email EMAIL … [FLAGS]", "--json FILE [--watch]"],
  flags: { ...flagsOf(kind), ...requestFlags },
  about: `Without flags, on a terminal, it asks for everything; Ctrl-C leaves without making an invoice. It remembers who you are in ~/.config/till/merchant.json. In scripts, pass flags, or a file with the request of POST /api/invoices.`,
  examples: [
    "till invoice --merchant-email billing@acme.example \\",
    '  --merchant-name "Acme Ltd" --merchant-address "1 Main Street" \\',
    "  --customer-email ap@globex.example \\",
    '  --customer-name "Globex GmbH" --item "10 x 150.00 Design" \\',
    "  --due-date 2030-01-31 --wallet-type managed",
  ],
  run: (values) => issue(kind, values),
});

/** Describes whether the mail was sent. */
function mailText({ sent_at, mail }: CreatedInvoice): string {
  if (sent_at) return timeText(sent_at);
  if (mail)
    return `no, and Till does not try again: ${mail.reason}. Give the customer the link of the page, or issue a new invoice with another address`;
  return "not yet: the mail server has not accepted it, and Till keeps trying for two days";
}

const facts: Facts<CreatedInvoice> = [
  ["Invoice", "invoice_number", bold],
  ["Total", "total_amount", money],
  ["To pay", "expected_usdc", usdc],
  ["Rate", rateText],
  ["Mailed", mailText],
  ["Page", "invoice_url"],
  ["PDF", "pdf_url"],
  ["Address", "deposit_address"],
  ...secretFacts,
  ["Check", ({ warnings }) => warnings?.map(({ field, message }) => `${field} ${message}`)],
];

function sayCreated(created: CreatedInvoice): void {
  say("");
  sayRecord(facts, created);
  sayCode(created.invoice_url);
}
