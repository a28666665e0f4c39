import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../src/chain/dev/dev-chain.ts";
import type * as Address from "../../src/domain/wallet/address.ts";
import { speak } from "../../src/language/locale.ts";
import * as AllowedAddressStore from "../../src/store/tables/desk/allowed-address.ts";
import * as AuditStore from "../../src/store/tables/desk/audit.ts";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";
import * as StoreStore from "../../src/store/tables/invoicing/store.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { encode, send } from "../support/chain/evm.ts";
import { startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { newWallet } from "../support/chain/settlement.ts";
import { newSmartSigner } from "../support/chain/signer.ts";
import { password, startDesk } from "../support/desk/desk.ts";
import { owner, till, useDesk } from "../support/desk/setup.ts";
import { shared } from "../support/per-file.ts";

const path = "/desk/first/wallet";
const unused = "nothing was ever sent from this address";
const noWallet = "a contract that does not answer like a wallet";
const unseen = "because no node gave a usable answer";
const blocked = "has blocked this address";
/** What the page says in full. */
const inEnglish = (key: "walletUnused" | "walletContract") =>
  speak("en").say(key, { network: "Base (Anvil)" });
const all = [unused, noWallet, unseen, blocked];

const chain = shared(startTestChain);
const node = shared(() => startRpcProxy(chain.rpcUrl));
useDesk(() => startDesk({ TILL_RPC_URL: node.url, TILL_RPC_WS_URL: chain.wsUrl }, { isNew: true }));
afterEach(() => {
  node.answer = null;
});

const chosen = () => PreferenceStore.profile(till.db).payoutWallet;
const post = (wallet: string, more: Record<string, string> = {}) =>
  owner.post(path, { payout: "own", wallet, ...more });
/** As from a page that said `seen` of it. */
const confirm = (wallet: string, seen?: string) =>
  post(wallet, { told: wallet, proof: password, ...(seen === undefined ? {} : { seen }) });

/** What the page says of a wallet when it is typed for the first time. */
async function seen(wallet: string): Promise<string[]> {
  const asked = await post(wallet);
  expect(asked.status).toBe(422);
  const html = await asked.text();
  expect(html).toContain(`name="told" value="${wallet}"`);
  return all.filter((remark) => html.includes(remark));
}

/** Gives an address code that somebody may have put there. */
async function withCode(code: unknown, wallet = newWallet()): Promise<Address.Address> {
  await chain.rpc("anvil_setCode", [wallet, code]);
  return wallet;
}

describe("a wallet of one's own, looked up on the chain", () => {
  test("that was never used takes a second click, and is taken then", async () => {
    const wallet = newWallet();
    expect(await seen(wallet)).toEqual([unused]);
    // A proof alone is no second click: the page of this wallet was not shown.
    expect((await post(wallet, { proof: password })).status).toBe(422);
    expect((await post(wallet, { told: newWallet(), proof: password })).status).toBe(422);
    expect(chosen()).toBeNull();
    // Nor is that of a page that said nothing of it, as its node was away.
    expect((await confirm(wallet)).status).toBe(422);
    expect((await confirm(wallet, inEnglish("walletUnused"))).status).toBe(303);
    expect(chosen()).toBe(wallet);
    // Whoever looks into the log later reads where the money went from then on.
    const [deed] = AuditStore.list(till.db, { before: null, limit: 1 });
    expect(deed).toMatchObject({ action: "profile.save", subject: wallet, outcome: "done" });
  });

  test("raises no word once it sent something or holds USDC", async () => {
    expect(await seen(payers[1] ?? "")).toEqual([]);
    const wallet = newWallet();
    await chain.pay(wallet, "0.01");
    expect(await seen(wallet)).toEqual([]);
  });

  test("is warned of when a contract is there that is no wallet, and still taken when meant", async () => {
    const token = await withCode(await chain.rpc("eth_getCode", [chain.usdc, "latest"]));
    expect(await seen(token)).toEqual([noWallet]);
    // It burns all the gas that it gets.
    expect(await seen(await withCode("0xfe"))).toEqual([noWallet]);
    expect((await confirm(token, inEnglish("walletContract"))).status).toBe(303);
    expect(chosen()).toBe(token);
  });

  test("raises no word when a smart wallet is there, or a key that lets a contract act for it", async () => {
    expect(await seen((await newSmartSigner(chain, 0n)).address)).toEqual([]);
    const delegated = await withCode(`0xef0100${chain.usdc.slice(2)}`);
    await chain.pay(delegated, "1.00");
    expect(await seen(delegated)).toEqual([]);
  });

  test("is refused when USDC cannot arrive there, whatever else is said", async () => {
    const wallet = newWallet();
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "blacklist", [wallet]) });
    const before = chosen();
    for (const answer of [await post(wallet), await confirm(wallet)]) {
      expect(answer.status).toBe(422);
      const html = await answer.text();
      expect(html).toContain(blocked);
      expect(html).not.toContain('name="told"');
    }
    expect(chosen()).toBe(before);

    const profile = { name: "Shop", email: "a@shop.example", due_days: "14", payout: "own", wallet };
    const saved = await owner.post("/desk/settings/profile", { ...profile, told: wallet, proof: password });
    expect(saved.status).toBe(422);
    expect(await saved.text()).toContain(blocked);
    expect(chosen()).toBe(before);

    const allow = await owner.get(`/desk/money/addresses/confirm?address=${wallet}&name=Ledger`);
    expect(allow.status).toBe(422);
    expect(await allow.text()).toContain(blocked);
    const asked = await owner.post("/desk/money/addresses", {
      address: wallet,
      name: "Ledger",
      proof: password,
    });
    expect(asked.status).toBe(422);
    expect(AllowedAddressStore.list(till.db, Date.now())).toEqual([]);
  });

  test("is looked up before a shop's plugin is connected to it", async () => {
    const wallet = newWallet();
    const shop = {
      name: "Tea Shop",
      merchant_email: "tea@shop.example",
      payout: "own",
      wallet,
      currency: "",
    };
    const connect = (more: object = {}) =>
      owner.post("/desk/settings/shops/connect", { ...shop, proof: password, ...more });
    const asked = await connect();
    expect(asked.status).toBe(422);
    expect(await asked.text()).toContain(unused);
    expect(StoreStore.list(till.db)).toEqual([]);
    expect((await connect({ told: wallet, seen: inEnglish("walletUnused") })).status).toBe(200);
    expect(StoreStore.list(till.db)).toMatchObject([{ wallet }]);
  });

  test("is looked up before the desk may withdraw to it", async () => {
    const page = await owner.get(`/desk/money/addresses/confirm?address=${newWallet()}&name=Ledger`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(unused);
  });
});

