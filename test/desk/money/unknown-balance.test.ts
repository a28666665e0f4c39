import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as MoneyReport from "../../../src/store/reports/desk/money.ts";
import * as AllowedAddressStore from "../../../src/store/tables/desk/allowed-address.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as PartyStore from "../../../src/store/tables/invoicing/party.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { mint } from "../../support/chain/settlement.ts";
import { addPerson, password, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import { shared } from "../../support/per-file.ts";
import { type TestTill, until } from "../../support/till/till.ts";

const ledger = Address.checksum("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");

const chain = shared(startTestChain);
let proxy: ReturnType<typeof startRpcProxy>;
let till: TestTill;
let owner: Visitor;
beforeEach(async () => {
  proxy = startRpcProxy(chain.rpcUrl);
  till = await startDesk({ TILL_RPC_URL: proxy.url, TILL_RPC_WS_URL: chain.wsUrl });
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
});
afterEach(async () => {
  await till.stop();
  await proxy.stop();
});

const text = async (path: string) =>
  (await (await owner.get(path)).text())
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
const cutNode = () => {
  proxy.answer = () => ({ error: { code: -32000, message: "the node is away" } });
};

/** An invoice of a merchant that was paid; its wallet. */
async function paid(email: string): Promise<Address.Address> {
  const { deposit_address, invoice_id } = await till.createInvoice({ merchant_email: email });
  const before = MoneyReport.all(till.db).received;
  await chain.pay(deposit_address as Address.Address, "100.00");
  await until(
    () => MoneyReport.all(till.db).received,
    (received) => received > before,
  );
  return (await till.api("GET", `/api/invoices/${invoice_id}`)).body.wallet_address;
}

describe("whose a wallet is", () => {
  test("is known while no node answers after a restart, and what it holds is unknown", async () => {
    await paid("billing@acme.example");
    await till.pause();
    cutNode();
    await till.resume();
    const page = await text("/desk/money");
    expect(page).toContain("Till’s wallet 0x");
    expect(page).not.toContain("A wallet of your own");
    expect(page).toContain("Unknown No node has answered");
    const form = await text("/desk/money/withdraw");
    expect(form).toContain("Unknown No node has answered");
    expect(form).not.toContain("There is no USDC");
    expect(await text("/desk/money/words")).toContain("you lose the wallet if this server fails");
    const { body } = await till.api("GET", "/health/ready");
    expect(body.signed_payments).toMatchObject({ offered: false, obstacle: "node" });
  });

  test("is known above a hundred merchants, whose wallets are in the sum, and above a thousand, which says how many it lacks", async () => {
    for (let i = 1; i <= 120; i++) PartyStore.accountIndex(till.db, `m${i}@shop.example`);
    const last = await paid("late@shop.example");
    await mint(chain, last, 7_000_000n);
    const page = await until(
      () => text("/desk/money"),
      (shown) => shown.includes("7.00"),
    );
    expect(page).toContain("Till’s wallet of late@shop.example");
    expect(page).not.toContain("A wallet of your own");

    const insert = till.db.query("INSERT INTO merchant (email, account_index) VALUES (?, ?)");
    till.db.transaction(() => {
      for (let i = 122; i <= 1_006; i++) insert.run(`m${i}@shop.example`, i);
    })();
    const many = await until(
      () => text("/desk/money"),
      (shown) => shown.includes("Wallets missing from this sum, as their balance is unknown: 6"),
      30_000,
    );
    expect(many).toContain("Till’s wallet of late@shop.example");
  });

  test("is known while a withdrawal is prepared, with what was known before and when", async () => {
    const wallet = await paid("billing@acme.example");
    await mint(chain, wallet, 100_000_000n);
    await chain.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);
    AllowedAddressStore.allow(till.db, { address: ledger, name: "Ledger", createdAt: Date.now() });
    const page = await until(
      async () => (await owner.get(`/desk/money/withdraw/confirm?from=1&to=${ledger}&amount=30`)).text(),
      (shown) => shown.includes('name="key"'),
    );
    const fields = Object.fromEntries(
      [...page.matchAll(/type="hidden" name="(from|to|micro|key)" value="([^"]*)"/g)].map(
        ([, name = "", value = ""]) => [name, value],
      ),
    );
    const began = await owner.post("/desk/money/withdraw", { ...fields, proof: password });
    expect(began.status).toBe(303);
    cutNode();
    const shown = await text("/desk/money");
    expect(shown).toContain("Till’s wallet 0x");
    expect(shown).not.toContain("A wallet of your own");
    expect(shown).toMatch(/In Till’s wallet 100\.00\s?(USDC )?Last known: .*Unknown since then\./);
    expect(shown).toMatch(/Enough for more than 1,000 transfers\s*Last known: /);
    expect(shown).not.toContain("Usually there within a minute");
  });
});
