import type { Page } from "playwright-core";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { numberOf } from "../../../src/store/database.ts";
import * as MoneyReport from "../../../src/store/reports/desk/money.ts";
import * as AccountStore from "../../../src/store/tables/desk/account.ts";
import * as AllowedAddressStore from "../../../src/store/tables/desk/allowed-address.ts";
import * as PasskeyStore from "../../../src/store/tables/desk/passkey.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as CustomerStore from "../../../src/store/tables/invoicing/customer.ts";
import * as EndpointStore from "../../../src/store/tables/outbox/endpoint.ts";
import * as WalletChangeStore from "../../../src/store/tables/settle/wallet-change.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import { startTestChain, type TestChain } from "../chain/chain.ts";
import { type Receiver, startReceiver } from "../http/receiver.ts";
import { linkRequest, recurringRequest, type TestTill, until } from "../till/till.ts";
import { addPerson, entryUrl, password, startDesk, type Visitor, visitor } from "./desk.ts";
import { listDeskRoutes } from "./routes.ts";

/** A shop with a desk, at first without anything in it. */
export type Shop = {
  till: TestTill;
  chain: TestChain;
  owner: Visitor;
  /** Who is not signed in may open them too. */
  door: Paths;
  /**
   * Has the shop bill and be paid for a while, in every state that there is: pages that show one thing get paths, by
   * their route, and those that show many get rows.
   */
  fill(): Promise<Paths>;
  stop(): Promise<void>;
};

/** Paths to look at, by the route that answers them. */
export type Paths = Record<string, readonly string[]>;

/** Every page that the desk has for who is signed in; one whose path names a thing has to be in `filled`. */
export const pagesOf = (till: TestTill, filled: Paths): string[] =>
  listDeskRoutes(till)
    .filter(({ method, duty, path }) => method === "GET" && duty !== null && !/\.csv$|e-invoice$/.test(path))
    .flatMap(({ path }) => filled[path] ?? [path]);

/** Those that say something else while there is nothing. */
export const emptyPages = [
  "",
  "/invoices",
  "/invoices/new",
  "/links",
  "/links/new",
  "/counter",
  "/money",
  "/money/withdraw",
  "/customers",
  "/credit-notes",
  "/recurring",
  "/settings/keys",
  "/settings/webhooks",
  "/settings/endpoints",
].map((path) => `/desk${path}`);

/** Those with a form that says what is wrong when nothing is filled in. */
export const refusedForms = [
  "/invoices/new",
  "/invoices/INV-0005/credit",
  "/links/new",
  "/settings/profile",
  "/settings/keys/new",
  "/settings/endpoints/new",
  "/settings/people/invite",
  "/settings/me/password",
  "/money/withdraw",
].map((path) => `/desk${path}`);