describe("a node that is of no use", () => {
  const liar = (method: string, result: unknown) => {
    node.answer = (call) => (call.method === method ? { result } : undefined);
  };

  test("keeps nobody from choosing, nor long: the page says that the wallet was not looked up", async () => {
    node.answer = (call) => (call.method === "eth_getCode" ? new Promise(() => {}) : undefined);
    const wallet = newWallet();
    expect(await seen(wallet)).toEqual([unseen]);
    expect((await confirm(wallet)).status).toBe(303);
    expect(chosen()).toBe(wallet);
  });

  test("is believed nothing that cannot be so", async () => {
    for (const code of ["wallet", "0x1", 7, null]) {
      liar("eth_getCode", code);
      expect(await seen(newWallet())).toEqual([unseen]);
    }
    liar("eth_getTransactionCount", "many");
    expect(await seen(newWallet())).toEqual([unseen]);
    liar("eth_call", "0x");
    expect(await seen(newWallet())).toEqual([unseen]);
    node.answer = () => new Response("busy", { status: 503 });
    expect(await seen(newWallet())).toEqual([unseen]);
  });
});

describe("a wallet of one's own, once something was billed", () => {
  // The shop's key closed the API.
  beforeAll(() => void till.db.run("UPDATE api_key SET revoked_at = 1"));

  test("is refused when it is a deposit address of Till's", async () => {
    const { deposit_address: deposit = "" } = await till.createInvoice();
    const answer = await confirm(deposit);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("one of Till’s deposit addresses");
  });

  test("is taken only where payments go already, or where it waited as an address to withdraw to", async () => {
    const [wallet, before] = [newWallet(), chosen()];
    const shop = { name: "Tea", merchant_email: "tea@shop.example", payout: "own", wallet, currency: "" };
    const tries = () =>
      Promise.all([
        confirm(wallet, inEnglish("walletUnused")),
        owner.post("/desk/settings/profile", {
          ...{ name: "Shop", email: "a@shop.example", due_days: "14", payout: "own", wallet },
          ...{ told: wallet, seen: inEnglish("walletUnused"), proof: password },
        }),
        owner.post("/desk/settings/shops/connect", {
          ...shop,
          ...{ told: wallet, seen: inEnglish("walletUnused"), proof: password },
        }),
      ]);
    for (const answer of await tries()) {
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain("This wallet is new. Add it under Money");
    }
    // One that waits is none yet.
    await owner.post("/desk/money/addresses", { address: wallet, name: "Ledger", proof: password });
    for (const answer of await tries()) expect(answer.status).toBe(422);
    expect(chosen()).toBe(before);
    AllowedAddressStore.allow(till.db, { address: wallet, name: "Ledger", createdAt: Date.now() });
    expect((await post(wallet, { told: wallet, seen: inEnglish("walletUnused") })).status).toBe(422);
    expect((await confirm(wallet, inEnglish("walletUnused"))).status).toBe(303);
    expect(chosen()).toBe(wallet);
    // Back to Till's takes a proof as well, and both are told.
    expect((await owner.post(path, { payout: "managed" })).status).toBe(422);
    expect((await owner.post(path, { payout: "managed", proof: password })).status).toBe(303);
    const told = till.db.query("SELECT kind, subject FROM told_change ORDER BY rowid DESC LIMIT 2").all();
    expect(told).toEqual([
      { kind: "wallet", subject: "managed" },
      { kind: "wallet", subject: wallet },
    ]);
  });
});
