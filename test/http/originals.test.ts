import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { checkOriginals } from "../../src/doctor/replay.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { makeBackup } from "../../src/store/files/backup.ts";
import { restoreBackup } from "../../src/store/files/restore.ts";
import * as SettingStore from "../../src/store/tables/installation/setting.ts";
import * as OriginalStore from "../../src/store/tables/invoicing/original.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { patient } from "../support/mail/patience.ts";
import { shared } from "../support/per-file.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { businessRequest, startTestTill, until } from "../support/till/till.ts";

patient();
const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain, { TILL_MAIL_ATTACH_PDF: "true" }));
const dir = makeDataDir();
afterAll(async () => {
  dir.remove();
});

async function speak(language: string): Promise<void> {
  SettingStore.set(till.db, "LANGUAGE", language, "test", Date.now());
  await till.pause();
  await till.resume();
}

const bytesOf = async (path: string) =>
  Buffer.from(await (await fetch(`${till.localUrl}${path}`)).arrayBuffer());

type Kept = { form: string; sha256: string; url: string };
async function keptOf(id: string): Promise<Kept[]> {
  const { body } = await till.api("GET", `/api/invoices/${id}/timeline`);
  return body.data
    .filter(({ type }: { type: string }) => type === "document")
    .map(({ data }: { data: Kept }) => data);
}

test("a document stays what the customer got, whatever is set, corrected or restored later", async () => {
  const request = { ...businessRequest, send_now: false };
  const { body: made } = await till.api("POST", "/api/invoices", request);
  const path = `/api/invoices/${made.invoice_id}`;
  const draft = await bytesOf(`${path}/pdf`);
  expect(await keptOf(made.invoice_id)).toHaveLength(1);

  // A draft that nobody saw is no document yet.
  await speak("de");
  expect((await till.api("POST", `${path}/send`)).status).toBe(200);
  const [mail] = till.mail.list();
  const xml = await bytesOf(`${path}/e-invoice?format=cii`);
  const sent = [xml, ...(mail?.attachments ?? []).map(({ bytes }) => Buffer.from(bytes))];
  const kept = await keptOf(made.invoice_id);
  expect(kept.map(({ form }) => form).sort()).toEqual(["cii", "pdf"]);
  const page = async () => (await fetch(`${till.localUrl}/i/${made.slug}`)).text();
  const ofPdf = kept.find(({ form }) => form === "pdf")?.sha256;
  expect(await page()).toContain(`href="/api/originals/${ofPdf}">Rechnung wie zuerst gesendet (PDF)</a>`);
  const originals = () => Promise.all(kept.map(({ sha256 }) => bytesOf(`/api/originals/${sha256}`)));
  const same = (all: Buffer[]) => all.every((bytes) => sent.some((each) => each.equals(bytes)));
  expect(same(await originals())).toBe(true);
  expect(sent.some((each) => each.equals(draft))).toBe(false);

  // Nor is what its merchant saw, once the customer opened the page and takes another.
  const seen = await till.createInvoice();
  const other = `/api/invoices/${seen["invoice_id"]}/pdf`;
  await bytesOf(other);
  await speak("es");
  await till.api("GET", `/i/${seen["slug"]}`, undefined, { accept: "text/html" });
  await until(
    async () => JSON.stringify((await till.api("GET", `/api/invoices/${seen["invoice_id"]}/timeline`)).body),
    (timeline) => timeline.includes('"opened"'),
  );
  const taken = await bytesOf(other);
  await speak("fr");
  await bytesOf(other);
  const [only, ...more] = await keptOf(seen["invoice_id"] ?? "");
  expect(more).toEqual([]);
  expect(await bytesOf(`/api/originals/${only?.sha256}`)).toEqual(taken);

  const today = await bytesOf(`${path}/pdf`);
  expect(sent.some((each) => each.equals(today))).toBe(false);
  expect(await keptOf(made.invoice_id)).toEqual(kept);
  expect(same(await originals())).toBe(true);

  // What is corrected is issued anew, beside what was before.
  expect((await till.api("PATCH", path, { due_date: "2030-02-28" })).status).toBe(200);
  const corrected = await bytesOf(`${path}/pdf`);
  const all = await keptOf(made.invoice_id);
  expect(all).toHaveLength(3);
  expect(await bytesOf(`/api/originals/${all.at(-1)?.sha256}`)).toEqual(corrected);

  const file = join(dir.path, "backup.db");
  makeBackup({ dataDir: till.config.dataDir, file, force: false, version: "1.2.3", now: Date.now() });
  const elsewhere = join(dir.path, "elsewhere");
  mkdirSync(elsewhere);
  restoreBackup({
    ...{ dataDir: elsewhere, file, force: false, nextInvoice: 3, nextCreditNote: null, nextReceipt: null },
    ...{ now: Date.now(), hotMs: 0 },
  });
  const db = openDatabase(elsewhere);
  const restored = kept.map(({ sha256 }) => Buffer.from(OriginalStore.bytesOf(db, sha256)?.bytes ?? []));
  closeDatabase(db);
  expect(same(restored)).toBe(true);
  const found: string[] = [];
  const check = () =>
    checkOriginals(
      till.db,
      ({ level, message }) => found.push(`${level}: ${message}`),
      () => {},
    );
  check();
  till.db.run("UPDATE original SET bytes = x'00' WHERE id = 1");
  check();
  expect(found).toEqual([
    expect.stringMatching(/^ok: 4 documents kept as issued/),
    expect.stringMatching(/^wrong: INV-0001\S* is not what was issued/),
  ]);
  expect((await till.api("GET", `/api/originals/${"0".repeat(64)}`)).status).toBe(404);
});
