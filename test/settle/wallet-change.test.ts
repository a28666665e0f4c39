import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { plainProfile } from "../../src/domain/party/profile.ts";
import type * as Usdc from "../../src/domain/usdc.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { askForChange, type ChangeRequest, isLower, leftOf, waitMs } from "../../src/settle/wallet-change.ts";
import { beginWithdrawal, carryOut, planWithdrawal } from "../../src/settle/withdraw.ts";
import { noteChange } from "../../src/store/reports/owners.ts";
import * as AllowedAddressStore from "../../src/store/tables/desk/allowed-address.ts";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";
import type { ToldChange } from "../../src/store/tables/desk/told-change.ts";
import * as ToldChangeStore from "../../src/store/tables/desk/told-change.ts";
import * as OwnerMailStore from "../../src/store/tables/outbox/owner-mail.ts";
import * as WalletChangeStore from "../../src/store/tables/settle/wallet-change.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf } from "../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { usdc } from "../support/usdc.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const thief = Address.checksum(`0x${"ab".repeat(20)}`);
const ledger = Address.checksum(`0x${"cd".repeat(20)}`);

/** Each test has a wallet of its own, and a clock that only its own passing moves. */
let chain: TestChain;
let gas: TestGasAccount;
let forms = 0;

beforeAll(async () => {
  chain = await startTestChain();
});
beforeEach(async () => {
  gas = await openGasAccount(chain);
  // The chain may be hours ahead of the machine by what other tests passed.
  gas.pass((await headAt()) - Date.now());
  await chain.pay(gas.wallet.merchantAddress(1), "100.00");
  PreferenceStore.setProfile(gas.db, { ...plainProfile, email: "shop@till.example" }, 0);
});
afterAll(async () => {
  await chain.stop();
});

async function headAt(): Promise<number> {
  const block = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as { timestamp: string };
  return Number(block.timestamp) * 1_000;
}

async function passOnChain(ms: number): Promise<void> {
  await chain.rpc("evm_increaseTime", [Math.round(ms / 1_000)]);
  await chain.rpc("evm_mine");
}

const clocks = async () => ({ now: gas.now(), headAt: await headAt() });

async function ask(wish: ChangeRequest, { hasMailServer = true, by = "Mara" } = {}) {
  askForChange(gas.db, wish, {
    by,
    isProven: true,
    clocks: await clocks(),
    vault: gas.wallet.vault,
    hasMailServer,
  });
  const [made] = WalletChangeStore.list(gas.db, wish.kind, 1);
  if (!made) throw new Error("Nothing was stored");
  return made;
}
const allow = (address: Address.Address) => ask({ kind: "address", address, name: "Mine" });
const limit = (amount: Usdc.Usdc | null) => ask({ kind: "limit", amount });

/** What the desk does with a form that was confirmed; `isRefund`: what Till does with a refund that was approved. */
async function withdraw(to: Address.Address, amount: string, { isRefund = false, by = "desk" } = {}) {
  const plan = await planWithdrawal(gas, {
    ...{ token: chain.usdc, accountIndex: 1, to, amount: usdc(amount) },
  });
  const formKey = by === "desk" ? `form${forms++}` : null;
  const begun = beginWithdrawal(gas, plan, formKey, isRefund);
  return (await carryOut(gas, begun)).kind;
}

