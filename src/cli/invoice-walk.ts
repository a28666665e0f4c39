import * as Usdc from "../domain/usdc.ts";
import { FieldsRefused, NoAnswer, Refused } from "./client.ts";
import { Cancelled } from "./command.ts";
import { type Draft, describeItem, faultOf, type TextField, total } from "./invoice-draft.ts";
import { askItems } from "./invoice-items-walk.ts";
import { foldLines, unfoldLines } from "./line-item.ts";
import type { Prompts } from "./prompt.ts";

/** The questions that make an invoice, in order. */

const dayMs = 86_400_000;
const dueInDays = 30;

type Question = { label: string; optional?: true; hint?: string };

const texts: Record<TextField, Question> = {
  merchant_email: { label: "Your e-mail" },
  merchant_name: { label: "Your business name" },
  merchant_address: { label: "Your business address", hint: "\\n begins a new line" },
  vendor_email: { label: "Vendor's e-mail, where the invoice is sent" },
  vendor_name: { label: "Vendor's name" },
  vendor_address: { label: "Vendor's address (optional)", optional: true, hint: "\\n begins a new line" },
  issue_date: { label: "Issue date (optional)", optional: true, hint: "today" },
  due_date: { label: `Due date (Enter: in ${dueInDays} days)` },
  wallet_address: { label: "Address of your wallet on Base" },
  notes: {
    label: "Notes at the bottom of the invoice (optional)",
    optional: true,
    hint: "\\n begins a new line",
  },
  webhook_url: { label: "Webhook to call when it is paid (optional)", optional: true, hint: "https://…" },
};

const order = [
  "merchant_email",
  "merchant_name",
  "merchant_address",
  "vendor_email",
  "vendor_name",
  "vendor_address",
  "line_items",
  "issue_date",
  "due_date",
  "wallet_type",
  "notes",
  "webhook_url",
] as const;
type Step = (typeof order)[number];

/** `today` is `YYYY-MM-DD`; `send` hands the finished request to Till. */
export type WalkDeps<T> = { prompts: Prompts; today: string; send: (draft: Draft) => Promise<T> };

/**
 * Asks for everything, shows it, and sends it when it is confirmed; what Till does not take is asked again, and what
 * was typed is never lost to an error. Throws a Cancelled when the person leaves.
 */
export async function walk<T>(
  { prompts, today, send }: WalkDeps<T>,
  start: Draft,
): Promise<{ draft: Draft; made: T }> {
  const draft: Draft = { ...start };
  for (const step of order) await ask(step);
  for (;;) {
    prompts.note(summary(draft), "Invoice");
    const choice = await prompts.select(`Send this invoice to ${draft.vendor_email}?`, [
      { value: "send", label: `Send it: ${Usdc.format(total(draft))} USDC` },
      { value: "change", label: "Change something" },
      { value: "leave", label: "Leave without an invoice" },
    ]);
    if (choice === "leave") throw new Cancelled();
    if (choice === "change") await ask(await prompts.select("What?", order.map(choiceOf)));
    if (choice !== "send") continue;
    prompts.info("Sending …");
    try {
      return { draft, made: await prompts.wait(send(draft)) };
    } catch (thrown) {
      if (thrown instanceof Cancelled) {
        prompts.warn(
          "It had already been sent: check with till list whether it was made before you try again.",
        );
      }
      await recover(thrown);
    }
  }

  async function ask(step: Step): Promise<void> {
    if (step === "line_items") await askItems(prompts, draft);
    else if (step === "wallet_type") await askWallet();
    else await askText(step);
  }

  async function askText(field: TextField): Promise<void> {
    const { label, optional, hint } = texts[field];
    const answer = await prompts.text({
      message: label,
      initial: foldLines(draft[field] ?? ""),
      ...(field === "due_date" ? { fallback: dayAfter(today, dueInDays) } : { hint }),
      fault: (typed) =>
        optional && !typed.trim() ? null : faultOf({ ...draft, [field]: read(typed) }, field),
    });
    if (optional && !answer.trim()) delete draft[field];
    else draft[field] = read(answer);
  }

  async function askWallet(): Promise<void> {
    draft.wallet_type = await prompts.select(
      "Where does the money go?",
      [
        { value: "managed", label: "To a wallet that Till keeps for you (managed)" },
        { value: "byo", label: "To an address of your own (byo)" },
      ],
      draft.wallet_type,
    );
    if (draft.wallet_type === "byo") await askText("wallet_address");
    else delete draft.wallet_address;
  }

  function choiceOf(step: Step): { value: Step; label: string } {
    if (step === "line_items") return { value: step, label: "Line items" };
    if (step === "wallet_type") return { value: step, label: "Where the money goes" };
    return { value: step, label: texts[step].label };
  }

  /** Says what went wrong and asks again what Till did not take. Throws what no other answer can help. */
  async function recover(thrown: unknown): Promise<void> {
    if (thrown instanceof FieldsRefused) {
      for (const { field, message } of thrown.faults) prompts.warn(`Till refused ${field}: it ${message}`);
      const named = thrown.faults.map(({ field }) => field.replace(/[.[].*$/, ""));
      const again = named.map((field) => (field === "wallet_address" ? "wallet_type" : field));
      for (const step of order) if (again.includes(step)) await ask(step);
    } else if (thrown instanceof NoAnswer && !thrown.nothingSent) {
      prompts.warn(
        `${thrown.message}\nIt may have been made. Send it again from here: that never makes a second one.`,
      );
    } else if (thrown instanceof NoAnswer || thrown instanceof Refused) {
      prompts.warn(thrown.message);
    } else {
      throw thrown;
    }
  }
}

function read(typed: string): string {
  return unfoldLines(typed.trim());
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

function summary(draft: Draft): string {
  const party = (...lines: (string | undefined)[]) =>
    lines
      .filter((line) => line !== undefined)
      .join("\n")
      .replaceAll("\n", "\n         ");
  const lines = [
    `From     ${party(`${draft.merchant_name} <${draft.merchant_email}>`, draft.merchant_address)}`,
    `To       ${party(`${draft.vendor_name} <${draft.vendor_email}>`, draft.vendor_address)}`,
    `Items    ${party(...draft.line_items.map(describeItem))}`,
    `Total    ${Usdc.format(total(draft))} USDC`,
    `Issued   ${draft.issue_date ?? "today"}`,
    `Due      ${draft.due_date}`,
    `Wallet   ${draft.wallet_type === "byo" ? draft.wallet_address : "kept by Till"}`,
  ];
  if (draft.notes) lines.push(`Notes    ${party(draft.notes)}`);
  if (draft.webhook_url) lines.push(`Webhook  ${draft.webhook_url}`);
  return lines.join("\n");
}
