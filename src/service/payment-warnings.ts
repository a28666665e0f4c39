import * as Usdc from "../domain/usdc.ts";
import { counted, sentence } from "../lib/english.ts";
import type { Db } from "../store/database.ts";
import * as LostTransferStore from "../store/lost-transfer.ts";
import * as OpinionStore from "../store/opinion.ts";
import * as ReadingStore from "../store/reading.ts";
import * as ShortfallStore from "../store/shortfall.ts";
import { type OnFinding, reporter } from "./finding.ts";
import { silenceMsMax } from "./second-opinion.ts";

const lostPaymentsNamedMax = 10;
const lostPaymentsNamedForMs = 86_400_000;

const namedMax = 5;

/**
 * What somebody has to look at, one sentence each: confirmed payments that a reorg took back, for a day; money that came
 * to addresses which were no longer watched, when no node gives the blocks in which it did; and what the nodes do not
 * agree about.
 */
export function paymentWarnings(db: Db, now: number): string[] {
  const lost = LostTransferStore.listUncovered(db, now - lostPaymentsNamedForMs, lostPaymentsNamedMax);
  const unread = ReadingStore.open(db, "late")?.problem;
  return [
    ...lost.map((hash) => `the confirmed payment ${hash} left the chain and has not come back`),
    ...doubts(db, now).map(({ message }) => message),
    ...(unread ? [`late payments are not found: ${unread}`] : []),
  ];
}

/** What is not certain about the payments that the nodes told of, with what to do about it. */
function doubts(db: Db, now: number): { isWrong: boolean; message: string; advice: string }[] {
  const { contradicted, alone, waiting } = OpinionStore.tally(db, now - silenceMsMax);
  const { count, deposits } = ShortfallStore.listMissing(db, namedMax);
  const found: { isWrong: boolean; message: string; advice: string }[] = [];
  if (contradicted > 0) {
    const named = OpinionStore.listContradicted(db, namedMax).join(", ");
    found.push({
      isWrong: true,
      message: `the nodes contradict each other about ${counted(contradicted, "payment")}, which Till does not count: ${named}`,
      advice:
        "One of the nodes is wrong or lies. Look the transaction up in a block explorer, and take that node out of TILL_RPC_URL.",
    });
  }
  if (count > 0) {
    const named = deposits.map(({ address, missing }) => `${Usdc.formatExact(missing)} USDC at ${address}`);
    found.push({
      isWrong: true,
      message: `less is there than was credited, and nothing was moved from there: ${named.join(", ")}${count > named.length ? `, and ${count - named.length} more` : ""}`,
      advice:
        "A node told of a payment that was none, or tells of balances that are none. Compare with a block explorer before you ship.",
    });
  }
  if (alone > 0)
    found.push({
      isWrong: false,
      message: `${counted(alone, "payment")} counted on the word of one node, as no other one answered`,
      advice: "Look after the other nodes in TILL_RPC_URL. Till asks them again.",
    });
  if (waiting > 0)
    found.push({
      isWrong: false,
      message: `${counted(waiting, "payment")} cannot count before a second node answers`,
      advice: "Look after the nodes in TILL_RPC_URL.",
    });
  return found;
}

/** What `till doctor` says about them. */
export function checkPayments(db: Db, now: number, found: OnFinding): void {
  const report = reporter("payments", found);
  const all = doubts(db, now);
  for (const { isWrong, message, advice } of all) {
    if (isWrong) report.wrong(sentence(message), advice);
    else report.warning(sentence(message), advice);
  }
  if (all.length === 0) report.ok("The nodes agree about all payments, and the money is where it should be.");
}
