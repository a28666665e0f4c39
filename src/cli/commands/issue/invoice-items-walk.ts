import * as Invoice from "../../../domain/bill/invoice.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { amountText } from "../../terminal/output.ts";
import type { Prompts } from "../../terminal/prompt.ts";
import { describeItem, faultOf, type InvoiceDraft, total } from "./invoice-draft.ts";
import { foldLines, type ItemDraft, parseQuantity, quantityWanted, unfoldLines } from "./line-item.ts";

/** Asks for line items until the person moves on, showing the total so far. Changes `draft.line_items`. */
export async function askItems(prompts: Prompts, draft: InvoiceDraft): Promise<void> {
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
