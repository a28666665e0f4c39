import type { Static } from "@sinclair/typebox";
import type * as Event from "../../domain/event/event.ts";
import type { Failure } from "../../domain/payment/relay.ts";
import type { Kind } from "../../domain/receivable/common.ts";
import { faces } from "../../domain/receivable/faces.ts";
import * as Usdc from "../../domain/usdc.ts";
import { transactionUrl } from "../../domain/wallet/network.ts";
import { counted, withoutEnd } from "../../lib/text/english.ts";
import { instant, instantOrNull } from "../../lib/time.ts";
import {
  type Excerpt,
  type History,
  type HistoryEvent,
  type HistoryMail,
  type HistoryRelay,
  type HistoryTransfer,
  type HistoryWebhook,
  historyOf,
} from "../../store/reports/timeline.ts";
import * as OriginalStore from "../../store/tables/invoicing/original.ts";
import type { TimelineEntry } from "../fields/event-schemas.ts";
import type { HttpDeps } from "../route/deps.ts";
import { crossingEntries } from "./crossing-entries.ts";

type EntryAnswer = Static<typeof TimelineEntry>;
/** `at` in Unix milliseconds. */
type Entry = Omit<EntryAnswer, "at"> & { at: number };

/** Entries of one time are sorted cause first. All events sort as `event`. */
const causes = [
  "created",
  "document",
  "omitted",
  "mail",
  "opened",
  "signature_taken",
  "signature_failed",
  "crossing_told",
  "crossing_attested",
  "crossing_unknown",
  "transfer_seen",
  "transfer_confirmed",
  "transfer_lost",
];
const order = [...causes, "event", "settled", "webhook"];
const rankOf = ({ type }: Entry) => order.indexOf(order.includes(type) ? type : "event");

/** An invoice or a link, with the parts of its record that belong to its history. */
type TimelineSubject = {
  kind: Kind;
  deposit: { index: number };
  createdAt: number;
  voidReason: string | null;
};

/**
 * Returns the history of an invoice or a link, oldest first, from the database. Names at most a hundred of each kind,
 * transfers by size and others by recency; the rest are counted.
 */
export function timelineOf(
  { db, config, baseUrl }: Pick<HttpDeps, "db" | "config" | "baseUrl">,
  subject: TimelineSubject,
): EntryAnswer[] {
  const history = historyOf(db, subject.deposit.index);
  const { events, mails, transfers, losses, settlements, webhooks, relays, crossings } = history;
  const { explorer } = config.network;
  const linked = (txHash: string) => ({
    tx_hash: txHash,
    explorer_url: transactionUrl(explorer, txHash),
  });
  const entries: Entry[] = [
    {
      at: subject.createdAt,
      type: "created",
      summary: `The ${faces[subject.kind].noun} was created.`,
      data: {},
    },
    ...events.named.map((event) => eventEntry(event, subject)),
    ...mails.named.map((mail) => mailEntry(mail, subject.kind)),
    ...transfers.named.flatMap((transfer) => transferEntries(transfer, linked(transfer.txHash))),
    ...losses.named.map(({ txHash, lostAt }) => ({
      at: lostAt,
      type: "transfer_lost",
      summary: "A confirmed transfer left the chain.",
      data: linked(txHash),
    })),
    ...settlements.named.map(({ amount, txHash, isOurs, at }) => ({
      at,
      type: "settled",
      summary: `${usdc(amount)} was moved to the payout wallet${isOurs ? "" : " by somebody else"}.`,
      data: { amount: Usdc.formatExact(amount), ...linked(txHash) },
    })),
    ...relays.named.flatMap((relay) => relayEntries(relay, linked)),
    ...crossings.named.flatMap((crossing) => crossingEntries(crossing, config.network.name)),
    ...webhooks.named.map(webhookEntry),
    ...OriginalStore.listOf(db, subject.deposit.index).map((original) => originalEntry(baseUrl, original)),
    ...omissions(history),
  ];
  return entries
    .map((entry, i) => ({ entry, rank: rankOf(entry), i }))
    .sort((a, b) => a.entry.at - b.entry.at || a.rank - b.rank || b.i - a.i)
    .map(({ entry }) => ({ ...entry, at: instant(entry.at) }));
}

const usdc = (amount: Usdc.Usdc) => `${Usdc.formatExact(amount)} USDC`;

