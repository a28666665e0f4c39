import type * as Generic from "../lib/log.ts";

/** The level of a log entry, and its meaning for the reader. */
const event =
  <L extends Generic.Level>(level: L) =>
  (meaning: string) => ({ level, meaning });

const debug = event("debug");
const info = event("info");
const warn = event("warn");
const error = event("error");

/**
 * All names of log entries. Operators' alarms and searches rely on them: a name stays, and only its message may change.
 * The tables of docs/log.md are generated from this.
 */
export const logEvents = {
  ready: info("Till is ready, at `url`"),
  stopping: info("Till was told to stop, and is finishing its work"),
  "stop.forced": error("stopping took too long and was cut short; no stored data is lost"),
  "stop.failed": error("stopping failed, or Till stopped unexpectedly"),

  "log.dropped": warn("nobody read the log for a while: `count` entries were dropped"),

  "connections.crowded": warn(
    "`count` of the `limit` connections and files that the system allows are open: Till ends idle ones",
  ),

  "update.unknown": warn(
    "Till cannot find out whether a release fixes a security hole: see `reason`; it keeps trying",
  ),

  payment: info(
    "a payment, or its loss, changed the status of an `invoice` or a `link`: see `from` and `to`",
  ),
  closing: info(
    "the merchant voided an `invoice` or a `link`, marked it as paid or undid the mark: see `from` and `to`",
  ),
  quoted: info(
    "an `invoice` in a currency was quoted again by the merchant, or a `link` as its price had ended: `amount` is due now",
  ),
  "quote.failed": warn(
    "somebody opened a `link` whose price had ended, and it was not quoted again: see `reason`; its page asks for no money",
  ),
  expired: info("the time of a `link` was over before it was paid"),
  "expired.stalled": error("Till cannot say right now which links expired; it keeps trying"),
  "recurring.made": info("an `invoice` of a `series` was made: its date is `day`"),
  "recurring.waiting": warn(
    "an invoice that repeats cannot be made just now: see `reason`; Till keeps trying",
  ),
  "recurring.paused": error(
    "an invoice that repeats is refused as it stands: see `reason`; the `series` is paused until somebody corrects and resumes it",
  ),
  "recurring.stalled": error("Till cannot make the invoices that repeat right now; it keeps trying"),
  "receipt.tax_waiting": warn(
    "the tax of a receipt cannot be stated in the currency of the seller's country just now: see `reason`; Till keeps trying",
  ),
  "invoice.corrected": info("the merchant corrected what is not the bill itself of an `invoice`"),
  "credit_note.created": info("the merchant issued a `credit_note` for an `invoice`"),
  crossing: info("Till learned of USDC that a payer sent from another chain: see `chain`, `tx` and `to`"),
  "crossing.unanswered": warn(
    "Circle, or the node, did not say what became of USDC from another chain: see `reason`; Till keeps asking",
  ),
  "payment.late": info("an address holds more than its payments add up to; Till is rereading its blocks"),
  "payment.found": info("Till found payments in blocks that it had read before"),
  "payment.lost": error("the chain took back a confirmed payment; check whether you have already shipped"),
  "payment.too_old": error("a node reported a payment in a block older than its address; it does not count"),
  "payment.contradicted": error(
    "another `node` contradicts the one that reported a payment; it does not count until they agree",
  ),
  "payment.agreed": info("the nodes now agree about a payment that one had contradicted"),
  "payment.alone": warn("no other node answered for a minute, so a payment counts on one `node`'s word"),
  "payment.unknown": warn("no node knows a payment that one of them had reported; Till took it back"),
  "payment.missing": error(
    "an address holds less than Till credited, though nothing left it; `amount` is missing",
  ),
  "payment.unstored": error("Till cannot store payments; it keeps rereading them until it can"),

  "elsewhere.found": warn(
    "USDC came to a `deposit` address on another `chain`, where it does not count as paid",
  ),
  "elsewhere.moved": info("Till moved USDC on another `chain` to the payout wallet there, as an owner asked"),
  "elsewhere.waiting": warn(
    "USDC on another `chain` is to be moved, and is not yet: see `reason`; Till keeps trying unless the transfer was refused",
  ),
  "elsewhere.failed": error("Till cannot look after USDC on other chains right now; it will try again"),

  "chain.connected": info("a node's WebSocket reports payments"),
  "chain.disconnected": warn("a node's WebSocket reports no payments right now; Till polls instead"),
  "chain.unreadable": warn("the nodes gave no usable answer; Till keeps asking"),
  "chain.behind": debug("a node is behind what Till has already seen"),
  "chain.reorg": warn("other blocks replaced those above `block`; Till is rereading them"),
  "chain.crowded": warn(
    "`block` has more transfers to your addresses than the node returns at once, perhaps a flood; Till reads its receipts instead",
  ),
  "chain.incomplete": warn("a node had left payments out of an answer; Till has credited them now"),
  "chain.older_blocks": warn("Till could not reread older blocks; it will try later"),
  "chain.refused": error("Till cannot use the node as configured, and credits nothing until that changes"),
  "chain.stopped": error("Till no longer watches the chain: restart Till"),

  "rate.unusable": warn(
    "a `source` of exchange rates gave no answer or an implausible one; Till still asks the others",
  ),

  "value.stalled": warn("Till cannot record what payments were worth right now; it will try again"),

  "webhook.delivered": info("a receiver accepted an event"),
  "webhook.retry": warn("a receiver did not accept an event; Till will try again at `next`"),
  "webhook.failed": error("Till gave up delivering an event: see `till webhook list`, then `redeliver`"),
  "webhook.ended": info("an event was on its way to an endpoint that was deleted meanwhile"),
  "webhook.paused": error(
    "an endpoint answered 410, or failed for five days: mend it, then `till endpoint resume`",
  ),
  "webhook.unrecorded": error("Till cannot store the result of an attempt; it keeps trying"),
  "webhook.stalled": error("Till cannot send webhooks right now; it keeps trying"),
  "webhook.stopped": error("Till no longer sends webhooks: restart Till"),

  "mail.sent": info("the mail server accepted a mail"),
  "mail.retry": warn(
    "the mail server did not accept a mail; Till will try again at `next`, or once a mail server that was down is back",
  ),
  "mail.server_back": info("a mail server that was down answers again; the mails that waited for it go out"),
  "mail.failed": warn("the mail server did not accept a mail, and Till gave it up: see `till send`"),
  "mail.unknown": warn("a mail may or may not have arrived; Till does not send it again by itself"),
  "mail.interrupted": warn("Till ended while handing over mails, which may or may not have arrived"),
  "mail.without_pdf": warn(
    "a mail goes out without its PDF, which was not ready in time or is too large for the mail server",
  ),
  "mail.without_e_invoice": info(
    "a mail goes out without its e-invoice: the invoice lacks what `reason` says",
  ),
  "mail.not_configured": warn("there is no mail server; mails wait in the outbox for two days"),
  "mail.broken": error("Till failed to send a mail; it stays in the outbox unless it may have arrived"),
  "mail.waiting": error("Till could not send a new mail at once; it waits in the outbox"),
  "mail.unrecorded": error("Till cannot store the outcome of a mail; it keeps trying"),
  "mail.stalled": error("Till cannot send mails right now; it keeps trying"),

  "relay.mined": info("a payment by a signature, whose fee Till pays, is in a block"),
  "relay.failed": warn(
    "a payment by a signature failed after it was sent: see `reason`; the customer can pay again",
  ),
  "relay.stopped": error("Till no longer carries out payments by a signature: restart Till"),

  "settlement.started": info("the gas account is sending a transaction; `purpose` says what for"),
  "settlement.done": info("Till settled `count` deposits to their payout wallets"),
  "settlement.elsewhere": info("somebody else moved a deposit's money to its payout wallet"),
  "settlement.left": warn("a settlement left the chain after it was final; Till will settle again"),
  "settlement.failed": warn("Till could not settle a deposit; it will try again at `next`"),
  "settlement.unread": warn(
    "no node shows the receipt of a final settlement: Till goes by what is left at the deposit addresses",
  ),
  "settlement.waiting": warn("Till can settle nothing right now, for example because ETH is missing"),
  "settlement.resumed": info("settlement can go on: what it waited for is there"),
  "settlement.stopped": error("Till no longer settles: restart Till"),

  "gas.late": warn(
    "the chain does not take a transaction of the gas account: compare its `nonce` with a block explorer",
  ),

  "withdrawal.done": info("a withdrawal happened: `amount` USDC `to` an address"),
  "withdrawal.failed": warn("a withdrawal did not happen and never will; `reason` says why"),
  "withdrawal.waiting": warn(
    "a withdrawal waits, for example because its transaction reverted: see `reason`",
  ),
  "withdrawal.left": warn(
    "the chain took back a withdrawal after it was final; Till sends it again while it is valid",
  ),
  "refund.changed": info("a `refund` of `amount` USDC came to another state"),
  "refund.waiting": warn("an approved `refund` cannot be sent just now; `reason` says why"),
  "withdrawal.stopped": error("Till no longer carries out withdrawals from the desk: restart Till"),

  "wallet.exposed": error(
    "somebody else has the wallet's 12 words: they stopped a withdrawal in `tx`; withdraw what is left to another wallet at once",
  ),
  "wallet.created": warn("Till created a new wallet: write down its 12 words"),
  "desk.first_link": info(
    "nobody can sign in to the desk yet; `till login` prints a link that lets its owner in",
  ),
  "data.older": error(
    "money came to a `deposit` address that Till gave out and does not know: the data is older than the chain, as after a snapshot was put back",
  ),
  "data.unchecked": warn(
    "the chain could not be asked about addresses that Till may have given out; it asks again",
  ),
  "sign_in.refused": info("an account of the provider of sign-ins was not let in at the desk: see `reason`"),
  "sign_in.failed": warn(
    "the provider of sign-ins at the desk gave no usable answer: see `reason`; other ways to sign in work",
  ),
  "database.replaced": error(
    "somebody moved, removed or overwrote till.db: Till stores nothing until you restart it on the right file",
  ),
  "database.log_kept": warn(
    "the disk did not take what is to go from till.db-wal into till.db: nothing is lost, the file grows, and Till tries again",
  ),
  "original.unkept": error("Till could not keep a document as it was issued; it went out all the same"),
  "agent.failed": error("Till failed to answer a tool of an agent; `reason` says why"),
  "pdf.failed": warn("Till could not make a PDF ahead of time; it will make it on request"),
  "proxy.not_configured": warn(
    "Till does not know its clients' addresses, so limits per address do not apply",
  ),
  "proxy.client_unknown": warn(
    "a proxy in `TILL_TRUST_PROXY` sends no usable `X-Forwarded-For`, so limits per address do not apply to what it passes on; Till says this once",
  ),

  "http.failed": error("Till answered a request with 500; `reason` says why"),
  "mcp.refused": debug("Till refused a message of an agent, which its client may not have meant so"),
  "http.request": debug("Till answered a request"),
};

