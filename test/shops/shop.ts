import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownPort } from "../support/http/port.ts";
import type { MariaDb } from "./mariadb.ts";
import { type PhpServer, runPhp, startPhpServer } from "./php.ts";

export type Shop = {
  readonly name: string;
  readonly url: string;
  readonly productId: number;
  checkoutUrl(): Promise<string>;
  /** An order as the shop has it. */
  order(id: number): Promise<Order>;
  /** The number of the order that is paid at this page of Till. */
  orderOf(slug: string): Promise<number>;
  orderCount(): Promise<number>;
  /** Everything that the plugin and PHP wrote down. */
  log(): Promise<string>;
  /** Takes the shop off the net, and puts it back. */
  pause(): Promise<void>;
  resume(): Promise<void>;
};

export type Order = { status: string; notes: string[]; meta: Record<string, string> };

export type ShopOptions = { name: string; currency: string; checkout: "blocks" | "classic" };

export const admin = { name: "admin", password: "correct horse battery" };

const plugin = "wp-content/plugins/btcpay-greenfield-for-woocommerce";

/** WordPress with WooCommerce and BTCPay's plugin, unchanged, copied from `sources` and set up as a merchant would. */
export async function openShop(
  sources: string,
  dir: string,
  mariaDb: MariaDb,
  { name, currency, checkout }: ShopOptions,
): Promise<Shop> {
  const home = join(dir, name);
  cpSync(join(sources, "wordpress"), home, { recursive: true });
  buildPlugin(join(home, plugin));
  addPlainTheme(join(home, "wp-content/themes/plain"));
  const sql = await mariaDb.create(name);
  writeFileSync(join(home, "wp-config.php"), config(name, mariaDb.port));

  const port = ownPort();
  const url = `http://127.0.0.1:${port}`;
  const start = () => startPhpServer(home, port, "license.txt");
  let server: PhpServer | null = await start();
  const form = {
    weblog_title: name,
    user_name: admin.name,
    admin_password: admin.password,
    admin_password2: admin.password,
    pw_weak: "1",
    admin_email: `owner@${name}.example`,
    blog_public: "0",
  };
  const installed = await fetch(`${url}/wp-admin/install.php?step=2`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  const answer = await installed.text();
  if (!answer.includes("WordPress has been installed")) throw new Error(`Not installed: ${answer}`);
  const setUp = join(import.meta.dir, "set-up.php");
  await runPhp(setUp, home, "activate");
  const productId = Number(await runPhp(setUp, home, currency, checkout));
  if (!Number.isInteger(productId)) throw new Error(`Product ${productId}`);

  return {
    name,
    url,
    productId,
    async checkoutUrl() {
      const [page] = await sql`
        SELECT option_value FROM wp_options WHERE option_name = 'woocommerce_checkout_page_id'`;
      return `${url}/?page_id=${page.option_value}`;
    },
    async order(id) {
      const [found] = await sql`SELECT status FROM wp_wc_orders WHERE id = ${id}`;
      if (!found) throw new Error(`${name} has no order ${id}`);
      const notes: { comment_content: string }[] = await sql`
        SELECT comment_content FROM wp_comments
        WHERE comment_post_ID = ${id} AND comment_type = 'order_note' ORDER BY comment_ID`;
      const meta: { meta_key: string; meta_value: string }[] = await sql`
        SELECT meta_key, meta_value FROM wp_wc_orders_meta WHERE order_id = ${id} ORDER BY id`;
      return {
        status: found.status.replace("wc-", ""),
        notes: notes.map((note) => note.comment_content),
        meta: Object.fromEntries(meta.map((pair) => [pair.meta_key, pair.meta_value])),
      };
    },
    async orderOf(slug) {
      const [found] = await sql`
        SELECT order_id FROM wp_wc_orders_meta
        WHERE meta_key = 'BTCPay_redirect' AND meta_value LIKE ${`%/${slug}`}`;
      if (!found) throw new Error(`${name} has no order that is paid at ${slug}`);
      return Number(found.order_id);
    },
    async orderCount() {
      const [found] =
        await sql`SELECT count(*) AS count FROM wp_wc_orders WHERE status <> 'wc-checkout-draft'`;
      return Number(found.count);
    },
    async log() {
      const files = [...new Bun.Glob("wp-content/{debug.log,uploads/wc-logs/*.log}").scanSync(home)];
      const texts = await Promise.all(files.map((file) => Bun.file(join(home, file)).text()));
      return texts.join("\n");
    },
    async pause() {
      await server?.stop();
      server = null;
    },
    async resume() {
      server = await start();
    },
  };
}

/** A theme of before blocks, as shops with the classic checkout have one. */
function addPlainTheme(dir: string): void {
  mkdirSync(dir);
  writeFileSync(join(dir, "style.css"), "/* Theme Name: Plain */");
  writeFileSync(
    join(dir, "index.php"),
    `<!doctype html>
<html <?php language_attributes(); ?>>
<head><meta charset="utf-8"><?php wp_head(); ?></head>
<body <?php body_class(); ?>><main>
<?php while (have_posts()) { the_post(); the_content(); } ?>
</main><?php wp_footer(); ?></body>
</html>`,
  );
}

/** What a release of the plugin has and its sources have not: an autoloader, and the scripts of its pages. */
function buildPlugin(dir: string): void {
  writeFileSync(
    join(dir, "vendor/autoload.php"),
    `<?php
require __DIR__ . '/btcpayserver/btcpayserver-greenfield-php/src/autoload.php';
spl_autoload_register(function ($name) {
	$file = __DIR__ . '/../src/' . strtr(substr($name, 16), '\\\\', '/') . '.php';
	if (str_starts_with($name, 'BTCPayServer\\\\WC\\\\') && is_file($file)) require $file;
});
`,
  );
  const scripts = join(dir, "assets/js");
  for (const part of ["backend", "frontend"])
    cpSync(join(dir, "resources/js", part), join(scripts, part), { recursive: true });
  // Of each package, the global that WordPress and WooCommerce have.
  const source = readFileSync(join(scripts, "frontend/index.js"), "utf8").replace(
    /^import (\{.*\}) from '@(wordpress|woocommerce)\/(.*)';$/gm,
    (_, names: string, owner: string, name: string) => {
      const global = name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
      return `const ${names} = ${owner === "wordpress" ? `wp.${global}` : globals[name]};`;
    },
  );
  const code = new Bun.Transpiler({ loader: "jsx", tsconfig }).transformSync(source);
  writeFileSync(join(scripts, "frontend/blocks.js"), `(() => {${code}})();`);
  const dependencies = "'wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities', 'wp-i18n'";
  writeFileSync(
    join(scripts, "frontend/blocks.asset.php"),
    `<?php return ['dependencies' => [${dependencies}], 'version' => '2.8.0'];`,
  );
}

const globals: Record<string, string> = {
  "blocks-registry": "wc.wcBlocksRegistry",
  settings: "wc.wcSettings",
};
const tsconfig = JSON.stringify({
  compilerOptions: { jsx: "react", jsxFactory: "wp.element.createElement" },
});

/** Shops reach nothing beyond this machine, and run no tasks by themselves. */
const config = (name: string, databasePort: number) => `<?php
define('DB_NAME', '${name}');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', '127.0.0.1:${databasePort}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $of) {
	define($of . '_KEY', "key $of ${name}");
	define($of . '_SALT', "salt $of ${name}");
}
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_ACCESSIBLE_HOSTS', '127.0.0.1,localhost');
define('DISABLE_WP_CRON', true);
define('WP_DEBUG', true);
define('WP_DEBUG_LOG', true);
define('WP_DEBUG_DISPLAY', false);
$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
