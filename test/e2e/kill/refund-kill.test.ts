import { afterAll, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { closeDatabase } from "../../../src/store/database.ts";
import { openShared } from "../../../src/store/files/lock.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { newWallet } from "../../support/chain/settlement.ts";
import { addPerson, password, visitor } from "../../support/desk/desk.ts";
import { createRandom } from "../../support/random.ts";
import { endProcesses, startServedTill } from "../../support/till/process.ts";
import { invoiceRequest, type TestTill, until } from "../../support/till/till.ts";

const kills = Number(process.env["TEST_REFUND_KILLS"] ?? 2);

afterAll(endProcesses);

test(
  "a refund that was approved is sent once, whenever Till is killed",
  async () => {
    const random = createRandom(Number(process.env["TEST_SEED"] ?? 1));
    await using chain = await startTestChain();
    await using till = await startServedTill(chain, { TILL_SETTLE: "manual", TILL_OPEN_API: "true" });
    const api = async (method: string, path: string, body?: object) =>
      (await till.api(method, path, body)).body;
    const made = await api("POST", "/api/invoices", { ...invoiceRequest, send_now: false });
    const { wallet_address: wallet } = await api("GET", `/api/invoices/${made.invoice_id}`);
    using open = new DisposableStack();
    const db = open.adopt(openShared(till.dataDir), closeDatabase);
    const baseUrl = new URL(made.invoice_url).origin;
    const owner = visitor(
      { db, baseUrl, localUrl: baseUrl } as TestTill,
      await addPerson({ db } as TestTill, "Mara", "owner"),
    );
    await chain.giveEth(WalletStore.gasAddress(db) ?? Address.zero);
    await chain.pay(wallet, "500.00");
    const total = 1_500_000_000n + BigInt(kills) * 1_000_000n;
    await chain.pay(made.deposit_address, total);
    await until(
      () => api("GET", `/api/invoices/${made.invoice_id}`),
      ({ status }) => status === "excess",
    );
    for (let kill = 0; kill < kills; kill += 1) {
      const to = newWallet();
      const { id } = await api("POST", "/api/refunds", {
        invoice: made.invoice_number,
        amount: "1.00",
        address: to,
      });
      // As the customer's own mail would have said it: it goes out at once.
      db.run("UPDATE refund SET address_by = 'mail' WHERE id = ?", [id]);
      const approve = () => owner.post(`/desk/refunds/${id}/approve`, { address: to, proof: password });
      // Its answer may be lost with the process.
      const approving = approve().catch(() => null);
      // Time itself: the kill comes at any moment.
      await Bun.sleep(random.between(0, 1_200));
      await till.pause("SIGKILL");
      await approving;
      await till.resume();
      if ((await api("GET", `/api/refunds/${id}`)).status === "requested") await approve();
      // Its wait is over: in this installation who is told changed a moment ago.
      db.run("UPDATE refund SET ready_at = approved_at WHERE id = ?", [id]);
      await until(
        () => api("GET", `/api/refunds/${id}`),
        ({ status }) => status === "confirmed",
        40_000,
      );
      expect([kill, await balanceOf(chain, chain.usdc, to)]).toEqual([kill, 1_000_000n]);
    }
    const { refunded_amount, return_amount } = await api("GET", `/api/invoices/${made.invoice_id}`);
    expect([refunded_amount, return_amount]).toEqual([`${kills}.00`, "0.00"]);
    expect((await api("GET", "/api/owed")).data).toEqual([]);
    const count = db
      .query<{ count: bigint }, []>("SELECT count(*) AS count FROM event WHERE type = 'invoice.refunded'")
      .get();
    expect(count?.count).toBe(BigInt(kills));
    await till.pause("SIGTERM");
  },
  60_000 + kills * 20_000,
);
