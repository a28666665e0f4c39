import * as Currency from "../../../domain/bill/currency.ts";
import * as Invoice from "../../../domain/bill/invoice.ts";
import * as Quantity from "../../../domain/bill/quantity.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { type InvoiceRequest, parseInvoiceRequest } from "../../../invoicing/request/invoice.ts";
import { amountText } from "../../records/format.ts";
import type { Prompts } from "../../terminal/prompt.ts";
import { faultBy, rulesKnown, type Walk } from "./fields.ts";
import { foldLines, type ItemDraft, parseQuantity, quantityWanted, unfoldLines } from "./line-item.ts";

/** An invoice's request in progress. */
export type InvoiceDraft = Partial<Omit<(typeof InvoiceRequest)["static"], "line_items">> & {
  line_items?: ItemDraft[];
  /** For all items without a tax of their own. */
  tax_rate?: string;
  tax_category?: string;
  tax_reason?: string;
};

/** Returns the request for the API. */
export function bodyOf({ line_items, tax_rate, tax_category, tax_reason, ...draft }: InvoiceDraft) {
  if (line_items === undefined) return draft;
  const tax = {
    ...(tax_rate === undefined ? {} : { tax_rate }),
    ...(tax_category === undefined ? {} : { tax_category }),
    ...(tax_reason === undefined ? {} : { tax_reason }),
  };
  return { ...draft, line_items: line_items.map((item) => (item.tax_rate ? item : { ...item, ...tax })) };
}

/** Returns what the API would say about one field now; null if it is accepted. */
function faultOf(draft: InvoiceDraft, field: string, subject?: string): string | null {
  return faultBy(parseInvoiceRequest(bodyOf(draft), rulesKnown), field, subject);
}

export function taxFault(draft: InvoiceDraft): string | null {
  const line_items = [{ description: "?", quantity: 1, unit_price: "1" }];
  return faultOf({ ...draft, line_items }, "line_items[0].tax_rate");
}

function lineTotal({ quantity, unit_price }: ItemDraft): Usdc.Billed {
  const exact = Quantity.fromNumber(quantity);
  const price = Currency.parse(unit_price, "USDC", { isPrice: true });
  return exact === null || price === null ? Usdc.zero : Invoice.lineTotal(exact, price, Usdc.microPerCent);
}

const net = ({ line_items = [] }: InvoiceDraft) => Usdc.sum(line_items.map(lineTotal));

function tax(draft: InvoiceDraft): Usdc.Billed {
  const rate = Tax.parseShare(draft.tax_rate ?? "");
  if (rate === null) return Usdc.zero;
  const of: Tax.Tax = { category: rate === 0 ? "zero" : "standard", rate, reason: null };
  const terms = { discount: null, pricesIncludeTax: false, minor: Usdc.microPerCent };
  return Tax.totalsOf([{ lineTotal: net(draft), tax: of }], terms).tax;
}

const usdcText = (sum: Usdc.Billed) => `${amountText(Currency.format(sum, "USDC"))} USDC`;

export const taxText = (draft: InvoiceDraft) => usdcText(tax(draft));

/** The total, including tax. */
export const totalText = (draft: InvoiceDraft) => usdcText(Usdc.sum([net(draft), tax(draft)]));

/** `10 × 150.00 = 1,500.00  Design` */
export function describeItem(item: ItemDraft): string {
  return `${item.quantity} × ${amountText(item.unit_price)} = ${amountText(Currency.format(lineTotal(item), "USDC"))}  ${item.description}`;
}

const numbered = (items: readonly ItemDraft[]) =>
  items.map((item, i) => ({ value: String(i), label: `${i + 1}. ${describeItem(item)}` }));

/** Asks for line items until the person moves on, showing the total so far. Changes `draft.line_items`. */
export async function askItems({ prompts, draft }: Walk<InvoiceDraft>): Promise<void> {
  for (;;) {
    const { line_items: items = [] } = draft;
    if (items.length === 0) {
      await askItem(prompts, draft, 0);
      continue;
    }
    const list = numbered(items).map(({ label }) => label);
    prompts.note(list.join("\n"), `Total ${totalText(draft)}`);
    const choice = await prompts.select("Line items", [
      { value: "done", label: "Go on" },
      ...(items.length < Invoice.lineItemsMax ? [{ value: "add", label: "Add another" } as const] : []),
      { value: "edit", label: "Edit one" },
      { value: "remove", label: "Remove one" },
    ]);
    if (choice === "add") await askItem(prompts, draft, items.length);
    if (choice === "edit") await askItem(prompts, draft, await which(prompts, items));
    if (choice === "remove") draft.line_items = items.toSpliced(await which(prompts, items), 1);
    if (choice !== "done") continue;
    const fault = faultOf(draft, "line_items", "The line items");
    if (fault === null) return;
    prompts.warn(fault);
  }
}

async function which(prompts: Prompts, items: readonly ItemDraft[]): Promise<number> {
  return items.length === 1 ? 0 : Number(await prompts.select("Which one?", numbered(items)));
}

/** Asks for the item at this position, possibly a new one; changes nothing until every question is answered. */
async function askItem(prompts: Prompts, draft: InvoiceDraft, at: number): Promise<void> {
  const { line_items: items = [] } = draft;
  const old = items[at];
  const item: ItemDraft = old ? { ...old } : { description: "", quantity: 1, unit_price: "" };
  const withItem = (changes: Partial<ItemDraft>) => items.toSpliced(at, 1, { ...item, ...changes });
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
