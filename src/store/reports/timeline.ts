import type * as Event from "../../domain/event/event.ts";
import type { State as CrossingState } from "../../domain/payment/crossing.ts";
import type { Failure, Source, State } from "../../domain/payment/relay.ts";
import type { Usdc } from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import {
  boolean,
  type ColumnSelection,
  columns,
  computed,
  integer,
  join,
  json,
  orNull,
  type Row,
  text,
  usdc,
} from "../columns.ts";
import { type Db, numberOrNull } from "../database.ts";
import type { MailKind, MailState } from "../tables/outbox/mail.ts";
import type { EventState } from "../tables/outbox/webhook-event.ts";

/** Everything the tables say about one invoice or link. Times are Unix milliseconds. */
export type History = ReturnType<typeof historyOf>;

/** The newest entries of a list (transfers: the largest), and how many more there are. */
export type Excerpt<T> = { named: T[]; others: number };

/** Entries named per list: anybody can send any number of small transfers. */
export const namedMax = 100;

const event = columns("event", {
  id: text(),
  type: text<Event.FullType>(),
  data: json<Record<string, unknown>>(),
  createdAt: integer(),
});
export type HistoryEvent = ReturnType<typeof event.fromRow>;

const mail = columns("mail", {
  kind: text<MailKind>(),
  state: text<MailState>(),
  attempts: integer(),
  reason: orNull(text()),
  /** When it ended or, while it waits, when it was written. */
  at: computed("coalesce(ended_at, content_at, created_at)", integer()),
});
export type HistoryMail = ReturnType<typeof mail.fromRow>;

const transfer = columns("transfer", {
  txHash: text(),
  payer: text<Address>(),
  amount: usdc(),
  blockNumber: integer(),
  confirmed: boolean(),
  seenAt: integer(),
  /** Also null for one confirmed before Till recorded the time. */
  confirmedAt: orNull(integer()),
});
export type HistoryTransfer = ReturnType<typeof transfer.fromRow>;

const loss = columns("lost_transfer", { txHash: text(), lostAt: integer() });

const settlement = columns("settlement", {
  amount: usdc(),
  txHash: text(),
  isOurs: computed("settlement.state = 'settled'", boolean()),
  at: computed("max(coalesce(mined_at, 0), settlement.created_at)", integer()),
});

const webhook = join(
  columns("webhook_event", {
    id: text(),
    endpointId: orNull(text()),
    status: text(),
    state: text<EventState>(),
    attempts: integer(),
    createdAt: integer(),
    nextAttemptAt: orNull(integer()),
    /** Null for the contract's own webhook. */
    type: computed("event.type", orNull(text<Event.FullType>())),
  }),
  /** The latest attempt; null before the first. */
  columns("delivery_attempt", {
    attemptedAt: orNull(integer("started_at")),
    httpStatus: orNull(integer()),
    reason: orNull(text()),
  }),
);
export type HistoryWebhook = ReturnType<typeof webhook.fromRow>;

/** A signed payment. */
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
export type HistoryRelay = ReturnType<typeof relay.fromRow>;

/** What a payer says they sent from another chain. */
const crossing = columns("crossing", {
  chainId: integer(),
  txHash: text(),
  state: text<CrossingState>(),
  amount: orNull(usdc()),
  createdAt: integer(),
  attestedAt: orNull(integer()),
  endedAt: orNull(integer()),
});
export type HistoryCrossing = ReturnType<typeof crossing.fromRow>;

/** Everything recorded about a deposit's invoice or link, each list newest first. */
export function historyOf(db: Db, depositIndex: number) {
  const read = <T>({ list, fromRow }: ColumnSelection<T>, rest: string): Excerpt<T> => {
    const rows = db
      .query<Row<T>, [number]>(`SELECT ${list}, count(*) OVER () AS total ${rest} LIMIT ${namedMax}`)
      .all(depositIndex);
    return { named: rows.map(fromRow), others: Number(rows[0]?.["total"] ?? 0n) - rows.length };
  };
  return {
    // Sent mails are listed as mails.
    events: read(
      event,
      `FROM event WHERE deposit_index = +? AND type NOT IN ('invoice.sent', 'invoice.reminded')
       ORDER BY position DESC`,
    ),
    mails: read(
      mail,
      "FROM mail WHERE deposit_index = +? AND kind <> 'counter' ORDER BY created_at DESC, rowid DESC",
    ),
    transfers: {
      ...read(
        transfer,
        "FROM transfer WHERE deposit_index = +? ORDER BY amount DESC, block_number, log_index",
      ),
      ...sumOf(db, depositIndex),
    },
    crossings: read(crossing, "FROM crossing WHERE deposit_index = +? ORDER BY id DESC"),
    losses: read(loss, "FROM lost_transfer WHERE deposit_index = +? ORDER BY lost_at DESC"),
    relays: read(relay, "FROM relay WHERE deposit_index = +? ORDER BY relay.id DESC"),
    settlements: read(
      settlement,
      `FROM settlement LEFT JOIN gas_transaction ON gas_transaction.id = transaction_id
       WHERE deposit_index = +? AND settlement.state IN ('settled', 'elsewhere') ORDER BY settlement.id DESC`,
    ),
    webhooks: read(
      webhook,
      `FROM webhook_event LEFT JOIN event ON event.id = coalesce(webhook_event.event_id, webhook_event.id)
         LEFT JOIN delivery_attempt ON delivery_attempt.event_id = webhook_event.id AND attempt = attempts
       WHERE webhook_event.deposit_index = +? ORDER BY webhook_event.created_at DESC, webhook_event.rowid DESC`,
    ),
  };
}

/** The sum of all transfers to a deposit, including those not named. */
function sumOf(db: Db, depositIndex: number): { sum: Usdc; lastSeenAt: number | null } {
  const row = db
    .query<{ amount: bigint; last: bigint | null }, [number]>(
      "SELECT coalesce(sum(amount), 0) AS amount, max(seen_at) AS last FROM transfer WHERE deposit_index = +?",
    )
    .get(depositIndex);
  return { sum: (row?.amount ?? 0n) as Usdc, lastSeenAt: numberOrNull(row?.last) };
}
