import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { buildClient, generated } from "../../../scripts/client.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { headersFor } from "../../../src/outbox/webhook/signature.ts";
import { newSecret } from "../../../src/store/secrets.ts";
import { startBrowser } from "../../support/browser/browser.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { ownPort } from "../../support/http/port.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { project } from "../../support/till/handbook.ts";
import { invoiceRequest, linkRequest, startTestTill, type TestTill, until } from "../../support/till/till.ts";

/** The package as it is installed: built, in a shop's node_modules, with nothing else of Till's. */
const shop = makeDataDir();
const packed = join(shop.path, "node_modules/till-client");
const home = join(project, "clients/typescript");
const readme = readFileSync(join(home, "README.md"), "utf8");
const bundle = () => readFileSync(join(packed, "dist/till-client.js"), "utf8");

let chain: TestChain;
let till: TestTill;
let apiKey: string;
let browser: Browser;

beforeAll(async () => {
  [chain, browser] = await Promise.all([startTestChain(), startBrowser(), buildClient(packed)]);
  till = await startTestTill(chain);
  apiKey = createApiKey(till.db, "shop", Date.now(), { scope: "shop" }).key;
  symlinkSync(join(project, "node_modules/hono"), join(shop.path, "node_modules/hono"));
  writeFileSync(join(shop.path, "package.json"), '{"type":"module"}');
});
afterAll(async () => {
  await browser.close();
  await till.stop();
  await chain.stop();
  shop.remove();
});

/** The examples of README in a language, with the address of the real Till. */
const examples = (language: string) =>
  [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, code = ""]) =>
    name === language ? [code.replace("https://pay.example", till.baseUrl)] : [],
  );
/** Those that follow one another in one program, and the two receivers of webhooks. */
const program = () => examples("ts").slice(0, -2).join("\n");
const receivers = () => examples("ts").slice(-2);

const bearer = () => ({ authorization: `Bearer ${apiKey}` });

/** A post as Till signs it. */
const secret = newSecret();
const body = '{"type":"invoice.paid","data":{"note":"Grüße"}}';
const timestampSec = Math.floor(Date.now() / 1000);
const post = { body, headers: headersFor({ secret, eventId: "evt_1", timestampSec, body }), secret };

/** Waits until something was printed. */
function reader(stream: ReadableStream<Uint8Array>): (text: string) => Promise<string> {
  let all = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) all += decoder.decode(chunk, { stream: true });
  })();
  reading.catch(() => {});
  return (text) =>
    until(
      () => all,
      () => all.includes(text),
    );
}

