/**
 * Makes the picture of the desk, `assets/pictures/desk.png`: Home of a real `till dev` in a real Chromium. Its invoices
 * are made by API and paid on the chain; only what came in on the days before is written into the database, as a chain
 * that has just begun has no past.
 */
import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startBrowser } from "../test/support/browser/browser.ts";
import { makeDataDir } from "../test/support/till/data-dir.ts";
import { program, startDev, startProcess } from "../test/support/till/process.ts";

const project = join(import.meta.dir, "..");
const pictures = join(project, "assets/pictures");
const size = { width: 1180, height: 860 };
const shop = {
  merchant_email: "hello@kestrel.example",
  merchant_name: "Kestrel Coffee",
  merchant_address: "7 Harbour Road\nBristol",
  wallet_type: "managed",
  issue_date: "2026-01-01",
};
const bills = [
  { vendor_name: "Bäckerei Sommer", price: "19.25", due_date: "2026-01-31", paid: false },
  { vendor_name: "Studio Halden", price: "41.60", due_date: "2030-01-31", paid: false },
  { vendor_name: "Northside Bakery", price: "14.74", due_date: "2030-01-31", paid: true },
  { vendor_name: "Hotel Linde", price: "23.98", due_date: "2030-01-31", paid: true },
  { vendor_name: "Café Morgenrot", price: "12.31", due_date: "2030-01-31", paid: true },
];
const dayMs = 86_400_000;
const quarterMs = 900_000;
/** Of each day before today, in USDC: a shop that rests on every seventh. */
const past = [
  980, 1240, 760, 410, 0, 1310, 1180, 1460, 1720, 690, 380, 0, 1270, 1500, 1640, 1390, 990, 450, 0, 1890,
  2310, 1200,
];

const dir = makeDataDir();
const env = { TILL_DATA_DIR: dir.path };
const till = await startDev(program, { cwd: project, env });
const browser = await startBrowser();
const { base_url: baseUrl, data_dir: dataDir, rpc_url: rpcUrl } = till.ready;

async function bill({ vendor_name, price, due_date, paid }: (typeof bills)[number]): Promise<void> {
  const response = await fetch(`${baseUrl}/api/invoices`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...shop,
      vendor_name,
      vendor_email: "accounts@customer.example",
      due_date,
      line_items: [{ description: "House blend, 1 kg", quantity: 60, unit_price: price }],
    }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  const { invoice_number } = (await response.json()) as { invoice_number: string };
  if (!paid) return;
  const command = [...program, "pay", invoice_number];
  await startProcess(command, { cwd: project, env: { ...env, TILL_RPC_URL: rpcUrl } }).exited;
}

try {
  for (const each of bills) await bill(each);
  const db = new Database(join(dataDir, "till.db"));
  const insert = db.query("INSERT INTO received (quarter, amount) VALUES (?, ?)");
  for (const [i, amount] of past.entries())
    insert.run(Math.floor((Date.now() - (past.length - i) * dayMs) / quarterMs), amount * 1_000_000);
  db.close();
  const page = await browser.newPage({ viewport: size });
  await page.goto(`${baseUrl}/desk`);
  const image = await page.screenshot({ type: "png" });
  mkdirSync(pictures, { recursive: true });
  await Bun.write(join(pictures, "desk.png"), image);
  console.log(`assets/pictures/desk.png: ${Math.round(image.length / 1000)} kB`);
} finally {
  await browser.close();
  await till.end();
  dir.remove();
}
