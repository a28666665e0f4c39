import { afterAll, beforeAll, expect, test } from "bun:test";
import { readNonce } from "../../../src/chain/account/account.ts";
import { readReceipt } from "../../../src/chain/account/transaction.ts";
import { topicOf, transferTopic } from "../../../src/chain/transfer/transfer-log.ts";
import * as GasTransactionStore from "../../../src/store/tables/settle/gas-transaction.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../../support/chain/gas-account.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { credit, fundedDeposit, newWallet, settledTotal } from "../../support/chain/settlement.ts";
import { passphrase } from "../../support/till/data-dir.ts";
import { endProcesses, program, startProcess, type TillProcess } from "../../support/till/process.ts";

/** `TEST_KILLS=100` kills a hundred times, in some minutes. */
const kills = Number(process.env["TEST_KILLS"] || 3);
const depositsPerRound = 3;
const lastRunsMax = 5;

let chain: TestChain;
let gas: TestGasAccount;
beforeAll(async () => {
  chain = await startTestChain();
  gas = await openGasAccount(chain);
});
afterAll(async () => {
  await endProcesses();
  gas.close();
  await chain.stop();
});

const settle = (rpcUrl: string) =>
  startProcess([...program, "settle", "--yes"], {
    env: {
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: rpcUrl,
      TILL_DATA_DIR: gas.dataDir,
      TILL_WALLET_PASSPHRASE: passphrase,
    },
  });

/** Where a process is killed; each is the last thing that it does. */
const moments = [
  "before the node hears of it",
  "after the node took it",
  "when it asks for the receipt",
] as const;

test(`settles every deposit once, however often it is killed (${kills} times)`, async () => {
  const wallet = newWallet();
  let due = 0n;
  let deposits = 0;
  let killed = 0;
  for (let round = 0; killed < kills; round++) {
    if (round > kills * 3) throw new Error(`only ${killed} of ${round} processes were killed`);
    for (let i = 0; i < depositsPerRound; i++) {
      const micro = BigInt(1_000_000 + 7 * deposits);
      await fundedDeposit(chain, gas.db, micro, wallet);
      due += micro;
      deposits += 1;
    }
    await credit(gas, chain.usdc);

    const moment = moments[round % moments.length];
    const proxy = startRpcProxy(chain.rpcUrl);
    let victim: TillProcess | null = null;
    const kill = async () => {
      await victim?.end("SIGKILL");
      return new Response(null, { status: 500 });
    };
    proxy.answer = async ({ method, params }) => {
      if (method === "eth_sendRawTransaction" && moment === "before the node hears of it") return kill();
      if (method === "eth_sendRawTransaction" && moment === "after the node took it") {
        await chain.rpc(method, params).catch(() => {});
        return kill();
      }
      if (method === "eth_getTransactionReceipt" && moment === "when it asks for the receipt") return kill();
      return undefined;
    };
    victim = settle(proxy.url);
    // Every second time another process settles beside the one that is killed.
    const beside = round % 2 === 1 ? settle(chain.rpcUrl) : null;
    if ((await victim.exited) === 137) killed += 1;
    await beside?.exited;
    await proxy.stop();
  }

  for (let run = 0; run < lastRunsMax && settledTotal(gas.db) !== due; run++)
    await settle(chain.rpcUrl).exited;

  expect(await balanceOf(chain, chain.usdc, wallet)).toBe(due);
  expect(settledTotal(gas.db)).toBe(due as never);
  expect(GasTransactionStore.listPending(gas.db, gas.chainId)).toEqual([]);
  const payouts = await chain.rpc("eth_getLogs", [
    {
      address: chain.usdc,
      fromBlock: "0x0",
      toBlock: "latest",
      topics: [transferTopic, null, topicOf(wallet)],
    },
  ]);
  expect(payouts).toHaveLength(deposits);

  // One transaction of each intent is in the chain, and the chain has no others of this account.
  const nonces = await readNonce(gas.rpc, gas.wallet.gasAddress);
  const intents = Number(
    gas.db.query<{ count: bigint }, []>("SELECT count(*) AS count FROM gas_transaction").get()?.count,
  );
  expect(nonces).toBe(intents);
  let attempts = 0;
  for (let id = 1; id <= intents; id++) {
    const all = GasTransactionStore.listAttempts(gas.db, id);
    attempts += all.length;
    const mined = await Promise.all(all.map(({ hash }) => readReceipt(gas.rpc, hash)));
    expect(mined.filter((receipt) => receipt !== null)).toHaveLength(1);
  }
  console.log(
    `${killed} kills, ${deposits} deposits, ${intents} intents, ${attempts} attempts, ${nonces} nonces used`,
  );
}, 1_800_000);
