import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import multicall3 from "../../../assets/contracts/artifacts/Multicall3.json";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import type { Random } from "../random.ts";
import type { Ledger, Sent } from "../watch/ledger.ts";
import type { TestChain } from "./chain.ts";
import { encode } from "./evm.ts";

const multicall = Address.checksum("0xcA11bde05977b3631167028862bE2a173976CA11");
/** Enough for a few payments in a transaction. */
const defaultGas = "0x2dc6c0";

export type Payer = {
  pay(payment: Sent): Promise<void>;
  /** Several payments in one transaction; the money is made out of nothing. */
  payTogether(payments: readonly Sent[]): Promise<void>;
};

/** Pays without waiting for a receipt, and tells the ledger of it. */
export function createPayer(
  chain: Pick<TestChain, "rpc" | "usdc">,
  ledger: Pick<Ledger, "sent">,
  random: Random,
  gas = defaultGas,
): Payer {
  async function send(to: Address.Address, data: string, payments: readonly Sent[]): Promise<void> {
    const from = random.pick(payers);
    const hash = await chain.rpc("eth_sendTransaction", [{ from, to, data, gas }]);
    ledger.sent(String(hash), payments);
  }
  return {
    pay: (payment) =>
      send(chain.usdc, encode(usdcArtifact.abi, "transfer", [payment.to, payment.amount]), [payment]),
    payTogether: (payments) => send(multicall, mintCalls(chain.usdc, payments), payments),
  };
}

/** The call that makes all of these payments. */
function mintCalls(usdc: Address.Address, payments: readonly Sent[]): `0x${string}` {
  const calls = payments.map(({ to, amount }) => ({
    target: usdc,
    allowFailure: false,
    callData: encode(usdcArtifact.abi, "mint", [to, amount]),
  }));
  return encode(multicall3.abi, "aggregate3", [calls]);
}
