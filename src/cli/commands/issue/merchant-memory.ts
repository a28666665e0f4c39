import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InvoiceDraft } from "./invoice-draft.ts";
import { faultOf } from "./invoice-draft.ts";

/** A merchant's last answers. Not a webhook's URL, which may contain its receiver's password. */
const remembered = [
  "merchant_email",
  "merchant_name",
  "merchant_address",
  "wallet_type",
  "wallet_address",
  "tax_rate",
] as const;

export type MerchantAnswers = Pick<InvoiceDraft, (typeof remembered)[number]>;

/** The file of the answers, in XDG's place for configuration; null for a user without a home. */
export function memoryFile(environment: Record<string, string | undefined>): string | null {
  const home = environment["HOME"] ? join(environment["HOME"], ".config") : null;
  const base = environment["XDG_CONFIG_HOME"] || home;
  return base === null ? null : join(base, "till", "merchant.json");
}

/** The last answers that are still valid; none without a file of ours. */
export function recall(file: string | null): MerchantAnswers {
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
export function remember(file: string, merchant: MerchantAnswers): void {
  const answers = Object.fromEntries(remembered.map((field) => [field, merchant[field]]));
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(answers, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}