function start(command: string[], env: Record<string, string> = {}) {
  return Bun.spawn(command, {
    cwd: shop.path,
    env: { PATH: process.env["PATH"] ?? "", TILL_API_KEY: apiKey, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** What a command printed; fails when it complained. */
async function run(...command: string[]): Promise<string> {
  const child = start(command);
  const [out, faults] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, faults]).toEqual([0, ""]);
  return out;
}

/** Writes a program in TypeScript as Node.js 20 runs it. */
function write(name: string, typescript: string): string {
  const file = join(shop.path, name);
  writeFileSync(file, new Bun.Transpiler({ loader: "ts" }).transformSync(typescript));
  return file;
}

describe("the package", () => {
  test("has what Till says of itself today", async () => {
    for (const [file, text] of Object.entries(await generated()))
      if (readFileSync(join(home, file), "utf8") !== text)
        throw new Error(`${file} is stale: bun run client`);
  });

  test("is one small file that imports nothing and makes no code", async () => {
    expect(Buffer.byteLength(bundle())).toBeLessThan(15_000);
    expect(bundle()).not.toMatch(/\bimport\b|\brequire\b|\beval\b|\bFunction\(|\bprocess\b|\bBuffer\b/);
    const { dependencies, exports, files, version } = await Bun.file(join(packed, "package.json")).json();
    expect([dependencies, files]).toEqual([undefined, ["dist"]]);
    for (const file of Object.values<string>(exports["."]))
      expect(await Bun.file(join(packed, file)).exists()).toBe(true);
    expect(version).toBe((await Bun.file(join(project, "package.json")).json()).version);
  });

  test("leaves out what a program does not use", async () => {
    const entry = join(shop.path, "receiver.js");
    writeFileSync(entry, 'import { verifyWebhook } from "till-client";\nconsole.log(verifyWebhook);');
    const { outputs } = await Bun.build({ entrypoints: [entry], minify: true });
    const text = (await outputs[0]?.text()) ?? "";
    expect(text).toContain("webhook-");
    expect(text).not.toContain("idempotency-key");
    expect(text.length).toBeLessThan(bundle().length / 1.5);
  });

  test("compiles in strict programs, which it keeps from asking what there is not", async () => {
    const [plain = "", hono = ""] = receivers();
    const head = program().split("\n\n").slice(0, 2).join("\n");
    const wrong = [
      'await till.get("/api/invoices/{id}");',
      'await till.get("/api/invoices/{id}/pdf", { path: { id: "x" } });',
      'await till.get("/api/invoices", { query: { statu: "draft" } });',
      'await till.get("/api/owed", { query: { status: "open" } });',
      'await till.post("/api/keys", { body: { name: "x", scope: "read" }, idempotencyKey: "x" });',
      'await till.post("/api/refunds", { body: { invoice: 1042 } });',
      'for await (const { id } of till.list("/api/links")) console.log(id);',
      'till.list("/api/balance");',
      'till.file("/api/balance");',
      'await till.get("/health/live");',
    ];
    const sources = {
      "program.ts": program(),
      "plain.ts": plain,
      "hono.ts": hono,
      "wrong.ts": `${head}\n${wrong.join("\n")}`,
    };
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(shop.path, name), text);
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const compilerOptions = {
      ...strict,
      target: "ES2022",
      module: "NodeNext",
      moduleDetection: "force",
      noEmit: true,
      lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      typeRoots: [join(project, "node_modules/@types")],
      types: ["node"],
      skipLibCheck: true,
    };
    writeFileSync(
      join(shop.path, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: Object.keys(sources) }),
    );
    const tsc = join(project, "node_modules/typescript/bin/tsc");
    const child = start([process.execPath, tsc, "-p", shop.path, "--pretty", "false"]);
    const faults = [...(await new Response(child.stdout).text()).matchAll(/^(\S+)\((\d+),.*error.*$/gm)];
    const first = head.split("\n").length + 1;
    expect([...new Set(faults.map(([, file, line]) => `${file}:${line}`))]).toEqual(
      wrong.map((_, at) => `wrong.ts:${first + at}`),
    );
  });
});

describe("the examples of README", () => {
  test("run in Node.js and in Bun, against a real Till", async () => {
    const file = write("program.mjs", program());
    for (const runtime of ["node", process.execPath]) {
      const before = (await till.api("GET", "/api/invoices", undefined, bearer())).body.data.length;
      const lines = (await run(runtime, file)).trim().split("\n");
      expect(lines).toEqual([
        expect.stringMatching(/^INV-0001 http:\/\/127.0.0.1:\d+\/i\/\w+$/),
        expect.stringMatching(/^Send the customer to http:\/\/127.0.0.1:\d+\/pay\/\w+$/),
        "pending 25.00",
        "INV-0001 sent",
        "application/pdf",
        "reason must be text of 1 to 500 characters",
      ]);
      // The second runtime asks with the same keys, as a program does that was started again.
      const after = (await till.api("GET", "/api/invoices", undefined, bearer())).body.data.length;
      expect([before, after]).toEqual([runtime === "node" ? 0 : 1, 1]);
    }
  });

  test("take what a real Till posts, and nothing else", async () => {
    const wants = ["INV-0002 is paid", "is confirmed"];
    for (const [at, code] of receivers().entries()) {
      const port = ownPort();
      const url = `http://127.0.0.1:${port}/till`;
      const [path, request] = [
        ["/api/webhook-endpoints", { url }],
        ["/api/links", { ...linkRequest, webhook_url: url }],
      ][at] as [string, object];
      const made = (await till.api("POST", path, request, bearer())).body;
      const serve = `import handler from ${JSON.stringify(write(`receiver${at}.mjs`, code))};
        const fetch = (request) => handler.fetch(request);
        Bun.serve({ hostname: "127.0.0.1", port: ${port}, fetch });
        console.log("ready");`;
      const child = start([process.execPath, write(`serve${at}.mjs`, serve)], {
        TILL_WEBHOOK_SECRET: made.secret ?? made.webhook_secret,
      });
      const printed = reader(child.stdout);
      await printed("ready");
      const forged = await fetch(url, { method: "POST", body: '{"type":"invoice.paid"}' });
      expect([forged.status, await forged.text()]).toEqual([
        400,
        expect.stringContaining("webhook-signature"),
      ]);
      const body = { ...invoiceRequest, send_now: false };
      const bill = at === 0 ? (await till.api("POST", "/api/invoices", body, bearer())).body : made;
      await chain.pay(Address.checksum(bill.deposit_address), at === 0 ? "1500.00" : "25.00");
      await printed(wants[at] ?? "");
      child.kill();
      await child.exited;
    }
  });
});

describe("in Chromium, a page of another site", () => {
  test("reads what is public with the example of README, and nothing else", async () => {
    const link = (await till.api("POST", "/api/links", linkRequest, bearer())).body;
    const invoice = (await till.api("POST", "/api/invoices", invoiceRequest, bearer())).body;
    const [example = ""] = examples("js");
    const html = `<!doctype html><script type="importmap">{"imports":{"till-client":"/till-client.js"}}</script>
      <script type="module">${example.replace("SLUG", link.slug)}</script>`;
    const site = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) =>
        url.endsWith(".js")
          ? new Response(bundle(), { headers: { "content-type": "text/javascript" } })
          : new Response(html, { headers: { "content-type": "text/html" } }),
    });
    const page = await browser.newPage();
    await page.goto(site.url.href);
    await until(
      () => page.title(),
      (title) => title === "pending",
    );
    const seen = await page.evaluate(
      async ({ site, baseUrl, apiKey, slug, id, linkRequest, post }) => {
        const { createTill, verifyWebhook } = await import(`${site}till-client.js`);
        const open = createTill({ baseUrl, attempts: 1 });
        const keyed = createTill({ baseUrl, apiKey, attempts: 1 });
        const codeOf = (work: Promise<unknown>) =>
          work.then(
            () => "read",
            ({ code }) => code,
          );
        return {
          link: await codeOf(open.get("/api/links/{slug}", { path: { slug } })),
          missing: await codeOf(open.get("/api/links/{slug}", { path: { slug: "none" } })),
          invoice: await codeOf(open.get("/api/invoices/{id}/status", { path: { id } })),
          list: await codeOf(keyed.get("/api/links")),
          made: await codeOf(keyed.post("/api/links", { body: linkRequest })),
          webhook: (await verifyWebhook(post.body, post.headers, post.secret)).id,
          forged: await codeOf(verifyWebhook(`${post.body} `, post.headers, post.secret)),
        };
      },
      {
        site: site.url.href,
        baseUrl: till.baseUrl,
        apiKey,
        slug: link.slug,
        id: invoice.invoice_id,
        linkRequest,
        post,
      },
    );
    expect(seen).toEqual({
      link: "read",
      missing: "not_found",
      invoice: "no_answer",
      list: "no_answer",
      made: "no_answer",
      webhook: "evt_1",
      forged: "wrong_signature",
    });
    await page.close();
    await site.stop(true);
  });
});

test("the check of a webhook does the same in Node.js", async () => {
  const file = write(
    "verify.mjs",
    `import { verifyWebhook, WebhookError } from "till-client";
    const { body, headers, secret } = ${JSON.stringify(post)};
    const stream = () => new Request("http://shop.example", { method: "POST", headers, body });
    const codeOf = (...asked) => verifyWebhook(...asked).then(({ id }) => id, ({ code, message }) => code ?? message);
    console.log(await codeOf(Buffer.from(body), headers, secret));
    console.log(await codeOf(stream(), stream().headers, secret, { signature: "body" }));
    console.log(await codeOf(body + " ", headers, secret));
    console.log(await codeOf(stream(), headers, "hunter2"));`,
  );
  expect((await run("node", file)).trim().split("\n")).toEqual([
    "evt_1",
    post.headers["X-Service-Signature"] ?? "",
    "wrong_signature",
    "A webhook secret must be whsec_ and base64, as Till gave it",
  ]);
});