/** Sends the form of a page without the script being asked, and waits for the page that refuses it. */
export async function submitEmpty(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    for (const field of document.querySelectorAll("main input[type=email]")) field.value = "nobody";
    document.querySelector("main form:not(.filters)").submit();
  })()`);
  await page.waitForSelector("#faults");
}

const long = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle";
const arabic = {
  vendor_name: "شركة النور للتجارة",
  vendor_address: "شارع الملك فهد 12\nالرياض",
  notes: "شكرا لكم.",
  line_items: [{ description: "تصميم (Logo) 2026", quantity: 1, unit_price: "1500.00" }],
};

export async function openShop(): Promise<Shop> {
  const chain = await startTestChain();
  const receiver = await startReceiver();
  const till = await startDesk({
    TILL_RPC_URL: chain.rpcUrl,
    TILL_RPC_WS_URL: chain.wsUrl,
    TILL_CONFIRMATIONS: "3",
    TILL_SMTP_URL: undefined,
  });
  const id = await addPerson(till, "Mara Lindqvist", "owner");
  const owner = visitor(till, id);
  const used = entryUrl(till, { personId: id });
  const invitation = entryUrl(till, { role: "accountant", name: "Ida" });
  const tail = (url: string) => url.slice(till.baseUrl.length);
  return {
    till,
    chain,
    owner,
    door: {
      "/desk/sign-in": ["/desk/sign-in", "/desk/sign-in?password", "/desk/sign-in?did=SignOut"],
      "/desk/enter/:token": [
        "/desk/enter/gone",
        tail(invitation),
        `${tail(invitation)}?password`,
        tail(used),
      ],
    },
    fill: () => fill({ till, chain, owner, receiver, id }),
    stop: async () => {
      await till.stop();
      await receiver.stop();
      await chain.stop();
    },
  };
}

export type Open = Pick<Shop, "till" | "chain" | "owner"> & { receiver: Receiver; id: number };

export async function fill({ till, chain, owner, receiver, id }: Open): Promise<Paths> {
  const { db } = till;
  await chain.giveEth(WalletStore.gasAddress(db) ?? Address.zero);
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const { status, headers } = await owner.post(path, fields);
    if (status !== 303) throw new Error(`${path}: ${status}`);
    return headers.get("location") ?? "";
  };
  let sent = 0;
  const pay = (to: Address.Address, amount: string) => {
    sent += 1;
    return chain.pay(to, amount);
  };
  const make = async (vendor_name: string, changes: Record<string, unknown> = {}) => {
    const made = await till.createInvoice({
      vendor_name,
      vendor_email: `accounts${vendor_name.length}@customer.example`,
      ...changes,
    });
    const address = Address.checksum(made["deposit_address"] ?? "");
    const at = `/desk/invoices/${made["invoice_number"]}`;
    return { at, number: made["invoice_number"] ?? "", pay: (amount: string) => pay(address, amount) };
  };
  /** Lets the chain go on until something is so. */
  const afterBlocks = (isSo: () => boolean | Promise<boolean>) =>
    until(
      async () => {
        await chain.rpc("anvil_mine", ["0x1"]);
        return isSo();
      },
      Boolean,
      20_000,
    );
  const confirmed = () =>
    afterBlocks(() => numberOf(db, "SELECT count(*) FROM transfer WHERE confirmed = 1") === sent);

  const endpoint = async (wish: object): Promise<string> =>
    (await till.api("POST", "/api/webhook-endpoints", wish)).body.id;
  const taking = await endpoint({ url: receiver.url, description: "Webshop" });
  const gone410 = await startReceiver();
  gone410.answerWith(410);
  const stopped = await endpoint({ url: `${gone410.url}/${long}`, types: ["invoice.voided", "link.paid"] });
  const failing = await endpoint({ url: "http://127.0.0.1:9/hook", description: long });
  const paused = await endpoint({
    url: receiver.url,
    description: "محاسبة",
    merchant_email: "owner@corner.example",
  });
  await till.api("PATCH", `/api/webhook-endpoints/${paused}`, { status: "paused" });
  // Chats, which nobody writes to.
  for (const [format, path] of [
    ["ntfy", "topic"],
    ["telegram", "bot42:token/sendMessage?chat_id=1"],
    ["slack", "services/T0/B0/token"],
    ["discord", "api/webhooks/42/token"],
  ] as const) {
    const types = ["link.refund_failed"];
    const chat = { format, types, url: `http://127.0.0.1:9/${path}`, description: `Chat on ${format}` };
    await till.api("POST", "/api/webhook-endpoints", chat);
  }

  const paid = await make("Café Morgenrot");
  await paid.pay("1500.00");
  const over = await make("Hotel Linde", { reference: "PO-4711" });
  await over.pay("1520.00");
  const partly = await make("Bäckerei Sommer", { due_date: "2026-02-01", issue_date: "2026-01-02" });
  await partly.pay("500.00");
  const late = await make(long, {
    due_date: "2026-01-31",
    issue_date: "2026-01-01",
    vendor_email: `${"a".repeat(60)}@${"b".repeat(60)}.example`,
    webhook_url: "http://127.0.0.1:9/hook",
    line_items: Array.from({ length: 12 }, (_, i) => ({
      description: `${i + 1} ${long}`,
      quantity: 1.5,
      unit_price: "99999.99",
    })),
  });
  const foreign = await make(arabic.vendor_name, arabic);
  const taxed = await make("Hotel Adler", {
    discount_percent: "5",
    line_items: [
      { description: long, quantity: 12.125, unit: "W".repeat(20), unit_price: "1200.00", tax_rate: "19" },
      {
        description: "Course",
        quantity: 1,
        unit_price: "300.00",
        tax_category: "exempt",
        tax_reason: `${long} `.repeat(2).trim(),
      },
    ],
  });
  for (const credit of [
    { lines: [{ line: 1, quantity: 2.5 }] },
    { amounts: [{ amount: "10.00", tax_rate: "19" }] },
  ])
    await till.api("POST", `/api/invoices/${taxed.number}/credit-notes`, {
      reason: `${long} came back`,
      ...credit,
    });
  const marked = await make("Northside Bakery");
  await post(`${marked.at}/mark`, { note: "By bank" });
  const gone = await make("Studio Halden");
  await post(`${gone.at}/void`, { reason: "Billed twice.\nPlease see the other one." });
  await post(`${paid.at}/note`, { note: `They paid by phone. ${long}` });
  await post("/desk/invoices/new", { as: "draft", vendor_name: "Not ready" });
  await confirmed();
  await post("/desk/money/settle");
  await afterBlocks(() => MoneyReport.all(db).waiting === 0n);
  const vault = Address.checksum(`0x${"7e".repeat(20)}`);
  AllowedAddressStore.allow(db, { address: vault, name: `Safe, ${long}`.slice(0, 60), createdAt: 1 });
  const amount = "100.00";
  const asked = `/desk/money/withdraw/confirm?from=1&to=${vault}&amount=${amount}`;
  const form = [...(await (await owner.get(asked)).text()).matchAll(/hidden" name="(\w+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(form.map(([, name, value]) => [name, value]));
  const withdrawal = await post("/desk/money/withdraw", { ...fields, proof: password });
  // One address waits, one was stopped, and a limit holds while a higher one waits.
  const wages = Address.checksum(`0x${"b7".repeat(20)}`);
  for (const name of ["Wages", `Account ${long}`.slice(0, 60)]) {
    const address =
      name === "Wages" ? Address.checksum(`0x${"c8".repeat(20)}`) : Address.checksum(`0x${"d9".repeat(20)}`);
    await post("/desk/money/addresses", { address, name, proof: password });
  }
  for (const amount of ["2500", "5000"]) await post("/desk/money/limit", { amount, proof: password });
  const [newest] = WalletChangeStore.list(db, "address", 1);
  await post(`/desk/money/changes/${newest?.id}/stop`, {});
  await afterBlocks(async () => (await (await owner.get(withdrawal)).text()).includes("The money is there."));

  const link = async (changes: Record<string, unknown> = {}) => {
    const { body } = await till.api("POST", "/api/links", { ...linkRequest, ...changes });
    return {
      at: `/desk/links/${body.slug}`,
      address: Address.checksum(body.deposit_address ?? Address.zero),
    };
  };
  const once = await link({ product_description: "Workshop, the deposit", reference: "ORD-77" });
  const paidLink = await link({ product_description: long });
  await pay(paidLink.address, "25.00");
  const again = await link({ reusable: true, product_description: "House blend, 1 kg", quantity_max: 5 });
  const tips = await link({
    reusable: true,
    amount_min: "1.00",
    amount_max: "50.00",
    expected_amount: undefined,
  });
  const ended = await link({ product_description: "Summer course" });
  await post(`${ended.at}/void`, { reason: "The course is full." });
  const sale = await post("/desk/counter", { digits: "420", what: "Flat white", once: "one" });
  const cancelled = await post("/desk/counter", { digits: "999", what: long, once: "two" });
  await post(`${cancelled}/cancel`);
  const took = await post("/desk/counter", { digits: "650", what: "", once: "three" });
  const taken = /0x[0-9a-fA-F]{40}/.exec(await (await owner.get(took)).text())?.[0] ?? "";
  await pay(Address.checksum(taken), "7.00");
  await confirmed();

  const series = async (vendor_name: string, changes: object = {}): Promise<string> => {
    const invoice = { ...recurringRequest.invoice, vendor_name };
    const made = await till.api("POST", "/api/recurring", { ...recurringRequest, invoice, ...changes });
    return made.body.id;
  };
  const running = await series(long, { ends_on: "2099-12-31" });
  const resting = await series(arabic.vendor_name, { every: { weeks: 5 } });
  await till.api("PATCH", `/api/recurring/${resting}`, { status: "paused" });
  const atMonthEnd = await series("Hotel Linde", {
    ...{ starts_on: "2090-02-28", day_of_month: 31, count: 12 },
  });
  const troubled = await series("Café Morgenrot");
  const fault = { field: "line_items[0].unit_price", code: "amount" };
  db.run("UPDATE recurring SET status = 'paused', pause_cause = 'refused', reason = ? WHERE id = ?", [
    JSON.stringify({ kind: "invalid", said: "invoice.line_items[0].unit_price must be an amount", fault }),
    troubled,
  ]);
  const bill = {
    ...{ vendor_name: "Kino Babylon", vendor_email: "kino@customer.example", wallet_type: "managed" },
    ...{
      merchant_name: "Acme Ltd",
      merchant_email: "billing@acme.example",
      merchant_address: "1 Main Street",
    },
    ...{ description: "Popcorn, {month}", quantity: "1", unit_price: "12.00" },
  };
  const dates = await post("/desk/invoices/new", { ...bill, as: "repeat" });
  const newBill = await post("/desk/invoices/new", { ...bill, as: "repeat", repeat: running });
  const stoppedSeries = await series("Fjord Coworking", { missed: "all" });
  await till.api("DELETE", `/api/recurring/${stoppedSeries}`);

  const staff = await addPerson(till, `${long} the Elder`.slice(0, 60), "staff");
  visitor(till, staff);
  const keptOut = await addPerson(till, `Younger ${long}`.slice(0, 60), "staff");
  AccountStore.insert(db, { issuer: "https://auth.example", subject: "younger" }, keptOut);
  await post(`/desk/settings/people/${keptOut}/remove`, { proof: password });
  await owner.post("/desk/settings/people/invite", { name: "Ida", role: "accountant", proof: password });
  // Last: it stays on its way.
  const coming = await make("Pottery Barn");
  await coming.pay("1500.00");
  await until(() => TransferStore.countUnconfirmed(db), Boolean);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  for (const key of [
    { name: "webshop" },
    { name: "bookkeeping", scope: "read", expires_at: tomorrow },
    { name: "marketplace", merchant_email: `${long.replace("ä", "ae").slice(0, 60)}@kestrel.example` },
    { name: "prometheus", scope: "metrics" },
  ])
    await owner.post("/desk/settings/keys/new", { ...key, proof: password });
  createApiKey(db, "old shop", Date.now(), { expiresAt: Date.now() - 1 });
  const passkey = PasskeyStore.insert(db, {
    personId: id,
    credentialId: "none",
    publicKey: new Uint8Array(1),
    counter: 0,
    transports: [],
    name: "Firefox, Linux",
    createdAt: Date.now(),
  });

  await until(
    () => EndpointStore.find(db, stopped)?.pausedAt ?? null,
    (at) => at !== null,
  );
  await gone410.stop();

  const invoices = [paid, over, partly, late, taxed, foreign, marked, gone, coming].map(({ at }) => at);
  const links = [once, paidLink, again, tips, ended].map(({ at }) => at);
  const { rows: customers } = CustomerStore.list(db, { limit: 3, order: "billed" });
  return {
    "/desk/counter/:slug": [sale, cancelled, took],
    "/desk/counter": ["/desk/counter"],
    "/desk/invoices": [
      "/desk/invoices",
      "/desk/invoices?kind=drafts",
      "/desk/invoices?q=nothing",
      "/desk/invoices?kind=overdue&from=2026-01-01&to=2026-01-02",
    ],
    "/desk/invoices/new": [
      ...["", `?like=${late.number}`, `?like=${taxed.number}`, "?repeat=new", `?repeat=${resting}`],
    ].map((query) => `/desk/invoices/new${query}`),
    "/desk/invoices/:name": invoices,
    "/desk/invoices/:name/void": [`${late.at}/void`],
    "/desk/invoices/:name/credit": [late, taxed, gone].map(({ at }) => `${at}/credit`),
    "/desk/invoices/:name/mark": [`${late.at}/mark`],
    "/desk/money/withdraw/confirm": [asked],
    "/desk/money/withdrawals/:id": [withdrawal],
    "/desk/money/addresses/confirm": [`/desk/money/addresses/confirm?address=${wages}&name=Wages`],
    "/desk/money/limit/confirm": ["50", ""].map((most) => `/desk/money/limit/confirm?amount=${most}`),
    "/desk/settings/me/lost/confirm": ["", passkey].map(
      (each) => `/desk/settings/me/lost/confirm?passkey=${each}`,
    ),
    "/desk/recurring/new": [`/desk/recurring/new?like=${late.number}`, dates],
    "/desk/recurring/:id": [running, resting, stoppedSeries, atMonthEnd, troubled].map(
      (each) => `/desk/recurring/${each}`,
    ),
    "/desk/recurring/:id/change": [
      ...[resting, atMonthEnd].map((each) => `/desk/recurring/${each}/change`),
      newBill,
    ],
    "/desk/recurring/:id/end": [`/desk/recurring/${running}/end`],
    "/desk/settings/books/:file": ["payments", "withdrawals"].map((name) => `/desk/settings/books/${name}`),
    "/desk/customers/:name": customers.map((each) => `/desk/customers/${each.id}`),
    "/desk/customers": ["/desk/customers", "/desk/customers?q=nothing"],
    "/desk/settings/me/passkeys/:id": [`/desk/settings/me/passkeys/${passkey}`],
    "/desk/settings/people/:id": [`/desk/settings/people/${id}`, `/desk/settings/people/${staff}`],
    "/desk/settings/people/:id/sessions/end": [`/desk/settings/people/${staff}/sessions/end`],
    "/desk/settings/people/:id/link": [`/desk/settings/people/${staff}/link`],
    "/desk/settings/people/kept-out/:id": [`/desk/settings/people/kept-out/${keptOut}`],
    "/desk/settings/people/:id/remove": [`/desk/settings/people/${staff}/remove`],
    "/desk/settings/keys/:id/revoke": ["/desk/settings/keys/1/revoke"],
    "/desk/settings/endpoints/:id": [taking, stopped, failing, paused].map(
      (each) => `/desk/settings/endpoints/${each}`,
    ),
    ...Object.fromEntries(
      ["edit", "rotate", "delete"].map((page) => [
        `/desk/settings/endpoints/:id/${page}`,
        [`/desk/settings/endpoints/${stopped}/${page}`],
      ]),
    ),
    "/desk/links": ["/desk/links", "/desk/links?q=nothing"],
    "/desk/links/:slug": links,
    "/desk/links/:slug/preview": [`${once.at}/preview`],
    "/desk/links/:slug/print": [`${again.at}/print`],
    "/desk/links/:slug/void": [`${once.at}/void`, `${again.at}/void`],
    "/desk/links/:slug/mark": [`${once.at}/mark`],
  };
}
