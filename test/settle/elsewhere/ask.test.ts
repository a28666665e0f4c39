import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseConfig } from "../../../src/config/config.ts";
import { createLog } from "../../../src/lib/log.ts";
import { startElsewhere } from "../../../src/settle/elsewhere/elsewhere.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { openGasAccount, type TestGasAccount } from "../../support/chain/gas-account.ts";
import { passphrase } from "../../support/till/data-dir.ts";
import { storeInvoice } from "../../support/till/records.ts";

let chain: TestChain;
let gas: TestGasAccount;
beforeAll(async () => {
  chain = await startTestChain();
  gas = await openGasAccount(chain);
});
afterAll(async () => {
  gas.close();
  await chain.stop();
});

test("whoever asks Till to look, again and again, has it ask no chain more often, not its own either", async () => {
  let time = Date.now();
  const elsewhere = startElsewhere({
    config: parseConfig({
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: chain.rpcUrl,
      TILL_ELSEWHERE_RPC_URL: chain.rpcUrl,
      TILL_WALLET_PASSPHRASE: passphrase,
    }),
    db: gas.db,
    log: createLog({ format: "text", level: "debug", write: () => {} }),
    now: () => time,
    wallet: Promise.resolve(gas.wallet),
    withHome: (work) => work(gas),
    onMailDue() {},
  });
  const { deposit } = storeInvoice(gas.db);
  let looks = 0;
  const look = () =>
    elsewhere.lookNow(deposit, async () => {
      looks++;
    });
  await Promise.all([look(), look(), look()]);
  await look();
  expect(looks).toBe(1);
  time += 16_000;
  await look();
  expect(looks).toBe(2);
  await elsewhere.stop();
});
