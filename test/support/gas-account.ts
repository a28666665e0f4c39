import { join } from "node:path";
import { createRpc } from "../../src/chain/rpc.ts";
import { openWallet, type Wallet } from "../../src/chain/wallet.ts";
import { networks } from "../../src/domain/network.ts";
import { type GasAccount, timing } from "../../src/service/gas-transaction.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as WalletStore from "../../src/store/wallet.ts";
import type { TestChain } from "./chain.ts";
import { makeDataDir, passphrase } from "./data-dir.ts";

export type TestGasAccount = GasAccount & {
  readonly dataDir: string;
  /** Lets time pass for Till, in ms; the chain has its own. */
  pass(ms: number): void;
  close(): void;
};

/**
 * A data directory with a new wallet, unless one is given: opening one is slow on purpose. Its gas account has 10 ETH
 * unless told.
 */
export async function openGasAccount(
  chain: TestChain,
  options: { confirmations?: number; wei?: bigint; rpcUrl?: string; wallet?: Wallet } = {},
): Promise<TestGasAccount> {
  const dir = makeDataDir();
  const db = openDatabase(dir.path);
  const wallet = options.wallet ?? (await openWallet({ file: join(dir.path, "wallet.json"), passphrase }));
  WalletStore.setGasAddress(db, wallet.gasAddress);
  await chain.giveEth(wallet.gasAddress, options.wei ?? 10n ** 19n);
  let passedMs = 0;
  return {
    db,
    rpc: createRpc({ url: options.rpcUrl ?? chain.rpcUrl }),
    wallet,
    chainId: networks.anvil.chainId,
    confirmations: options.confirmations ?? 1,
    now: () => Date.now() + passedMs,
    timing: { ...timing, pollMs: 20 },
    dataDir: dir.path,
    pass(ms) {
      passedMs += ms;
    },
    close() {
      closeDatabase(db);
      dir.remove();
    },
  };
}
