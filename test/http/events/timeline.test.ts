import { describe, expect, test } from "bun:test";
import * as Usdc from "../../../src/domain/usdc.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { note } from "../../../src/store/announce.ts";
import { transact } from "../../../src/store/database.ts";
import { namedMax } from "../../../src/store/reports/timeline.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as ReceivableStore from "../../../src/store/tables/invoicing/receivable.ts";
import * as MailStore from "../../../src/store/tables/outbox/mail.ts";
import * as GasTransactionStore from "../../../src/store/tables/settle/gas-transaction.ts";
import * as SettlementStore from "../../../src/store/tables/settle/settlement.ts";
import * as LostTransferStore from "../../../src/store/tables/watch/lost-transfer.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { payoutWallet } from "../../support/till/records.ts";
import { callTill } from "../../support/till/run-till.ts";
import { linkRequest, startTestTill, until } from "../../support/till/till.ts";
import { usdc } from "../../support/usdc.ts";

const chain = shared(startTestChain);
const receiver = shared(startReceiver);
const till = shared(() => startTestTill(chain, { TILL_CONFIRMATIONS: "3" }));
/** One whose books nobody compares with a chain. */
const apart = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

type Entry = { at: string; type: string; summary: string; data: Record<string, unknown> };

async function timeline(path: string, of = till): Promise<Entry[]> {
  const { status, body } = await of.api("GET", `${path}/timeline`);
  expect(status).toBe(200);
  return body.data;
}

