import { createRpc } from "../../../src/chain/node/rpc.ts";
import { type Environment, parseConfig } from "../../../src/config/config.ts";
import { createGasAccount, type GasAccount } from "../../../src/settle/gas-account.ts";
import { closeDatabase } from "../../../src/store/database.ts";
import { walletFile } from "../../../src/store/files/data-dir.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { makeDataDir, makeWallet, openNewDatabase, passphrase } from "../till/data-dir.ts";
import type { TestChain } from "./chain.ts";

export type TestGasAccount = GasAccount & {
  readonly dataDir: string;
  /** Lets time pass for Till, in ms; the chain has its own. */
  pass(ms: number): void;
  close(): void;
};

/** A data directory with a new wallet, whose gas account has 10 ETH unless told. */
export async function openGasAccount(
  chain: TestChain,
  options: { confirmations?: number; wei?: bigint; rpcUrl?: string; settings?: Environment } = {},
): Promise<TestGasAccount> {
  const dir = makeDataDir();
  const db = openNewDatabase(dir.path);
  const wallet = await makeWallet({ file: walletFile(dir.path), passphrase });
  WalletStore.setGasAddress(db, wallet.gasAddress);
  await chain.giveEth(wallet.gasAddress, options.wei ?? 10n ** 19n);
  let passedMs = 0;
  const config = {
    ...parseConfig({
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: chain.rpcUrl,
      TILL_WALLET_PASSPHRASE: passphrase,
      ...options.settings,
    }),
    confirmations: options.confirmations ?? 1,
  };
  const now = () => Date.now() + passedMs;
  const account = createGasAccount(
    { config, db, wallet, now },
    createRpc({ url: options.rpcUrl ?? chain.rpcUrl }),
  );
  return {
    ...account,
    pollMs: 20,
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