describe("an address that an owner asked for", () => {
  test("gets nothing before its time by the clock and by the chain, and then it does", async () => {
    const before = await balanceOf(chain, chain.usdc, thief);
    const { readyAt, createdAt } = await allow(thief);
    expect(readyAt - createdAt).toBeLessThan(dayMs + 60_000);
    await expect(withdraw(thief, "1.00")).rejects.toThrow("not allowed any more, or not yet");
    // Somebody sets the machine's clock forward: the chain knows better.
    gas.pass(10 * dayMs);
    expect(AllowedAddressStore.byAddress(gas.db, thief, gas.now())).not.toBeNull();
    await expect(withdraw(thief, "1.00")).rejects.toThrow("not allowed any more, or not yet");
    gas.pass(-10 * dayMs);
    // A node that is ahead opens nothing either.
    await passOnChain(23 * hourMs);
    gas.pass(23 * hourMs);
    await expect(withdraw(thief, "1.00")).rejects.toThrow("not allowed any more, or not yet");
    await passOnChain(2 * hourMs);
    await expect(withdraw(thief, "1.00")).rejects.toThrow("not allowed any more, or not yet");
    expect(await balanceOf(chain, chain.usdc, thief)).toBe(before);
    gas.pass(2 * hourMs);
    expect(await withdraw(thief, "1.00")).toBe("done");
    expect(await balanceOf(chain, chain.usdc, thief)).toBe(before + 1_000_000n);
    // When it holds was decided once.
    expect(WalletChangeStore.ofAddress(gas.db, thief)?.readyAt).toBe(readyAt);
  });

  test("counts its day from the chain's time where the machine's clock is behind", async () => {
    gas.pass(-3 * dayMs);
    const { readyAt } = await allow(thief);
    expect(readyAt).toBeGreaterThanOrEqual((await headAt()) + dayMs - 1_000);
    gas.pass(3 * dayMs);
    await expect(withdraw(thief, "1.00")).rejects.toThrow("not yet");
  });

  test("gets nothing once it was stopped, also between the plan and its storing", async () => {
    const { id } = await allow(thief);
    await passOnChain(25 * hourMs);
    gas.pass(25 * hourMs);
    const wish = { token: chain.usdc, accountIndex: 1, to: thief, amount: usdc("1.00") };
    const plan = await planWithdrawal(gas, wish);
    expect(WalletChangeStore.stop(gas.db, id, "Tom", gas.now())).toBe(true);
    expect(WalletChangeStore.stop(gas.db, id, "Tom", gas.now())).toBe(false);
    expect(() => beginWithdrawal(gas, plan, "form")).toThrow("not allowed any more");
  });

  test("is mailed to the shop and to every owner, in the same transaction", async () => {
    const add = "INSERT INTO person (name, role, email, handle, created_at) VALUES (?, ?, ?, ?, 0)";
    gas.db.run(add, ["Mara", "owner", "mara@till.example", "a"]);
    gas.db.run(add, ["Jonas", "staff", "jonas@till.example", "b"]);
    const { id } = await allow(ledger);
    const told = OwnerMailStore.listOf(gas.db, id).map(({ to }) => to);
    expect(told).toEqual(["shop@till.example", "mara@till.example"]);
  });
});

describe("how long it waits", () => {
  const wait = async (vouchedAt: number | null = null, hasMailServer = true) =>
    waitMs(gas.db, { hasMailServer, vouchedAt }, await clocks());
  const change = (at: number, kind: ToldChange["kind"] = "owner") =>
    noteChange(gas.db, { kind, subject: "Mara" }, "Mara", at);

  test("is a day, or three without a mail server or an address to tell", async () => {
    expect(await wait()).toBe(dayMs);
    expect(await wait(null, false)).toBe(3 * dayMs);
    PreferenceStore.setProfile(gas.db, plainProfile, 0);
    expect(await wait()).toBe(3 * dayMs);
  });

  for (const kind of ["mail", "shop", "owner", "endpoint", "key", "wallet"] as const)
    test(`is three days while there was a change of the kind ${kind} within three days, also by a clock that jumped`, async () => {
      change(gas.now() - 71 * hourMs, kind);
      expect(await wait()).toBe(3 * dayMs);
      gas.pass(30 * dayMs);
      expect(await wait()).toBe(3 * dayMs);
      await passOnChain(2 * hourMs);
      expect(await wait()).toBe(dayMs);
    });

  test("is nothing for what a customer's mail vouches for, unless who reads that mail may be another by then", async () => {
    const asked = gas.now() - 10 * dayMs;
    expect(await wait(asked, false)).toBe(0);
    change(asked - 73 * hourMs);
    expect(await wait(asked)).toBe(0);
    change(asked - 71 * hourMs, "mail");
    expect(await wait(asked)).toBe(dayMs);
    change(gas.now());
    expect(await wait(asked)).toBe(3 * dayMs);
    expect(await wait(gas.now())).toBe(3 * dayMs);
  });

  test("goes on for three days from a change, also where less was left of it, and all who were told before are told again", async () => {
    const { id, readyAt } = await allow(thief);
    const before = OwnerMailStore.listOf(gas.db, id).length;
    const at = gas.now() + 23 * hourMs;
    PreferenceStore.setProfile(gas.db, { ...plainProfile, email: "eve@till.example" }, at);
    noteChange(gas.db, { kind: "shop", subject: "eve@till.example", email: "shop@till.example" }, "Eve", at);
    expect(readyAt).toBeLessThan(at + 2 * hourMs);
    expect(WalletChangeStore.byId(gas.db, id)?.readyAt).toBe(at + 3 * dayMs);
    const again = OwnerMailStore.listOf(gas.db, id).slice(before);
    expect(again.map(({ to }) => to)).toEqual(["eve@till.example", "shop@till.example"]);
    const told = ToldChangeStore.emailsBefore(gas.db, at - 1, 9);
    expect(told).toEqual(["shop@till.example"]);
    // What is asked for later is told to them as well, and to them alone once three days are over.
    const tos = (made: { id: string }) => OwnerMailStore.listOf(gas.db, made.id).map(({ to }) => to);
    gas.pass(24 * hourMs);
    expect(tos(await allow(ledger))).toEqual(["eve@till.example", "shop@till.example"]);
    gas.pass(72 * hourMs);
    expect(tos(await limit(null))).toEqual(["eve@till.example"]);
  });

  test("is told by the mail server before, too, and of many the oldest count", async () => {
    for (const server of ["one", "two", "three", "four"])
      noteChange(
        gas.db,
        { kind: "mail", subject: server, smtpUrl: `sealed ${server}`, mailFrom: "a@b.example" },
        "Eve",
        gas.now(),
      );
    const { id } = await allow(thief);
    const servers = OwnerMailStore.listOf(gas.db, id).map(
      ({ serverBefore }) => serverBefore && ToldChangeStore.byId(gas.db, serverBefore)?.subject,
    );
    expect(servers).toEqual([null, "one", "two", "three"]);
  });
});

