import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import factoryArtifact from "../../../assets/contracts/artifacts/TillFactory.json";
import { settleCall } from "../../../src/chain/contract/settle-call.ts";
import { readBlock } from "../../../src/chain/node/block.ts";
import { createTransferReader, topicOf } from "../../../src/chain/transfer/transfer-log.ts";
import { parseConfig } from "../../../src/config/config.ts";
import type { Deposit } from "../../../src/domain/payment/deposit.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import { createLog } from "../../../src/lib/log.ts";
import type { GasAccount } from "../../../src/settle/gas-account.ts";
import { run } from "../../../src/settle/run.ts";
import * as Settlement from "../../../src/settle/settlement.ts";
import { type Db, transact } from "../../../src/store/database.ts";
import * as WatchedStore from "../../../src/store/tables/watch/watched.ts";
import { createBalanceTask } from "../../../src/watch/doubt/balances.ts";
import { applyScan } from "../../../src/watch/payment/payment.ts";
import { passphrase } from "../till/data-dir.ts";
import { recordSettings, storeInvoice } from "../till/records.ts";
import { looked } from "../watch/looked.ts";
import type { TestChain } from "./chain.ts";
import { encode, send, stranger } from "./evm.ts";

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
    [...WatchedStore.changedSince(db, 0)].flat().map(({ address, index }) => [topicOf(address), index]),
  );
  const transfers = await createTransferReader(rpc, token, 100_000).read(
    { from: 0, to: head.number },
    recipients,
  );
  const findings = looked(db, { checkpoint: head, transfers, confirmedUpTo: head.number });
  applyScan(db, findings, Date.now(), { receipts: false, recordSettings });
}

/** Settles until nothing is left to do, as the server does. */
export async function settleAll(gas: GasAccount, rules: Settlement.SettlementRules): Promise<void> {
  for (;;) {
    const { batches } = await Settlement.plan(gas, rules);
    if (batches.length === 0) return;
    const jobs = batches.map((batch) => Settlement.jobOf(gas, batch, rules));
    const { obstacle } = await run(gas, jobs);
    if (obstacle !== null) throw new Error(obstacle);
    await Settlement.recordResults(gas, rules);
  }
}

/** Compares with the books what is due, as the watcher does, and looks into what they do not explain. */
export async function compareBalances({ db, rpc, now }: GasAccount, chain: TestChain): Promise<void> {
  const config = parseConfig({
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: chain.rpcUrl,
    TILL_WALLET_PASSPHRASE: passphrase,
  });
  const log = createLog({ format: "text", level: "debug", write: () => {} });
  let at = now();
  const task = createBalanceTask({ config, db, log, now: () => at }, () => {});
  const node = {
    id: "node",
    rpc,
    reader: createTransferReader(rpc, chain.usdc, config.logRange),
  };
  let waits = 0;
  for (let ms = task.dueInMs(at); ms !== null && ms <= lessAfterMs; ms = task.dueInMs(at)) {
    // What is less is looked into only when it is still so after a while.
    if (ms > sliceMs) waits += 1;
    if (waits > 1) break;
    at += ms;
    await task.slice(node);
  }
}

const sliceMs = 1_000;
const lessAfterMs = 10_000;

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
      db
        .query<{ total: bigint }, []>("SELECT coalesce(sum(settled_amount), 0) AS total FROM receivable")
        .get()?.total ?? 0n,
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
