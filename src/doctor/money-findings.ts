import { collect, type Finding } from "../domain/finding.ts";
import * as Usdc from "../domain/usdc.ts";
import { counted } from "../lib/text/english.ts";
import { instant } from "../lib/time.ts";
import type { Db } from "../store/database.ts";
import * as EventStore from "../store/tables/outbox/event.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import * as UnknownDepositStore from "../store/tables/settle/unknown-deposit.ts";
import * as UnsettledStore from "../store/tables/settle/unsettled.ts";
import * as WithdrawalStore from "../store/tables/settle/withdrawal.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import * as CrossingStore from "../store/tables/watch/crossing.ts";
import * as LostTransferStore from "../store/tables/watch/lost-transfer.ts";
import * as OpinionStore from "../store/tables/watch/opinion.ts";
import * as RereadStore from "../store/tables/watch/reread.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import { namedMax } from "./finding.ts";
import { namesOf } from "./replay.ts";

/** Findings about money that need attention: payments, and Till's own wallet. */

const lostPaymentsNamedMax = 10;
const lostPaymentsNamedForMs = 86_400_000;

/** By then somebody has dealt with it; it remains in the events. */
const unexpectedNamedForMs = 30 * 86_400_000;

/** Everything counts sooner, even with `finalized`, unless TILL_CONFIRMATIONS is a very large number. */
const stuckMs = 2 * 3_600_000;

/** Circle has it minted within minutes, or not at all. */
const undeliveredMs = 3_600_000;

const moreAdvice =
  "Till keeps reading the blocks: give TILL_RPC_URL another node, or compare with a block explorer";

/**
 * Warns of confirmed payments lost in a reorganisation, for a day; money for what nobody owes, for 30 days; transfers
 * that nodes disagree about; USDC from other networks that nobody has delivered; and addresses whose balance differs from
 * the books.
 */
export function paymentWarnings(db: Db, now: number): Finding[] {
  const lost = LostTransferStore.listUncovered(db, now - lostPaymentsNamedForMs, lostPaymentsNamedMax);
  const { contradicted, alone, waiting } = OpinionStore.tally(db, now);
  const unread = RereadStore.lateProblem(db);
  const { findings, warning, wrong } = collect("payments");
  for (const hash of lost)
    warning(
      `the confirmed payment ${hash} left the chain and has not come back`,
      "check whether you have shipped for it; Till credits it again if it comes back",
    );
  const unexpected = EventStore.listUnexpected(db, now - unexpectedNamedForMs, namedMax);
  if (unexpected.deposits.length > 0) {
    warning(
      `money came to what is void or marked as paid: ${namesOf(db, unexpected)}`,
      "it is credited and settled as any other: ask the payer, and refund it yourself if nobody owed it",
    );
  }
  if (contradicted > 0)
    wrong(
      `the nodes contradict each other about ${counted(contradicted, "payment")}, which Till does not count: ${OpinionStore.listContradicted(db, namedMax).join(", ")}`,
      "one of the nodes is wrong or lies: look the transaction up in a block explorer, and take that node out of TILL_RPC_URL",
    );
  const unexplained = (
    cause: BalanceStore.Cause,
    find: typeof warning,
    what: (plural: boolean) => string,
    advice: string,
  ) => {
    const { count, total, deposits } = BalanceStore.listUnexplained(db, cause, namedMax);
    if (count === 0) return;
    const named = deposits.map(({ address, amount }) => `${Usdc.formatExact(amount)} USDC at ${address}`);
    const others = count > named.length ? `, and ${count - named.length} more` : "";
    const message = `${what(count > 1)}: ${named.join(", ")}${others}`;
    find(message, advice, cause === "left" ? { code: "left", amount: total } : undefined);
  };
  unexplained(
    "missing",
    wrong,
    () => "less is there than was credited, and nothing was moved from there",
    "a node told of a payment that was none, or tells of balances that are none: compare with a block explorer before you ship",
  );
  unexplained(
    "left",
    warning,
    (plural) =>
      plural
        ? "settlements left the chain after they were final, and are made again"
        : "a settlement left the chain after it was final, and is made again",
    "Till makes its own again by itself, and somebody else's unless TILL_SETTLE is manual: then run till settle",
  );
  unexplained("untold", wrong, () => "more is there than any node tells of", moreAdvice);
  const unknown = UnknownDepositStore.list(db, now - unexpectedNamedForMs);
  if (unknown[0] !== undefined) {
    const named = unknown.slice(0, namedMax).map(({ address }) => address);
    wrong(
      `the data is older than the chain, as after a snapshot was put back: money came to ${counted(unknown.length, "deposit")} that it does not know (${named.join(", ")}), and numbers above ${unknown[0].lastSequence} may be on bills already`,
      "restore the newest backup; without one, till recover --settle moves what is there, and till backup and till restore --next-invoice go on above the numbers that customers have",
    );
  }
  const stuck = TransferStore.listStuck(db, stuckMs);
  if (stuck.length > 0)
    warning(
      `${counted(stuck.length, "payment")} of more than two hours ago ${stuck.length === 1 ? "does" : "do"} not count yet: ${stuck.slice(0, namedMax).join(", ")}`,
      "unless TILL_CONFIRMATIONS asks for as much, the node has forgotten the block: give TILL_RPC_URL another one",
    );
  const undelivered = CrossingStore.listUndelivered(db, now - undeliveredMs, namedMax);
  if (undelivered.deposits.length > 0)
    warning(
      `USDC from another network, signed by Circle more than an hour ago, has not been issued here: ${namesOf(db, undelivered)}`,
      "open its page in a browser with a wallet, and let it deliver the USDC: anybody can, for a fee of a cent or so",
    );
  if (unread) warning(`late payments are not found: ${unread}`, moreAdvice);
  if (alone > 0)
    warning(
      `${counted(alone, "payment")} counted on the word of one node, as no other one answered`,
      "look after the other nodes in TILL_RPC_URL; Till asks them again",
    );
  if (waiting > 0)
    warning(
      `${counted(waiting, "payment")} cannot count before a second node answers, the first since ${instant(OpinionStore.waitingSince(db) ?? now)}`,
      "look after the nodes in TILL_RPC_URL: one is silent, asked too often or behind",
    );
  return findings;
}

