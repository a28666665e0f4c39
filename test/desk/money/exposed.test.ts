import { beforeAll, expect, test } from "bun:test";
import { openWallet } from "../../../src/chain/account/wallet.ts";
import { authorizationCall } from "../../../src/chain/contract/authorization.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { walletFile } from "../../../src/store/files/data-dir.ts";
import * as AllowedAddressStore from "../../../src/store/tables/desk/allowed-address.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as WithdrawalStore from "../../../src/store/tables/settle/withdrawal.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { balanceOf, send } from "../../support/chain/evm.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { password, startDesk } from "../../support/desk/desk.ts";
import { owner, till, useDesk } from "../../support/desk/setup.ts";
import { shared } from "../../support/per-file.ts";
import { callTill } from "../../support/till/run-till.ts";
import { until } from "../../support/till/till.ts";

const ledger = Address.checksum("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");
const thief = Address.checksum(`0x${"7e".repeat(20)}`);

const chain = shared(startTestChain);
const node = shared(() => startRpcProxy(chain.rpcUrl));
useDesk(() => startDesk({ TILL_RPC_URL: node.url, TILL_RPC_WS_URL: chain.wsUrl, TILL_SETTLE: "manual" }));
beforeAll(async () => {
  AllowedAddressStore.allow(till.db, { address: ledger, name: "Ledger", createdAt: Date.now() });
  await chain.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);
});

const shown = async (path: string) =>
  (await (await owner.get(path)).text()).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const health = async (): Promise<string> => JSON.stringify((await till.api("GET", "/health/ready")).body);

/** What doctor finds by a node of its own. */
async function doctor() {
  const { exitCode, stdout } = await callTill(["doctor", "--json"], {
    env: {
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: chain.rpcUrl,
      TILL_DATA_DIR: till.config.dataDir,
      TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
      TILL_BASE_URL: till.baseUrl,
    },
  });
  const { findings } = JSON.parse(stdout) as {
    findings: { level: string; message: string; advice: string }[];
  };
  return { exitCode, findings };
}

/** Withdraws 10 USDC to the ledger; the page of it. */
async function withdraw(): Promise<string> {
  const confirm = await until(
    () => owner.get(`/desk/money/withdraw/confirm?from=1&to=${ledger}&amount=10.00`),
    ({ status }) => status === 200,
  );
  const hidden = /type="hidden" name="(from|to|micro|key)" value="([^"]*)"/g;
  const fields = [...(await confirm.text()).matchAll(hidden)].map(([, name, value]) => [name, value]);
  const form = await owner.post("/desk/money/withdraw", { ...Object.fromEntries(fields), proof: password });
  return form.headers.get("location") ?? "";
}

test("a withdrawal that somebody else stopped is no withdrawal, and everybody is told what it means", async () => {
  const { invoice_id } = await till.createInvoice();
  const { body } = await till.api("GET", `/api/invoices/${invoice_id}`);
  const wallet: Address.Address = body.wallet_address;
  await chain.pay(wallet, "100.00");
  const file = walletFile(till.config.dataDir);
  const { account } = await openWallet({ file, passphrase: till.config.walletPassphrase });
  let theirs: string | null = null;
  // Who has the words is faster than Till's transaction.
  node.answer = async ({ method }) => {
    const [begun] = WithdrawalStore.listPending(till.db, 31337);
    if (method !== "eth_sendRawTransaction" || !begun || theirs !== null) return undefined;
    const rpc = createRpc({ url: chain.rpcUrl });
    const data = await authorizationCall(rpc, account(1), { ...begun, to: thief });
    theirs = (await send(chain, { to: chain.usdc, data })).transactionHash;
    return undefined;
  };
  const path = await withdraw();
  const page = await until(
    () => shown(path),
    (text) => text.includes("Stopped by somebody else"),
    20_000,
  );
  for (const step of [
    "used its number for another payment",
    "Withdraw all that is left",
    "Set up a new Till",
  ])
    expect(page).toContain(step);

  const money = await shown("/desk/money");
  expect(money).toContain("Not withdrawn To: Ledger Stopped by somebody else");
  expect(money).toContain("Paid out 0.00 USDC Withdrawals and refunds: 0");
  expect(await shown("/desk")).toContain("Somebody else has the recovery phrase");

  const said = `they used the nonce of the withdrawal of 10.00 USDC from ${wallet} in ${theirs}`;
  expect(await health()).toContain(said);
  const logged = till.logged.filter((line) => line.includes("[wallet.exposed]"));
  expect(logged).toEqual([expect.stringContaining(`wallet=${wallet} tx=${theirs}`)]);
  const { exitCode, findings } = await doctor();
  const finding = findings.find(({ message }) => message.includes(said));
  expect(finding).toMatchObject({ level: "wrong", advice: expect.stringContaining("other words") });
  expect(exitCode).toBe(1);
});

test("a withdrawal that a reorganisation undid is made again as soon as Till sees the reorganisation", async () => {
  node.answer = null;
  const { invoice_id } = await till.createInvoice();
  const { body } = await till.api("GET", `/api/invoices/${invoice_id}`);
  await chain.pay(body.wallet_address, "100.00");
  const held = () => balanceOf(chain, chain.usdc, ledger);
  const path = await withdraw();
  const isThere = () =>
    until(
      () => shown(path),
      (text) => text.includes("The money is there"),
      20_000,
    );
  await isThere();
  expect(await held()).toBe(10_000_000n);
  // Till has seen the block of the withdrawal, and another one above.
  const { hash } = await chain.blockAt("latest");
  await chain.mine(1);
  await till.createInvoice();
  await until(
    () => CheckpointStore.latest(till.db)?.hash,
    (read) => read === hash,
  );
  const undone = async () =>
    (await doctor()).findings.filter(({ message }) =>
      message.includes("The chain does not have transaction"),
    );
  expect(await undone()).toEqual([]);
  node.answer = () => ({ error: { code: -32_000, message: "away" } });
  await chain.reorg(2);
  expect(await held()).toBe(0n);
  expect(await undone()).toEqual([
    expect.objectContaining({ message: expect.stringContaining(`10.00 USDC from ${body.wallet_address}`) }),
  ]);
  node.answer = null;
  await till.createInvoice();
  await until(held, (amount) => amount === 10_000_000n, 20_000);
  expect(till.logged.some((line) => line.includes("[withdrawal.left]"))).toBe(true);
  await isThere();
});
