import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { closeDatabase, type Db } from "../../../src/store/database.ts";
import { openShared } from "../../../src/store/files/lock.ts";
import * as AllowedAddressStore from "../../../src/store/tables/desk/allowed-address.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as WithdrawalStore from "../../../src/store/tables/settle/withdrawal.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { type RpcProxy, startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { addPerson, password, type Visitor, visitor } from "../../support/desk/desk.ts";
import { endProcesses, type ServedTill, startServedTill } from "../../support/till/process.ts";
import { invoiceRequest, type TestTill, until } from "../../support/till/till.ts";

const ledger = Address.checksum("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");
let chain: TestChain;
let proxy: RpcProxy;
let till: ServedTill;
let db: Db;
let owner: Visitor;
beforeAll(async () => {
  chain = await startTestChain();
  proxy = startRpcProxy(chain.rpcUrl);
  till = await startServedTill({ rpcUrl: proxy.url, wsUrl: chain.wsUrl }, { TILL_SETTLE: "manual" });
  const made = await till.api("POST", "/api/invoices", { ...invoiceRequest, send_now: false });
  const { body } = await till.api("GET", `/api/invoices/${made.body.invoice_id}`);
  db = openShared(till.dataDir);
  const baseUrl = new URL(made.body.invoice_url).origin;
  const desk = { db, baseUrl, localUrl: baseUrl } as TestTill;
  owner = visitor(desk, await addPerson(desk, "Mara", "owner"));
  AllowedAddressStore.allow(db, { address: ledger, name: "Ledger", createdAt: Date.now() });
  await chain.giveEth(WalletStore.gasAddress(db) ?? Address.zero);
  await chain.pay(body.wallet_address, "100.00");
});
afterAll(async () => {
  if (db) closeDatabase(db);
  await till?.stop();
  await endProcesses();
  await proxy.stop();
  await chain.stop();
});

/** The fields of the form that confirms a withdrawal. */
async function fieldsFor(amount: string): Promise<Record<string, string>> {
  const page = await until(
    () => owner.get(`/desk/money/withdraw/confirm?from=1&to=${ledger}&amount=${amount}`),
    ({ status }) => status === 200,
    60_000,
  );
  const fields = [
    ...(await page.text()).matchAll(/type="hidden" name="(from|to|micro|key)" value="([^"]*)"/g),
  ];
  return { ...Object.fromEntries(fields.map(([, name, value]) => [name, value])), proof: password };
}

const received = () => balanceOf(chain, chain.usdc, ledger);

describe("a withdrawal that was begun is made once, whenever Till is killed, and however often its form comes again", () => {
  test.each(["before the node hears of it", "after the node took it", "before the receipt"])(
    "%s",
    async (moment) => {
      const before = await received();
      const killed = Promise.withResolvers<void>();
      const kill = async () => {
        await till.pause("SIGKILL");
        killed.resolve();
        return new Response(null, { status: 500 });
      };
      let isSent = false;
      proxy.answer = async ({ method, params }) => {
        if (method === "eth_sendRawTransaction") {
          isSent = true;
          if (moment === "before the node hears of it") return kill();
          if (moment === "after the node took it") {
            await chain.rpc(method, params).catch(() => {});
            return kill();
          }
        }
        return isSent && method === "eth_getTransactionReceipt" ? kill() : undefined;
      };
      const fields = await fieldsFor("10.00");
      // Its answer may be lost with the process.
      await owner.post("/desk/money/withdraw", fields).catch(() => null);
      await killed.promise;
      proxy.answer = null;
      expect(WithdrawalStore.byForm(db, fields["key"] ?? "")).toMatchObject({ state: "pending" });

      await till.resume();
      const form = await owner.post("/desk/money/withdraw", fields);
      expect(form.status).toBe(303);
      const page = form.headers.get("location") ?? "";
      await until(
        async () => (await owner.get(page)).text(),
        (html) => html.includes("The money is there."),
        60_000,
      );
      const sent = before + 10_000_000n;
      expect(await received()).toBe(sent);
      expect((await owner.post("/desk/money/withdraw", fields)).headers.get("location")).toBe(page);
      expect(await received()).toBe(sent);
    },
  );
});
