import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseConfig } from "../../../src/config/config.ts";
import { createLog } from "../../../src/lib/log.ts";
import { startElsewhere } from "../../../src/settle/elsewhere/elsewhere.ts";
import * as ElsewhereStore from "../../../src/store/tables/settle/elsewhere.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { openGasAccount, type TestGasAccount } from "../../support/chain/gas-account.ts";
import { passphrase } from "../../support/till/data-dir.ts";
import { storeInvoice } from "../../support/till/records.ts";
import { until } from "../../support/till/till.ts";
import { usdc } from "../../support/usdc.ts";

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

/** With a node of Till's own chain in TILL_ELSEWHERE_RPC_URL, or none. */
const start = (TILL_ELSEWHERE_RPC_URL: string, now: () => number) =>
  startElsewhere({
    config: parseConfig({
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: chain.rpcUrl,
      TILL_ELSEWHERE_RPC_URL,
      TILL_WALLET_PASSPHRASE: passphrase,
    }),
    db: gas.db,
    log: createLog({ format: "text", level: "debug", write: () => {} }),
    now,
    wallet: Promise.resolve(gas.wallet),
    withHome: (work) => work(gas),
    onMailDue() {},
  });

test("whoever asks Till to look, again and again, has it ask no chain more often, not its own either", async () => {
  let time = Date.now();
  const elsewhere = start(chain.rpcUrl, () => time);
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

test("says why what an owner wanted moved is not, once no node of that chain is named any more", async () => {
  const { index } = storeInvoice(gas.db).deposit;
  const [{ id = 0 } = {}] = foundOn(31338, index);
  ElsewhereStore.want(gas.db, id, Date.now());
  const elsewhere = start("", Date.now);
  const why = await until(
    () => elsewhere.obstacleOf(id),
    (reason) => reason !== null,
  );
  expect(why).toContain("TILL_ELSEWHERE_RPC_URL has no node of Ethereum (Anvil)");
  expect(elsewhere.warnings()).toHaveLength(1);
  await elsewhere.stop();
});

function foundOn(chainId: number, index: number) {
  ElsewhereStore.note(gas.db, chainId, [{ index, balance: usdc("25.00") }], Date.now());
  return ElsewhereStore.listOf(gas.db, index);
}
