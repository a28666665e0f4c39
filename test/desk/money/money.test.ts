import { beforeAll, describe, expect, test } from "bun:test";
import usdc from "../../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { transact } from "../../../src/store/database.ts";
import * as MoneyReport from "../../../src/store/reports/desk/money.ts";
import * as AllowedAddressStore from "../../../src/store/tables/desk/allowed-address.ts";
import * as AuditStore from "../../../src/store/tables/desk/audit.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as DepositStore from "../../../src/store/tables/invoicing/deposit.ts";
import * as UnsettledStore from "../../../src/store/tables/settle/unsettled.ts";
import * as BalanceStore from "../../../src/store/tables/watch/balance.ts";
import { balanceOf, encode, send } from "../../support/chain/evm.ts";
import { addPerson, password, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import { chain, owner, till, useDeskOnChain } from "../../support/desk/setup.ts";
import { callTill } from "../../support/till/run-till.ts";
import { until } from "../../support/till/till.ts";

const ledger = Address.checksum("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");
const stranger = Address.checksum(`0x${"7e".repeat(20)}`);

useDeskOnChain();
let staff: Visitor;
let env: Record<string, string>;
/** The managed wallet, and the deposit address of an invoice that pays into it. */
let wallet: Address.Address;
let deposit: Address.Address;

beforeAll(async () => {
  staff = visitor(till, await addPerson(till, "Jonas", "staff"));
  const invoice = await till.createInvoice();
  deposit = invoice["deposit_address"] as Address.Address;
  wallet = (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`)).body.wallet_address;
  env = {
    TILL_CHAIN: "anvil",
    TILL_DATA_DIR: till.config.dataDir,
    TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
  };
});

const text = async (response: Response) => (await response.text()).replace(/<[^>]+>/g, " ");
const allow = (...args: string[]) => callTill(["wallet", "allow", ...args], { env });
const held = (of: Address.Address) => balanceOf(chain, chain.usdc, of);

/** The page that asks for confirmation, as its form would be sent. */
async function confirmation(amount: string, to: string = ledger) {
  const page = await owner.get(`/desk/money/withdraw/confirm?from=1&to=${to}&amount=${amount}`);
  const html = await page.text();
  const fields = Object.fromEntries(
    [...html.matchAll(/type="hidden" name="(from|to|micro|key)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );
  return { status: page.status, html, fields };
}

/** Waits until a withdrawal's page says so. */
const says = (path: string, word: string) =>
  until(
    async () => text(await owner.get(path)),
    (page) => page.includes(word),
    20_000,
  );

describe("settle now", () => {
  test("moves what waits, and the page tells the sums of every wallet", async () => {
    await chain.pay(deposit, "100.00");
    await until(
      () => MoneyReport.all(till.db).waiting,
      (waiting) => waiting === 100_000_000n,
    );
    expect(await text(await owner.get("/desk/money"))).toContain("Invoices and links: 1");

    // Nothing in the gas account: said where it is asked for, and on Home.
    const poor = await owner.post("/desk/money/settle");
    expect(poor.status).toBe(422);
    expect(await text(poor)).toContain("Nothing was settled. The gas account has 0 ETH");
    expect(await text(await owner.get("/desk"))).toContain("The gas account is empty");
    expect(await (await owner.get("/desk/money/gas")).text()).toContain('src="data:image/png;base64,');
    await chain.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);

    const answer = await owner.post("/desk/money/settle");
    expect(answer.headers.get("location")).toBe("/desk/money?did=Settle");
    await until(
      () => MoneyReport.all(till.db),
      ({ settled, waitingDeposits }) => settled === 100_000_000n && waitingDeposits === 0,
      20_000,
    );
    expect(await held(wallet)).toBe(100_000_000n);
    const page = await text(await owner.get("/desk/money"));
    for (const part of ["Nothing waits", "To: Till’s wallet · Payments: 1"]) expect(page).toContain(part);
    // What only the chain knows stands behind what opens it.
    const closed = (await (await owner.get("/desk/money")).text()).replaceAll(
      /<details>.*?<\/details>/gs,
      "",
    );
    expect(closed).toContain("Moved to your wallet");
    expect(closed).not.toMatch(/0x[0-9a-f]{8}…|[\d.]+ ETH/);

    const again = await owner.post("/desk/money/settle");
    expect(again.status).toBe(422);
    expect(await text(again)).toContain("nothing that could be settled");
  });

  test("says why money cannot be moved, in the token's words, and moves it when it can", async () => {
    const frozen = (await till.createInvoice())["deposit_address"] as Address.Address;
    const freeze = (name: "blacklist" | "unBlacklist") =>
      send(chain, { to: chain.usdc, data: encode(usdc.abi, name, [frozen]), from: payers[1] ?? frozen });
    await chain.pay(frozen, "5.00");
    await until(
      () => MoneyReport.all(till.db).waiting,
      (waiting) => waiting === 5_000_000n,
    );
    await freeze("blacklist");
    await owner.post("/desk/money/settle");
    const page = await until(
      async () => text(await owner.get("/desk/money")),
      (shown) => shown.includes("Money that cannot be moved"),
      20_000,
    );
    expect(page).toContain("execution reverted");
    expect(await text(await owner.get("/desk"))).toContain("Money that cannot be moved");
    await freeze("unBlacklist");
    expect((await owner.post("/desk/money/settle", { retry: "1" })).status).toBe(303);
    await until(
      () => MoneyReport.all(till.db).waiting,
      (waiting) => waiting === 0n,
      20_000,
    );
    expect(await held(wallet)).toBe(105_000_000n);
  });

  test("is refused to staff, who see the money all the same", async () => {
    expect((await staff.post("/desk/money/settle")).status).toBe(403);
    const page = await text(await staff.get("/desk/money"));
    expect(page).toContain("Where you are paid");
    expect(page).not.toContain("Move it now");
  });
});

describe("till wallet allow", () => {
  test("takes an address with a name, and none from which money would not come back", async () => {
    expect((await allow(ledger, "--name", "Ledger, in the safe")).exitCode).toBe(0);
    const gasAccount = WalletStore.gasAddress(till.db) ?? "";
    const refused = [
      [deposit, "is a deposit address of this Till"],
      [chain.usdc, "is the USDC contract itself"],
      [gasAccount, "is the gas account"],
      [ledger.toLowerCase(), "has no checksum"],
    ];
    for (const [address = "", why = ""] of refused) {
      const { exitCode, stderr } = await allow(address, "--name", "X");
      expect(exitCode).toBe(2);
      expect(stderr).toContain(why);
    }
    const { stdout } = await allow("--list", "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ address: ledger, name: "Ledger, in the safe" }]);
    expect((await allow(stranger, "--remove")).exitCode).toBe(1);
  });
});

describe("a withdrawal", () => {
  test("is confirmed with the whole address, amount, fee and what is left, and sent once however often its form comes", async () => {
    const { html, fields } = await confirmation("30.5");
    const shown = html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    expect(shown).toContain("0x5aAe b605 3F3E 94C9 b9A0 9f33 6694 35E7 Ef1B eAed");
    for (const part of ["30.50", "74.50", "Never more than 0.00", "Your password"])
      expect(shown).toContain(part);

    const forms = await Promise.all(
      [1, 2, 3].map(() => owner.post("/desk/money/withdraw", { ...fields, proof: password })),
    );
    const began = forms.find(({ status }) => status === 303)?.headers.get("location") ?? "";
    expect(began).toMatch(/^\/desk\/money\/withdrawals\/\d+\?did=Withdraw$/);
    await says(began, "The money is there.");
    const late = await owner.post("/desk/money/withdraw", { ...fields, proof: "anything" });
    expect(late.headers.get("location")).toBe(began);
    expect(await held(ledger)).toBe(30_500_000n);
    expect(await held(wallet)).toBe(74_500_000n);
    expect(MoneyReport.all(till.db)).toMatchObject({ withdrawn: 30_500_000n, withdrawals: 1 });
    expect(await text(await owner.get("/desk/money"))).toContain("To: Ledger, in the safe");
    const [head, newest] = (await (await owner.get("/desk/money/movements.csv")).text()).split("\r\n");
    expect(head).toContain("moved_at,kind,state,currency,amount,payments,payments_failed,to_address,tx_hash");
    expect(newest).toMatch(new RegExp(`,withdrawn,done,USDC,30\\.50,,,${ledger},0x\\w{64}$`));
    expect((await staff.get("/desk/money/movements.csv")).status).toBe(403);
    const deeds = AuditStore.list(till.db, { before: null, limit: 20 });
    expect(deeds.find(({ action }) => action === "money.withdraw")).toMatchObject({
      personName: "Mara",
      outcome: "done",
    });
  });

  test("is refused to any other address, however the form is written", async () => {
    expect((await confirmation("1.00", stranger)).status).toBe(422);
    const { fields } = await confirmation("1.00");
    const forged = await owner.post("/desk/money/withdraw", { ...fields, to: stranger, proof: password });
    expect(forged.status).toBe(422);
    expect(await text(forged)).toContain("Only those that were allowed can be used.");
    expect(await held(stranger)).toBe(0n);
  });

  test("is refused without a proof, to staff, and for more than there is", async () => {
    const { fields } = await confirmation("1.00");
    for (const proof of [{}, { proof: "wrong and long enough" }]) {
      const answer = await owner.post("/desk/money/withdraw", { ...fields, ...proof });
      expect(answer.status).toBe(422);
      expect(await text(answer)).toContain("Withdraw 1.00 USDC?");
    }
    expect((await staff.get("/desk/money/withdraw")).status).toBe(403);
    const byStaff = await staff.post("/desk/money/withdraw", { ...fields, proof: password });
    expect(byStaff.status).toBe(403);
    // What is in the wallet is looked at now and then.
    const tooMuch = await until(
      () => confirmation("75.00"),
      ({ html }) => html.includes("This wallet holds 74.50 USDC."),
    );
    expect(tooMuch.status).toBe(422);
    expect(await held(ledger)).toBe(30_500_000n);
  });

  test("is no longer possible to an address that was taken back while the form was open", async () => {
    const { fields } = await confirmation("1.00");
    AllowedAddressStore.remove(till.db, ledger, "Test", Date.now());
    expect((await owner.post("/desk/money/withdraw", { ...fields, proof: password })).status).toBe(422);
    expect(await held(ledger)).toBe(30_500_000n);
  });
});

test("money that recover found, or that settlements lost, is named on Money and Home", async () => {
  const owed = { address: deposit, payoutWallet: wallet, amount: Usdc.fromMicro(3_500_000n) };
  const { index = 0 } = DepositStore.byAddress(till.db, deposit) ?? {};
  transact(till.db, () => {
    UnsettledStore.replaceRecovered(till.db, [owed]);
    BalanceStore.note(till.db, index, 2_250_000n, Date.now());
    BalanceStore.setCause(till.db, index, "left");
  });
  for (const path of ["/desk", "/desk/money"]) {
    const page = (await text(await owner.get(path))).replaceAll(/\s+/g, " ");
    expect(page).toMatch(
      /Recovered money is still at deposit addresses: 3\.50(&nbsp;| )USDC\. ?till recover --settle ?moves it/,
    );
    expect(page).toContain("The network reversed settlements: 2.25 USDC is back");
  }
  transact(till.db, () => {
    UnsettledStore.replaceRecovered(till.db, []);
    BalanceStore.markExplained(till.db, index, 0);
  });
});

describe("the recovery words", () => {
  test("are asked for until they were shown on the machine", async () => {
    const reminder = "The recovery phrase is not written down";
    expect(await text(await owner.get("/desk/money"))).toContain(reminder);
    expect(await text(await owner.get("/desk"))).toContain(reminder);
    const { stdout, exitCode } = await callTill(["wallet", "backup", "--yes"], { env });
    expect(exitCode).toBe(0);
    expect(await text(await owner.get("/desk/money"))).not.toContain(reminder);
    const page = await text(await owner.get("/desk/money/words"));
    // A day may end between the two.
    expect(page).toMatch(/Recovery phrase shown or confirmed: (today|yesterday)/);
    // Some of them are words that the page uses.
    const isShown = (word: string) => page.includes(` ${word} `);
    expect(stdout.trim().split(" ").slice(0, 12).filter(isShown).length).toBeLessThan(6);
  });
});

test("says what money waits for while Till cannot pay the fee of moving it", async () => {
  const node = { TILL_RPC_URL: chain.rpcUrl, TILL_RPC_WS_URL: chain.wsUrl };
  const alone = await startDesk({ ...node, TILL_SETTLE: "auto" });
  const mara = visitor(alone, await addPerson(alone, "Mara", "owner"));
  const page = async () => text(await mara.get("/desk/money"));
  const invoice = await alone.createInvoice();
  await chain.pay(invoice["deposit_address"] as Address.Address, "20.00");
  const waiting = await until(page, (shown) => shown.includes("once the gas account has enough ETH"), 20_000);
  expect(waiting).not.toContain("usually within minutes");
  await chain.giveEth(WalletStore.gasAddress(alone.db) ?? Address.zero);
  // Till may have seen the ETH by itself before: then there is nothing left to press for.
  const pressed = await mara.post("/desk/money/settle");
  if (pressed.status !== 303)
    expect(await text(pressed)).toContain("There is nothing that could be settled now.");
  await until(page, (shown) => shown.includes("To: Till’s wallet · Payments: 1"), 20_000);
  await alone.stop();
});
