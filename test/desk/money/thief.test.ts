import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import type * as Address from "../../../src/domain/wallet/address.ts";
import { type Catcher, startCatcher } from "../../../src/mail/catcher.ts";
import * as AllowedAddressStore from "../../../src/store/tables/desk/allowed-address.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import * as PreferenceStore from "../../../src/store/tables/desk/preference.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as StoreStore from "../../../src/store/tables/invoicing/store.ts";
import * as WalletChangeStore from "../../../src/store/tables/settle/wallet-change.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { newWallet } from "../../support/chain/settlement.ts";
import { addPerson, password, type Visitor, visitor } from "../../support/desk/desk.ts";
import { chain, owner, till, useDeskOnChain } from "../../support/desk/setup.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, recurringRequest, until, untilIs } from "../../support/till/till.ts";

/** The table of SECURITY.md: who has stolen what, each way for money to leave, and each way to keep others from hearing of it. */

const hourMs = 3_600_000;
const safe = newWallet();
const one = { line_items: [{ description: "Coffee", quantity: 1, unit_price: "20.00" }] };

useDeskOnChain({ TILL_SMTP_URL: "", TILL_MAIL_FROM: "", TILL_TOLERANCE: undefined });
/** The thief's own mail server. */
const mine = shared(() => startCatcher({ port: 0 }));
let others: Visitor[];
let ownerId: number;
let own: Address.Address;
let since = 0;

beforeAll(async () => {
  ownerId = PersonStore.byName(till.db, "Mara")?.id ?? 0;
  others = [];
  for (const role of ["staff", "accountant"] as const)
    others.push(visitor(till, await addPerson(till, `One of ${role}`, role)));
  const tom = await addPerson(till, "Tom", "owner");
  PersonStore.setEmail(till.db, ownerId, "mara@shop.example");
  PersonStore.setEmail(till.db, tom, "tom@shop.example");
  await setServer(till.mail);
  const made = await till.createInvoice();
  own = (await till.api("GET", `/api/invoices/${made["invoice_id"]}`)).body.wallet_address;
  await chain.giveEth(WalletStore.gasAddress(till.db) ?? own);
  await chain.pay(own, "2000.00");
});
/** What was changed, was changed long ago. */
beforeEach(() => {
  since = Date.now();
  PersonStore.setEmail(till.db, ownerId, "mara@shop.example");
  till.db.run("UPDATE told_change SET created_at = 1");
  till.db.run("UPDATE owner_mail SET next_attempt_at = NULL");
});

const settingsOf = ({ smtpUrl }: Catcher) => ({
  ...{ SMTP_URL: "127.0.0.1", port: new URL(smtpUrl).port, security: "none", user: "", password: "" },
  ...{ MAIL_FROM: "Shop <shop@shop.example>", MAIL_RECEIPTS: "true", E_INVOICE: "off" },
});

async function setServer(catcher: Catcher, fields: Record<string, string> = { proof: password }) {
  const html = await (await owner.get("/desk/settings/mail")).text();
  const [, seen = ""] = /name="seen" value="([^"]*)"/.exec(html) ?? [];
  return owner.post("/desk/settings/mail", { ...settingsOf(catcher), seen, ...fields });
}

async function setRates(fields: Record<string, string>) {
  const html = await (await owner.get("/desk/settings/rates")).text();
  const [, seen = ""] = /name="seen" value="([^"]*)"/.exec(html) ?? [];
  const plain = {
    BOOKKEEPING_CURRENCY: "",
    BOOKKEEPING_RATES: "exchanges",
    RATES: "kraken",
    TOLERANCE: "0.00",
  };
  return owner.post("/desk/settings/rates", { ...plain, seen, ...fields });
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;
const stored = () =>
  Bun.inspect([
    till.db.query("SELECT * FROM setting").all(),
    till.db.query("SELECT * FROM preference").all(),
    till.db.query("SELECT id, role, email, removed_at, password_hash FROM person").all(),
    till.db.query("SELECT id FROM passkey").all(),
    till.db.query("SELECT session_id FROM session").all(),
    till.db.query("SELECT id FROM entry_link").all(),
    till.db.query("SELECT id, url, paused_at, secret FROM webhook_endpoint").all(),
    till.db.query("SELECT * FROM store").all(),
    till.db.query("SELECT id, state, to_address FROM refund").all(),
    till.db.query("SELECT * FROM wallet_change").all(),
    till.db.query("SELECT id, scope, revoked_at FROM api_key").all(),
    till.db.query("SELECT * FROM told_change").all(),
  ]);
