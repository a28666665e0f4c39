import type { Environment } from "../../../src/config/config.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import type { TestChain } from "../chain/chain.ts";
import { startTestTill, type TestTill } from "../till/till.ts";

/** A Till that can pay the fees of others. */
export async function payingTill(chain: TestChain, environment: Environment = {}): Promise<TestTill> {
  const till = await startTestTill(chain, environment);
  const gasAccount = WalletStore.gasAddress(till.db);
  if (!gasAccount) throw new Error("There is no gas account");
  await chain.giveEth(gasAccount);
  return till;
}

/** A local chain asks for more than Base. */
export const localFees = { TILL_RELAY_FEE_MAX: "20", TILL_RELAY_BUDGET: "1" };
