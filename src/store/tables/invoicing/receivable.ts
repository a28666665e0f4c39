import type { InvoiceCurrency } from "../../../domain/bill/currency.ts";
import type { LanguageCode } from "../../../domain/language.ts";
import * as Email from "../../../domain/party/email.ts";
import type {
  Closure,
  Common,
  Kind,
  Metadata,
  WalletType,
  WebhookForm,
} from "../../../domain/receivable/common.ts";
import type { Status } from "../../../domain/receivable/receivable.ts";
import {
  boolean,
  columns,
  computed,
  integer,
  join,
  json,
  orNull,
  selectOne,
  text,
  under,
  usdc,
  withAmounts,
} from "../../columns.ts";
import { type Db, numberOf, textOf } from "../../database.ts";
import * as DepositStore from "./deposit.ts";

/** Columns shared by invoices and links, besides their deposit. */
const own = columns("receivable", {
  merchantEmail: text(),
  walletType: text<WalletType>(),
  reference: orNull(text()),
  metadata: orNull(json<Metadata>()),
  language: orNull(text<LanguageCode>()),
  currency: orNull(withAmounts<InvoiceCurrency>()),
  webhookUrl: orNull(text()),
  webhookEvents: text<WebhookForm>(),
  voidedAt: orNull(integer()),
  voidReason: orNull(text()),
  markedPaidAt: orNull(integer()),
});

/** For joins, including the deposit. */
export const common = join(own, under("deposit", DepositStore.columns));

/** Its currency and the merchant's reference, for a join. */
export const tagged = own.pick("currency", "reference");

/** Its merchant and currency, for a join. */
export const billing = own.pick("merchantEmail", "currency");

/** Further columns for lists, for a join. */
export const listed = own.pick("currency", "reference", "voidedAt", "markedPaidAt");

const insertion = own.insert({
  ...DepositStore.newColumns,
  kind: "$kind",
  merchant: "$merchant",
  webhook_secret: "$sealedSecret",
});

/**
 * Stores the shared columns of a new invoice or link. Call it in the transaction that stores the rest. `sealedSecret`
 * is its webhook's.
 */
export function insert(db: Db, kind: Kind, receivable: Common, sealedSecret: string | null): void {
  const { deposit, createdAt, merchantEmail } = receivable;
  db.query(insertion).run({
    ...own.values(receivable),
    ...DepositStore.newValues(deposit, createdAt),
    kind,
    merchant: Email.normalize(merchantEmail),
    sealedSecret,
  });
}

/** The fields for comparing and reporting a payment, without the rest of the record. */
const brief = {
  ...join(
    columns("receivable", {
      kind: text<Kind>(),
      depositIndex: integer(),
      /** The id of an invoice, the slug of a link. */
      id: computed("coalesce(invoice.id, link.slug)", text()),
      /** The number of an invoice, the slug of a link. */
      name: computed("coalesce(invoice.number, link.slug)", text()),
      status: computed("coalesce(invoice.status, link.status)", text<Status>()),
      reference: orNull(text()),
      metadata: orNull(json<Metadata>()),
      /** As issued or quoted, in USDC. */
      total: usdc("expected_amount"),
      sentAt: computed("invoice.sent_at", orNull(integer())),
      /** Whether a confirmed payment has left the chain. */
      hasLost: computed(
        "EXISTS (SELECT 1 FROM lost_transfer WHERE lost_transfer.deposit_index = receivable.deposit_index)",
        boolean(),
      ),
      /** Where receipts go; null while a link's payer has asked for none. */
      payerEmail: computed("coalesce(invoice.vendor_email, link.payer_email)", orNull(text())),
      atCounter: computed("coalesce(link.at_counter, 0)", boolean()),
      voidedAt: orNull(integer()),
      voidReason: orNull(text()),
      markedPaidAt: orNull(integer()),
      webhookUrl: orNull(text()),
      webhookEvents: text<WebhookForm>(),
      sealedSecret: orNull(text("webhook_secret")),
    }),
    DepositStore.compared,
  ),
  from: "receivable LEFT JOIN invoice USING (deposit_index) LEFT JOIN link USING (deposit_index)",
};

