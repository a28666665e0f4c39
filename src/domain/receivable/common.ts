import type { InvoiceCurrency } from "../bill/currency.ts";
import type { LanguageCode } from "../language.ts";
import type { Deposit } from "../payment/deposit.ts";

export type Kind = "invoice" | "link";

export const walletTypes = ["managed", "byo"] as const;
export type WalletType = (typeof walletTypes)[number];

/** `contract`: SPEC section 6. `standard`: one for each event, in the form of Standard Webhooks. */
export const webhookForms = ["contract", "standard"] as const;
export type WebhookForm = (typeof webhookForms)[number];

/** Texts by names that the merchant chose, so any name: `__proto__` is one of them. */
export type Metadata = Readonly<Record<string, string>>;

export const metadataMax = { entries: 50, keyLength: 40, valueLength: 500 } as const;

/** What the merchant said of an invoice or a link: that nobody owes it any more. Times are Unix milliseconds. */
export type Closure = {
  voidedAt: number | null;
  voidReason: string | null;
  /** Since when it counts as paid in another way, such as by bank; null when it does not. */
  markedPaidAt: number | null;
};

/** Of a new invoice or link. */
export const open: Closure = { voidedAt: null, voidReason: null, markedPaidAt: null };

/** What the merchant said of it, without the rest of the record. */
export function closedOf({ voidedAt, voidReason, markedPaidAt }: Closure): Closure {
  return { voidedAt, voidReason, markedPaidAt };
}

/** Of an invoice or a link whose request says nothing of them. */
export const defaults = {
  reference: null,
  metadata: null,
  language: null,
  webhookEvents: "contract",
  ...open,
} as const;

/** The merchant's own, as the request gave them. */
export type Annotations = Pick<Common, "reference" | "metadata">;

/** The fields of the API with what was given; none for what was not. */
export function annotationFields({ reference, metadata }: Annotations) {
  return { ...(reference === null ? {} : { reference }), ...(metadata === null ? {} : { metadata }) };
}

/** What invoices and links have in common. */
export type Common = {
  merchantEmail: string;
  walletType: WalletType;
  /** The merchant's order number or the like; who pays sees it. */
  reference: string | null;
  /** The merchant's own; who pays never sees it. */
  metadata: Metadata | null;
  /** Of its page, its mails and its documents; null for that of the installation. */
  language: LanguageCode | null;
  /** Its price in a currency, and the rate that was fixed; null when it is in USDC. */
  currency: InvoiceCurrency | null;
  webhookUrl: string | null;
  webhookEvents: WebhookForm;
  deposit: Deposit;
  /** Unix time in milliseconds. */
  createdAt: number;
} & Closure;