const toldOf = (kind: string) =>
  till.db
    .query<{ to_address: string }, [string]>(
      `SELECT DISTINCT to_address FROM owner_mail WHERE about_id =
         (SELECT id FROM told_change WHERE kind = ? ORDER BY created_at DESC, rowid DESC LIMIT 1) ORDER BY 1`,
    )
    .all(kind)
    .map(({ to_address }) => to_address);
const isIn = (catcher: Catcher, to: string, words: string) =>
  until(
    () => catcher.list(),
    (list) =>
      list.some((mail) => mail.receivedAt >= since && mail.to.includes(to) && mail.subject.includes(words)),
  );

/** An invoice that a customer overpaid by 1,500 USDC. */
async function overpaid(fields: object = {}) {
  const made = await till.createInvoice({ ...one, ...fields });
  await chain.pay(made["deposit_address"] as Address.Address, "1520.00");
  await until(
    async () => (await till.api("GET", `/api/invoices/${made["invoice_id"]}`)).body.status,
    (status) => status === "excess",
  );
  return made["invoice_number"] ?? "";
}

/** Asks the customer by mail where the money is to go. */
const ask = async (invoice: string, how = "mail") => {
  const fields = {
    invoice,
    amount: "1500",
    how,
    address: "",
    key: crypto.randomUUID().replaceAll("-", "").slice(0, 22),
  };
  const begun = await owner.post("/desk/refunds", fields);
  return /rfd_\w+/.exec(begun.headers.get("location") ?? "")?.[0] ?? "";
};

/** Reads the link in the newest of so many claims at a server, and names an address there. */
async function claimAt(catcher: Catcher, address: string, count = 1): Promise<void> {
  const [mail] = await until(
    () => catcher.list().filter(({ subject }) => subject.includes("owes you")),
    (list) => list.length >= count,
  );
  const [path = ""] = /\/refund\/[\w-]{43}/.exec(mail?.text ?? "") ?? [];
  const body = new URLSearchParams({ address, sure: "1" });
  const named = await fetch(till.localUrl + path, { method: "POST", body, redirect: "manual" });
  expect(named.status).toBe(303);
}

const approve = (id: string, address: string, proof = password) =>
  owner.post(`/desk/refunds/${id}/approve`, { address, proof });
const refund = async (id: string) => (await till.api("GET", `/api/refunds/${id}`)).body;
const waitOf = ({ sends_at: at }: { sends_at: string }) => (Date.parse(at) - Date.now()) / hourMs;
const paid = (to: string) => balanceOf(chain, chain.usdc, to as Address.Address);
const aDay = (hours: number) => expect(hours).toBeWithin(23.9, 24.1);
const threeDays = (hours: number) => expect(hours).toBeWithin(71.9, 72.1);
const waitOfNewest = (kind: "address" | "limit") =>
  ((WalletChangeStore.list(till.db, kind, 1)[0]?.readyAt ?? 0) - Date.now()) / hourMs;

type Attempts = [deed: string, path: string, fields: Record<string, string>][];

const profile = { name: "Shop", email: "shop@shop.example", due_days: "14" };
const refundTo = async (address: string, invoice: string) =>
  (await till.api("POST", "/api/refunds", { invoice, address, amount: "1.00" })).body.id as string;

/** Each form that names a wallet for new money. */
function walletForms(to: Address.Address): Attempts {
  const own = { payout: "own", wallet: to, told: to };
  const shop = { ...own, name: "Tea", merchant_email: "t@shop.example", currency: "" };
  return [
    ["payout wallet", "/desk/settings/profile", { ...profile, ...own, seen: "x" }],
    ["first wallet", "/desk/first/wallet", { ...own, seen: "x" }],
    ["shop's wallet", "/desk/settings/shops/connect", shop],
  ];
}

