import type * as Generic from "../lib/log.ts";

/** What an entry of the log is about: how bad it is, and what it means to a person who reads it. */
const event =
  <L extends Generic.Level>(level: L) =>
  (meaning: string) => ({ level, meaning });

const debug = event("debug");
const info = event("info");
const warn = event("warn");
const error = event("error");

/**
 * Every name that an entry of the log can have. Alarms and searches of operators are built on them: a name stays, and
 * only its message may change. The tables of docs/log.md are made from this.
 */
export const logEvents = {
  ready: info("Till is ready, at `url`"),
  stopping: info("it was told to stop, and finishes what it has begun"),
  "stop.forced": error("stopping took too long and was cut off; nothing stored is lost"),
  "stop.failed": error("stopping failed, or Till stopped by itself"),

  payment: info(
    "a payment, or the loss of one, changed the status of an `invoice` or a `link`: see `from` and `to`",
  ),
  closing: info(
    "the merchant voided an `invoice` or a `link`, marked it as paid or took that back: see `from` and `to`",
  ),
  quoted: info("the merchant quoted an `invoice` in a currency again: `amount` is to be paid now"),
  "credit_note.created": info("the merchant made a `credit_note` of an `invoice`"),
  "payment.late": info("an address holds more than any payment says; Till reads its blocks again"),
  "payment.found": info("payments were found in blocks that had been read before"),
  "payment.lost": error("the chain took a confirmed payment back; check whether you have shipped for it"),
  "payment.too_old": error(
    "a node told of a payment in a block that is older than its address; it does not count",
  ),
  "payment.contradicted": error(
    "another `node` contradicts the one that told of a payment; it does not count until they agree",
  ),
  "payment.agreed": info("the nodes agree about a payment that one had contradicted"),
  "payment.alone": warn("no other node answered for a minute, so a payment counts on the word of one `node`"),
  "payment.unknown": warn("no node knows a payment any more that one of them told of; it is taken back"),
  "payment.missing": error(
    "an address holds less than was credited, and nothing was moved from it; `amount` is missing",
  ),
  "payment.unstored": error("payments cannot be stored; Till reads them again until they can be"),

  "chain.connected": info("a node's WebSocket reports payments"),
  "chain.disconnected": warn("it does not right now; Till polls instead"),
  "chain.unreadable": warn("the nodes gave no usable answer; Till keeps asking"),
  "chain.behind": debug("a node is behind what was seen before"),
  "chain.reorg": warn("the blocks above `block` were replaced by others, and are read again"),
  "chain.crowded": warn(
    "`block` has more transfers to your addresses than the node gives at a time, perhaps a flood; it is read by its receipts",
  ),
  "chain.incomplete": warn("a node had left payments out of an answer; they are credited now"),
  "chain.older_blocks": warn("older blocks could not be read again; Till tries later"),
  "chain.no_multicall": info("the chain has no Multicall3, so late payments are found slowly"),
  "chain.refused": error(
    "the node cannot be used as it is configured; nothing is credited until that changes",
  ),
  "chain.stopped": error("the chain is no longer watched: restart Till"),

  "rate.unusable": warn(
    "a `source` of exchange rates did not answer, or its answer cannot be believed; the others are asked all the same",
  ),

  "value.stalled": warn("what payments were worth cannot be kept just now; Till tries again"),

  "webhook.delivered": info("a receiver accepted an event"),
  "webhook.retry": warn("a receiver did not accept an event; Till tries again at `next`"),
  "webhook.failed": error("Till gave up delivering an event: see `till webhook list`, then `redeliver`"),
  "webhook.unrecorded": error("the result of an attempt cannot be stored; Till keeps trying"),
  "webhook.stalled": error("webhooks cannot be sent right now; Till keeps trying"),
  "webhook.stopped": error("webhooks are no longer sent: restart Till"),

  "mail.sent": info("the mail server accepted a mail"),
  "mail.retry": warn("it did not accept a mail; Till tries again at `next`"),
  "mail.failed": warn("it did not accept a mail, and Till does not try again: see `till send`"),
  "mail.unknown": warn("a mail may or may not have arrived; Till does not repeat it by itself"),
  "mail.interrupted": warn("mails were being handed over when Till ended, and may or may not have arrived"),
  "mail.without_pdf": warn(
    "the PDF could not be made in time, or the mail server takes no mail of that size; the mail goes without it",
  ),
  "mail.without_e_invoice": info(
    "the mail of an invoice goes out without its e-invoice: the invoice lacks what `reason` says",
  ),
  "mail.not_configured": warn("there is no mail server: mails wait in the outbox for two days"),
  "mail.broken": error(
    "sending a mail went wrong inside Till; it stays in the outbox unless it may have arrived",
  ),
  "mail.waiting": error("a new mail could not be sent at once; it waits in the outbox"),
  "mail.unrecorded": error("the outcome of a mail cannot be stored; Till keeps trying"),
  "mail.stalled": error("mails cannot be sent right now; Till keeps trying"),

  "relay.mined": info("a payment by a signature, whose fee Till pays, is in a block"),
  "relay.failed": warn("it was sent and failed: see `reason`; the payer can pay again"),
  "relay.stopped": error("payments by a signature are no longer carried out: restart Till"),

  "settlement.started": info("the gas account sends a transaction; `purpose` says what for"),
  "settlement.done": info("the money of `count` deposits is at the payout wallets"),
  "settlement.elsewhere": info("somebody else moved a deposit's money to its payout wallet"),
  "settlement.left": warn("a settlement left the chain after it was final; Till makes it again"),
  "settlement.failed": warn("a deposit's money could not be moved; Till tries again at `next`"),
  "settlement.waiting": warn("nothing can be moved right now, for example because ETH is missing"),
  "settlement.resumed": info("what settlement waited for is there"),
  "settlement.stopped": error("nothing is settled any more: restart Till"),

  "withdrawal.done": info("a withdrawal of the desk was made: `amount` USDC `to` an address"),
  "withdrawal.failed": warn(
    "a withdrawal of the desk was not made and will not be; nothing was moved for it",
  ),
  "withdrawal.stopped": error("withdrawals of the desk do not go on: restart Till"),

  "wallet.created": warn("a new wallet was made: write its words down"),
  "desk.first_link": info("nobody can sign in to the desk yet; `url` lets its owner in, once"),
  "database.replaced": error(
    "till.db was moved, removed or overwritten: nothing is stored until Till starts on the right one",
  ),
  "pdf.failed": warn("a PDF could not be made ahead of time; it is made when it is asked for"),
  "proxy.not_configured": warn("the addresses of clients are not known, so limits per address do not apply"),

  "http.failed": error("a request was answered with 500, for this `reason`"),
  "http.request": debug("a request was answered"),
};

/** Every field that an entry can have besides its time, level, event and message: one word for one thing. */
export const logFields = {
  reason: "what went wrong, in words; it is for people and may change",
  invoice: "the number of an invoice",
  credit_note: "the number of a credit note",
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
  kind: "what a mail is: `invoice`, `reminder`, `void`, `credit`, `receipt` or `notice`",
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
  source: "who was asked for an exchange rate",
  currency: "three letters, such as `EUR`",
} as const satisfies Record<string, string>;

type NamedFor<L extends Generic.Level> = {
  [Name in keyof typeof logEvents]: (typeof logEvents)[Name]["level"] extends L ? Name : never;
}[keyof typeof logEvents];

/** Takes each event at its own level, with fields that have a meaning. */
export type Log = Generic.Log<{ [L in Generic.Level]: NamedFor<L> }, keyof typeof logFields>;

export type LogFields = Generic.Fields<keyof typeof logFields>;
