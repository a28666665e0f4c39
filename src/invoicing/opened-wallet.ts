import type { Wallet } from "../chain/account/wallet.ts";

/** Waits for the wallet, which opens a moment after the start. Throws a WalletUnavailable. */
export async function openedWallet(wallet: Promise<Wallet>): Promise<Wallet> {
  try {
    return await wallet;
  } catch (thrown) {
    throw new WalletUnavailable({ cause: thrown });
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