const eventSummaries: Record<Event.Type, (data: HistoryEvent["data"]) => string> = {
  partially_paid: (data) => `It is paid in part: ${received(data)}.`,
  paid: (data) => `It is paid: ${received(data)}.`,
  overpaid: (data) => `More than it asks for was paid: ${received(data)}.`,
  payment_reversed: (data) => `The chain took confirmed money back: ${received(data)}.`,
  unexpected_payment: (data) => `Money came that nobody owed any more: ${received(data)}.`,
  voided: ({ reason }) =>
    typeof reason === "string" ? `It was voided: ${ending(reason)}.` : "It was voided.",
  marked_paid: ({ note }) =>
    `It was marked as paid in another way${typeof note === "string" ? `: ${ending(note)}` : ""}.`,
  marked_unpaid: () => "It is no longer marked as paid in another way.",
  corrected: ({ corrections }) => `It was corrected: ${correctedFields(corrections)}.`,
  credited: ({ credit_note }) => creditSummary(credit_note as Record<string, string>),
  expired: (data) => `Its time is over, and it is not paid: ${received(data)}.`,
  refund_requested: (data) => `A refund of ${refunded(data)} was begun.`,
  refund_approved: (data) => `The refund of ${refunded(data)} was approved.`,
  refund_sent: (data) => `The refund of ${refunded(data)} is on its way.`,
  refunded: (data) => `${refunded(data)} was refunded.`,
  refund_failed: (data) =>
    `The refund of ${refunded(data)} did not arrive. Somebody has to approve it again.`,
  refund_cancelled: (data) => `The refund of ${refunded(data)} was cancelled.`,
  sent: () => "It was mailed.",
  opened: () => "Its page was opened for the first time.",
  reminded: () => "The customer was reminded.",
  quoted: ({ expected_usdc, currency, rate }) =>
    `It was quoted again: ${expected_usdc} USDC, at 1 USDC = ${rate} ${currency}.`,
  commented: ({ text }) => `Comment: ${oneLine(String(text))}`,
};

function creditSummary(note: Record<string, string>) {
  const amount = `${note["total_amount"]} ${note["currency"]}`;
  const back = note["return_usdc"] === "0.00" ? "" : `; ${note["return_usdc"]} USDC is to be returned`;
  return `Credit note ${note["credit_note_number"]} credits ${amount}: ${ending(note["reason"] ?? "")}${back}.`;
}

const correctedFields = (corrections: unknown) =>
  (corrections as { field: string }[]).map(({ field }) => field).join(", ");
const refunded = ({ refund }: HistoryEvent["data"]) =>
  `${(refund as Record<string, string> | undefined)?.["amount"]} USDC`;
const received = (data: HistoryEvent["data"]) => `${data["received_amount"]} USDC received in all`;
const oneLine = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join(" ");
/** Somebody else's words, without a full stop, to end a sentence with. */
const ending = (text: string) => withoutEnd(oneLine(text), ".");

function eventEntry(
  { id, type, data: eventData, createdAt }: HistoryEvent,
  { voidReason }: Pick<TimelineSubject, "voidReason">,
): Entry {
  const name = type.slice(type.indexOf(".") + 1) as Event.Type;
  const data = name === "voided" ? { ...eventData, reason: voidReason } : eventData;
  return { at: createdAt, type: name, summary: eventSummaries[name](data), data: { event_id: id, ...data } };
}

const mailNames: Partial<Record<string, string>> = {
  invoice: "The invoice",
  void: "A cancellation",
  credit: "A credit note",
};

function mailEntry({ kind, state, attempts, reason, at }: HistoryMail, of: Kind): Entry {
  const to = kind === "notice" ? "merchant" : faces[of].payer;
  const what = mailNames[kind] ?? `A ${kind}`;
  const because = reason === null ? "" : `: ${ending(reason)}`;
  const summaries: Record<HistoryMail["state"], string> = {
    queued: `${what} waits to be mailed to the ${to}${because}.`,
    sending: `${what} is being mailed to the ${to}.`,
    sent: `${what} was mailed to the ${to}.`,
    failed: `${what} could not be mailed to the ${to}${because}.`,
    unknown: `${what} was mailed to the ${to} and may not have arrived${because}.`,
    superseded: `${what} need not be mailed to the ${to} any more.`,
  };
  return { at, type: "mail", summary: summaries[state], data: { kind, to, state, attempts, reason } };
}

function transferEntries(transfer: HistoryTransfer, linked: object): Entry[] {
  const { amount, payer, blockNumber, confirmed, seenAt, confirmedAt } = transfer;
  const data = { amount: Usdc.formatExact(amount), from: payer, block_number: blockNumber, ...linked };
  const entry = (at: number, type: "transfer_seen" | "transfer_confirmed", became: string): Entry => {
    return { at, type, summary: `A transfer of ${usdc(amount)} was ${became}.`, data };
  };
  if (!confirmed) return [entry(seenAt, "transfer_seen", "seen")];
  if ((confirmedAt ?? seenAt) === seenAt)
    return [entry(seenAt, "transfer_confirmed", "seen and is confirmed")];
  return [
    entry(seenAt, "transfer_seen", "seen"),
    entry(confirmedAt ?? seenAt, "transfer_confirmed", "confirmed"),
  ];
}

