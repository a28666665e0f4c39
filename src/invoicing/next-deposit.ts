import type { Wallet } from "../chain/account/wallet.ts";
import * as Email from "../domain/party/email.ts";
import type { Deposit } from "../domain/payment/deposit.ts";
import * as Outcome from "../domain/payment/outcome.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import type { Db } from "../store/database.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";

type DepositRequest = {
  merchantEmail: string;
  /** The caller's wallet for `byo`; null for `managed`, which is the merchant's account in Till's wallet. */
  wallet: Address | null;
  expected: Usdc.Usdc;
  /** The shortfall that the merchant accepts, before the limit of `Outcome.toleranceOf`. */
  tolerance: Usdc.Usdc;
};

/** Creates this installation's next deposit. Call it in the transaction that stores its invoice or link. */
export function nextDeposit(db: Db, wallet: Wallet, request: DepositRequest): Deposit {
  const payoutWallet =
    request.wallet ??
    wallet.merchantAddress(PartyStore.accountIndex(db, Email.normalize(request.merchantEmail)));
  const { factory, implementation } = DepositAddress;
  const index = DepositStore.nextIndex(db);
  const salt = DepositAddress.saltFor(wallet.addressSecret, index);
  return {
    index,
    address: DepositAddress.derive({ factory, implementation, payoutWallet, salt }),
    payoutWallet,
    salt,
    factory,
    expected: request.expected,
    net: request.expected,
    elsewhere: Usdc.zero,
    refunded: Usdc.zero,
    refunding: Usdc.zero,
    refundedElsewhere: Usdc.zero,
    tolerance: Outcome.toleranceOf(request.expected, request.tolerance),
    received: Usdc.zero,
    pending: Usdc.zero,
  };
}

/** Waits for the wallet, which opens shortly after the start. Throws a WalletUnavailable. */
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
