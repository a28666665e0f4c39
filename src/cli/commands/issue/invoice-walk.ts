import * as Invoice from "../../../domain/bill/invoice.ts";
import * as Calendar from "../../../domain/calendar.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { amountText } from "../../terminal/output.ts";
import type { Prompts } from "../../terminal/prompt.ts";
import { bodyOf, describeItem, faultOf, type InvoiceDraft, tax, total } from "./invoice-draft.ts";
import { foldLines, type ItemDraft, parseQuantity, quantityWanted, unfoldLines } from "./line-item.ts";
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

/** Asks for line items until the person moves on, showing the total so far. Changes `draft.line_items`. */
async function askItems(prompts: Prompts, draft: InvoiceDraft): Promise<void> {
  for (;;) {
    const items = draft.line_items;
    if (items.length === 0) {
      await askItem(prompts, draft, 0);
      continue;
    }
    const list = items.map((item, i) => `${i + 1}. ${describeItem(item)}`).join("\n");
    prompts.note(list, `Total ${amountText(Usdc.format(total(draft)))} USDC`);
    const choice = await prompts.select("Line items", [
      { value: "done", label: "Go on" },
      ...(items.length < Invoice.lineItemsMax ? [{ value: "add", label: "Add another" } as const] : []),
      { value: "edit", label: "Edit one" },
      { value: "remove", label: "Remove one" },
    ]);
    if (choice === "add") await askItem(prompts, draft, items.length);
    if (choice === "edit") await askItem(prompts, draft, await which(prompts, items));
    if (choice === "remove") {
      const at = await which(prompts, items);
      draft.line_items = items.filter((_, i) => i !== at);
    }
    if (choice !== "done") continue;
    const fault = faultOf(draft, "line_items");
    if (fault === null) return;
    prompts.warn(fault.replace(/^It/, "The line items"));
  }
}

async function which(prompts: Prompts, items: readonly ItemDraft[]): Promise<number> {
  if (items.length === 1) return 0;
  const choices = items.map((item, i) => ({ value: String(i), label: `${i + 1}. ${describeItem(item)}` }));
  return Number(await prompts.select("Which one?", choices));
}

/** Asks for the item at this position, possibly a new one; changes nothing until every question is answered. */
async function askItem(prompts: Prompts, draft: InvoiceDraft, at: number): Promise<void> {
  const old = draft.line_items[at];
  const item: ItemDraft = old ? { ...old } : { description: "", quantity: 1, unit_price: "" };
  const withItem = (changes: Partial<ItemDraft>) =>
    draft.line_items.toSpliced(at, 1, { ...item, ...changes });
  const fault = (changes: Partial<ItemDraft>, part: keyof ItemDraft) =>
    faultOf({ ...draft, line_items: withItem(changes) }, `line_items[${at}].${part}`);

  const description = await prompts.text({
    message: `Line item ${at + 1}: what is it?`,
    initial: foldLines(item.description),
    fault: (typed) => fault({ description: unfoldLines(typed.trim()) }, "description"),
  });
  item.description = unfoldLines(description.trim());
  const quantity = await prompts.text({
    message: "Quantity",
    initial: old ? String(old.quantity) : "",
    hint: "10 or 1.5",
    fault: (typed) => (parseQuantity(typed.trim()) === null ? `It must be ${quantityWanted}` : null),
  });
  item.quantity = Number(quantity.trim());
  const price = await prompts.text({
    message: "Price of one, in USDC",
    initial: item.unit_price,
    hint: "150.00",
    fault: (typed) => fault({ unit_price: typed.trim() }, "unit_price"),
  });
  item.unit_price = price.trim();
  draft.line_items = withItem({});
}
