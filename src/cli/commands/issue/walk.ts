import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../../lib/error.ts";
import { type Client, FieldsRefused, NoAnswer, Refused } from "../../api/client.ts";
import { Cancelled } from "../../command.ts";
import { openPrompts, type Prompts } from "../../terminal/prompt.ts";
import { faultOf, type InvoiceDraft } from "./invoice-draft.ts";
import { foldLines, unfoldLines } from "./line-item.ts";

/** What the walks to an invoice and to a link share: questions, a summary, and sending. */

/** A request in progress. */
export type RequestDraft = Record<string, unknown>;

export type Form<D extends RequestDraft> = {
  prompts: Prompts;
  /** Changed by the answers. */
  draft: D;
  /** Asks for a text field. */
  text(field: keyof D & string, question: Question): Step;
  /** Asks where the money goes. */
  wallet: Step;
  /** Asks for the merchant's own number. */
  reference: Step;
  /** Asks who hears of the payment. */
  webhook: Step;
};

/** One of the things to ask. */
export type Step = {
  field: string;
  label: string;
  /** Asked only if somebody wants to change it. */
  isAside?: boolean;
  ask(): Promise<void>;
};

type Question = { label: string; optional?: boolean; hint?: string; fallback?: string };

type FaultOf = (draft: RequestDraft, field: string) => string | null;

/** A hint below multi-line text. */
export const linesHint = "\\n starts a new line";

/** What one kind of walk asks and says. */
export type WalkPlan = {
  steps: readonly Step[];
  title: string;
  summary(): string;
  /** The last question, and its answers other than changing something. */
  question(): string;
  send(): string;
  leave: string;
};

/** What a walk creates. `path` is where it is created and listed. */
export type WalkPurpose<D extends RequestDraft> = {
  path: string;
  start(merchant: MerchantAnswers): D;
  /** The request for the API; by default the draft. */
  bodyOf?(draft: D): unknown;
  merchantOf(draft: D, before: MerchantAnswers): MerchantAnswers;
  /** What the API would say about one field now; null when it accepts it. */
  faultOf(draft: D, field: string): string | null;
  plan(form: Form<D>): WalkPlan;
};

/**
 * Asks for everything on the terminal, shows it, and creates it on confirmation. Whatever Till rejects is asked again,
 * and no error loses what was typed. Reports an absent Till before the first question. Throws a Cancelled when the
 * person leaves.
 */
export async function walk<T extends object, D extends RequestDraft>(
  client: Client,
  idempotencyKey: string,
  { path, start, bodyOf = (draft) => draft, merchantOf, faultOf, plan }: WalkPurpose<D>,
  tell: (created: T) => void,
): Promise<T> {
  await client.get(`${path}?limit=1`);
  const file = memoryFile(process.env);
  const before = recall(file);
  const prompts = openPrompts();
  try {
    const draft = start(before);
    const send = () => client.post<T>(path, bodyOf(draft), idempotencyKey);
    const created = await confirmed(
      prompts,
      plan({ prompts, draft, ...stepsOf(prompts, draft, faultOf as FaultOf) }),
      send,
    );
    try {
      const isFirst = file !== null && !existsSync(file);
      if (file !== null) remember(file, merchantOf(draft, before));
      if (isFirst) prompts.info(`Your details are kept for next time in ${file}`);
    } catch (thrown) {
      prompts.warn(`Your details could not be kept for next time: ${messageOf(thrown)}`);
    }
    tell(created);
    return created;
  } finally {
    prompts.close();
  }
}

async function confirmed<T>(prompts: Prompts, plan: WalkPlan, send: () => Promise<T>): Promise<T> {
  for (const step of plan.steps) if (!step.isAside) await step.ask();
  for (;;) {
    prompts.note(plan.summary(), plan.title);
    const choice = await prompts.select(plan.question(), [
      { value: "send", label: plan.send() },
      { value: "change", label: "Change something" },
      { value: "leave", label: plan.leave },
    ]);
    if (choice === "leave") throw new Cancelled();
    if (choice === "change") {
      const field = await prompts.select(
        "What?",
        plan.steps.map((step) => ({ value: step.field, label: step.label })),
      );
      await plan.steps.find((step) => step.field === field)?.ask();
    }
    if (choice !== "send") continue;
    prompts.info("Sending …");
    try {
      return await prompts.wait(send());
    } catch (thrown) {
      if (thrown instanceof Cancelled) {
        prompts.warn(
          "It had already been sent: check with till list whether it was made before you try again.",
        );
      }
      await recover(prompts, plan.steps, thrown);
    }
  }
}

