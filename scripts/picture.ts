/**
 * Makes the picture of the README, `assets/pictures/till.png`: an invoice on a phone and a checkout in a shop's page,
 * each from a real `till dev` in a real Chromium.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startBrowser } from "../test/support/browser/browser.ts";
import { makeDataDir } from "../test/support/till/data-dir.ts";
import { program, startDev } from "../test/support/till/process.ts";

const project = join(import.meta.dir, "..");
const pictures = join(project, "assets/pictures");
const scale = 1.2;
/** One picture of a pair, in CSS pixels. */
const size = { width: 400, height: 660 };

const dir = makeDataDir();
const till = await startDev(program, { cwd: project, env: { TILL_DATA_DIR: dir.path } });
const browser = await startBrowser();
const baseUrl = till.ready.base_url;

async function create(path: string, request: object): Promise<Record<string, string>> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as Record<string, string>;
}

async function pictureOf(open: { url: string } | { html: string }, shown = size): Promise<Buffer> {
  const context = await browser.newContext({ viewport: shown, deviceScaleFactor: scale });
  const page = await context.newPage();
  if ("url" in open) await page.goto(open.url, { waitUntil: "networkidle" });
  else await page.setContent(open.html, { waitUntil: "networkidle" });
  const image = await page.screenshot({ type: "png" });
  await context.close();
  return image;
}

try {
  const invoice = await create("/api/invoices", {
    merchant_email: "billing@acme.example",
    merchant_name: "Acme Ltd",
    merchant_address: "1 Main Street, Springfield",
    vendor_email: "ap@globex.example",
    vendor_name: "Globex GmbH",
    line_items: [{ description: "Design", quantity: 10, unit_price: "150.00" }],
    due_date: "2030-01-31",
    wallet_type: "managed",
  });
  const link = await create("/api/links", {
    business_name: "Corner Shop",
    expected_amount: "25.00",
    merchant_email: "owner@corner.example",
    wallet_type: "managed",
    product_description: "One bag of coffee",
  });
  const shop = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      const style = "body{margin:0;font-family:sans-serif;background:#f5efe6;color:#3b2a1a}";
      const head = `<meta name="viewport" content="width=device-width"><style>${style}</style>`;
      const body = `<h1 style="margin:16px 20px 4px;font-size:24px">Corner Shop</h1>
        <p style="margin:0 20px 12px">One bag of coffee, roasted today.</p>
        <div style="margin:0 20px">${link["js_widget_snippet"]}</div>`;
      return new Response(`<!doctype html><title>Shop</title>${head}${body}`, {
        headers: { "content-type": "text/html; charset=utf-8" },
      });
    },
  });
  const images = [
    await pictureOf({ url: String(invoice["invoice_url"]) }),
    await pictureOf({ url: shop.url.href }),
  ];
  await shop.stop(true);
  const frames = images.map(
    (image) =>
      `<img src="data:image/png;base64,${image.toString("base64")}" style="width:${size.width}px;height:${size.height}px;border-radius:24px;border:1px solid #ccc">`,
  );
  const html = `<body style="margin:0;display:flex;gap:32px;padding:16px;background:#fff">${frames.join("")}`;
  const both = await pictureOf({ html }, { width: 2 * size.width + 68, height: size.height + 34 });
  mkdirSync(pictures, { recursive: true });
  await Bun.write(join(pictures, "till.png"), both);
  console.log(`assets/pictures/till.png: ${Math.round(both.length / 1000)} kB`);
} finally {
  await browser.close();
  await till.end();
  dir.remove();
}
