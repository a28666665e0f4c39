/** The tables that are counted to compare a database with an earlier copy of itself. */

export type Noun = {
  one: string;
  many: string;
  /** The columns that identify a row in every copy, for rows that people and the chain make. */
  key?: readonly string[];
  /** The columns that say when something happened to a row that must not be undone unnoticed. */
  changed?: readonly string[];
};

/** By table, what a row of it is called. */
export const nouns: Readonly<Record<string, Noun>> = {
  invoice: { one: "invoice", many: "invoices", key: ["id"] },
  link: { one: "payment link", many: "payment links", key: ["slug"] },
  reusable_link: { one: "reusable link", many: "reusable links", key: ["slug"], changed: ["voided_at"] },
  transfer: { one: "payment", many: "payments", key: ["block_hash", "log_index"] },
  credit_note: { one: "credit note", many: "credit notes", key: ["id"] },
  receipt: { one: "receipt", many: "receipts", key: ["number"] },
  refund: { one: "refund", many: "refunds", key: ["id"], changed: ["changed_at"] },
  withdrawal: { one: "withdrawal", many: "withdrawals", key: ["nonce"] },
  recurring: { one: "repeating invoice", many: "repeating invoices", key: ["id"] },
  person: { one: "person", many: "people", key: ["handle"], changed: ["removed_at"] },
  api_key: { one: "API key", many: "API keys", key: ["hash"], changed: ["revoked_at"] },
  webhook_endpoint: {
    one: "webhook endpoint",
    many: "webhook endpoints",
    key: ["id"],
    changed: ["paused_at", "deleted_at"],
  },
  lost_transfer: { one: "lost payment", many: "lost payments" },
  receivable: { one: "changed invoice or link", many: "changed invoices or links", changed: ["changed_at"] },
  event: { one: "event", many: "events" },
  mail: { one: "mail", many: "mails", changed: ["content_at", "ended_at"] },
  settlement: { one: "settlement", many: "settlements" },
  relay: { one: "signed payment", many: "signed payments" },
  gas_transaction: { one: "transaction", many: "transactions" },
  recovered: { one: "recovered deposit", many: "recovered deposits" },
  unknown_deposit: { one: "unknown deposit", many: "unknown deposits" },
  customer: { one: "customer", many: "customers" },
  merchant: { one: "merchant", many: "merchants" },
  saved_party: { one: "saved sender", many: "saved senders", changed: ["changed_at"] },
  counter_sale: { one: "counter sale", many: "counter sales" },
  draft: { one: "draft", many: "drafts", changed: ["changed_at"] },
  preference: { one: "preference", many: "preferences", changed: ["changed_at"] },
  setting: { one: "setting", many: "settings", changed: ["changed_at"] },
  store: { one: "shop", many: "shops" },
  allowed_address: { one: "allowed wallet", many: "allowed wallets" },
  wallet_change: { one: "waiting change", many: "waiting changes", changed: ["stopped_at"] },
  passkey: { one: "passkey", many: "passkeys" },
  entry_link: { one: "sign-in link", many: "sign-in links", changed: ["used_at"] },
  audit: { one: "desk record", many: "desk records" },
};

/** `1 payment`, `2 payments`. */
export const numbered = (count: number, { one, many }: Noun) => `${count} ${count === 1 ? one : many}`;