const typesOf = (entries: readonly Entry[]) => entries.map(({ type }) => type);
const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}` as const;

/** Transfers to a deposit as a scan records them, each in a block of its own. */
function storeTransfers(depositIndex: number, amounts: readonly bigint[], now: number): void {
  transact(apart.db, () => {
    for (const [i, amount] of amounts.entries()) {
      const place = { blockHash: hash(i), logIndex: 0, blockNumber: 1_000 + i, txHash: hash(0xa0000 + i) };
      const transfer = { ...place, depositIndex, payer: payoutWallet, amount: Usdc.fromMicro(amount) };
      TransferStore.insert(apart.db, transfer, false, { seenAt: now, madeAt: now });
    }
  });
}

/** An invoice that money came to, with all that follows from it. */
async function paidInvoice() {
  const made = await till.createInvoice({
    send_now: true,
    webhook_url: receiver.url,
    line_items: [{ description: "Design", quantity: 1, unit_price: "25.00" }],
  });
  const path = `/api/invoices/${made["invoice_id"]}`;
  await fetch(`${till.localUrl}/i/${made["slug"]}`, { headers: { accept: "text/html" } });
  await until(
    () => timeline(path),
    (entries) => typesOf(entries).includes("opened"),
  );
  await chain.pay(made["deposit_address"] as Address, "25.00");
  await until(
    () => timeline(path),
    (entries) => typesOf(entries).includes("transfer_seen"),
  );
  // A block may come before Till listens for blocks.
  await until(
    async () => {
      await chain.mine(1);
      return await timeline(path);
    },
    (entries) => entries.filter(({ data }) => data["state"] === "sent").length === 3,
  );
  const text = "Thanked them.\nNothing left to do.";
  expect((await till.api("POST", `${path}/comments`, { text })).status).toBe(201);
  return { ...made, path } as Record<string, string> & { path: string };
}

describe("the timeline of an invoice", () => {
  test("has everything that happened to it, the oldest first, in sentences", async () => {
    receiver.answerWith(500);
    const invoice = await paidInvoice();
    const { path } = invoice;
    const { deposit } = InvoiceStore.byId(till.db, invoice["invoice_id"] ?? "") ?? {};
    const moved = { amount: usdc("25.00"), txHash: hash(1), blockNumber: 9, blockHash: hash(2) };
    SettlementStore.recordElsewhere(till.db, deposit?.index ?? -1, moved, Date.now());

    const failed = await until(
      () => timeline(path),
      (entries) => entries.some(({ data }) => data["http_status"] === 500),
    );
    expect(failed.map(({ at }) => at)).toEqual(failed.map(({ at }) => at).toSorted());
    const webhook = failed.find(({ type }) => type === "webhook");
    // It is tried again by itself, too.
    expect(webhook?.summary).toMatch(/^The webhook of status paid failed, after \d+ attempts? so far: .*500/);
    expect(webhook?.data).toMatchObject({ status: "paid", state: "pending" });
    receiver.answerWith(200);

    await till.api("POST", `/api/events/${webhook?.data["webhook_id"]}/redeliver`);
    const entries = await until(
      () => timeline(path),
      (found) => found.some(({ data }) => data["http_status"] === 200),
    );
    const attempts = Number(entries.find(({ type }) => type === "webhook")?.data["attempts"]);
    expect(attempts).toBe(receiver.received.length);
    const sentences = entries.map(({ type, summary }) => `${type}: ${summary}`);
    expect(sentences.toSorted()).toEqual(
      [
        "created: The invoice was created.",
        "mail: The invoice was mailed to the customer.",
        "opened: Its page was opened for the first time.",
        "transfer_seen: A transfer of 25.00 USDC was seen.",
        "transfer_confirmed: A transfer of 25.00 USDC was confirmed.",
        "paid: It is paid: 25.00 USDC received in all.",
        "mail: A receipt was mailed to the customer.",
        "mail: A notice was mailed to the merchant.",
        "commented: Comment: Thanked them. Nothing left to do.",
        "settled: 25.00 USDC was moved to the payout wallet by somebody else.",
        `webhook: The webhook of status paid was delivered after ${attempts} attempts.`,
      ].toSorted(),
    );
    const before = ["created", "mail", "opened", "transfer_seen", "transfer_confirmed", "paid"];
    expect(typesOf(entries).slice(0, before.length)).toEqual(before);
    const [{ tx_hash }] = (await till.api("GET", `${path}/payments`)).body.data;
    const confirmed = entries.find(({ type }) => type === "transfer_confirmed");
    expect(confirmed?.data).toMatchObject({ tx_hash, amount: "25.00", explorer_url: null });
    const comment = entries.find(({ type }) => type === "commented");
    expect(comment?.data["text"]).toBe("Thanked them.\nNothing left to do.");
  });

  test("tells of money that was moved after what was confirmed of it, though blocks are dated in whole seconds", async () => {
    const { invoice_id = "" } = await apart.createInvoice();
    const { deposit } = InvoiceStore.byId(apart.db, invoice_id) ?? {};
    const depositIndex = deposit?.index ?? -1;
    const [second, at] = [1_795_000_000_000, 1_795_000_000_700];
    transact(apart.db, () => {
      const place = { blockHash: hash(0xb0000), logIndex: 0, blockNumber: 2_000, txHash: hash(0xb0000) };
      const transfer = { ...place, depositIndex, payer: payoutWallet, amount: usdc("1500.00") };
      TransferStore.insert(apart.db, transfer, true, { seenAt: at, madeAt: second });
      const intent = { purpose: "settle", chainId: 1, to: payoutWallet, data: "0x", gasLimit: 1n } as const;
      const { id } = GasTransactionStore.insert(apart.db, { ...intent, feeMax: null, reason: "" }, 0, at);
      SettlementStore.insertBatch(apart.db, id, [{ index: depositIndex }], at);
      const [txHash, blockHash, blockNumber] = [hash(0xb0001), hash(0xb0002), 2_000];
      const end = { state: "confirmed", txHash, blockNumber, minedAt: second, fee: null } as const;
      GasTransactionStore.finish(apart.db, id, end);
      const settled = { state: "settled", amount: usdc("1500.00") } as const;
      const inclusion = { txHash, blockNumber, blockHash };
      SettlementStore.record(apart.db, { transactionId: id, depositIndex }, settled, inclusion, at);
    });
    const entries = await timeline(`/api/invoices/${invoice_id}`, apart);
    const happened = typesOf(entries).filter((type) => type !== "created");
    expect(happened).toEqual(["transfer_confirmed", "settled"]);
  });

  test("says of a mail that was not sent any more no more than that", async () => {
    const made = await till.createInvoice();
    const path = `/api/invoices/${made["invoice_id"]}`;
    const { deposit } = InvoiceStore.byId(till.db, made["invoice_id"] ?? "") ?? {};
    MailStore.insertFirst(till.db, deposit?.index ?? -1, Date.now());
    await till.api("POST", `${path}/void`, { reason: "Billed twice." });
    expect((await timeline(path)).map(({ summary }) => summary)).toContain(
      "The invoice need not be mailed to the customer any more.",
    );
  });

  test("is what till show prints, in the merchant's time zone, and all of it as JSON", async () => {
    const invoice = await paidInvoice();
    await until(
      () => timeline(invoice.path),
      (found) => found.some(({ data }) => data["http_status"] === 200),
    );
    const number = invoice["invoice_number"] ?? "";
    const env = { TILL_BASE_URL: till.baseUrl, TILL_TIMEZONE: "Asia/Tokyo" };
    const noted = await callTill(["comment", number, "They called.\\nAll is well."], { env });
    expect([noted.exitCode, noted.stdout, noted.stderr]).toEqual([0, "Noted.\n", ""]);
    const entries = await timeline(invoice.path);
    const { stdout } = await callTill(["show", number], { env });
    const lines = stdout.slice(stdout.indexOf("Timeline")).trim().split("\n");
    expect(lines.slice(2)).toHaveLength(entries.length);
    expect(lines.at(-1)).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+9 {2}Comment: They called\. All is well\.$/,
    );
    const local = new Date(Date.parse(entries.at(-1)?.at ?? "") + 9 * 3_600_000).toISOString();
    expect(lines.at(-1)).toStartWith(local.slice(0, 19).replace("T", " "));
    const json = JSON.parse((await callTill(["show", number, "--json"], { env })).stdout);
    expect(json.timeline).toEqual(entries);
    const refused = await callTill(["comment", number], { env });
    expect(refused.exitCode).toBe(2);
  });
});

describe("the timeline of a link", () => {
  test("has what happened to it, also what left the chain", async () => {
    const { body: link } = await till.api("POST", "/api/links", linkRequest);
    const path = `/api/links/${link.slug}`;
    expect(await timeline(path)).toMatchObject([
      { type: "created", summary: "The payment link was created.", data: {} },
    ]);
    const { deposit_index } = till.db
      .query<{ deposit_index: bigint }, [string]>("SELECT deposit_index FROM link WHERE slug = ?")
      .get(link.slug) ?? { deposit_index: -1n };
    LostTransferStore.insert(till.db, { txHash: hash(7), depositIndex: Number(deposit_index) }, Date.now());
    expect((await timeline(path)).at(-1)).toMatchObject({
      type: "transfer_lost",
      data: { tx_hash: hash(7) },
    });
    expect((await till.api("GET", "/api/links/unknown/timeline")).status).toBe(404);
    expect((await till.api("GET", "/api/invoices/INV-9999/timeline")).status).toBe(404);
  });
});

describe("what the merchant said of an invoice", () => {
  test("is in its timeline, with the reason and the note that were given", async () => {
    const { invoice_id = "" } = await till.createInvoice();
    const { deposit } = InvoiceStore.byId(till.db, invoice_id) ?? {};
    const subject = { kind: "invoice", depositIndex: deposit?.index ?? -1 } as const;
    const at = Date.now();
    transact(till.db, () => {
      const closed = { voidedAt: at, voidReason: "Ordered\ntwice", markedPaidAt: null };
      ReceivableStore.setClosed(till.db, subject, closed, "void");
      note(till.db, subject, { type: "marked_paid", occasion: "1", data: { note: "By bank" }, at });
      note(till.db, subject, { type: "marked_unpaid", occasion: "2", at: at + 1 });
      note(till.db, subject, { type: "voided", occasion: "3", at: at + 2 });
    });
    const entries = await timeline(`/api/invoices/${invoice_id}`);
    expect(entries.slice(1).map(({ type, summary }) => [type, summary])).toEqual([
      ["marked_paid", "It was marked as paid in another way: By bank."],
      ["marked_unpaid", "It is no longer marked as paid in another way."],
      ["voided", "It was voided: Ordered twice."],
    ]);
    expect(entries.at(-1)?.data).toMatchObject({ reason: "Ordered\ntwice" });
  });
});

describe("a timeline of very much", () => {
  test("names the largest of 1,000 transfers and counts the others", async () => {
    const { invoice_id = "" } = await apart.createInvoice();
    const { deposit } = InvoiceStore.byId(apart.db, invoice_id) ?? {};
    const index = deposit?.index ?? -1;
    const dust = Array.from({ length: 1_000 - namedMax }, () => 1n);
    const large = Array.from({ length: namedMax }, (_, i) => 1_000_000n + BigInt(i));
    storeTransfers(index, [...dust.slice(500), ...large, ...dust.slice(0, 500)], Date.now());
    const entries = await timeline(`/api/invoices/${invoice_id}`, apart);
    const seen = entries.filter(({ type }) => type === "transfer_seen");
    expect(seen).toHaveLength(namedMax);
    expect(seen.every(({ data }) => String(data["amount"]).startsWith("1.00"))).toBe(true);
    const count = dust.length;
    expect(entries.filter(({ type }) => type === "omitted")).toMatchObject([
      { summary: `${count} smaller transfers not named here.`, data: { count, amount: "0.000900" } },
    ]);
    expect(JSON.stringify(entries).length).toBeLessThan(100_000);
  });

  test("names the newest of everything else and counts what came before", async () => {
    const { invoice_id = "" } = await till.createInvoice();
    const { deposit } = InvoiceStore.byId(till.db, invoice_id) ?? {};
    const subject = { kind: "invoice", depositIndex: deposit?.index ?? -1 } as const;
    const first = Date.now();
    transact(till.db, () => {
      for (let i = 0; i < namedMax + 20; i++) {
        const happening = {
          type: "commented",
          occasion: `${i}`,
          data: { text: `${i}` },
          at: first + i,
        } as const;
        note(till.db, subject, happening);
      }
    });
    const entries = await timeline(`/api/invoices/${invoice_id}`);
    const [created, omitted, oldest] = entries;
    expect([created?.type, omitted?.summary, oldest?.summary]).toEqual([
      "created",
      "20 earlier events not named here.",
      "Comment: 20",
    ]);
    expect(entries.at(-1)?.summary).toBe(`Comment: ${namedMax + 19}`);
    expect(entries).toHaveLength(namedMax + 2);
  });
});