/** Everything that a thief would send, by the name that SECURITY.md gives it. */
async function attempts(to: Address.Address): Promise<Attempts> {
  const endpoint = till.db.query<{ id: string }, []>("SELECT id FROM webhook_endpoint").get()?.id ?? "";
  const refund = await refundTo(to, await overpaid());
  const transfer = await refundTo(to, await overpaid({ wallet_type: "byo", wallet_address: payers[4] }));
  return [
    ["withdrawal", "/desk/money/withdraw", { from: "1", to, micro: "1000000", key: "k".repeat(22) }],
    ["address", "/desk/money/addresses", { address: to, name: "Mine" }],
    ["limit", "/desk/money/limit", { amount: "99999" }],
    ["refund", `/desk/refunds/${refund}/approve`, { address: to }],
    ["prepared transfer", `/desk/refunds/${transfer}/approve`, { address: to }],
    ...walletForms(to),
    [
      "shop's address",
      "/desk/settings/profile",
      { ...profile, email: "eve@thief.example", payout: "managed" },
    ],
    ["owner's address", "/desk/settings/me/email", { email: "eve@thief.example" }],
    ["mail server", "/desk/settings/mail", settingsOf(mine)],
    ["rates", "/desk/settings/rates", { RATES: "kraken", TOLERANCE: "10.00" }],
    ["role", `/desk/settings/people/${ownerId + 3}/role`, { role: "staff" }],
    ["removal", `/desk/settings/people/${ownerId + 3}/remove`, {}],
    ["invitation", "/desk/settings/people/invite", { name: "Eve", role: "owner" }],
    ["API key", "/desk/settings/keys/new", { name: "eve", scope: "full" }],
    ["new endpoint", "/desk/settings/endpoints/new", { url: "http://127.0.0.1:9/eve" }],
    ...["edit", "pause", "rotate", "delete"].map((deed): [string, string, Record<string, string>] => [
      `endpoint: ${deed}`,
      `/desk/settings/endpoints/${endpoint}/${deed}`,
      { url: "http://127.0.0.1:9/eve" },
    ]),
  ];
}

describe("whoever has a session", () => {
  const to = newWallet();
  let all: Attempts;
  beforeAll(async () => {
    const { name, email } = profile;
    PreferenceStore.setProfile(till.db, { ...PreferenceStore.profile(till.db), name, email }, Date.now());
    await till.api("POST", "/api/webhook-endpoints", { url: "http://127.0.0.1:9/hook" });
    expect((await owner.post("/desk/money/limit", { amount: "5000" })).status).toBe(303);
    all = await attempts(to);
    await owner.post("/desk/settings/keys/new", { name: "webshop", scope: "read", proof: password });
  });
  afterAll(() => void till.db.run("UPDATE api_key SET revoked_at = 1"));

  test("of staff or of an accountant does none of it, with their own password too", async () => {
    const before = stored();
    for (const other of others)
      for (const [deed, path, fields] of all) {
        const { status } = await other.post(path, { ...fields, proof: password });
        expect([deed, status]).toEqual([deed, deed === "owner's address" ? 404 : 403]);
      }
    expect(stored()).toBe(before);
  });

  test("of an owner does none of it without the passkey or password", async () => {
    expect(all.filter(([, path]) => path.includes("undefined"))).toEqual([]);
    const { id: key } = till.db.query<{ id: bigint }, []>("SELECT id FROM api_key").get() ?? {};
    const [me, people] = ["/desk/settings/me", "/desk/settings/people"];
    const tom = ownerId + 3;
    // Nor does it open a way in, or keep somebody out.
    const ways: Attempts = [
      ["own link", `${people}/${ownerId}/link`, {}],
      ["Tom's link", `${people}/${tom}/link`, {}],
      ["password", `${me}/password`, { password: "the thief's password" }],
      ["no password", `${me}/password/remove`, {}],
      ["passkey", `${me}/passkeys/add`, { passkey: "{}" }],
      ["Tom's sessions", `${people}/${tom}/sessions/end`, {}],
      ["key", `/desk/settings/keys/${key}/revoke`, {}],
    ];
    const before = stored();
    for (const proof of [{}, { proof: "" }, { proof: "guessed and long enough" }])
      for (const [deed, path, fields] of [...all, ...ways])
        expect([deed, await statusOf(owner.post(path, { ...fields, ...proof }))]).toEqual([deed, 422]);
    expect(stored()).toBe(before);
    // An invoice, a link and one that repeats take no wallet that payments do not go to.
    const wallet = { wallet_type: "byo", wallet_address: to };
    const link = { ...linkRequest, ...wallet };
    expect(await statusOf(owner.post("/desk/links/new", link as never))).toBe(422);
    expect(await paid(to)).toBe(0n);
  });

  test("is offered names of exchanges, and none is taken that is not offered", async () => {
    const before = stored();
    for (const [name, value] of [
      ["RATES", "kraken=http://127.0.0.1:9"],
      ["RATES", "coinbase,bitstamp=http://127.0.0.1:9"],
      ["BOOKKEEPING_RATES", "ecb=http://127.0.0.1:9"],
      ["TOLERANCE", "10.01"],
      ["TOLERANCE", "1000.00"],
    ] as const)
      expect([value, (await setRates({ [name]: value, proof: password })).status]).toEqual([value, 422]);
    expect(stored()).toBe(before);
  });
});

