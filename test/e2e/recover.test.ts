import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as Address from "../../src/domain/wallet/address.ts";
import * as Epoch from "../../src/domain/wallet/epoch.ts";
import { walletFile } from "../../src/store/files/data-dir.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf } from "../support/chain/evm.ts";
import { cheapen, makeDataDir, passphrase } from "../support/till/data-dir.ts";
import { callTill, runTill } from "../support/till/run-till.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

const byo = [`0x${"b1".repeat(20)}`, `0x${"b2".repeat(20)}`].map(Address.checksum);

let chain: TestChain;
let till: TestTill;
const dir = makeDataDir();
beforeAll(async () => {
  chain = await startTestChain();
  // The money is to be at the deposit addresses when the data is lost.
  till = await startTestTill(chain, { TILL_SETTLE: "manual" });
});
afterAll(async () => {
  await till.stop();
  await chain.stop();
  dir.remove();
});

const balance = (of: string) => balanceOf(chain, chain.usdc, Address.checksum(of));

const settings = () => ({
  env: {
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: chain.rpcUrl,
    TILL_DATA_DIR: till.config.dataDir,
    TILL_PORT: "0",
    TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
  },
});
const run = (args: string[]) => callTill(args, settings());

/** Many commands, each of which opens the wallet, on a machine that may be busy. */
const timeoutMs = 180_000;

test(
  "from the words and the list of payout wallets alone, every cent arrives and no address is given out twice",
  async () => {
    const plans = [
      { amount: 1_500_000_000n, fields: {} },
      { amount: 1n, fields: { merchant_email: "other@acme.example" } },
      { amount: 250_000_000n, fields: { wallet_type: "byo", wallet_address: byo[0] } },
      { amount: 0n, fields: { wallet_type: "byo", wallet_address: byo[1] } },
      { amount: 99_999_999n, fields: { wallet_type: "byo", wallet_address: byo[1] } },
    ];
    // Midnight may come meanwhile.
    const since = new Date().toISOString().slice(0, 10);
    const owed = new Map<string, bigint>();
    const given: string[] = [];
    for (const { amount, fields } of plans) {
      const invoice = await till.createInvoice(fields);
      const { body } = await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`);
      given.push(body.deposit_address);
      owed.set(body.wallet_address, (owed.get(body.wallet_address) ?? 0n) + amount);
      if (amount > 0n) await chain.pay(body.deposit_address, amount);
    }
    const words = (await run(["wallet", "backup", "--yes"])).stdout;
    await till.pause();
    rmSync(till.config.dataDir, { recursive: true });

    const restored = await runTill(["wallet", "restore"], { ...settings(), stdin: words });
    expect(restored.exitCode).toBe(0);
    await cheapen({ file: walletFile(till.config.dataDir), passphrase });
    expect((await runTill(["serve"], settings())).stderr).toContain("till recover");

    const wallets = join(dir.path, "wallets.txt");
    await Bun.write(wallets, `# ours\n${byo[0]}\n\n${byo[1]} # the new one\n`);
    const search = ["recover", "--wallets", wallets, "--gap", "8", "--accounts", "3", "--since", since];
    const listed = JSON.parse((await run([...search, "--json"])).stdout);
    expect(listed.deposits.map((each: { address: string }) => each.address)).toEqual(
      given.filter((_, i) => i !== 3),
    );
    expect(listed.searched.to_index).toBe(12);

    // What was found is said wherever people look for their money.
    const show = async () => JSON.parse((await run(["wallet", "show", "--json"])).stdout);
    const found = await show();
    expect(found.recovered.map((each: { usdc: string }) => each.usdc)).toEqual([
      "1500.00",
      "250.00",
      "99.999999",
      "0.000001",
    ]);
    const accountsOf = (shown: { managed_wallets: { account: number }[] }) =>
      shown.managed_wallets.map(({ account }) => account);
    expect(accountsOf(found)).toEqual([1, 2]);
    expect((await run(["wallet", "show"])).stdout).toContain("till recover --settle pays them out");

    const { stdout: text, stderr } = await run([...search, "--print"]);
    expect(stderr).toBe("");
    expect(text).toStartWith("Looked for deposits 0 to 12 ");
    expect(text).toContain("\nTransaction 2 of 2: settles\n");

    const poor = await run([...search, "--settle", "--yes"]);
    expect(poor.exitCode).toBe(1);
    const [, gasAddress = ""] = /ETH to (0x\w{40})/.exec(poor.stderr) ?? [];
    await chain.giveEth(Address.checksum(gasAddress));
    const settled = await run([...search, "--settle", "--yes"]);
    const [, after = ""] = settled.stdout.split("Everything was paid out.");
    expect(after).toMatch(/account 1 .* 1,500\.00 USDC\n.*account 2 .* 0\.000001 USDC/);
    expect(settled.exitCode).toBe(0);
    for (const [wallet, amount] of owed) expect(await balance(wallet)).toBe(amount);

    const shown = await show();
    expect(shown.recovered).toEqual([]);
    expect(shown.managed_wallets.map((each: { usdc: string }) => each.usdc)).toEqual(["1500.00", "0.000001"]);

    // What was paid out leaves a trace, too: the search does not end before it.
    await chain.pay(Address.checksum(given[0] ?? ""), "2.00");
    const again = JSON.parse((await run([...search, "--json"])).stdout);
    expect(again.deposits.map((each: { usdc: string }) => each.usdc)).toEqual([
      "2.00",
      "0.00",
      "0.00",
      "0.00",
    ]);
    expect(again.managed_wallets.map((each: { usdc: string }) => each.usdc)).toEqual(["1500.00", "0.000001"]);
    await till.resume();
    const desk = async () =>
      (await (await fetch(`${till.baseUrl}/desk/money`)).text()).replace(/<[^>]+>/g, "");
    const page = await until(desk, (text) => text.includes("1,500.00"));
    expect(page).toContain("Recovered money is still at deposit addresses: 2.00");
    expect(page).not.toContain("No money has come in yet");
    expect(page).toMatch(/Paid, not yet in your wallet\s*2\.00/);
    expect(page).not.toContain("Move it now");
    const said = "recovered money is still at deposit addresses: 2.00 USDC";
    const health = async () => JSON.stringify((await till.api("GET", "/health/ready")).body.warnings ?? []);
    expect(await health()).toContain(said);
    expect((await run(["doctor"])).stdout.toLowerCase()).toContain(said.toLowerCase());
    const last = JSON.parse((await run([...search, "--settle", "--yes", "--json"])).stdout);
    expect(last.deposits[0].usdc).toBe("0.00");
    expect(last.managed_wallets[0].usdc).toBe("1502.00");
    expect(await desk()).not.toContain("Recovered money");
    await until(desk, (text) => text.includes("1,502.00"));
    expect(await health()).not.toContain("recovered money");
    for (const { fields } of plans) {
      const invoice = await till.createInvoice(fields);
      expect(given).not.toContain(invoice["deposit_address"] ?? "");
    }
    const [one, two, ...accounts] = accountsOf(await show());
    expect([one, two]).toEqual([1, 2]);
    // Of an epoch after those that were searched, where the next search looks.
    const [first = 0] = accounts;
    expect(accounts).toEqual([first, first + 1]);
    expect(Epoch.ofAccount(first)).toBeGreaterThan(0);
    expect(Epoch.firstAccount(Epoch.ofAccount(first))).toBe(first);
  },
  timeoutMs,
);