/** Reports the error, and asks again for what Till rejected. Throws what no other answer would change. */
async function recover(prompts: Prompts, steps: readonly Step[], thrown: unknown): Promise<void> {
  if (thrown instanceof FieldsRefused) {
    for (const { field, message } of thrown.faults)
      prompts.warn(`Till refused ${field.replace(/^vendor_/, "customer_")}: it ${message}`);
    const named = thrown.faults.map(({ field }) => field.replace(/[.[].*$/, ""));
    const again = named.map((field) => (field === "wallet_address" ? "wallet_type" : field));
    for (const step of steps) if (again.includes(step.field)) await step.ask();
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

function stepsOf(prompts: Prompts, draft: RequestDraft, faultOf: FaultOf) {
  const text = (field: string, { label, optional, hint, fallback }: Question): Step => ({
    field,
    label: label.replace(/ \(.*\)$/, ""),
    async ask() {
      const answer = await prompts.text({
        message: optional ? `${label} (optional)` : label,
        initial: foldLines(String(draft[field] ?? "")),
        fallback,
        hint: hint ?? fallback,
        fault: (typed) =>
          optional && !typed.trim() ? null : faultOf({ ...draft, [field]: read(typed) }, field),
      });
      if (optional && !answer.trim()) delete draft[field];
      else draft[field] = read(answer);
    },
  });
  const address = text("wallet_address", { label: "Address of your wallet on Base" });
  const wallet: Step = {
    field: "wallet_type",
    label: "Where the money goes",
    async ask() {
      draft["wallet_type"] = await prompts.select(
        "Where does the money go?",
        [
          { value: "managed", label: "To a wallet that Till keeps for you (managed)" },
          { value: "byo", label: "To an address of your own (byo)" },
        ],
        draft["wallet_type"] === "byo" ? "byo" : "managed",
      );
      if (draft["wallet_type"] === "byo") await address.ask();
      else delete draft["wallet_address"];
    },
  };
  const webhook = { label: "Webhook to call when it is paid", optional: true, hint: "https://…" };
  const reference = { label: "Your reference, such as an order number", optional: true };
  return {
    text,
    wallet,
    reference: text("reference", reference),
    webhook: text("webhook_url", webhook),
  };
}

/** `label  value` lines for a summary, without missing values. */
export function summaryOf(facts: readonly (readonly [label: string, value: string | undefined])[]): string {
  const column = Math.max(...facts.map(([label]) => label.length)) + 2;
  return facts
    .flatMap(([label, value]) =>
      value ? [label.padEnd(column) + value.replaceAll("\n", `\n${" ".repeat(column)}`)] : [],
    )
    .join("\n");
}

function read(typed: string): string {
  return unfoldLines(typed.trim());
}

/** A merchant's last answers. Not a webhook's URL, which may contain its receiver's password. */
const remembered = [
  "merchant_email",
  "merchant_name",
  "merchant_address",
  "wallet_type",
  "wallet_address",
  "tax_rate",
] as const;

type MerchantAnswers = Pick<InvoiceDraft, (typeof remembered)[number]>;

/** The file of the answers, in XDG's place for configuration; null for a user without a home. */
function memoryFile(environment: Record<string, string | undefined>): string | null {
  const home = environment["HOME"] ? join(environment["HOME"], ".config") : null;
  const base = environment["XDG_CONFIG_HOME"] || home;
  return base === null ? null : join(base, "till", "merchant.json");
}

/** The last answers that are still valid; none without a file of ours. */
function recall(file: string | null): MerchantAnswers {
  let stored: unknown;
  try {
    stored = file === null ? null : JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
  const draft: InvoiceDraft = { ...(typeof stored === "object" ? stored : {}), line_items: [] };
  const good = remembered.filter((field) => draft[field] !== undefined && faultOf(draft, field) === null);
  return Object.fromEntries(good.map((field) => [field, draft[field]])) as MerchantAnswers;
}

/** Saves the answers for this user alone. Throws when the file cannot be written. */
function remember(file: string, merchant: MerchantAnswers): void {
  const answers = Object.fromEntries(remembered.map((field) => [field, merchant[field]]));
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(answers, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}
