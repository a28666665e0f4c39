import { createHmac } from "node:crypto";
import { join } from "node:path";
import { createKeystore } from "../../../src/chain/account/keystore.ts";
import { openWallet } from "../../../src/chain/account/wallet.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import { walletFile } from "../../../src/store/files/data-dir.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { type Received, startReceiver } from "../../support/http/receiver.ts";
import { cheap, makeDataDir, passphrase } from "../../support/till/data-dir.ts";
import { startTestTill, until } from "../../support/till/till.ts";

/** Of a wallet that nobody uses: with it every deposit address and every id of an event is the same each time. */
const mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const now = Date.parse("2026-11-02T09:30:00.000Z");
const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const small = {
  merchant_email: "billing@acme.example",
  merchant_name: "Acme Ltd",
  merchant_address: "1 Main Street\nSpringfield",
  vendor_email: "ap@globex.example",
  vendor_name: "Globex GmbH",
  line_items: [{ description: "Design", quantity: 10, unit_price: "10.00" }],
  due_date: "2030-01-31",
  wallet_type: "managed",
};

const full = {
  ...small,
  vendor_address: "2 Side Street\n10115 Berlin",
  line_items: [...small.line_items, { description: "Hosting", quantity: 1.5, unit_price: "20.05" }],
  issue_date: "2026-10-01",
  due_date: "2026-10-31",
  wallet_type: "byo",
  wallet_address: wallet,
  notes: "Thank you.",
  send_now: true,
};

const smallLink = {
  business_name: "Corner Shop",
  expected_amount: "25.00",
  merchant_email: "owner@corner.example",
  wallet_type: "managed",
};

const fullLink = {
  ...smallLink,
  wallet_type: "byo",
  wallet_address: wallet,
  product_description: "Ethiopia Guji, 500 g",
  success_url: "https://shop.example/thanks",
  embed_origins: ["https://shop.example"],
};

/** What differs from run to run and says nothing of what was answered, and what every answer has. */
const unrecordedHeaders = [
  ...["content-length", "content-security-policy", "date", "etag", "host", "x-request-id"],
  ...["cross-origin-opener-policy", "permissions-policy", "referrer-policy", "x-content-type-options"],
];

/**
 * Asks a Till for all that the contract has (SPEC section 4) and for what belongs to it, in every status that money
 * makes, and returns the text of what it answered and of the webhooks that it sent. What is made at random has
 * placeholders, in the order of appearance.
 */
