import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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
import {
  invoiceRequest,
  linkRequest,
  startTestTill,
  type TestTill,
  untilIs,
} from "../../support/till/till.ts";
import { type FlakyServer, startFlakyServer } from "./flaky-server.ts";

/** The package as it is installed: built, in a shop's node_modules, with nothing else of Till's. */
const shop = makeDataDir();
const packed = join(shop.path, "node_modules/till-client");
const home = join(project, "clients/typescript");
const readme = readFileSync(join(home, "README.md"), "utf8");
const bundle = () => readFileSync(join(packed, "dist/till-client.js"), "utf8");

let chain: TestChain;
let till: TestTill;
let flaky: FlakyServer;
let apiKey: string;
let browser: Browser;

beforeAll(async () => {
  [chain, browser] = await Promise.all([startTestChain(), startBrowser(), buildClient(packed)]);
  till = await startTestTill(chain);
  flaky = await startFlakyServer(till);
  apiKey = createApiKey(till.db, "shop", Date.now(), { scope: "shop" }).key;
  symlinkSync(join(project, "node_modules/hono"), join(shop.path, "node_modules/hono"));
  writeFileSync(join(shop.path, "package.json"), '{"type":"module"}');
});
afterAll(async () => {
  await browser.close();
  await flaky.stop();
  await till.stop();
  await chain.stop();
  shop.remove();
});

/** The examples of README in a language, with the address of a real Till, behind accidents. */
const examples = (language: string, baseUrl = flaky.url) =>
  [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, code = ""]) =>
    name === language ? [code.replace("https://pay.example", baseUrl)] : [],
  );
/** Those that follow one another in one program, and the two receivers of webhooks. */
const program = () => examples("ts").slice(0, -2).join("\n");
const receivers = () => examples("ts").slice(-2);

const bearer = () => ({ authorization: `Bearer ${apiKey}` });

/** A post as Till signs it. */
function signedNow() {
  const secret = newSecret();
  const body = '{"type":"invoice.paid","data":{"note":"Grüße"}}';
  const timestampSec = Math.floor(Date.now() / 1000);
  return { body, headers: headersFor({ secret, eventId: "evt_1", timestampSec, body }), secret };
}

/** Has Node.js and Bun serve a receiver alike. */
const serve = `import { createServer } from "node:http";
import { Readable } from "node:stream";
import handler from "RECEIVER";
createServer(async (asked, response) => {
  const { method, headers, url } = asked;
  const init = { method, headers, body: Readable.toWeb(asked), duplex: "half" };
  const answer = await handler.fetch(new Request("http://127.0.0.1" + url, init));
  response.writeHead(answer.status).end(await answer.text());
}).listen(PORT, "127.0.0.1", () => console.log("ready"));`;

