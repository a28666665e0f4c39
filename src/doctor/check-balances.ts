import { readReceipt } from "../chain/account/transaction.ts";
import { addressesPerCall, readHoldings } from "../chain/contract/balance.ts";
import { listReplaced } from "../chain/node/block.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import type { Config } from "../config/config.ts";
import { unexplainedBalance } from "../domain/payment/deposit.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import { messageOf } from "../lib/error.ts";
import { sleep } from "../lib/loop.ts";
import { counted } from "../lib/text/english.ts";
import type { Db } from "../store/database.ts";
import * as SettlementStore from "../store/tables/settle/settlement.ts";
import * as WithdrawalStore from "../store/tables/settle/withdrawal.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import * as WatchedStore from "../store/tables/watch/watched.ts";
import { type OnFinding, type OnProgress, reporter } from "./finding.ts";

/** Maximum deposits compared, unless all are requested. */
const comparedMax = 50_000;
const namedMax = 20;
/** The server may be booking what was just read. */
const settlingMs = 2_000;

type Difference = WatchedStore.WatchedDeposit & {
  /** In micro-USDC, positive if there is more than the books say. */
  amount: bigint;
  /** A settlement in the books is in a block that is no longer on the chain. */
  isUndone: boolean;
};

/**
 * Finds deposit addresses whose balance differs from what was received less what was settled. Throws when the node
 * fails.
 */
export async function compareBalances(
  { db, rpc, usdc }: { db: Db; rpc: Rpc; usdc: Address },
  deposits: readonly WatchedStore.WatchedDeposit[],
): Promise<Difference[]> {
  const addresses = deposits.map(({ address }) => address);
  const parts = await readHoldings(rpc, usdc, addresses, "latest");
  const held = parts.flatMap(({ number: block, of }) => of.map(({ balance }) => ({ balance, block })));
  const differing = deposits.flatMap((deposit, at) => {
    const books = { ...BalanceStore.books(db, deposit.index), lastBlock: 0 };
    const holding = held[at];
    const amount = holding ? unexplainedBalance(books, holding) : null;
    return amount ? [{ ...deposit, amount }] : [];
  });
  const blocksOf = (index: number) => SettlementStore.listBlocks(db, index);
  const replaced = await listReplaced(
    rpc,
    differing.flatMap(({ index }) => blocksOf(index)),
  );
  const gone = new Set(replaced.map(({ hash }) => hash));
  return differing.map((each) => ({
    ...each,
    isUndone: each.amount > 0n && blocksOf(each.index).some(({ hash }) => gone.has(hash)),
  }));
}

/** Reports what `till doctor` finds about balances of deposit addresses, most recently changed first. */
export async function checkBalances(
  { db, rpc, config, all }: { db: Db; rpc: Rpc; config: Config; all: boolean },
  onFinding: OnFinding,
  progress: OnProgress,
): Promise<void> {
  const report = reporter("balances", onFinding);
  const deposits = [...WatchedStore.changedSince(db, 0)].flat().reverse();
  const { usdc } = config.network;
  const differing: Difference[] = [];
  let compared = 0;
  try {
    while (compared < deposits.length && (all || compared < comparedMax)) {
      progress(`the balance of deposit ${compared + 1} of ${deposits.length}`);
      const some = deposits.slice(compared, compared + addressesPerCall);
      differing.push(...(await compareBalances({ db, rpc, usdc }, some)));
      compared += some.length;
    }
    if (differing.length > 0) await sleep(settlingMs);
    const lasting = await compareBalances({ db, rpc, usdc }, differing);
    for (const { address, amount, isUndone } of lasting.slice(0, namedMax)) {
      const money = `${Usdc.formatExact(Usdc.fromMicro(amount < 0n ? -amount : amount))} USDC`;
      if (isUndone)
        report.warning(
          `A settlement left the chain: ${money} are back at ${address}.`,
          "A running Till finds that within two minutes and makes its own again; with TILL_SETTLE=manual, run till settle then.",
        );
      else
        report.warning(
          `${address} holds ${money} ${amount > 0n ? "more" : "less"} than was received less what was settled.`,
          amount > 0n
            ? "A running Till finds a new payment at once, others within a day; till rescan finds them now."
            : "If somebody else settled it, a running Till finds that within an hour. Otherwise compare with a block explorer.",
        );
    }
    if (lasting.length > namedMax)
      report.warning(`${lasting.length} balances differ in all.`, "Begin with the ones named above.");
    const what = `balances of deposit addresses (${compared})`;
    if (lasting.length === 0) report.ok(`The ${what} are what was received less what was settled.`);
    if (compared < deposits.length)
      report.warning(
        `The balances of ${counted(deposits.length - compared, "older deposit")} were not compared.`,
        "To compare them too, however long it takes: till doctor --from 0",
      );
  } catch (thrown) {
    report.wrong(`Balances cannot be compared: ${messageOf(thrown)}.`, "Try again, or with another node.");
  }
}

/** A running Till checks for this long, too. */
const lookedAtForMs = 86_400_000;

/**
 * Reports what `till doctor` finds about the transactions that ended withdrawals, which a reorganisation may have
 * undone.
 */
export async function checkEnded(
  { db, rpc, config, now }: { db: Db; rpc: Rpc; config: Config; now: number },
  onFinding: OnFinding,
): Promise<void> {
  const report = reporter("withdrawals", onFinding);
  try {
    const ended = WithdrawalStore.listEnded(db, config.network.chainId, now - lookedAtForMs);
    for (const { txHash, amount, from, to } of ended) {
      if (txHash === null || (await readReceipt(rpc, txHash))) continue;
      report.warning(
        `The chain does not have transaction ${txHash}, which ended the withdrawal of ${Usdc.formatExact(amount)} USDC from ${from} to ${to}.`,
        "If it left the chain, a running Till finds that within ten minutes and makes the withdrawal again.",
      );
    }
  } catch (thrown) {
    report.wrong(`Withdrawals cannot be compared: ${messageOf(thrown)}.`, "Try again, or with another node.");
  }
}
