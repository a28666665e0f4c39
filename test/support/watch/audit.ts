import type { TestChain } from "../chain/chain.ts";
import { balanceOf } from "../chain/evm.ts";
import type { Receiver } from "../http/receiver.ts";
import { type TestTill, until } from "../till/till.ts";
import { ask, type Claim, differences, rowDifferences } from "./claim.ts";
import type { Ledger } from "./ledger.ts";
import { judgeWebhooks, missingWebhooks } from "./webhook-judge.ts";

export type Books = {
  till: Pick<TestTill, "api"> & { dataDir: string };
  chain: TestChain;
  ledger: Ledger;
  claims: readonly Claim[];
  receiver: Receiver;
};

/** Waits until everything that was sent is in a block. */
export async function allMined(chain: Pick<TestChain, "rpc">): Promise<void> {
  const waiting = async () => Number(((await chain.rpc("txpool_status")) as { pending: string }).pending);
  await until(waiting, (count) => count === 0);
}

/**
 * Waits until the API, the database and the webhooks say what the chain says, for at most `settleMsMax`; returns
 * what is wrong, one sentence each.
 */
export async function audit(books: Books, settleMsMax: number): Promise<string[]> {
  const { till, chain, ledger, claims, receiver } = books;
  await allMined(chain);
  const wrong = async () => {
    // A payment is answered before its block is mined.
    await ledger.note();
    const found = [
      ...rowDifferences(till.dataDir, claims, ledger),
      ...missingWebhooks(receiver.received, claims, ledger),
    ];
    if (found.length > 0) return found;
    for (const claim of claims) found.push(...differences(claim, await ask(till, claim), ledger));
    return found;
  };
  const faults = await until(wrong, (found) => found.length === 0, settleMsMax).catch(wrong);
  faults.push(...judgeWebhooks(receiver.received, claims, ledger));
  for (const claim of claims) {
    const balance = await balanceOf(chain, chain.usdc, claim.to);
    if (balance !== ledger.total(claim.to))
      faults.push(`the ledger itself is wrong: ${claim.to} has ${balance}`);
  }
  return [...new Set(faults)];
}
