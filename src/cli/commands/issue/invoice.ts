import type * as Answer from "../../../http/fields/answer-schemas.ts";
import { parseInvoiceRequest } from "../../../invoicing/request/invoice.ts";
import { command } from "../../command.ts";
import { amountText, say, sayFacts, timeText } from "../../terminal/output.ts";
import { rateFacts } from "../rate-facts.ts";
import type { InvoiceDraft } from "./invoice-draft.ts";
import { issue, sayCode } from "./issue.ts";
import { parseItem } from "./line-item.ts";
import { merchantFlags, type RequestArgs, requestFlags, rulesKnown } from "./request-args.ts";

type CreatedInvoice = (typeof Answer.CreatedInvoice)["static"];

const fields = {
  "merchant-email": { value: "EMAIL", text: "who bills" },
  "merchant-name": { value: "NAME", text: "the business name on the invoice" },
  "merchant-address": { value: "TEXT", text: "its address; \\n starts a new line, here and in other texts" },
  "customer-email": { value: "EMAIL", text: "who pays; Till mails the invoice there", also: "vendor-email" },
  "customer-name": { value: "NAME", text: "the customer's name", also: "vendor-name" },
  "customer-address": { value: "TEXT", text: "the customer's address", also: "vendor-address" },
  item: {
    value: "ITEM",
    text: 'quantity, price and text, such as "10 x 150.00 Design"; with a unit, a discount and tax: "10 h x 150.00-10%+19% Design"; repeatable',
    many: true,
  },
  "tax-rate": { value: "PERCENT", text: "the tax of items that name none, such as 19.00" },
  "tax-category": {
    value: "CATEGORY",
    text: "of all items: standard, zero, exempt, reverse_charge, export or outside_scope (default: from the rate)",
  },
  "tax-reason": { value: "TEXT", text: "why no tax is charged" },
  "prices-include-tax": { text: "prices already include the tax" },
  "discount-percent": { value: "PERCENT", text: "a discount on the whole, before tax" },
  "discount-amount": { value: "AMOUNT", text: "the same as an amount; use one of the two" },
  currency: { value: "CODE", text: "of all amounts, such as EUR (default USDC)" },
  rate: {
    value: "RATE",
    text: "what 1 USDC costs in it; for EUR and USD, Till asks exchanges when you leave it out",
  },
  "issue-date": { value: "DATE", text: "YYYY-MM-DD (default: today)" },
  "due-date": { value: "DATE", text: "YYYY-MM-DD" },
  "payment-terms": { value: "TEXT", text: "in words (default: those saved for the merchant)" },
  "delivery-date": { value: "DATE", text: "when you delivered, YYYY-MM-DD" },
  "buyer-reference": { value: "TEXT", text: "a reference that the customer wants named" },
  "purchase-order": { value: "TEXT", text: "the customer's order number" },
  notes: { value: "TEXT", text: "text at the bottom of the invoice" },
  ...merchantFlags,
} as const;

export const invoice = command({
  calls: ["[--watch]", "--merchant-email EMAIL … [FLAGS]", "--json FILE [--watch]"],
  flags: { ...fields, ...requestFlags },
  about: `Without flags, on a terminal, it asks for everything; Ctrl-C leaves without making an invoice. It remembers who you are in ~/.config/till/merchant.json. In scripts, pass flags, or a file with the request of POST /api/invoices.`,
  examples: [
    "till invoice --merchant-email billing@acme.example \\",
    '  --merchant-name "Acme Ltd" --merchant-address "1 Main Street" \\',
    "  --customer-email ap@globex.example \\",
    '  --customer-name "Globex GmbH" --item "10 x 150.00 Design" \\',
    "  --due-date 2030-01-31 --wallet-type managed",
  ],

  run: (values) =>
    issue<CreatedInvoice, InvoiceDraft>(values, {
      name: "invoice",
      path: "/api/invoices",
      fields,
      bodyOf,
      check: (body) => parseInvoiceRequest(body, rulesKnown),
      purpose: async () => (await import("./invoice-walk.ts")).invoicePurpose,
      tell: sayCreated,
      watched: ({ invoice_id, invoice_number }) => ({
        path: `/api/invoices/${invoice_id}`,
        name: invoice_number,
        ids: { invoice_id, invoice_number },
      }),
    }),
});

/** The request for the API. */
function bodyOf({ body, fromFile }: RequestArgs): unknown {
  if (fromFile) return body;
  if (body === null) return body;
  const { line_items: items, tax_rate, tax_category, tax_reason, ...rest } = body;
  const tax = Object.entries({ tax_rate, tax_category, tax_reason }).filter(
    ([, value]) => value !== undefined,
  );
  if (!Array.isArray(items)) return rest;
  const lines = items.map(parseItem);
  return {
    ...rest,
    line_items: lines.map((item) => (item.tax_rate ? item : { ...item, ...Object.fromEntries(tax) })),
  };
}

function sayCreated(created: CreatedInvoice): void {
  say("");
  sayFacts([
    ["Invoice", { text: created.invoice_number, color: "bold" }],
    ["Total", `${amountText(created.total_amount)} ${created.currency ?? "USDC"}`],
    ...rateFacts(created, "To pay"),
    [
      "Mailed",
      created.sent_at
        ? timeText(created.sent_at)
        : created.mail
          ? `no, and Till does not try again: ${created.mail.reason}. Give the customer the link of the page, or issue a new invoice with another address`
          : "not yet: the mail server has not accepted it, and Till keeps trying for two days",
    ],
    ["Page", created.invoice_url],
    ["PDF", created.pdf_url],
    ["Address", created.deposit_address],
    ["Secret", created.webhook_secret ?? null],
    ["", created.webhook_secret ? "of the webhook; it is not shown again" : null],
  ]);
  sayCode(created.invoice_url);
}
