import { afterAll, beforeAll, expect, test } from "bun:test";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { parseConfig } from "../../src/config/config.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { createLog } from "../../src/lib/log.ts";
import { startRelayer } from "../../src/settle/relay/relayer.ts";
import { startTreasury } from "../../src/settle/treasury.ts";
import { beginWithdrawal, carryOut, planWithdrawal } from "../../src/settle/withdraw.ts";
import * as AllowedAddressStore from "../../src/store/tables/desk/allowed-address.ts";
import * as RelayStore from "../../src/store/tables/settle/relay.ts";
import * as WithdrawalStore from "../../src/store/tables/settle/withdrawal.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { encode, send } from "../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { openRelays, owed, price, relayOf } from "../support/chain/relays.ts";
import { startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { newSigner } from "../support/chain/signer.ts";
import { hurry } from "../support/hurry.ts";
import { passphrase } from "../support/till/data-dir.ts";
import { until } from "../support/till/till.ts";

hurry();

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

function parts(rpcUrls = chain.rpcUrl) {
  const config = parseConfig({
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: rpcUrls,
    TILL_DATA_DIR: gas.dataDir,
    TILL_WALLET_PASSPHRASE: passphrase,
  });
  const log = createLog({ format: "text", level: "error", write: () => {} });
  const { db, now, wallet } = gas;
  return { config, log, db, now, wallet: Promise.resolve(wallet) };
}

test("signed payments go on once the database can be read again", async () => {
  const relays = await openRelays(chain, gas);
  const { id } = relayOf(await relays.accept(await owed(gas.db).request(await newSigner(chain, price))));
  gas.db.run("ALTER TABLE relay RENAME TO out_of_reach");
  const relayer = startRelayer({ ...parts(), watchAgain: () => {}, onEnded: () => {} });
  await until(relayer.warnings, (warnings) => warnings.some(({ message }) => message.includes("relay")));
  gas.db.run("ALTER TABLE out_of_reach RENAME TO relay");
  const state = await until(
    () => RelayStore.byId(gas.db, id)?.state,
    (state) => state === "mined",
  );
  expect(state).toBe("mined");
  await relayer.stop();
});

test("withdrawals of the desk go on once the database can be read again", async () => {
  const to = Address.checksum(`0x${"ab".repeat(20)}`);
  await chain.pay(gas.wallet.merchantAddress(1), "5.00");
  AllowedAddressStore.allow(gas.db, { address: to, name: "Till", createdAt: 0 });
  const plan = await planWithdrawal(gas, { token: chain.usdc, accountIndex: 1, to, amount: "all" });
  const { id } = beginWithdrawal(gas, plan, "k".repeat(22));
  gas.db.run("ALTER TABLE withdrawal RENAME TO out_of_reach");
  const treasury = startTreasury(parts());
  await until(
    () => treasury.obstacleOf(id),
    (obstacle) => obstacle?.includes("withdrawal") === true,
  );
  gas.db.run("ALTER TABLE out_of_reach RENAME TO withdrawal");
  const state = await until(
    () => WithdrawalStore.byId(gas.db, id)?.state,
    (state) => state === "done",
  );
  expect(state).toBe("done");
  await treasury.stop();
});

test("a withdrawal of the command line that nobody saw end is concluded by the server", async () => {
  const to = Address.checksum(`0x${"ef".repeat(20)}`);
  await chain.pay(gas.wallet.merchantAddress(3), "5.00");
  const plan = await planWithdrawal(gas, { token: chain.usdc, accountIndex: 3, to, amount: "all" });
  const { id } = beginWithdrawal(gas, plan);
  await chain.rpc("evm_increaseTime", [3_700]);
  await chain.mine(2);
  gas.pass(3_700_000);
  const entries: string[] = [];
  const log = createLog({ format: "text", level: "info", write: (line) => entries.push(line) });
  const treasury = startTreasury({ ...parts(), log });
  const withdrawal = await until(
    () => WithdrawalStore.byId(gas.db, id),
    (stored) => stored?.state !== "pending",
  );
  expect(withdrawal).toMatchObject({ state: "failed", failure: "expired" });
  await until(
    () => entries.join(""),
    (text) => text.includes("withdrawal.failed"),
  );
  await treasury.stop();
});

test("what holds up a withdrawal of the desk is logged once, and is a warning until it ends", async () => {
  const to = Address.checksum(`0x${"fe".repeat(20)}`);
  await chain.pay(gas.wallet.merchantAddress(4), "5.00");
  AllowedAddressStore.allow(gas.db, { address: to, name: "Till", createdAt: 0 });
  const plan = await planWithdrawal(gas, { token: chain.usdc, accountIndex: 4, to, amount: "all" });
  const freeze = (name: "blacklist" | "unBlacklist") =>
    send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, name, [to]) });
  await freeze("blacklist");
  const begun = beginWithdrawal(gas, plan, "m".repeat(22));
  const entries: string[] = [];
  const log = createLog({ format: "text", level: "warn", write: (line) => entries.push(line) });
  const treasury = startTreasury({ ...parts(), log });
  await until(treasury.warnings, (warnings) =>
    warnings.some(({ message }) => message.includes("was reverted and is not sent again")),
  );
  await freeze("unBlacklist");
  expect((await carryOut(gas, begun)).kind).toBe("done");
  // It would look by itself after ten seconds.
  treasury.lookAgain();
  await until(treasury.warnings, ({ length }) => length === 0);
  expect(entries.filter((line) => line.includes("withdrawal.waiting"))).toHaveLength(1);
  await treasury.stop();
});

test("many who ask at a time are all answered by the next node when the first is down", async () => {
  const relayer = startRelayer({
    ...parts(`http://127.0.0.1:1,${chain.rpcUrl}`),
    watchAgain: () => {},
    onEnded: () => {},
  });
  const domains = await Promise.all(Array.from({ length: 8 }, () => relayer.domain()));
  expect(new Set(domains.map(({ name }) => name)).size).toBe(1);
  await relayer.stop();
});

test("a withdrawal of the desk goes on with the next node when the first fails meanwhile", async () => {
  const to = Address.checksum(`0x${"cd".repeat(20)}`);
  const proxy = startRpcProxy(chain.rpcUrl);
  await chain.pay(gas.wallet.merchantAddress(2), "5.00");
  AllowedAddressStore.allow(gas.db, { address: to, name: "Till", createdAt: 0 });
  const treasury = startTreasury(parts(`${proxy.url},${chain.rpcUrl}`));
  const plan = await treasury.plan({ accountIndex: 2, to, amount: "all" });
  proxy.answer = () => new Response("down", { status: 503 });
  const { id } = treasury.begin(plan, "l".repeat(22));
  const state = await until(
    () => WithdrawalStore.byId(gas.db, id)?.state,
    (state) => state === "done",
    15_000,
  );
  expect(state).toBe("done");
  await treasury.stop();
  await proxy.stop();
});
