import * as Calendar from "../../../domain/calendar.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { amountText } from "../../terminal/output.ts";
import { bodyOf, describeItem, faultOf, type InvoiceDraft, tax, total } from "./invoice-draft.ts";
import { askItems } from "./invoice-items-walk.ts";
import { type Form, linesHint, summaryOf, type WalkPlan, type WalkPurpose } from "./walk.ts";

/** The questions for an invoice, in order. */

const dayMs = 86_400_000;
const dueInDays = 30;

export const invoicePurpose: WalkPurpose<InvoiceDraft> = {
  path: "/api/invoices",
  start: (merchant) => ({ ...merchant, line_items: [], send_now: true }),
  bodyOf,
  merchantOf: (draft) => draft,
  faultOf,
  plan,
};

function plan({ prompts, draft, text, wallet, reference, webhook }: Form<InvoiceDraft>): WalkPlan {
  const optional = true;
  const today = Calendar.dayAt(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone);
  const due = new Date(Date.parse(today) + dueInDays * dayMs).toISOString().slice(0, 10);
  return {
    steps: [
      text("merchant_email", { label: "Your e-mail" }),
      text("merchant_name", { label: "Your business name" }),
      text("merchant_address", { label: "Your business address", hint: linesHint }),
      text("vendor_email", { label: "Customer's e-mail, where the invoice is sent" }),
      text("vendor_name", { label: "Customer's name" }),
      text("vendor_address", { label: "Customer's address", optional, hint: linesHint }),
      { field: "line_items", label: "Line items", ask: () => askItems(prompts, draft) },
      {
        ...text("tax_rate", { label: "Tax in percent, added to the prices", optional, hint: "19" }),
        label: "Tax",
        // Anybody who charged tax once is asked from then on.
        isAside: draft.tax_rate === undefined,
      },
      text("issue_date", { label: "Issue date", optional, hint: "today" }),
      text("due_date", { label: `Due date (Enter: in ${dueInDays} days)`, fallback: due }),
      wallet,
      reference,
      text("notes", { label: "Notes at the bottom of the invoice", optional, hint: linesHint }),
      webhook,
    ],
    title: "Invoice",
    summary: () => summary(draft),
    question: () => `Send this invoice to ${draft.vendor_email}?`,
    send: () => `Send it: ${amountText(Usdc.format(total(draft)))} USDC`,
    leave: "Leave without an invoice",
  };
}

function summary(draft: InvoiceDraft): string {
  const party = (name = "", email = "", address?: string) =>
    [`${name} <${email}>`, ...(address ? [address] : [])].join("\n");
  return summaryOf([
    ["From", party(draft.merchant_name, draft.merchant_email, draft.merchant_address)],
    ["To", party(draft.vendor_name, draft.vendor_email, draft.vendor_address)],
    ["Items", draft.line_items.map(describeItem).join("\n")],
    ["Tax", draft.tax_rate && `${draft.tax_rate} %: ${amountText(Usdc.format(tax(draft)))} USDC`],
    ["Total", `${amountText(Usdc.format(total(draft)))} USDC`],
    ["Issued", draft.issue_date ?? "today"],
    ["Due", draft.due_date],
    ["Wallet", draft.wallet_type === "byo" ? draft.wallet_address : "kept by Till"],
    ["Reference", draft.reference],
    ["Notes", draft.notes],
    ["Webhook", draft.webhook_url],
  ]);
}
