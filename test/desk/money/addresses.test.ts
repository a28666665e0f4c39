import { beforeAll, describe, expect, test } from "bun:test";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as AuditStore from "../../../src/store/tables/desk/audit.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as WalletChangeStore from "../../../src/store/tables/settle/wallet-change.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { addPerson, password, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import { chain, owner, till, useDeskOnChain } from "../../support/desk/setup.ts";
import { callTill } from "../../support/till/run-till.ts";
import { until } from "../../support/till/till.ts";

const base = "/desk/money/addresses";
const thief = Address.checksum(`0x${"7e".repeat(20)}`);
const safe = Address.checksum("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");

useDeskOnChain();
let tom: Visitor;
let staff: Visitor;
let wallet: Address.Address;
let env: Record<string, string>;

beforeAll(async () => {
  PersonStore.setEmail(till.db, PersonStore.byName(till.db, "Mara")?.id ?? 0, "mara@till.example");
  const id = await addPerson(till, "Tom", "owner");
  PersonStore.setEmail(till.db, id, "tom@till.example");
  tom = visitor(till, id);
  staff = visitor(till, await addPerson(till, "Jonas", "staff"));
  const invoice = await till.createInvoice();
  wallet = (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`)).body.wallet_address;
  await chain.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);
  await chain.pay(wallet, "50.00");
  env = {
    TILL_CHAIN: "anvil",
    TILL_DATA_DIR: till.config.dataDir,
    TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
  };
});

const text = async (response: Response) =>
  (await response.text()).replace(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
const fields = (address: string, name: string) => ({ address, name });
const newest = () => WalletChangeStore.list(till.db, "address", 1)[0];

/** Tries to take the money: the form of the desk, and the request behind it. */
async function tryToTake(who: Visitor, to: string): Promise<number[]> {
  const page = await who.get(`/desk/money/withdraw/confirm?from=1&to=${to}&amount=1.00`);
  const sent = { from: "1", to, micro: "1000000", key: "k".repeat(22), proof: password };
  const answer = await who.post("/desk/money/withdraw", sent);
  return [page.status, answer.status];
}

describe("a thief", () => {
  test("with the password moves nothing on that day", async () => {
    const answer = await owner.post(base, { ...fields(thief, "Wages"), proof: password });
    expect(answer.headers.get("location")).toBe(`${base}?did=AskChange`);
    expect(await tryToTake(owner, thief)).toEqual([422, 422]);
    expect(await balanceOf(chain, chain.usdc, thief)).toBe(0n);
    expect(await text(await owner.get("/desk/money/withdraw"))).not.toContain("Wages");
  });

  test("does not raise the limit without the password, nor stop a lower one", async () => {
    expect((await owner.post("/desk/money/limit", { amount: "20" })).status).toBe(303);
    expect((await owner.post("/desk/money/limit", { amount: "21" })).status).toBe(422);
    expect((await owner.post("/desk/money/limit", { amount: "" })).status).toBe(422);
    const [lower] = WalletChangeStore.list(till.db, "limit", 1);
    await owner.post(`/desk/money/changes/${lower?.id}/stop`);
    expect(WalletChangeStore.limitAt(till.db, Date.now())).toBe(lower?.amount ?? null);
    expect(await text(await owner.get(base))).toContain("Left: 20.00 of 20.00 USDC");
  });
});

test("staff see and do nothing of it", async () => {
  for (const path of [base, `${base}/confirm?address=${safe}&name=Safe`, "/desk/money/limit/confirm"])
    expect((await staff.get(path)).status).toBe(403);
  const sent = { ...fields(safe, "Safe"), amount: "1", proof: password };
  const { id } = newest() ?? { id: "" };
  for (const path of [base, "/desk/money/limit", `/desk/money/changes/${id}/stop`])
    expect((await staff.post(path, sent)).status).toBe(403);
  expect(await text(await staff.get("/desk/settings/me"))).not.toContain("raises the daily limit");
  expect((await staff.post("/desk/settings/me/email", { email: "x@y.example" })).status).toBe(404);
});

describe("all owners", () => {
  test("hear of it by mail, whose link stops it without signing in, and only by its button", async () => {
    const sent = await until(
      () => till.mail.list().filter(({ subject }) => subject.includes("added an address to withdraw to")),
      (list) => list.length >= 2,
    );
    expect(sent.flatMap(({ to }) => to).toSorted()).toEqual(["mara@till.example", "tom@till.example"]);
    const [mail] = sent;
    for (const part of [thief, "Wages", "Mara"]) expect(mail?.text).toContain(part);
    const [path = ""] = /\/desk\/stop\/[\w-]{43}/.exec(mail?.text ?? "") ?? [];
    const stranger = visitor(till);
    // A program that scans mails opens every link, often.
    for (let times = 0; times < 3; times++) {
      const page = await stranger.get(path);
      expect([page.status, page.headers.get("referrer-policy")]).toEqual([200, "same-origin"]);
      expect(await text(page)).toContain("Asked for by Mara");
    }
    expect(newest()?.stoppedAt).toBeNull();
    expect(
      (await stranger.post(path, {}, { origin: "https://evil.example", "sec-fetch-site": "cross-site" }))
        .status,
    ).toBe(403);
    expect((await stranger.get(`${path.slice(0, -1)}${path.endsWith("A") ? "B" : "A"}`)).status).toBe(404);
    expect(newest()?.stoppedAt).toBeNull();
    expect(await text(await stranger.post(path))).toContain("It is stopped");
    expect(newest()).toMatchObject({ stoppedBy: "A link in an email" });
    expect(await text(await stranger.post(path))).toContain("It is stopped");
    const [secret = ""] = path.split("/").slice(-1);
    expect(till.logged.filter((line) => line.includes(secret))).toEqual([]);
    const deeds = AuditStore.list(till.db, { before: null, limit: 20 });
    expect(deeds.filter(({ action }) => action === "wallet.stop").length).toBe(2);
  });

  test("see it on Home while it waits, and each stops it at the desk without a password", async () => {
    await owner.post(base, { ...fields(thief, "Wages"), proof: password });
    const home = await text(await tom.get("/desk"));
    expect(home).toContain("Money may soon go to Wages");
    expect(await text(await tom.get(base))).toMatch(/Wages .*Ready from .*Asked for by Mara/);
    const { id } = newest() ?? { id: "" };
    expect((await tom.post(`/desk/money/changes/${id}/stop`)).status).toBe(303);
    expect(newest()).toMatchObject({ id, stoppedBy: "Tom" });
    expect(await text(await tom.get("/desk"))).not.toContain("Money may soon go");
    expect(await text(await tom.get("/desk/settings/audit"))).toContain(
      `Added an address to withdraw to Wages ${thief}`,
    );
  });
});

test("says what is wrong with an address, and takes none twice", async () => {
  const faultsOf = async (address: string, name = "Safe") =>
    text(await owner.get(`${base}/confirm?${new URLSearchParams(fields(address, name))}`));
  const own = [
    till.config.network.usdc,
    wallet,
    WalletStore.gasAddress(till.db) ?? "",
    payers[0]?.toLowerCase() ?? "",
  ];
  for (const address of ["", "0x12", ...own])
    expect(await faultsOf(address)).toContain("Till cannot pay to this");
  expect(await faultsOf(safe, "")).toContain("Say what it is called");
  expect(await faultsOf(safe)).toContain("Allow Safe?");
  await owner.post(base, { ...fields(safe, "Safe"), proof: password });
  expect(await faultsOf(safe)).toContain("already on the list");
});

test("the command line allows at once what waits, and takes it back with all that waits", async () => {
  expect((await callTill(["wallet", "allow", safe, "--name", "Safe"], { env })).exitCode).toBe(0);
  expect(await text(await owner.get("/desk/money/withdraw"))).toContain("Safe");
  expect((await callTill(["wallet", "allow", safe, "--remove"], { env })).exitCode).toBe(0);
  expect(await text(await owner.get("/desk/money/withdraw"))).not.toContain("Safe");
  expect(newest()).toMatchObject({ address: safe, stoppedBy: "till wallet allow" });
});

test("nothing can be asked for while no node tells the time", async () => {
  const alone = await startDesk();
  const mara = visitor(alone, await addPerson(alone, "Mara", "owner"));
  const answer = await mara.post(base, { ...fields(thief, "Mine"), proof: password });
  expect([answer.status, await text(answer)]).toEqual([
    422,
    expect.stringContaining("No node gives the time"),
  ]);
  expect(WalletChangeStore.list(alone.db, "address", 1)).toEqual([]);
  const limit = await mara.post("/desk/money/limit", { amount: "20" });
  expect(await limit.text()).toContain('id="amount-fault"');
  await alone.stop();
});