describe("the daily limit", () => {
  beforeEach(() => AllowedAddressStore.allow(gas.db, { address: ledger, name: "Ledger", createdAt: 0 }));

  test("holds at once for withdrawals and refunds together, and not for the command line", async () => {
    await limit(usdc("10.00"));
    await expect(withdraw(ledger, "10.01")).rejects.toThrow("At most 10.00 USDC leave");
    expect(await withdraw(ledger, "6.00")).toBe("done");
    expect(leftOf(gas.db, gas.chainId, await clocks())?.left).toBe(usdc("4.00"));
    await expect(withdraw(ledger, "4.01")).rejects.toThrow("4.00 USDC are left");
    await expect(withdraw(thief, "4.01", { isRefund: true })).rejects.toThrow("4.00 USDC are left");
    expect(await withdraw(thief, "4.00", { isRefund: true })).toBe("done");
    await expect(withdraw(ledger, "0.01")).rejects.toThrow("0.00 USDC are left");
    // Who has the machine has the wallet; what they took counts all the same.
    expect(await withdraw(ledger, "1.00", { by: "command" })).toBe("done");
    expect(leftOf(gas.db, gas.chainId, await clocks())?.left).toBe(usdc("0.00"));
  });

  test("lets the next day's pass after a day of both clocks", async () => {
    await limit(usdc("5.00"));
    expect(await withdraw(ledger, "5.00")).toBe("done");
    gas.pass(25 * hourMs);
    await expect(withdraw(ledger, "1.00")).rejects.toThrow("0.00 USDC are left");
    await passOnChain(25 * hourMs);
    expect(await withdraw(ledger, "1.00")).toBe("done");
  });

  test("is raised or removed only after the wait, and a lower one stops what waits", async () => {
    await limit(usdc("5.00"));
    expect(isLower(gas.db, usdc("5.01"), await clocks())).toBe(false);
    expect(isLower(gas.db, null, await clocks())).toBe(false);
    await limit(usdc("50.00"));
    await limit(null);
    gas.pass(25 * hourMs);
    await expect(withdraw(ledger, "6.00")).rejects.toThrow("At most 5.00");
    await limit(usdc("4.00"));
    await passOnChain(25 * hourMs);
    await expect(withdraw(ledger, "6.00")).rejects.toThrow("At most 4.00");
    await limit(usdc("20.00"));
    await passOnChain(25 * hourMs);
    gas.pass(25 * hourMs);
    expect(await withdraw(ledger, "6.00")).toBe("done");
  });

  test("cannot be raised by stopping the lower one", async () => {
    const lower = await limit(usdc("5.00"));
    expect(WalletChangeStore.stop(gas.db, lower.id, "Mallory", gas.now())).toBe(false);
    await expect(withdraw(ledger, "6.00")).rejects.toThrow("At most 5.00");
  });
});
