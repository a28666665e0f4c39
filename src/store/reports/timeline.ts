import type * as Event from "../../domain/event/event.ts";
import type { Failure, Source, State } from "../../domain/payment/relay.ts";
import type { Usdc } from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import { boolean, type Columns, columns, integer, json, orNull, type Row, text, usdc } from "../columns.ts";
import { type Db, numberOrNull } from "../database.ts";
import type { MailKind, MailState } from "../tables/outbox/mail.ts";
import type { EventState } from "../tables/outbox/webhook-event.ts";

/** Everything the tables say about one invoice or link. Times are Unix milliseconds. */
export type History = {
  events: Excerpt<HistoryEvent>;
  mails: Excerpt<HistoryMail>;
  transfers: Excerpt<HistoryTransfer> & { sum: Usdc; lastSeenAt: number | null };
  losses: Excerpt<{ txHash: string; lostAt: number }>;
  settlements: Excerpt<{ amount: Usdc; txHash: string; isOurs: boolean; at: number }>;
  webhooks: Excerpt<HistoryWebhook>;
  relays: Excerpt<HistoryRelay>;
};

/** A signed payment. */
export type HistoryRelay = {
  payer: Address;
  amount: Usdc;
  source: Source;
  state: State;
  failure: Failure | null;
  txHash: string | null;
  createdAt: number;
  endedAt: number | null;
};

/** The newest entries of a list (transfers: the largest), and how many more there are. */
type Excerpt<T> = { named: T[]; others: number };

export type HistoryEvent = {
  id: string;
  type: Event.FullType;
  data: Record<string, unknown>;
  createdAt: number;
};

export type HistoryMail = {
  kind: MailKind;
  state: MailState;
  attempts: number;
  reason: string | null;
  /** When it ended or, while it waits, when it was written. */
  at: number;
};

export type HistoryTransfer = {
  txHash: string;
  payer: Address;
  amount: Usdc;
  blockNumber: number;
  confirmed: boolean;
  seenAt: number;
  /** Also null for one confirmed before Till recorded the time. */
  confirmedAt: number | null;
};

export type HistoryWebhook = {
  id: string;
  /** Null for the contract's own webhook. */
  type: Event.FullType | null;
  status: string;
  state: EventState;
  attempts: number;
  createdAt: number;
  nextAttemptAt: number | null;
  /** Of the latest attempt; null before the first. */
  attemptedAt: number | null;
  httpStatus: number | null;
  reason: string | null;
};

/** Entries named per list: anybody can send any number of small transfers. */
export const namedMax = 100;

const event = columns("event", {
  id: text(),
  type: text<Event.FullType>(),
  data: json<Record<string, unknown>>(),
  createdAt: integer(),
});

const mail = columns("mail", {
  kind: text<MailKind>(),
  state: text<MailState>(),
  attempts: integer(),
  reason: orNull(text()),
});

const transfer = columns("transfer", {
  txHash: text(),
  payer: text<Address>(),
  amount: usdc(),
  blockNumber: integer(),
  confirmed: boolean(),
  seenAt: integer(),
  confirmedAt: orNull(integer()),
});

const loss = columns("lost_transfer", { txHash: text(), lostAt: integer() });
const settlement = columns("settlement", {
  amount: usdc(),
  txHash: text(),
  isOurs: boolean(),
  at: integer(),
});

const webhook = columns("webhook_event", {
  id: text(),
  status: text(),
  state: text<EventState>(),
  attempts: integer(),
  createdAt: integer(),
  nextAttemptAt: orNull(integer()),
});

const relay = columns("relay", {
  payer: text<Address>(),
  amount: usdc(),
  source: text<Source>(),
  state: text<State>(),
  failure: orNull(text<Failure>()),
  txHash: orNull(text()),
  createdAt: integer(),
  endedAt: orNull(integer()),
});

const lastAttempt = columns("delivery_attempt", {
  attemptedAt: orNull(integer("started_at")),
  httpStatus: orNull(integer()),
  reason: orNull(text()),
});

type Count = { total?: bigint };

/** Reads one list: `sql` returns `count(*) OVER () AS total` in every row, and at most as many rows as are named. */
function read<T>(db: Db, sql: string, depositIndex: number, fromRow: (row: Row<T>) => T): Excerpt<T> {
  const rows = db.query<Row<T> & Count, [number]>(`${sql} LIMIT ${namedMax}`).all(depositIndex);
  return { named: rows.map(fromRow), others: Number(rows[0]?.total ?? 0n) - rows.length };
}

/** Everything recorded about a deposit's invoice or link, each list newest first. */
export function historyOf(db: Db, depositIndex: number): History {
  const own = <T>(table: Pick<Columns<T>, "list" | "fromRow">, rest: string) =>
    read<T>(db, `SELECT ${table.list}, count(*) OVER () AS total ${rest}`, depositIndex, table.fromRow);
  return {
    // Sent mails are listed as mails.
    events: own(
      event,
      `FROM event WHERE deposit_index = +? AND type NOT IN ('invoice.sent', 'invoice.reminded')
       ORDER BY position DESC`,
    ),
    mails: read(
      db,
      `SELECT ${mail.list}, coalesce(ended_at, content_at, created_at) AS at, count(*) OVER () AS total
       FROM mail WHERE deposit_index = +? ORDER BY created_at DESC, rowid DESC`,
      depositIndex,
      (row: Row<HistoryMail>) => ({ ...mail.fromRow(row), at: Number(row["at"]) }),
    ),
    transfers: { ...own(transfer, largest), ...sumOf(db, depositIndex) },
    losses: own(loss, "FROM lost_transfer WHERE deposit_index = +? ORDER BY lost_at DESC"),
    relays: own(relay, "FROM relay WHERE deposit_index = +? ORDER BY relay.id DESC"),
    settlements: read(
      db,
      `SELECT settlement.amount, settlement.tx_hash, settlement.state = 'settled' AS is_ours,
         max(coalesce(mined_at, 0), settlement.created_at) AS at, count(*) OVER () AS total
       FROM settlement LEFT JOIN gas_transaction ON gas_transaction.id = transaction_id
       WHERE deposit_index = +? AND settlement.state IN ('settled', 'elsewhere') ORDER BY settlement.id DESC`,
      depositIndex,
      settlement.fromRow,
    ),
    webhooks: read(
      db,
      `SELECT ${webhook.list}, ${lastAttempt.list}, event.type, count(*) OVER () AS total
       FROM webhook_event LEFT JOIN event USING (id)
         LEFT JOIN delivery_attempt ON event_id = webhook_event.id AND attempt = attempts
       WHERE webhook_event.deposit_index = +? ORDER BY webhook_event.created_at DESC, webhook_event.rowid DESC`,
      depositIndex,
      (row: Row<HistoryWebhook>) => ({
        ...webhook.fromRow(row),
        ...lastAttempt.fromRow(row),
        type: row["type"] as Event.FullType | null,
      }),
    ),
  };
}

const largest = "FROM transfer WHERE deposit_index = +? ORDER BY amount DESC, block_number, log_index";

/** The sum of all transfers to a deposit, including those not named. */
function sumOf(db: Db, depositIndex: number): Pick<History["transfers"], "sum" | "lastSeenAt"> {
  const row = db
    .query<{ amount: bigint; last: bigint | null }, [number]>(
      "SELECT coalesce(sum(amount), 0) AS amount, max(seen_at) AS last FROM transfer WHERE deposit_index = +?",
    )
    .get(depositIndex);
  return { sum: (row?.amount ?? 0n) as Usdc, lastSeenAt: numberOrNull(row?.last) };
}
