import type { Wallet } from "../chain/wallet.ts";

/** Waits for the wallet, which takes a moment to open after the start. Throws a WalletUnavailable. */
export async function openedWallet(wallet: Promise<Wallet>): Promise<Wallet> {
  try {
    return await wallet;
  } catch (thrown) {
    throw new WalletUnavailable({ cause: thrown });
  }
}

/** Runs a transaction that stores something new. Throws a StorageFailed when it did not. */
export async function stored<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw new StorageFailed({ cause: thrown });
  }
}

export class WalletUnavailable extends Error {
  override readonly name = "WalletUnavailable";
  constructor(options: ErrorOptions) {
    super(
      "The wallet could not be opened, so no deposit address can be created. See the server log.",
      options,
    );
  }
}

export class StorageFailed extends Error {
  override readonly name = "StorageFailed";
  constructor(options: ErrorOptions) {
    super("Nothing was saved. See the server log.", options);
  }
}
