import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import factoryArtifact from "../../assets/contracts/artifacts/TillFactory.json";
import { readBlock } from "../../src/chain/block.ts";
import { settleCall } from "../../src/chain/settle-call.ts";
import { createTransferReader, topicOf } from "../../src/chain/transfer-log.ts";
import * as Address from "../../src/domain/address.ts";
import type { Deposit } from "../../src/domain/deposit.ts";
import * as DepositAddress from "../../src/domain/deposit-address.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import { type GasAccount, waitFor } from "../../src/service/gas-transaction.ts";
import { applyScan } from "../../src/service/payment.ts";
import * as Settlement from "../../src/service/settlement.ts";
import { type Db, transact } from "../../src/store/database.ts";
import * as DepositStore from "../../src/store/deposit.ts";
import type { TestChain } from "./chain.ts";
import { encode, send, stranger } from "./evm.ts";
import { storeInvoice } from "./records.ts";

/** A payout wallet that nobody has used. */
export const newWallet = () =>
  Address.checksum(`0x${Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString("hex")}`);

/** Gives the deposit address of a new invoice money, out of nothing. */
export async function fundedDeposit(
  chain: TestChain,
  db: Db,
  micro: bigint,
  payoutWallet: Address.Address,
  token: Address.Address = chain.usdc,
): Promise<Deposit> {
  const { deposit } = storeInvoice(db, { payoutWallet });
  await mint(chain, deposit.address, micro, token);
  return deposit;
}

export async function mint(
  chain: TestChain,
  to: Address.Address,
  micro: bigint,
  token: Address.Address = chain.usdc,
): Promise<void> {
  await send(chain, { to: token, data: encode(usdcArtifact.abi, "mint", [to, micro]) });
}

/** Credits everything that the chain has, as a scan with one confirmation does. */
export async function credit(gas: Pick<GasAccount, "db" | "rpc">, token: Address.Address): Promise<void> {
  const { db, rpc } = gas;
  const head = await readBlock(rpc, "latest");
  if (!head) throw new Error("The chain has no block");
  const recipients = new Map(
    DepositStore.listChangedSince(db, 0).map(({ address, index }) => [topicOf(address), index]),
  );
  const transfers = await createTransferReader(rpc, token, 100_000).read(
    { from: 0, to: head.number },
    recipients,
  );
  const findings = { checkpoint: head, undoAbove: null, transfers, confirmedUpTo: head.number };
  applyScan(db, findings, Date.now(), { receipts: false });
}

/** Puts the factory on the chain and settles until nothing is left to do, as the worker does. */
export async function settleAll(gas: GasAccount, rules: Settlement.SettlementRules): Promise<void> {
  if ((await Settlement.factoryState(gas)).kind === "missing") {
    await finish(gas, await Settlement.submitDeployment(gas));
  }
  for (;;) {
    const { batches } = await Settlement.plan(gas, rules);
    if (batches.length === 0) return;
    for (const batch of batches) await finish(gas, await Settlement.submitBatch(gas, batch, rules));
    await Settlement.recordResults(gas, rules);
  }
}

async function finish(
  gas: GasAccount,
  submitted: Awaited<ReturnType<typeof Settlement.submitDeployment>>,
): Promise<void> {
  if (submitted.kind !== "submitted") throw new Error(`not submitted: ${submitted.kind}`);
  const progress = await waitFor(gas, submitted.transaction.id);
  if (progress.kind !== "final") throw new Error(`not final: ${progress.kind}`);
}

/** A stranger creates the forwarder and flushes it, before Till does. */
export async function flushAsStranger(
  chain: TestChain,
  deposit: Deposit,
  token: Address.Address = chain.usdc,
): Promise<void> {
  const { to, data } = settleCall(token, [deposit]);
  await send(chain, { to, data, from: stranger });
}

export const createAsStranger = (chain: TestChain, { payoutWallet, salt }: Deposit) =>
  send(chain, {
    to: DepositAddress.factory,
    data: encode(factoryArtifact.abi, "deploy", [payoutWallet, salt]),
    from: stranger,
  });

/** What the database says was moved, and from which deposits. */
export function settledTotal(db: Db): Usdc.Usdc {
  return transact(db, () =>
    Usdc.fromMicro(
      db.query<{ total: bigint }, []>("SELECT coalesce(sum(settled_amount), 0) AS total FROM deposit").get()
        ?.total ?? 0n,
    ),
  );
}

/** How many settlements there are in each state. */
export function settlementStates(db: Db): Record<string, number> {
  return Object.fromEntries(
    db
      .query<{ state: string; count: bigint }, []>(
        "SELECT state, count(*) AS count FROM settlement GROUP BY state ORDER BY state",
      )
      .all()
      .map((row) => [row.state, Number(row.count)]),
  );
}