/** Withdraws to the owner's safe, by the form as the desk shows it. */
async function withdraw(): Promise<number> {
  AllowedAddressStore.allow(till.db, { address: safe, name: "Safe", createdAt: 1 });
  const asked = await owner.get(`/desk/money/withdraw/confirm?from=1&to=${safe}&amount=1.00`);
  const hidden = (await asked.text()).matchAll(/hidden" name="(\w+)" value="([^"]*)"/g);
  const fields = Object.fromEntries([...hidden].map(([, name, value]) => [name, value]));
  const { status } = await owner.post("/desk/money/withdraw", { ...fields, proof: password });
  const left = `SELECT count(*) AS n FROM withdrawal WHERE state = 'pending'`;
  await until(
    () => till.db.query<{ n: bigint }, []>(left).get()?.n,
    (n) => n === 0n,
  );
  return status;
}

/** How long a key waits that is made at the desk now, in hours. */
async function waitOfKey(): Promise<number> {
  await owner.post("/desk/settings/keys/new", { name: "eve", scope: "shop", proof: password });
  const sql = "SELECT wallets_from AS at FROM api_key ORDER BY id DESC LIMIT 1";
  const at = Number(till.db.query<{ at: bigint }, []>(sql).get()?.at);
  till.db.run("UPDATE api_key SET revoked_at = 1");
  return (at - Date.now()) / hourMs;
}

/** Approves the transfer from the owner's own wallet, and says how long its code waits, in hours. */
async function waitOfTransfer(to: Address.Address): Promise<number> {
  const id = await refundTo(to, await overpaid({ wallet_type: "byo", wallet_address: payers[4] }));
  expect(await statusOf(approve(id, to))).toBe(303);
  expect(await (await owner.get(`/desk/refunds/${id}`)).text()).not.toContain("data:image/png");
  const sql = "SELECT ready_at AS at FROM refund WHERE id = ?";
  return (Number(till.db.query<{ at: bigint }, [string]>(sql).get(id)?.at) - Date.now()) / hourMs;
}

/** New money goes to no wallet that did not wait, by whichever form. */
async function nameWallets(to: Address.Address): Promise<void> {
  const before = [PreferenceStore.profile(till.db).payoutWallet, StoreStore.list(till.db)];
  for (const [deed, path, fields] of walletForms(to)) {
    const answer = await owner.post(path, { ...fields, proof: password });
    expect([deed, answer.status]).toEqual([deed, 422]);
    expect(await answer.text()).toContain("This wallet is new.");
  }
  expect([PreferenceStore.profile(till.db).payoutWallet, StoreStore.list(till.db)]).toEqual(before);
}

describe("with the session and the password", () => {
  test("what waits for nobody goes at once: to the owner's own safe, and prices that the form offers", async () => {
    const before = await paid(safe);
    expect(await withdraw()).toBe(303);
    expect(await paid(safe)).toBe(before + 1_000_000n);
    expect(await statusOf(setRates({ RATES: "kraken", TOLERANCE: "10.00", proof: password }))).toBe(303);
    aDay(await waitOfTransfer(newWallet()));
  });

  test("an address and a higher limit wait a day, and all are told", async () => {
    const to = newWallet();
    await owner.post("/desk/money/addresses", { address: to, name: "Mine", proof: password });
    aDay(waitOfNewest("address"));
    await owner.post("/desk/money/limit", { amount: "9999", proof: password });
    aDay(waitOfNewest("limit"));
    for (const who of ["mara@shop.example", "tom@shop.example", "shop@shop.example"])
      await isIn(till.mail, who, "added an address to withdraw to");
    const sent = { from: "1", to, micro: "1000000", key: "w".repeat(22), proof: password };
    expect(await statusOf(owner.post("/desk/money/withdraw", sent))).toBe(422);
  });

  test("a refund goes at once only where the customer says by the mail that is theirs alone", async () => {
    const [customers, thiefs] = [newWallet(), newWallet()];
    const asked = await ask(await overpaid());
    await claimAt(till.mail, customers);
    expect(await statusOf(approve(asked, customers))).toBe(303);
    await untilIs(() => refund(asked), { status: "confirmed" });
    expect(await paid(customers)).toBe(1_500_000_000n);
    const typed = await ask(await overpaid());
    await owner.post(`/desk/refunds/${typed}/address`, { address: thiefs });
    expect(await statusOf(approve(typed, thiefs))).toBe(303);
    aDay(waitOf(await refund(typed)));
    await isIn(till.mail, "tom@shop.example", "A refund of");
    expect(await paid(thiefs)).toBe(0n);
  });

  test("new money goes to no wallet that did not wait, by whichever form", async () => {
    await nameWallets(newWallet());
  });

  test("an API key names no such wallet for a day, in an invoice, a link or one that repeats", async () => {
    const page = await owner.post("/desk/settings/keys/new", { name: "eve", scope: "full", proof: password });
    const [key = ""] = /till_[\w-]{43}/.exec(await page.text()) ?? [];
    expect(toldOf("key")).toContain("tom@shop.example");
    const from = "SELECT wallets_from AS at FROM api_key ORDER BY id DESC LIMIT 1";
    aDay((Number(till.db.query<{ at: bigint }, []>(from).get()?.at) - Date.now()) / hourMs);
    const byKey = (path: string, body: object, method = "POST") =>
      till.api(method, path, body, { authorization: `Bearer ${key}` });
    const wallet = { wallet_type: "byo", wallet_address: newWallet() };
    const { invoice } = recurringRequest as { invoice: object };
    const managed = await byKey("/api/recurring", recurringRequest);
    expect(managed.status).toBe(201);
    const all = [
      await byKey("/api/invoices", { ...invoice, due_date: "2090-01-01", ...wallet }),
      await byKey("/api/links", { ...linkRequest, ...wallet }),
      await byKey("/api/recurring", { ...recurringRequest, invoice: { ...invoice, ...wallet } }),
      await byKey(`/api/recurring/${managed.body.id}`, { invoice: { ...invoice, ...wallet } }, "PATCH"),
    ];
    for (const { status, body } of all) {
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain("is new to this Till, and this API key was made at the desk");
    }
    // A key that it makes is no older than it is.
    const child = (await byKey("/api/keys", { name: "child", scope: "shop" })).body.key;
    const body = { ...linkRequest, ...wallet };
    expect((await till.api("POST", "/api/links", body, { authorization: `Bearer ${child}` })).status).toBe(
      400,
    );
    const known = { ...linkRequest, wallet_type: "byo", wallet_address: payers[4] };
    expect((await byKey("/api/links", known)).status).toBe(201);
    till.db.run("UPDATE api_key SET wallets_from = ?", [Date.now()]);
    expect((await byKey("/api/links", body)).status).toBe(201);
    till.db.run("UPDATE api_key SET revoked_at = 1");
  });

  test("nobody gets in as another owner without a word to all, and what waits then waits three days", async () => {
    const tom = ownerId + 3;
    const before = till.db.query("SELECT count(*) AS n FROM told_change").get();
    expect(await statusOf(owner.post(`/desk/settings/people/${tom}/link`, { proof: "" }))).toBe(422);
    expect(till.db.query("SELECT count(*) AS n FROM told_change").get()).toEqual(before);
    const page = await owner.post(`/desk/settings/people/${tom}/link`, { proof: password });
    const [path = ""] = /\/desk\/enter\/[\w-]{43}/.exec(await page.text()) ?? [];
    const entered = await visitor(till).post(path, { password: "a password of the thief's" });
    expect([entered.status, entered.headers.get("location")]).toEqual([303, "/desk?did=Enter"]);
    for (const who of ["mara@shop.example", "tom@shop.example", "shop@shop.example"]) {
      expect(toldOf("owner")).toContain(who);
      await isIn(till.mail, who, "changed who is an owner");
    }
    await owner.post("/desk/money/addresses", { address: newWallet(), name: "Mine", proof: password });
    threeDays(waitOfNewest("address"));
  });

  test("who was told before is told of each change of who is told, and of what comes after", async () => {
    const eves = { ...profile, payout: "managed", email: "eve@thief.example" };
    await owner.post("/desk/settings/profile", { ...eves, proof: password });
    expect(toldOf("shop")).toEqual([
      "eve@thief.example",
      "mara@shop.example",
      "shop@shop.example",
      "tom@shop.example",
    ]);
    await owner.post("/desk/settings/me/email", { email: "eve@thief.example", proof: password });
    await owner.post(`/desk/settings/people/${ownerId + 3}/remove`, { proof: password });
    expect(toldOf("owner")).toContain("tom@shop.example");
    const to = newWallet();
    await owner.post("/desk/money/addresses", { address: to, name: "Late", proof: password });
    threeDays(waitOfNewest("address"));
    await until(
      () =>
        till.mail
          .list()
          .filter(({ text }) => text.includes("Late"))
          .flatMap((mail) => mail.to),
      (list) =>
        ["mara@shop.example", "tom@shop.example", "shop@shop.example"].every((who) => list.includes(who)),
    );
    const { id } = till.db.query<{ id: string }, []>("SELECT id FROM webhook_endpoint").get() ?? {};
    for (const deed of ["pause", "rotate", "delete"]) {
      await owner.post(`/desk/settings/endpoints/${id}/${deed}`, { proof: password });
      expect(toldOf("endpoint")).toContain("tom@shop.example");
    }
  });
});

describe("with the mail server as well", () => {
  test("all that waits takes three days, and what waits for nobody or is refused stays so", async () => {
    expect(await statusOf(setServer(mine))).toBe(303);
    threeDays(await waitOfKey());
    await owner.post("/desk/money/limit", { amount: "99999", proof: password });
    threeDays(waitOfNewest("limit"));
    threeDays(await waitOfTransfer(newWallet()));
    await nameWallets(newWallet());
    expect(await withdraw()).toBe(303);
    expect(await statusOf(setServer(till.mail))).toBe(303);
  });

  test("a refund waits three days, and so does what waited already; the server before tells its owners", async () => {
    const [thiefs, waiting] = [newWallet(), newWallet()];
    const number = await overpaid();
    await owner.post("/desk/money/addresses", { address: waiting, name: "Earlier", proof: password });
    aDay(waitOfNewest("address"));
    expect(await statusOf(setServer(mine))).toBe(303);
    threeDays(waitOfNewest("address"));
    const id = await ask(number);
    await claimAt(mine, thiefs);
    expect(await statusOf(approve(id, thiefs))).toBe(303);
    threeDays(waitOf(await refund(id)));
    for (const words of ["changed the mail server", "added an address to withdraw to", "A refund of"])
      await isIn(till.mail, "mara@shop.example", words);
    expect(await paid(thiefs)).toBe(0n);
    // Nor does it help to ask first and approve once the three days are over.
    till.db.run("UPDATE told_change SET created_at = created_at - ?", [71 * hourMs]);
    const late = await ask(await overpaid());
    await claimAt(mine, thiefs, 2);
    till.db.run("UPDATE told_change SET created_at = created_at - ?", [2 * hourMs]);
    till.db.run("UPDATE refund SET claim_ends_at = claim_ends_at - ?", [2 * hourMs]);
    expect(await statusOf(approve(late, thiefs))).toBe(303);
    aDay(waitOf(await refund(late)));
    expect((await owner.post(`/desk/refunds/${id}/cancel`)).status).toBe(303);
    expect((await refund(id)).status).toBe("cancelled");
  });
});
