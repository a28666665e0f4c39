import { join } from "node:path";
import * as Address from "../../src/domain/wallet/address.ts";
import { createApiKey } from "../../src/http/access/api-key.ts";
import { numberOf } from "../../src/store/database.ts";
import { makeBackup } from "../../src/store/files/backup.ts";
import * as BackupStore from "../../src/store/tables/installation/backup.ts";
import { addPerson, startDesk, visitor } from "../support/desk/desk.ts";
import { fill } from "../support/desk/shop.ts";
import { startReceiver } from "../support/http/receiver.ts";
import {
  businessRequest,
  invoiceRequest,
  linkRequest,
  recurringRequest,
  until,
  untilMailed,
} from "../support/till/till.ts";
import type { Past } from "./past.ts";

const months = 10;
const monthDays = 30;
export const yearDays = (months + 1) * monthDays;

/** Where the shop of the kept data directory is. */
export const baseUrl = "http://localhost:3000";

const { expected_amount: _, ...unpriced } = linkRequest;
const taxedLink = {
  ...unpriced,
  line_items: [{ description: "Tee", quantity: 2, unit_price: "5.35", tax_rate: "7" }],
};

/** A shop's life for a year in a data directory: in every state that there is at first, then a month at a time. */
export async function liveAYear(
  { chain, pass }: Past,
  dataDir: string,
): Promise<{ owner: number; key: string }> {
  const receiver = await startReceiver();
  const till = await startDesk({
    TILL_RPC_URL: chain.rpcUrl,
    TILL_RPC_WS_URL: chain.wsUrl,
    TILL_CONFIRMATIONS: "3",
    TILL_BASE_URL: baseUrl,
    TILL_DATA_DIR: dataDir,
    TILL_MAIL_ATTACH_PDF: "true",
  });
  const id = await addPerson(till, "Mara Lindqvist", "owner");
  const owner = visitor(till, id);
  await fill({ till, chain, owner, receiver, id });

  const credited = (deposit: string) =>
    until(
      async () => {
        await chain.mine(1);
        return numberOf(
          till.db,
          "SELECT count(*) FROM transfer JOIN receivable USING (deposit_index) WHERE address = ? AND confirmed = 1",
          deposit,
        );
      },
      (count) => count !== 0,
    );
  const pay = async (deposit: string, amount: string) => {
    await chain.pay(Address.checksum(deposit), amount);
    await credited(deposit);
  };
  const { key } = createApiKey(till.db, "year", Date.now());
  const authorization = { authorization: `Bearer ${key}` };
  const ask = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await till.api(method, path, body, authorization);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };

  const today = () => new Date(Date.now()).toISOString().slice(0, 10);
  const { due_date: _due, ...undated } = invoiceRequest;
  await ask("POST", "/api/recurring", { ...recurringRequest, invoice: undated, starts_on: today() });
  await ask("PUT", "/api/merchants/billing@acme.example", { name: "Acme Ltd", usd_parity: true });
  await ask("PUT", "/api/customers/ap@globex.example", { name: "Globex GmbH", language: "de" });
  const byo = { wallet_type: "byo", wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" };
  const standard = { webhook_url: receiver.url, webhook_events: "standard" };
  const { slug: _slug, ...open } = await ask("POST", "/api/links", {
    ...{ ...linkRequest, ...byo, ...standard, embed_origins: ["https://shop.example"] },
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await pay(open.deposit_address, "5.00");
  await ask("POST", "/api/links", {
    ...linkRequest,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await ask("POST", "/api/links", { ...linkRequest, ...standard, reusable: true });
  await ask("POST", "/api/recurring", { ...recurringRequest, send_now: true });
  const over = await ask("POST", "/api/invoices", { ...invoiceRequest, send_now: true });
  await pay(over.deposit_address, "1700.00");
  await ask("POST", "/api/refunds", {
    invoice: over.invoice_number,
    amount: "50.00",
    ask: true,
    reason: "Too much",
  });
  await ask("POST", "/api/refunds", { invoice: over.invoice_number, amount: "20.00", elsewhere: true });
  for (let month = 1; month <= months; month++) {
    await till.pause();
    await pass(monthDays);
    await till.resume();
    await chain.mine(3);
    const said = {
      issue_date: today(),
      due_date: new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10),
    };
    // What it is told in the last month waits.
    if (month === months) receiver.answerWith(500);
    const business = await ask("POST", "/api/invoices", {
      ...businessRequest,
      ...said,
      send_now: true,
      webhook_url: receiver.url,
    });
    await pay(business.deposit_address, business.expected_amount ?? business.total_usdc ?? "10.00");
    const plain = await ask("POST", "/api/invoices", {
      ...invoiceRequest,
      ...said,
      send_now: month % 2 === 0,
    });
    if (month % 3 === 0) await pay(plain.deposit_address, "1600.00");
    const link = await ask("POST", "/api/links", taxedLink);
    await pay(link.deposit_address, month % 2 === 0 ? "10.70" : "20.00");
    if (month % 5 === 0) {
      const name = business.invoice_number;
      await ask("POST", `/api/invoices/${name}/credit-notes`, {
        reason: "One book came back",
        lines: [{ line: 2 }],
      });
      for (const format of ["cii", "ubl", "factur-x"])
        await ask("GET", `/api/invoices/${name}/e-invoice?format=${format}`);
    }
    if (month === 2) {
      const file = join(dataDir, "till-backup.db");
      makeBackup({ dataDir, file, force: false, version: "1.0.0", now: Date.now() });
      BackupStore.note(till.db, Date.now(), true);
    }
  }
  // A draft that the merchant looked at; and what is searched gets into the index.
  const draft = await ask("POST", "/api/invoices", { ...invoiceRequest, send_now: false });
  await ask("GET", `/api/invoices/${draft.invoice_id}/pdf`);
  const back = visitor(till, id);
  for (const place of ["invoices", "customers", "links", "credit-notes"])
    await (await back.get(`/desk/${place}?q=a`)).text();
  // Two stay on their way.
  for (const amount of ["25.00", "10.00"]) {
    const { deposit_address } = await ask("POST", "/api/links", linkRequest);
    await chain.pay(Address.checksum(deposit_address), amount);
  }
  await until(
    () => numberOf(till.db, "SELECT count(*) FROM transfer WHERE confirmed = 0"),
    (count) => count === 2,
  );
  await untilMailed(till);
  await receiver.stop();
  await till.stop();
  return { owner: id, key };
}
