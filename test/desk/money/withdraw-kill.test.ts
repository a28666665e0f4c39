import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import * as Address from "../../../src/domain/wallet/address.ts";
import { closeDatabase, type Db } from "../../../src/store/database.ts";
import { openShared } from "../../../src/store/files/lock.ts";
import * as AllowedAddressStore from "../../../src/store/tables/desk/allowed-address.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as WithdrawalStore from "../../../src/store/tables/settle/withdrawal.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { addPerson, password, type Visitor, visitor } from "../../support/desk/desk.ts";
import { ownPort } from "../../support/http/port.ts";
import { install, makeDataDir, passphrase } from "../../support/till/data-dir.ts";
import { endProcesses, program, startProcess, type TillProcess } from "../../support/till/process.ts";
import { invoiceRequest, type TestTill, until } from "../../support/till/till.ts";

const ledger = Address.checksum("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");
const data = makeDataDir();
const dataDir = join(data.path, "data");
const port = ownPort();
const baseUrl = `http://localhost:${port}`;

let chain: TestChain;
let db: Db;
let owner: Visitor;
beforeAll(async () => {
  chain = await startTestChain();
  await install(dataDir);
});
afterAll(async () => {
  await endProcesses();
  if (db) closeDatabase(db);
  await chain.stop();
  data.remove();
});

async function serve(rpcUrl: string): Promise<TillProcess> {
  const till = startProcess([...program, "serve"], {
    env: {
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: rpcUrl,
      TILL_DATA_DIR: dataDir,
      TILL_WALLET_PASSPHRASE: passphrase,
      TILL_PORT: String(port),
      TILL_BASE_URL: baseUrl,
      TILL_SETTLE: "manual",
    },
  });
  await until(
    () =>
      fetch(`${baseUrl}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
    (ok) => ok,
    60_000,
  );
  return till;
}

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

beforeAll(async () => {
  const first = await serve(chain.rpcUrl);
  const made = await fetch(`${baseUrl}/api/invoices`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...invoiceRequest, send_now: false }),
  });
  const { invoice_id } = (await made.json()) as { invoice_id: string };
  const record = await fetch(`${baseUrl}/api/invoices/${invoice_id}`);
  const { wallet_address: wallet } = (await record.json()) as { wallet_address: Address.Address };
  db = openShared(dataDir);
  const till = { db, baseUrl, localUrl: baseUrl } as TestTill;
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
  AllowedAddressStore.allow(db, { address: ledger, name: "Ledger", createdAt: Date.now() });
  await chain.giveEth(WalletStore.gasAddress(db) ?? Address.zero);
  await chain.pay(wallet, "100.00");
  await first.end("SIGTERM");
});

const received = () => balanceOf(chain, chain.usdc, ledger);

describe("a withdrawal that was begun is made once, whenever Till is killed, and however often its form comes again", () => {
  test.each(["before the node hears of it", "after the node took it", "before the receipt"])(
    "%s",
    async (moment) => {
      const before = await received();
      const proxy = startRpcProxy(chain.rpcUrl);
      let victim: TillProcess | null = null;
      const kill = async () => {
        await victim?.end("SIGKILL");
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
      victim = await serve(proxy.url);
      const fields = await fieldsFor("10.00");
      // Its answer may be lost with the process.
      await owner.post("/desk/money/withdraw", fields).catch(() => null);
      await victim.exited;
      await proxy.stop();
      expect(WithdrawalStore.byForm(db, fields["key"] ?? "")).toMatchObject({ state: "pending" });

      const again = await serve(chain.rpcUrl);
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
      await again.end("SIGTERM");
    },
  );
});