const sources = { page: "on the page", x402: "by x402", mpp: "by MPP", command: "by a command" } as const;

const failures: Record<Failure, string> = {
  expired: "it expired before it was in a block",
  reverted: "the token refused it",
  cancelled: "the payer cancelled it",
  replaced: "the payer used its nonce for another payment",
};

/** Other entries report the transfer; these report what preceded it. */
function relayEntries(relay: HistoryRelay, linked: (txHash: string) => object): Entry[] {
  const { amount, payer, source, failure, txHash, createdAt, endedAt } = relay;
  const data = { amount: Usdc.formatExact(amount), from: payer, source, ...(txHash ? linked(txHash) : {}) };
  const taken = `A payment of ${usdc(amount)} was signed ${sources[source]}, and Till sends it.`;
  return [
    { at: createdAt, type: "signature_taken", summary: taken, data },
    ...(failure === null
      ? []
      : [
          {
            at: endedAt ?? createdAt,
            type: "signature_failed",
            summary: `The signed payment of ${usdc(amount)} failed: ${failures[failure]}.`,
            data: { ...data, reason: failure },
          },
        ]),
  ];
}

function webhookEntry(webhook: HistoryWebhook): Entry {
  const { id, endpointId, type, status, state, attempts, httpStatus, reason } = webhook;
  const to = endpointId === null ? "" : ` to ${endpointId}`;
  return {
    at: webhook.attemptedAt ?? webhook.createdAt,
    type: "webhook",
    summary: `The webhook of ${type ?? `status ${status}`}${to} ${becameOf(webhook)}.`,
    data: {
      webhook_id: id,
      ...(endpointId === null ? {} : { endpoint_id: endpointId }),
      ...(type === null ? {} : { type }),
      status,
      state,
      attempts,
      http_status: httpStatus,
      reason,
      next_attempt_at: instantOrNull(webhook.nextAttemptAt),
    },
  };
}

function becameOf({ state, attempts, reason }: HistoryWebhook): string {
  const times = counted(attempts, "attempt");
  if (state === "ended") return "was ended: its endpoint was deleted";
  if (state === "delivered") return attempts > 1 ? `was delivered after ${times}` : "was delivered";
  if (reason === null) return attempts === 0 ? "waits to be sent" : "waits to be sent again";
  return state === "failed"
    ? `was given up after ${times}: ${ending(reason)}`
    : `failed, after ${times} so far: ${ending(reason)}`;
}

/** A document as issued. */
function originalEntry(
  baseUrl: string,
  { sha256, fileName, form, kind, keptAt }: OriginalStore.Original,
): Entry {
  return {
    at: keptAt,
    type: "document",
    summary: `${fileName} was kept as it was issued, with the SHA-256 ${sha256}.`,
    data: { kind, form, file_name: fileName, sha256, url: `${baseUrl}/api/originals/${sha256}` },
  };
}

/** Counts the entries that are not named, at the time where their list breaks off. */
function omissions({ events, mails, transfers, losses, settlements, webhooks, relays }: History): Entry[] {
  const named = Usdc.sum(transfers.named.map(({ amount }) => amount));
  const amount = Usdc.formatExact(Usdc.remaining(transfers.sum, named));
  const oldest = <T>(noun: string, { named, others }: Excerpt<T>, atOf: (one: T) => number) => ({
    at: Math.min(...named.map(atOf)),
    noun,
    count: others,
    more: {},
  });
  return [
    { at: transfers.lastSeenAt ?? 0, noun: "smaller transfer", count: transfers.others, more: { amount } },
    oldest("earlier signed payment", relays, ({ createdAt }) => createdAt),
    oldest("earlier event", events, ({ createdAt }) => createdAt),
    oldest("earlier mail", mails, ({ at }) => at),
    oldest("earlier lost transfer", losses, ({ lostAt }) => lostAt),
    oldest("earlier settlement", settlements, ({ at }) => at),
    oldest("earlier webhook", webhooks, ({ createdAt }) => createdAt),
  ]
    .filter(({ count }) => count > 0)
    .map(({ at, noun, count, more }) => ({
      at,
      type: "omitted",
      summary: `${counted(count, noun)} not named here.`,
      data: { count, ...more },
    }));
}