export async function record(): Promise<string> {
  const chain = await startTestChain();
  const receiver = await startReceiver();
  const dir = makeDataDir();
  const dataDir = join(dir.path, "data");
  await install(dataDir);
  const till = await startTestTill(chain, { TILL_DATA_DIR: dataDir }, { now: () => now, isDev: false });
  const lines: string[] = [];
  const names = new Map<string, string>();
  const counts = new Map<string, number>();

  function name(kind: string, value: string): void {
    if (names.has(value)) return;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    names.set(value, `<${kind}-${counts.get(kind)}>`);
  }

  /** Finds what is made at random by the name of its field, and in a header by its form. */
  function learn(text: string): void {
    const fields = /"(invoice_id|id|slug|webhook_secret|tx_hash)":"([^"]+)"/g;
    for (const [, field = "", value = ""] of text.matchAll(fields))
      if (!value.startsWith("evt_")) name(field === "id" ? "invoice_id" : field, value);
  }

  const withNames = (text: string) =>
    [...names]
      .reduce((named, [value, placeholder]) => named.replaceAll(value, placeholder), text)
      .replaceAll(till.baseUrl, "<base>")
      .replaceAll(receiver.url, "<receiver>")
      .replace(/"duration_ms":\d+/g, '"duration_ms":<ms>');

  const headerLines = (headers: Iterable<readonly [string, string]>) =>
    [...headers]
      .filter(([header]) => !unrecordedHeaders.includes(header))
      .map(([header, value]) => `${header}: ${value}`)
      .sort();

  async function ask(
    title: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const response = await fetch(`${till.localUrl}${path}`, {
      method,
      headers: { ...(text === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(text === undefined ? {} : { body: text }),
    });
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const bytes = await response.bytes();
    const answer = isJson ? new TextDecoder().decode(bytes) : "";
    learn(answer);
    lines.push(
      `## ${title}`,
      `${method} ${path}`,
      ...headerLines(Object.entries(headers)),
      ...(text === undefined ? [] : [text.length > 5_000 ? `${text.slice(0, 40)}…` : text]),
      "",
      String(response.status),
      ...headerLines(response.headers),
      // The looks of pages and of the PDF may change. That they are what they are may not.
      isJson ? answer : new TextDecoder("latin1").decode(bytes.subarray(0, 5)),
      "",
    );
    return isJson ? JSON.parse(answer) : null;
  }

  /** Pays, waits for the status and for its webhook, and writes down both. */
  async function pay(
    title: string,
    paid: { path: string; address: Address; secret: string },
    amount: string,
  ) {
    const before = receiver.received.length;
    await chain.pay(paid.address, amount);
    const [post] = await until(
      () => receiver.received.slice(before),
      ({ length }) => length > 0,
    );
    if (post) lines.push(`## ${title}: webhook`, ...webhookLines(post, paid.secret), "");
    await ask(`${title}: afterwards`, "GET", paid.path);
  }

  function webhookLines({ headers, raw }: Received, secret: string): string[] {
    const { "webhook-id": id, "webhook-timestamp": timestamp } = headers;
    const sign = (key: string | Buffer, message: Buffer) => createHmac("sha256", key).update(message);
    const standardKey = Buffer.from(secret.replace("whsec_", ""), "base64");
    const standard = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), raw]);
    const signatures = {
      [`sha256=${sign(secret, raw).digest("hex")}`]: "<signature of the contract>",
      [`v1,${sign(standardKey, standard).digest("base64")}`]: "<signature of Standard Webhooks>",
    };
    const signed = Object.entries(headers).map(
      ([header, value]) => [header, signatures[value] ?? value] as const,
    );
    return [...headerLines(signed), raw.toString()];
  }

  async function invoices(): Promise<void> {
    const webhook_url = receiver.url;
    const first = await ask("An invoice of the fewest fields", "POST", "/api/invoices", small);
    const draft = await ask("A draft", "POST", "/api/invoices", { ...small, send_now: false });
    const hook = { ...full, webhook_url };
    const key = { "idempotency-key": "order-1" };
    const all = await ask("An invoice of all fields", "POST", "/api/invoices", hook, key);
    await ask("The same once more", "POST", "/api/invoices", hook, key);
    await ask("Another one under the same key", "POST", "/api/invoices", small, key);
    for (const { invoice_id } of [first, draft, all]) {
      await ask("An invoice", "GET", `/api/invoices/${invoice_id}`);
      await ask("Its status", "GET", `/api/invoices/${invoice_id}/status`);
    }
    const path = `/api/invoices/${draft.invoice_id}`;
    await ask("The PDF", "GET", `${path}/pdf`);
    await ask("Sending a draft", "POST", `${path}/send`);
    await ask("A draft that was sent", "GET", path);
    await ask("Sending it again", "POST", `${path}/send`);
    await ask("The page", "GET", `/i/${draft.slug}`);
    await ask("Its payments", "GET", `${path}/payments`);
    await ask("Its webhook events", "GET", `${path}/events`);

    const allPath = `/api/invoices/${all.invoice_id}`;
    const paid = { path: allPath, address: all.deposit_address, secret: all.webhook_secret };
    await pay("Part of an invoice is paid", paid, "30.00");
    await pay("The rest of it is paid", paid, "100.08");
    await pay("More than that is paid", paid, "0.01");
    await ask("The status", "GET", `${allPath}/status`);
    await ask("The payments", "GET", `${allPath}/payments`);
    const events = await ask("The webhook events", "GET", `${allPath}/events`);
    const before = receiver.received.length;
    await ask("An event once more", "POST", `/api/events/${events.data[0].id}/redeliver`);
    const [again] = await until(
      () => receiver.received.slice(before),
      ({ length }) => length > 0,
    );
    if (again) lines.push("## An event once more: webhook", ...webhookLines(again, all.webhook_secret), "");
    await ask("All invoices", "GET", "/api/invoices?limit=2");
    await ask("The next of them", "GET", `/api/invoices?limit=2&starting_after=${draft.invoice_id}`);
    await ask("Those that are overdue", "GET", "/api/invoices?overdue=true&status=excess");
  }

  async function links(): Promise<void> {
    const first = await ask("A link of the fewest fields", "POST", "/api/links", smallLink);
    const all = await ask("A link of all fields", "POST", "/api/links", {
      ...fullLink,
      webhook_url: receiver.url,
    });
    for (const { slug } of [first, all]) {
      await ask("A link", "GET", `/api/links/${slug}`);
      await ask("The status of its payment", "GET", `/api/payments/status/${slug}`);
    }
    await ask("The checkout", "GET", `/pay/${first.slug}`);
    await ask("The widget", "GET", "/w.js");
    const path = `/api/payments/status/${all.slug}`;
    const paid = { path, address: all.deposit_address, secret: all.webhook_secret };
    await pay("Part of a link is paid", paid, "5.00");
    await pay("The rest of the link is paid", paid, "20.00");
    await pay("More than the link is paid", paid, "1.50");
    await ask("The link", "GET", `/api/links/${all.slug}`);
    await ask("The payments of the link", "GET", `/api/links/${all.slug}/payments`);
    await ask("The webhook events of the link", "GET", `/api/links/${all.slug}/events`);
    await ask("All links", "GET", "/api/links");
  }

  async function refusals(): Promise<void> {
    const nobody = "3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41";
    await ask("An empty request", "POST", "/api/invoices", {});
    await ask("Faults in many fields", "POST", "/api/invoices", {
      ...small,
      merchant_email: "nobody",
      line_items: [{ description: "", quantity: "1", unit_price: 5 }],
      issue_date: "2026-02-30",
      wallet_type: "byo",
      webhook_url: "ftp://shop.example",
      color: "red",
    });
    await ask("No line items", "POST", "/api/invoices", { ...small, line_items: [] });
    const thirtyOne = Array.from({ length: 31 }, () => small.line_items[0]);
    await ask("Too many line items", "POST", "/api/invoices", { ...small, line_items: thirtyOne });
    const lower = { ...small, wallet_type: "byo", wallet_address: wallet.toLowerCase().replace("c5", "C5") };
    await ask("A wallet with a wrong checksum", "POST", "/api/invoices", lower);
    await ask("A managed wallet with an address", "POST", "/api/invoices", {
      ...small,
      wallet_address: wallet,
    });
    await ask("An empty link", "POST", "/api/links", {});
    await ask("Faults in a link", "POST", "/api/links", {
      ...smallLink,
      expected_amount: "0.00",
      success_url: "x",
    });
    await ask("No JSON", "POST", "/api/invoices", "{");
    await ask("Another media type", "POST", "/api/invoices", "{}", { "content-type": "text/plain" });
    await ask("Too long a body", "POST", "/api/invoices", " ".repeat(400_000));
    await ask("An unusable key", "POST", "/api/invoices", small, { "idempotency-key": "two words" });
    for (const path of ["", "/status", "/pdf", "/payments", "/events"])
      await ask("An unknown invoice", "GET", `/api/invoices/${nobody}${path}`);
    await ask("Sending an unknown invoice", "POST", `/api/invoices/${nobody}/send`);
    await ask("An unknown event", "POST", "/api/events/evt_unknown/redeliver");
    for (const path of ["/api/links/unknown", "/api/payments/status/unknown", "/api/links/unknown/payments"])
      await ask("An unknown link", "GET", path);
    await ask("An unknown page", "GET", "/i/unknown");
    await ask("An unknown checkout", "GET", "/pay/unknown");
    await ask("No endpoint", "GET", "/api/nothing");
    await ask("Another method", "DELETE", "/api/invoices");
    await ask("An unusable limit", "GET", "/api/invoices?limit=0");
    await ask("An unknown parameter", "GET", "/api/links?color=red");
  }

  try {
    await invoices();
    await links();
    await refusals();
    return withNames(lines.join("\n"));
  } finally {
    await till.stop();
    await receiver.stop();
    await chain.stop();
    dir.remove();
  }
}

async function install(dataDir: string): Promise<void> {
  const db = openDatabase(dataDir);
  const file = walletFile(dataDir);
  await createKeystore({ file, passphrase, secret: mnemonic, cost: cheap });
  const { gasAddress } = await openWallet({ file, passphrase });
  WalletStore.setGasAddress(db, gasAddress);
  closeDatabase(db);
}