/** A withdrawal ends within an hour; blocks take some more time to become final. */
const overdueMs = 1_800_000;

/**
 * Warns about Till's wallet. A finding that somebody else has its words lasts as long as the wallet is used, as nothing
 * makes them secret again.
 */
export function walletWarnings(db: Db, chainId: number, now: number): Finding[] {
  const { findings, warning, wrong } = collect("wallet");
  const exposures = WithdrawalStore.listExposures(db, chainId);
  const [exposure] = exposures;
  if (exposure) {
    const { amount, from, failure, txHash } = exposure;
    const how = failure === "cancelled" ? "cancelled" : "used the nonce of";
    const others = exposures.length === 1 ? "" : `, the latest of ${exposures.length}`;
    wrong(
      `somebody else has the wallet's 12 words: they ${how} the withdrawal of ${Usdc.formatExact(amount)} USDC from ${from} in ${txHash}${others}`,
      WithdrawalStore.exposureAdvice,
      { code: "exposed", withdrawal: exposure.id },
    );
  }
  for (const withdrawal of WithdrawalStore.listPending(db, chainId)) {
    const { amount, from, transactionId, validBeforeSec } = withdrawal;
    const which = `the withdrawal of ${Usdc.formatExact(amount)} USDC from ${from}`;
    const isReverted =
      transactionId !== null && GasTransactionStore.byId(db, transactionId)?.state === "reverted";
    const ends = instant(validBeforeSec * 1_000);
    if (now > validBeforeSec * 1_000 + overdueMs)
      warning(
        `${which} was over at ${ends}, and no node has shown how it ended`,
        "give TILL_RPC_URL a node that keeps all logs, and look at the wallet in a block explorer",
      );
    else if (isReverted)
      warning(
        `the transaction of ${which} reverted; it is not sent again, and the withdrawal ends at ${ends}`,
        "till wallet withdraw sends it again now; the page of the withdrawal at the desk says what the token has against it",
      );
  }
  const recovered = Usdc.sum(UnsettledStore.listRecovered(db).map(({ amount }) => amount));
  if (recovered > 0n)
    warning(
      `recovered money is still at deposit addresses: ${Usdc.formatExact(recovered)} USDC`,
      "till recover --settle moves it",
      { code: "recovered", amount: recovered },
    );
  for (const { nonce, reason, createdAt } of GasTransactionStore.listLate(db, chainId))
    warning(
      `the chain has not taken transaction ${nonce} of the gas account (${reason}) since ${instant(createdAt)}`,
      `look the gas account up in a block explorer: if its next nonce is not ${nonce}, take the node that says so out of TILL_RPC_URL; if it is, Till sends it again by itself once fees and ETH allow`,
    );
  return findings;
}