/** All fields of log entries besides time, level, event and message: one word for one thing. */
export const logFields = {
  reason: "what went wrong, in words for people; the words may change",
  invoice: "the number of an invoice",
  credit_note: "the number of a credit note",
  refund: "the id of a refund",
  series: "the id of an invoice that repeats",
  day: "the date that an invoice is made for",
  link: "the slug of a payment link",
  from: "the status before",
  to: "the status now",
  deposit: "a deposit address",
  chain: "the name of another chain than Till's own",
  wallet: "a payout wallet",
  amount: "an amount of USDC",
  tx: "the hash of a transaction",
  nonce: "the nonce of a gas account transaction",
  purpose: "what a transaction is for",
  block: "the number of a block",
  checkpoint: "the number of a block that Till read before, and the node lacks",
  webhook: "the id of a webhook event",
  mail: "the id of a mail",
  kind: "what a mail is: `invoice`, `reminder`, `void`, `credit`, `receipt`, `refund`, `notice`, `counter` or `owner`",
  receiver: "the origin of a webhook's URL, or the id of its endpoint",
  endpoint: "the id of a webhook endpoint",
  outcome: "how a delivery attempt ended",
  attempt: "the number of the attempt, starting at 1",
  next: "when Till will try again",
  count: "how many",
  limit: "how many there may be",
  request: "the id of a request, as in the `x-request-id` of its answer",
  method: "the method of a request",
  route: "the pattern of the requested path, without ids",
  path: "the path of a failed request",
  status: "the status of the answer",
  ms: "how long it took, in milliseconds",
  file: "a file",
  url: "a URL",
  node: "the host of a node",
  source: "whom Till asked for an exchange rate",
  proxy: "the address that the request came from",
  currency: "a currency code, such as `EUR`",
} as const satisfies Record<string, string>;

type NamedFor<L extends Generic.Level> = {
  [Name in keyof typeof logEvents]: (typeof logEvents)[Name]["level"] extends L ? Name : never;
}[keyof typeof logEvents];

/** Accepts each event at its own level, with documented fields. */
export type Log = Generic.Log<{ [L in Generic.Level]: NamedFor<L> }, keyof typeof logFields>;

export type LogFields = Generic.Fields<keyof typeof logFields>;