export type Brief = ReturnType<typeof brief.fromRow>;

/** Throws if this deposit has neither an invoice nor a link. */
export function briefAt(db: Db, depositIndex: number): Brief {
  const found = selectOne(db, brief, "WHERE receivable.deposit_index = ?", depositIndex);
  if (found === null) throw new Error(`Nothing is owed at deposit ${depositIndex}`);
  return found;
}

/** Sealed; null without a webhook. */
export const sealedSecret = (db: Db, depositIndex: number): string | null =>
  textOf(db, "SELECT webhook_secret FROM receivable WHERE deposit_index = ?", depositIndex);

type Named = { kind: Kind; depositIndex: number };

export function setStatus(db: Db, { kind, depositIndex }: Named, status: Status): void {
  db.query(`UPDATE ${kind} SET status = ? WHERE deposit_index = ?`).run(status, depositIndex);
}

export function setClosed(db: Db, named: Named, closed: Closure, status: Status): void {
  db.query(
    `UPDATE receivable SET voided_at = $voidedAt, void_reason = $voidReason, marked_paid_at = $markedPaidAt
     WHERE deposit_index = $depositIndex`,
  ).run({ depositIndex: named.depositIndex, ...closed });
  setStatus(db, named, status);
}

const correcting = own.pick("reference", "language");

/** Stores the fields that a correction may change. */
export function correct(db: Db, { deposit, ...receivable }: Common): void {
  db.query(
    "UPDATE receivable SET reference = $reference, language = $language WHERE deposit_index = $depositIndex",
  ).run({ ...correcting.values(receivable), depositIndex: deposit.index });
}

/** Sets the rate it was quoted at. */
export function setCurrency(db: Db, depositIndex: number, currency: InvoiceCurrency | null): void {
  db.query("UPDATE receivable SET currency = $currency WHERE deposit_index = $depositIndex").run({
    ...own.pick("currency").values({ currency }),
    depositIndex,
  });
}

type Narrowed = { merchant?: string | null | undefined; reference?: string | undefined };

/**
 * Returns how to read a list, newest first, after the one whose `key` (`sequence` of invoices, `id` of links) is
 * `before`. The lists of one merchant or one reference are read by their index in order of deposits, which is the same
 * order.
 */
export function listOrder(
  db: Db,
  kind: Kind,
  key: "sequence" | "id",
  { merchant, reference }: Narrowed,
  before: number | undefined,
) {
  if (merchant == null && reference === undefined) return { order: [key], after: before, kind: null };
  const sql = `SELECT deposit_index FROM ${kind} WHERE ${key} >= ? ORDER BY ${key} LIMIT 1`;
  const after = before === undefined ? undefined : numberOf(db, sql, before);
  return { order: ["receivable.deposit_index"], after, kind };
}

/** An invoice's number or a link's slug: the name people use for what a deposit is for. */
export type DepositName = { invoice: string } | { link: string };

export const namedAs = ({ kind, name }: Pick<Brief, "kind" | "name">): DepositName =>
  ({ [kind]: name }) as DepositName;

const named = {
  ...columns("receivable", {
    kind: text<Kind>(),
    name: computed("coalesce(invoice.number, link.slug)", orNull(text())),
  }),
  from: brief.from,
};

/** Null if there is no such deposit, or it has neither an invoice nor a link. */
export function nameOf(db: Db, depositIndex: number): DepositName | null {
  const row = selectOne(db, named, "WHERE receivable.deposit_index = ?", depositIndex);
  return row === null || row.name === null ? null : namedAs({ ...row, name: row.name });
}

const liveState = (kind: Kind) => ({
  ...join(DepositStore.totals, columns(kind, { status: text() })),
  from: `${kind} JOIN receivable USING (deposit_index)`,
});
const liveStateOf = { invoice: liveState("invoice"), link: liveState("link") };

/** Amounts received for an invoice or a link, by the slug of its page. */
export const liveStateBySlug = (db: Db, kind: Kind, slug: string) =>
  selectOne(db, liveStateOf[kind], `WHERE ${kind}.slug = +?`, slug);
