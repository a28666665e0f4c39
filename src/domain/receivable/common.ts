import type { InvoiceCurrency } from "../bill/currency.ts";
import type { LanguageCode } from "../language.ts";
import type { Deposit } from "../payment/deposit.ts";

export type Kind = "invoice" | "link";

export const walletTypes = ["managed", "byo"] as const;
export type WalletType = (typeof walletTypes)[number];

/** `contract`: SPEC section 6. `standard`: one webhook per event, in the form of Standard Webhooks. */
export const webhookForms = ["contract", "standard"] as const;
export type WebhookForm = (typeof webhookForms)[number];

/** Texts under names chosen by the merchant. Any name is possible, including `__proto__`. */
export type Metadata = Readonly<Record<string, string>>;

export const metadataMax = { entries: 50, keyLength: 40, valueLength: 500 } as const;

/** The merchant's statements that an invoice or a link is no longer owed. Times are Unix milliseconds. */
export type Closure = {
  voidedAt: number | null;
  voidReason: string | null;
  /** When it was marked as paid in another way, such as by bank; null if it is not. */
  markedPaidAt: number | null;
};

/** For a new invoice or link. */
export const open: Closure = { voidedAt: null, voidReason: null, markedPaidAt: null };

/** Picks these statements from a record. */
export function closedOf({ voidedAt, voidReason, markedPaidAt }: Closure): Closure {
  return { voidedAt, voidReason, markedPaidAt };
}

/** For an invoice or a link whose request omits them. */
export const defaults = {
  reference: null,
  metadata: null,
  language: null,
  webhookEvents: "contract",
  ...open,
} as const;

/** The merchant's own annotations, as requested. */
export type Annotations = Pick<Common, "reference" | "metadata">;

/** The API fields for annotations; absent where not given. */
export function annotationFields({ reference, metadata }: Annotations) {
  return { ...(reference === null ? {} : { reference }), ...(metadata === null ? {} : { metadata }) };
}

/** Fields shared by invoices and links. */
export type Common = {
  merchantEmail: string;
  walletType: WalletType;
  /** The merchant's order number or the like; the payer sees it. */
  reference: string | null;
  /** The merchant's own data; the payer never sees it. */
  metadata: Metadata | null;
  /** The language of its page, mails and documents; null for the installation's. */
  language: LanguageCode | null;
  /** Its price in a currency, with the fixed rate; null when it is in USDC. */
  currency: InvoiceCurrency | null;
  webhookUrl: string | null;
  webhookEvents: WebhookForm;
  deposit: Deposit;
  /** Unix time in milliseconds. */
  createdAt: number;
} & Closure;
