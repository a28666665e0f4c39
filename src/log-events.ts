import type * as Generic from "./lib/log.ts";

/** What an entry of the log is about: how bad it is, and what it means to a person who reads it. */
type LogEvent = Readonly<{ level: Generic.Level; meaning: string }>;

/**
 * Every name that an entry of the log can have. Alarms and searches of operators are built on them: a name stays, and
 * only its message may change. The README's table is made from this.
 */
export const logEvents = {
  ready: { level: "info", meaning: "Till answers, at `url`" },
  stopping: { level: "info", meaning: "it was told to stop, and finishes what it has begun" },
  "stop.forced": {
    level: "error",
    meaning: "stopping took too long and was cut off; nothing stored is lost",
  },
  "stop.failed": { level: "error", meaning: "stopping failed, or Till stopped by itself" },

  payment: {
    level: "info",
    meaning:
      "a payment, or the loss of one, changed the status of an `invoice` or a `link`: see `from` and `to`",
  },
  "payment.late": {
    level: "info",
    meaning: "money came to addresses that were no longer watched; it is looked up",
  },
  "payment.found": { level: "info", meaning: "payments were found in blocks that had been read before" },
  "payment.lost": {
    level: "error",
    meaning: "the chain took a confirmed payment back; look whether you have shipped for it",
  },
  "payment.unstored": {
    level: "error",
    meaning: "payments cannot be stored; they are read again until they can",
  },

  "chain.connected": { level: "info", meaning: "a node's WebSocket tells of payments" },
  "chain.disconnected": { level: "warn", meaning: "it does not just now; Till asks regularly instead" },
  "chain.unreadable": { level: "warn", meaning: "the nodes gave no usable answer; Till goes on asking" },
  "chain.behind": { level: "debug", meaning: "a node is behind what was seen before" },
  "chain.reorg": {
    level: "warn",
    meaning: "the blocks above `block` were replaced by others, and are read again",
  },
  "chain.incomplete": {
    level: "warn",
    meaning: "a node had left payments out of an answer; they are credited now",
  },
  "chain.older_blocks": { level: "warn", meaning: "older blocks could not be read again; it is tried later" },
  "chain.no_multicall": {
    level: "info",
    meaning: "the chain has no Multicall3, so late payments are found slowly",
  },
  "chain.refused": {
    level: "error",
    meaning: "the node cannot be used as it is configured; nothing is credited until that changes",
  },
  "chain.stopped": { level: "error", meaning: "the chain is no longer watched: restart Till" },

  "webhook.delivered": { level: "info", meaning: "a receiver took an event" },
  "webhook.retry": {
    level: "warn",
    meaning: "a receiver did not take an event; it is tried again at `next`",
  },
  "webhook.failed": {
    level: "error",
    meaning: "an event was given up: see `till webhook list`, then `redeliver`",
  },
  "webhook.unrecorded": {
    level: "error",
    meaning: "what came of an attempt cannot be stored; it is tried until it can",
  },
  "webhook.stalled": { level: "error", meaning: "webhooks cannot be sent just now; it is tried again" },
  "webhook.stopped": { level: "error", meaning: "webhooks are no longer sent: restart Till" },

  "mail.sent": { level: "info", meaning: "the mail server took a mail" },
  "mail.retry": { level: "warn", meaning: "it did not take a mail; it is tried again at `next`" },
  "mail.failed": {
    level: "warn",
    meaning: "it did not take a mail, and it is not tried again: see `till send`",
  },
  "mail.unknown": { level: "warn", meaning: "a mail may have arrived or not; it is not repeated by itself" },
  "mail.interrupted": {
    level: "warn",
    meaning: "mails were being sent when Till ended, and may have arrived or not",
  },
  "mail.without_pdf": {
    level: "warn",
    meaning: "the PDF could not be made in time; the mail went out without it",
  },
  "mail.not_configured": { level: "warn", meaning: "there is no mail server: mails wait in the outbox" },
  "mail.waiting": { level: "error", meaning: "a new mail could not be begun; it waits in the outbox" },
  "mail.unrecorded": {
    level: "error",
    meaning: "what became of a mail cannot be stored; it is tried until it can",
  },
  "mail.stalled": { level: "error", meaning: "mails cannot be sent just now; it is tried again" },

  "settlement.started": {
    level: "info",
    meaning: "the gas account sends a transaction; `purpose` says what for",
  },
  "settlement.done": { level: "info", meaning: "money of `count` deposits is at the payout wallets" },
  "settlement.elsewhere": {
    level: "info",
    meaning: "somebody else moved a deposit's money to its payout wallet",
  },
  "settlement.failed": {
    level: "warn",
    meaning: "a deposit's money could not be moved; it is tried again at `next`",
  },
  "settlement.waiting": {
    level: "warn",
    meaning: "nothing is moved just now, for example because ETH is missing",
  },
  "settlement.resumed": { level: "info", meaning: "what it waited for has come" },
  "settlement.stopped": { level: "error", meaning: "nothing is settled any more: restart Till" },

  "wallet.created": { level: "warn", meaning: "a new wallet was made: write its words down" },
  "database.unsealed": {
    level: "warn",
    meaning: "old webhook secrets could not be wiped yet; the next start tries again",
  },
  "pdf.failed": { level: "warn", meaning: "a PDF could not be made ahead; it is made when it is asked for" },
  "proxy.not_configured": {
    level: "warn",
    meaning: "nobody's address is known, so limits on one do not apply",
  },

  "http.failed": { level: "error", meaning: "a request was answered with 500, for this `reason`" },
  "http.request": { level: "debug", meaning: "a request was answered" },
} as const satisfies Record<string, LogEvent>;

/** Every field that an entry can have besides its time, level, event and message: one word for one thing. */
export const logFields = {
  reason: "what went wrong, in words; it is for people and may change",
  invoice: "the number of an invoice",
  link: "the slug of a payment link",
  from: "the status before",
  to: "the status now",
  deposit: "a deposit address",
  wallet: "a payout wallet",
  amount: "USDC",
  tx: "the hash of a transaction",
  nonce: "the number of a transaction among those of the gas account",
  purpose: "what a transaction is for",
  block: "the number of a block",
  checkpoint: "the number of the last block that was read",
  webhook: "the id of a webhook event",
  mail: "the id of a mail",
  kind: "what a mail is: `invoice`, `receipt` or `notice`",
  receiver: "the origin of the URL that gets a webhook",
  outcome: "what a receiver or a mail server said to an attempt",
  attempt: "which attempt it was, from 1 on",
  next: "when it is tried again",
  count: "how many",
  request: "the id of a request, which its answer has as `x-request-id`",
  method: "of a request",
  route: "the form of the path that was asked for, without its ids",
  path: "of a request that failed",
  status: "of the answer",
  ms: "how long it took, in milliseconds",
  file: "a file",
  url: "an address",
} as const satisfies Record<string, string>;

type NamedFor<L extends Generic.Level> = {
  [Name in keyof typeof logEvents]: (typeof logEvents)[Name]["level"] extends L ? Name : never;
}[keyof typeof logEvents];

/** Takes each event at its own level, with fields that have a meaning. */
export type Log = Generic.Log<{ [L in Generic.Level]: NamedFor<L> }, keyof typeof logFields>;

export type LogFields = Generic.Fields<keyof typeof logFields>;
