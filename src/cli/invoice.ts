import { randomUUID } from "node:crypto";
import type * as Answer from "../http/answer-schemas.ts";
import { parseInvoiceRequest } from "../http/invoice-request.ts";
import { createClient } from "./client.ts";
import { command } from "./command.ts";
import type { Draft } from "./invoice-draft.ts";
import { parseItem } from "./line-item.ts";
import { amountText, say, sayFacts, sayJson, timeText } from "./output.ts";
import { sayCode } from "./qr-code.ts";
import { create, merchantFlags, type RequestArgs, requestFlags, requestOf } from "./request-args.ts";
import { rulesKnown } from "./request-rules.ts";
import { watch } from "./watch.ts";

type CreatedInvoice = (typeof Answer.CreatedInvoice)["static"];

const fields = {
  "merchant-email": { value: "EMAIL", text: "who bills" },
  "merchant-name": { value: "NAME", text: "the business name on the invoice" },
  "merchant-address": { value: "TEXT", text: "its address; \\n begins a new line, here and in other texts" },
  "customer-email": { value: "EMAIL", text: "who pays; the invoice is mailed there", also: "vendor-email" },
  "customer-name": { value: "NAME", text: "the name of who pays", also: "vendor-name" },
  "customer-address": { value: "TEXT", text: "their address", also: "vendor-address" },
  item: {
    value: "ITEM",
    text: 'quantity, price and text, such as "10 x 150.00 Design"; can be given several times',
    many: true,
  },
  "issue-date": { value: "DATE", text: "YYYY-MM-DD; today when left out" },
  "due-date": { value: "DATE", text: "YYYY-MM-DD" },
  notes: { value: "TEXT", text: "at the bottom of the invoice" },
  ...merchantFlags,
} as const;

export const invoice = command({
  calls: ["[--watch]", "--merchant-email EMAIL … [FLAGS]", "--json FILE [--watch]"],
  flags: { ...fields, ...requestFlags },
  about: `Without flags it asks for everything, on a terminal; Ctrl-C leaves without an invoice. It remembers who you are in ~/.config/till/merchant.json. Scripts give flags, or a file with the request of POST /api/invoices.`,
  examples: [
    "till invoice --merchant-email billing@acme.example \\",
    '  --merchant-name "Acme Ltd" --merchant-address "1 Main Street" \\',
    "  --customer-email ap@globex.example \\",
    '  --customer-name "Globex GmbH" --item "10 x 150.00 Design" \\',
    "  --due-date 2030-01-31 --wallet-type managed",
  ],

  async run(values) {
    const request = await requestOf("invoice", values, fields);
    const client = createClient(process.env);
    const json = request.json || !process.stdout.isTTY;
    const made = request.body
      ? await create<CreatedInvoice>(client, "/api/invoices", bodyOf(request), request, {
          check: (body) => parseInvoiceRequest(body, rulesKnown),
          tell: json ? sayJson : sayCreated,
        })
      : await ask(request.idempotencyKey ?? randomUUID());
    if (request.watch) {
      const { invoice_id, invoice_number } = made;
      const path = `/api/invoices/${invoice_id}`;
      await watch(client, { path, name: invoice_number, ids: { invoice_id, invoice_number } }, { json });
    }
    return 0;

    async function ask(key: string): Promise<CreatedInvoice> {
      const [{ walk }, { invoicePurpose }] = await Promise.all([
        import("./walk.ts"),
        import("./invoice-walk.ts"),
      ]);
      return await walk<CreatedInvoice, Draft>(client, key, invoicePurpose, sayCreated);
    }
  },
});

/** The request as the API takes it. */
function bodyOf({ body, fromFile }: RequestArgs): unknown {
  if (fromFile) return body;
  const items = body?.["line_items"];
  return Array.isArray(items) ? { ...body, line_items: items.map(parseItem) } : body;
}

function sayCreated(made: CreatedInvoice): void {
  say("");
  sayFacts([
    ["Invoice", { text: made.invoice_number, color: "bold" }],
    ["Total", `${amountText(made.total_amount)} USDC`],
    [
      "Mailed",
      made.sent_at
        ? timeText(made.sent_at)
        : made.mail
          ? `no, and Till does not try again: ${made.mail.reason}. Give the customer the link of the page, or issue a new invoice with another address`
          : "not yet: the mail server has not accepted it, and Till keeps trying for two days",
    ],
    ["Page", made.invoice_url],
    ["PDF", made.pdf_url],
    ["Address", made.deposit_address],
    ["Secret", made.webhook_secret ?? null],
    ["", made.webhook_secret ? "of the webhook; it is not shown again" : null],
  ]);
  sayCode(made.invoice_url);
}
