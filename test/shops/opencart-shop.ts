import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ownPort } from "../support/http/port.ts";
import type { MariaDb } from "./mariadb.ts";
import { runPhp, startPhpServer } from "./php.ts";
import { admin } from "./shop.ts";
import { fillInConsent } from "./walk.ts";

export type OpenCart = Awaited<ReturnType<typeof openCart>>;

/** OpenCart with BTCPay's extension, unchanged, copied from `sources` and set up as its installer would. */
export async function openCart(sources: string, dir: string, mariaDb: MariaDb) {
  const name = "florist";
  const home = join(dir, name);
  cpSync(join(sources, "opencart"), home, { recursive: true, dereference: true });
  cpSync(join(sources, "btcpay"), join(home, "extension/btcpay"), { recursive: true, dereference: true });
  for (const folder of ["cache", "logs", "session", "upload", "download", "backup", "marketplace"])
    mkdirSync(join(home, "system/storage", folder), { recursive: true });
  for (const file of ["config.php", "admin/config.php"]) writeFileSync(join(home, file), "");
  const sql = await mariaDb.create(name);
  const port = ownPort();
  const url = `http://127.0.0.1:${port}`;
  const options = {
    username: admin.name,
    email: `owner@${name}.example`,
    password: admin.password.slice(0, 20),
    http_server: `${url}/`,
    language: "en-gb",
    db_driver: "mysqli",
    db_hostname: "127.0.0.1",
    db_username: "root",
    db_password: "",
    db_database: name,
    db_port: String(mariaDb.port),
    db_prefix: "oc_",
  };
  const words = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
  const said = await runPhp(join(home, "install/cli_install.php"), "install", ...words);
  if (!said.includes("SUCCESS")) throw new Error(`Not installed: ${said}`);
  await sql`
    INSERT INTO oc_extension_install
      (extension_id, extension_download_id, name, description, code, version, author, link, status, date_added)
    VALUES (0, 0, 'BTCPay Server payment gateway', '', 'btcpay', '4.2.2', 'BTCPay Server', '', 1, NOW())`;
  await sql`
    INSERT INTO oc_extension_path (extension_install_id, path)
    SELECT extension_install_id, 'btcpay/admin/controller/payment/btcpay.php'
    FROM oc_extension_install WHERE code = 'btcpay'`;
  // With Strict, a buyer who comes back from Till has lost their session.
  await sql`UPDATE oc_setting SET value = 'Lax' WHERE \`key\` = 'config_session_samesite'`;
  await sql`UPDATE oc_product SET shipping = 0 WHERE product_id = ${productId}`;
  let server = await startPhpServer(home, port, "robots.txt");
  return {
    name,
    url,
    async order(id: number) {
      const [found] = await sql`
        SELECT status.name FROM oc_order JOIN oc_order_status AS status USING (order_status_id)
        WHERE order_id = ${id}`;
      const history: { comment: string }[] = await sql`
        SELECT comment FROM oc_order_history WHERE order_id = ${id} ORDER BY order_history_id`;
      return { status: String(found?.name), notes: history.map((entry) => entry.comment) };
    },
    async orderOf(slug: string): Promise<number> {
      const [found] = await sql`SELECT order_id FROM oc_btcpay_order WHERE invoice_id = ${slug}`;
      if (!found) throw new Error(`${name} has no order that is paid at ${slug}`);
      return Number(found.order_id);
    },
    async log(): Promise<string> {
      const file = Bun.file(join(home, "system/storage/logs/error.log"));
      return (await file.exists()) ? file.text() : "";
    },
    async pause() {
      await server.stop();
    },
    async resume() {
      server = await startPhpServer(home, port, "robots.txt");
    },
  };
}

/** Signs in to the shop, installs the extension and makes a key at Till's desk for it. */
export async function connectOpenCart(page: Page, shop: OpenCart, tillUrl: string) {
  await page.goto(`${shop.url}/admin/`);
  await page.fill("#input-username", admin.name);
  await page.fill("#input-password", admin.password.slice(0, 20));
  await page.click("#form-login button[type=submit]");
  await page.waitForURL(/user_token=/);
  const token = new URL(page.url()).searchParams.get("user_token");
  const at = (route: string) => `${shop.url}/admin/index.php?route=${route}&user_token=${token}`;
  await page.goto(at("extension/payment.install&extension=btcpay&code=btcpay"));
  await page.goto(`${tillUrl}/desk/settings/shops/connect`);
  await fillInConsent(page, shop);
  await page.click("main form .actions button");
  const shown = (await page.textContent("main")) ?? "";
  const key = (await page.textContent("#secret")) ?? "";
  await page.goto(at("extension/btcpay/payment/btcpay"));
  await page.selectOption("#input-status", "1");
  await page.fill("#input-btcpay-url", tillUrl);
  await page.fill("#input-api-auth-token", key);
  await page.fill("#input-btcpay-storeid", /store_\w+/.exec(shown)?.[0] ?? "");
  const save = async () => {
    await page.click("[form=form_payment], button[type=submit]");
    await page.waitForSelector(".alert");
    return (await page.locator(".alert").allTextContents()).join(" ");
  };
  return {
    said: await save(),
    /** Has the extension show Till's checkout before the shop's page. */
    async setModal() {
      await page.goto(at("extension/btcpay/payment/btcpay"));
      await page.check("#input-modal-mode");
      await save();
    },
  };
}

/** Puts a product that is not shipped into the cart, orders it as a guest, and is where it is paid. */
export async function orderAtOpenCart(page: Page, shop: OpenCart): Promise<void> {
  await page.goto(`${shop.url}/index.php?route=product/product&language=en-gb&product_id=${productId}`);
  await page.click("#button-cart");
  await page.waitForSelector(".alert-success");
  await page.goto(`${shop.url}/index.php?route=checkout/checkout&language=en-gb`);
  await page.check("#input-guest");
  await page.fill("#input-firstname", "Ida");
  await page.fill("#input-lastname", "Berg");
  await page.fill("#input-email", "buyer@globex.example");
  await page.click("#button-register");
  await page.waitForSelector(".alert-success");
  await page.click("#button-payment-methods");
  await page.click("#button-payment-method");
  const confirm = page.locator("#checkout-payment .btn-primary:enabled");
  await confirm.waitFor();
  await confirm.click();
}

const productId = 40;
