import { hasCode } from "../chain/account/account.ts";
import { type Call, factoryDeployment } from "../chain/contract/settle-call.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import type { GasAccount } from "./gas-account.ts";
import type { Job } from "./gas-transaction.ts";

/** The contract behind every settlement on a chain. Whoever needs it first creates it. */

type FactoryState =
  | { kind: "there" }
  /** Its creation is on its way. */
  | { kind: "coming" }
  | { kind: "missing" }
  /** Its creation failed to produce it, or this chain has no deterministic deployer. */
  | { kind: "impossible"; reason: string };

type Place = Partial<Pick<GasAccount, "elsewhere">>;
type FactoryView = Pick<GasAccount, "db" | "rpc" | "chainId" | "now"> & Place;

const { factory, deployer } = DepositAddress;

/** How long to wait before another attempt after one that produced nothing, as something else is wrong. */
const redeployAfterMs = 3_600_000;

/** Returns whether the factory is on the chain. Throws when the node fails or answers nonsense. */
export async function factoryState({ db, rpc, chainId, now }: FactoryView): Promise<FactoryState> {
  if (await hasCode(rpc, factory)) return { kind: "there" };
  const last = GasTransactionStore.latest(db, chainId, "deploy");
  if (last?.state === "pending") return { kind: "coming" };
  if (last && now() - last.createdAt < redeployAfterMs) {
    return {
      kind: "impossible",
      reason: `transaction ${last.txHash} did not create Till's factory at ${factory}`,
    };
  }
  if (await hasCode(rpc, deployer)) return { kind: "missing" };
  return { kind: "impossible", reason: `this chain has no deterministic deployer at ${deployer}` };
}

/** Its 3,600 bytes may take as much gas as its creation, and more on a busy day. Unused gas costs nothing. */
const dataGas = 4_000_000n;

const creationOn = ({ elsewhere }: Place): Call => {
  const { gasLimit } = factoryDeployment;
  return { ...factoryDeployment, gasLimit: elsewhere?.takesGasForData ? gasLimit + dataGas : gasLimit };
};

/** Creates the factory, unless another process already did. */
export function deployment(gas: Pick<GasAccount, "db" | "chainId"> & Place): Job {
  const { db, chainId } = gas;
  const before = GasTransactionStore.latest(db, chainId, "deploy");
  return {
    ...creationOn(gas),
    purpose: "deploy",
    reason: "create Till's factory",
    stillWanted: () =>
      before?.state !== "pending" && GasTransactionStore.latest(db, chainId, "deploy")?.id === before?.id,
  };
}

/**
 * Returns everything to send for these settlements, from any account: the factory's creation first where it is missing.
 * Throws a NoFactory on a chain where it cannot be created.
 */
export async function withFactory(looking: FactoryView, settlements: readonly Call[]): Promise<Call[]> {
  if (settlements.length === 0) return [];
  const state = await factoryState(looking);
  if (state.kind === "impossible") throw new NoFactory(state.reason);
  return state.kind === "there" ? [...settlements] : [creationOn(looking), ...settlements];
}

class NoFactory extends Error {
  override readonly name = "NoFactory";
  constructor(reason: string) {
    super(`Nothing can be moved: ${reason}.`);
  }
}