function start(command: string[], env: Record<string, string> = {}) {
  return Bun.spawn(command, {
    cwd: shop.path,
    env: { PATH: process.env["PATH"] ?? "", TILL_API_KEY: apiKey, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
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

  test("is one small file that imports nothing, makes no code, and leaves out what is not used", async () => {
    const entry = join(shop.path, "receiver.js");
    writeFileSync(entry, 'import { verifyWebhook } from "till-client";\nconsole.log(verifyWebhook);');
    const { outputs } = await Bun.build({ entrypoints: [entry], minify: true });
    const used = (await outputs[0]?.text()) ?? "";
    expect(Buffer.byteLength(bundle())).toBeLessThan(15_000);
    expect(bundle()).not.toMatch(/\bimport\b|\brequire\b|\beval\b|\bFunction\(|\bprocess\b|\bBuffer\b/);
    for (const [text, ofCalls] of [
      [bundle(), true],
      [used, false],
    ] as const)
      expect([text.includes("webhook-id"), text.includes("idempotency-key")]).toEqual([true, ofCalls]);
    const { version } = await Bun.file(join(project, "package.json")).json();
    expect(await Bun.file(join(packed, "package.json")).json()).toMatchObject({ version, private: true });
    const { main, types, exports } = await Bun.file(join(packed, "package.json")).json();
    for (const file of [main, types, exports["."].types, "LICENSE"])
      expect([file, existsSync(join(packed, file))]).toEqual([file, true]);
  });

  test("compiles in strict programs, which it keeps from asking what there is not", async () => {
    const [plain = "", hono = ""] = receivers();
    const head = program().split("\n\n").slice(0, 2).join("\n");
    const wrong = [
      'await till.get("/api/invoices/{id}");',
      'await till.get("/api/invoices/{id}/pdf", { path: { id: "x" } });',
      'await till.get("/api/invoices", { query: { statu: "draft" } });',
      'await till.post("/api/keys", { body: { name: "x", scope: "read" }, idempotencyKey: "x" });',
      'await till.post("/api/refunds", { body: { invoice: 1042 } });',
      'for await (const { id } of till.list("/api/links")) console.log(id);',
      'till.list("/api/balance");',
    ];
    const sources = { "program.ts": program(), "plain.ts": plain, "hono.ts": hono, "wrong.ts": "" };
    sources["wrong.ts"] = [head, ...wrong].join("\n");
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(shop.path, name), text);
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
      ...{ target: "ES2022", module: "NodeNext", moduleDetection: "force", skipLibCheck: true },
      ...{ typeRoots: [join(project, "node_modules/@types")], types: ["node"] },
    };
    writeFileSync(
      join(shop.path, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: Object.keys(sources) }),
    );
    const tsc = join(project, "node_modules/typescript-native/bin/tsc");
    const child = start([process.execPath, tsc, "-p", shop.path, "--pretty", "false"]);
    const faults = [...(await new Response(child.stdout).text()).matchAll(/^(\S+)\((\d+),.*error.*$/gm)];
    const first = head.split("\n").length + 1;
    expect(faults.map(([, file, line]) => `${file}:${line}`)).toEqual(
      wrong.map((_, at) => `wrong.ts:${first + at}`),
    );
  });
});

describe("the examples of README", () => {
  test("make one invoice in Node.js and in Bun, though answers are lost", async () => {
    const file = write("program.mjs", program());
    for (const [at, runtime] of ["node", process.execPath].entries()) {
      flaky.happens("answer lost", "answer cut");
      const child = start([runtime, file]);
      const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
      const [out, faults] = await Promise.all(streams);
      expect(faults).toBe("");
      expect(out?.trim().split("\n")).toEqual([
        expect.stringMatching(/^INV-0001 http:\/\/127.0.0.1:\d+\/i\/\w+$/),
        expect.stringMatching(/^Send the customer to http:\/\/127.0.0.1:\d+\/pay\/\w+$/),
        "pending 25.00",
        "INV-0001 sent",
        "application/pdf",
        "reason must be text of 1 to 500 characters",
      ]);
      // The second runtime asks with the same keys, as a program does that was started again.
      const { data } = (await till.api("GET", "/api/invoices", undefined, bearer())).body;
      expect([at, data.length]).toEqual([at, 1]);
    }
  });

  test.each([
    ["Node.js", "node", "INV-0002 is paid"],
    ["Bun with Hono", process.execPath, "is confirmed"],
  ])("take what a real Till posts, and nothing else, in %s", async (_, runtime, says) => {
    const at = runtime === "node" ? 0 : 1;
    const port = ownPort();
    const url = `http://127.0.0.1:${port}/till`;
    const make = async (path: string, body: object) => (await till.api("POST", path, body, bearer())).body;
    const bill =
      at === 0
        ? await make("/api/invoices", { ...invoiceRequest, send_now: false })
        : await make("/api/links", { ...linkRequest, webhook_url: url });
    const secret = at === 0 ? (await make("/api/webhook-endpoints", { url })).secret : bill.webhook_secret;
    const receiver = write(`receiver${at}.mjs`, receivers()[at] ?? "");
    const server = write(`server${at}.mjs`, serve.replace("RECEIVER", receiver).replace("PORT", `${port}`));
    await using child = start([runtime, server], { TILL_WEBHOOK_SECRET: secret });
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).values();
    expect((await lines.next()).value).toBe("ready\n");
    const forged = await fetch(url, { method: "POST", body: '{"type":"invoice.paid"}' });
    expect([forged.status, await forged.text()]).toEqual([400, expect.stringContaining("webhook-signature")]);
    await chain.pay(Address.checksum(bill.deposit_address), at === 0 ? "1500.00" : "25.00");
    const { value: line = "" } = await lines.next();
    expect(line).toEndWith(`${says}\n`);
    const [id] = line.split(" ");
    if (at === 0) expect((await till.api("GET", `/api/events/${id}`, undefined, bearer())).status).toBe(200);
  });
});

describe("in Chromium, a page of another site", () => {
  test("reads what is public with the example of README, and nothing else", async () => {
    const link = (await till.api("POST", "/api/links", linkRequest, bearer())).body;
    const invoice = (await till.api("POST", "/api/invoices", invoiceRequest, bearer())).body;
    const [example = ""] = examples("js", till.baseUrl);
    const html = `<!doctype html><script type="importmap">{"imports":{"till-client":"/till-client.js"}}</script>
      <script type="module">${example.replace("SLUG", link.slug)}</script>`;
    await using site = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) =>
        url.endsWith(".js")
          ? new Response(bundle(), { headers: { "content-type": "text/javascript" } })
          : new Response(html, { headers: { "content-type": "text/html" } }),
    });
    await using page = await browser.newPage();
    await page.goto(site.url.href);
    await untilIs(() => page.title(), "pending");
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
        post: signedNow(),
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
  });
});
