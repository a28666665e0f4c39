import { payers } from "../../../../src/chain/dev/dev-chain.ts";
import type * as Address from "../../../../src/domain/wallet/address.ts";
import { type Deposit, eth } from "../../../support/chain/deposits.ts";
import type { Sent } from "./attack.ts";
import type { World } from "./world.ts";

/**
 * What came to a deposit address is there or in its payout wallet, to the last unit, and nobody else has more than
 * was sent to them.
 */
export async function judgeBalances(
  world: World,
  deposits: readonly Deposit[],
  sent: Sent,
): Promise<string[]> {
  const walletOf = new Map(deposits.map(({ address, payoutWallet }) => [address, payoutWallet]));
  const endOf = (of: Address.Address): Address.Address => {
    const next = walletOf.get(of);
    return next === undefined ? of : endOf(next);
  };
  const addresses = [
    ...new Set([...world.fixed, ...deposits.flatMap((each) => [each.address, each.payoutWallet])]),
  ];
  const faults: string[] = [];
  for (const token of world.tokens) {
    const surplus = new Map<Address.Address, bigint>();
    await Promise.all(
      addresses.map(async (of) => {
        const [held, taxed] = await Promise.all([world.held(token, of), world.taxed(token, of)]);
        const expected = world.atFirst(token, of) + (sent.get(`${token} ${of}`) ?? 0n);
        const end = endOf(of);
        surplus.set(end, (surplus.get(end) ?? 0n) + held + taxed - expected);
      }),
    );
    for (const [end, more] of surplus) {
      // Whoever sends transactions pays for them.
      const isPaying = token === eth && payers.includes(end);
      if (isPaying ? more > 0n : more !== 0n) faults.push(`${end} has ${more} of ${token} that nobody sent`);
    }
  }
  return faults;
}
