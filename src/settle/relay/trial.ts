import { readNonce, wei } from "../../chain/account/account.ts";
import type { Authorization } from "../../chain/contract/authorization.ts";
import { call } from "../../chain/contract/token.ts";
import { RpcError } from "../../chain/node/rpc.ts";
import type { Hex } from "../../lib/crypto.ts";
import type { GasAccount } from "../gas-account.ts";
import type { RefusalCode } from "./refusal.ts";
import { keyGas, readMeans } from "./terms.ts";

type Call = { to: Authorization["token"]; data: Hex };

/** Reads what a key's transfer takes: its cost, a nonce, and a gas limit, or why the token does not execute it now. */
export async function tryAsKey(gas: GasAccount, { to, data }: Call) {
  const from = gas.wallet.gasAddress;
  const [means, nextNonce, gasLimit] = await Promise.all([
    readMeans(gas, { gasLimit: keyGas, data }),
    readNonce(gas.rpc, from),
    unlessRejected(call(gas.rpc, to, data, { from, gas: Number(keyGas) }).then(() => keyGas)),
  ]);
  return { means, nextNonce, gasLimit };
}

/** A contract may use more gas now than in the simulation. */
const estimatePercent = 120n;

/**
 * Returns the gas limit at which the token executes it now, or why it does not. `gasPrice` is in wei, as it will be
 * offered, since code can recognise a call without one as a trial.
 */
export async function estimate(
  { rpc, wallet }: GasAccount,
  { gasMax, ...asked }: Call & { gasMax: bigint; gasPrice: string },
): Promise<bigint | RefusalCode> {
  const transaction = { from: wallet.gasAddress, ...asked };
  const answer = unlessRejected(
    rpc.request("eth_estimateGas", [transaction, "latest"]).then((gas) => wei(rpc, gas)),
  );
  const used = await answer;
  if (typeof used === "string") return used;
  const limit = (used * estimatePercent) / 100n;
  return limit > gasMax ? "gas" : limit;
}

async function unlessRejected(gas: Promise<bigint>): Promise<bigint | RefusalCode> {
  try {
    return await gas;
  } catch (thrown) {
    if (thrown instanceof RpcError) return "rejected";
    throw thrown;
  }
}
