import type * as Generic from "./lib/log.ts";

/** What an entry of the log is about: how bad it is, and what it means to a person who reads it. */
type LogEvent = Readonly<{ level: Generic.Level; meaning: string }>;

/**
 * Every name that an entry of the log can have. Alarms and searches of operators are built on them: a name stays, and
 * only its message may change. The README's table is made from this.
 */
export const logEvents = {
  ready: { level: "info", meaning: "Till is ready, at `url`" },
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
    meaning: "money came to addresses that were no longer watched; Till looks for it",
  },
  "payment.found": { level: "info", meaning: "payments were found in blocks that had been read before" },
  "payment.lost": {
    level: "error",
    meaning: "the chain took a confirmed payment back; check whether you have shipped for it",
  },
  "payment.too_old": {
    level: "error",
    meaning: "a node told of a payment in a block that is older than its address; it does not count",
  },
  "payment.contradicted": {
    level: "error",
    meaning: "another `node` contradicts the one that told of a payment; it does not count until they agree",
  },
  "payment.agreed": { level: "info", meaning: "the nodes agree about a payment that one had contradicted" },
  "payment.alone": {
    level: "warn",
    meaning: "no other node answered for a minute, so a payment counts on the word of one `node`",
  },
  "payment.unknown": {
    level: "warn",
    meaning: "no node knows a payment any more that one of them told of; it is taken back",
  },
  "payment.missing": {
    level: "error",
    meaning: "an address holds less than was credited, and nothing was moved from it; `amount` is missing",
  },
  "payment.unstored": {
    level: "error",
    meaning: "payments cannot be stored; Till reads them again until they can be",
  },

  "chain.connected": { level: "info", meaning: "a node's WebSocket reports payments" },
  "chain.disconnected": { level: "warn", meaning: "it does not right now; Till polls instead" },
  "chain.unreadable": { level: "warn", meaning: "the nodes gave no usable answer; Till keeps asking" },
  "chain.behind": { level: "debug", meaning: "a node is behind what was seen before" },
  "chain.reorg": {
    level: "warn",
    meaning: "the blocks above `block` were replaced by others, and are read again",
  },
  "chain.crowded": {
    level: "warn",
    meaning:
      "`block` has more transfers to your addresses than the node gives at a time, perhaps a flood; it is read by its receipts",
  },
  "chain.incomplete": {
    level: "warn",
    meaning: "a node had left payments out of an answer; they are credited now",
  },
  "chain.older_blocks": { level: "warn", meaning: "older blocks could not be read again; Till tries later" },
  "chain.no_multicall": {
    level: "info",
    meaning: "the chain has no Multicall3, so late payments are found slowly",
  },
  "chain.refused": {
    level: "error",
    meaning: "the node cannot be used as it is configured; nothing is credited until that changes",
  },
  "chain.stopped": { level: "error", meaning: "the chain is no longer watched: restart Till" },

  "webhook.delivered": { level: "info", meaning: "a receiver accepted an event" },
  "webhook.retry": {
    level: "warn",
    meaning: "a receiver did not accept an event; Till tries again at `next`",
  },
  "webhook.failed": {
    level: "error",
    meaning: "Till gave up delivering an event: see `till webhook list`, then `redeliver`",
  },
  "webhook.unrecorded": {
    level: "error",
    meaning: "the result of an attempt cannot be stored; Till keeps trying",
  },
  "webhook.stalled": { level: "error", meaning: "webhooks cannot be sent right now; Till keeps trying" },
  "webhook.stopped": { level: "error", meaning: "webhooks are no longer sent: restart Till" },

  "mail.sent": { level: "info", meaning: "the mail server accepted a mail" },
  "mail.retry": { level: "warn", meaning: "it did not accept a mail; Till tries again at `next`" },
  "mail.failed": {
    level: "warn",
    meaning: "it did not accept a mail, and Till does not try again: see `till send`",
  },
  "mail.unknown": {
    level: "warn",
    meaning: "a mail may or may not have arrived; Till does not repeat it by itself",
  },
  "mail.interrupted": {
    level: "warn",
    meaning: "mails were being handed over when Till ended, and may or may not have arrived",
  },
  "mail.without_pdf": {
    level: "warn",
    meaning:
      "the PDF could not be made in time, or the mail server takes no mail of that size; the mail goes without it",
  },
  "mail.not_configured": {
    level: "warn",
    meaning: "there is no mail server: mails wait in the outbox for two days",
  },
  "mail.broken": {
    level: "error",
    meaning: "sending a mail went wrong inside Till; it stays in the outbox unless it may have arrived",
  },
  "mail.waiting": { level: "error", meaning: "a new mail could not be sent at once; it waits in the outbox" },
  "mail.unrecorded": {
    level: "error",
    meaning: "the outcome of a mail cannot be stored; Till keeps trying",
  },
  "mail.stalled": { level: "error", meaning: "mails cannot be sent right now; Till keeps trying" },

  "settlement.started": {
    level: "info",
    meaning: "the gas account sends a transaction; `purpose` says what for",
  },
  "settlement.done": { level: "info", meaning: "the money of `count` deposits is at the payout wallets" },
  "settlement.elsewhere": {
    level: "info",
    meaning: "somebody else moved a deposit's money to its payout wallet",
  },
  "settlement.failed": {
    level: "warn",
    meaning: "a deposit's money could not be moved; Till tries again at `next`",
  },
  "settlement.waiting": {
    level: "warn",
    meaning: "nothing can be moved right now, for example because ETH is missing",
  },
  "settlement.resumed": { level: "info", meaning: "what settlement waited for is there" },
  "settlement.stopped": { level: "error", meaning: "nothing is settled any more: restart Till" },

  "wallet.created": { level: "warn", meaning: "a new wallet was made: write its words down" },
  "database.replaced": {
    level: "error",
    meaning:
      "till.db was moved, removed or overwritten: nothing is stored until Till starts on the right one",
  },
  "database.unsealed": {
    level: "warn",
    meaning: "old webhook secrets could not be wiped yet; the next start tries again",
  },
  "pdf.failed": {
    level: "warn",
    meaning: "a PDF could not be made ahead of time; it is made when it is asked for",
  },
  "proxy.not_configured": {
    level: "warn",
    meaning: "the addresses of clients are not known, so limits per address do not apply",
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
  outcome: "how an attempt to deliver ended",
  attempt: "the number of the attempt, from 1 on",
  next: "when Till tries again",
  count: "how many",
  request: "the id of a request, which its answer has as `x-request-id`",
  method: "of a request",
  route: "the pattern of the path that was asked for, without ids",
  path: "of a request that failed",
  status: "of the answer",
  ms: "how long it took, in milliseconds",
  file: "a file",
  url: "an address",
  node: "the host of a node",
} as const satisfies Record<string, string>;

type NamedFor<L extends Generic.Level> = {
  [Name in keyof typeof logEvents]: (typeof logEvents)[Name]["level"] extends L ? Name : never;
}[keyof typeof logEvents];

/** Takes each event at its own level, with fields that have a meaning. */
export type Log = Generic.Log<{ [L in Generic.Level]: NamedFor<L> }, keyof typeof logFields>;

export type LogFields = Generic.Fields<keyof typeof logFields>;
