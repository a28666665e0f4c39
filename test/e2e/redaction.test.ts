import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openWallet } from "../../src/chain/account/wallet.ts";
import { type ScriptedServer, startScriptedServer } from "../mail/scripted-server.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { type RpcProxy, startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { ownPort } from "../support/http/port.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { install, makeDataDir } from "../support/till/data-dir.ts";
import { endProcesses, program, startProcess } from "../support/till/process.ts";
import { invoiceRequest, until } from "../support/till/till.ts";

const passphrase = "Passphrase-of-the-wallet";
const wrongPassphrase = "Passphrase-that-is-wrong";
const smtpPassword = "smtp/Pass+word 1";
const nodeKey = "NodeKeyInThePath0123456789";
const nodeToken = "NodeTokenInTheQuery0123";
const socketKey = "SocketKeyInThePath012345";
const hookToken = "HookTokenInTheQuery01234";
const baseUrlPassword = "PasswordInTheBaseUrl01";

/** Each character as its octet, which means the same in a URL. */
const encoded = (text: string) => Array.from(text, (c) => `%${c.charCodeAt(0).toString(16)}`).join("");

let chain: TestChain;
let node: RpcProxy;
let mailServer: ScriptedServer;
let receiver: Receiver;
let dir: ReturnType<typeof makeDataDir>;

beforeAll(async () => {
  chain = await startTestChain();
  dir = makeDataDir();
  node = startRpcProxy(chain.rpcUrl);
  receiver = await startReceiver();
  receiver.answerWith(500);
  const quoted = [smtpPassword, Buffer.from(`\0mailer\0${smtpPassword}`).toString("base64")].join(" ");
  mailServer = await startScriptedServer({ AUTH: { say: `535 5.7.8 not ${quoted}\r\n` } });
});
afterAll(async () => {
  await endProcesses();
  await Promise.all([node.stop(), receiver.stop(), mailServer.stop()]);
  await chain.stop();
  dir.remove();
});

test("nothing that Till prints or answers shows a secret, with a log in text and in JSON", async () => {
  const port = String(ownPort());
  const nodeUrl = `${node.url}/v2/${nodeKey}?token=${nodeToken}`;
  const env = {
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: nodeUrl,
    TILL_RPC_WS_URL: `ws://127.0.0.1:9/ws/${socketKey}`,
    TILL_SMTP_URL: `smtp://mailer:${encodeURIComponent(smtpPassword)}@127.0.0.1:${mailServer.port}`,
    TILL_MAIL_FROM: "Till <till@example.com>",
    TILL_DATA_DIR: join(dir.path, "data"),
    TILL_WALLET_PASSPHRASE: passphrase,
    TILL_PORT: port,
    TILL_LOG_LEVEL: "debug",
  };
  const run = async (args: string[], changes: Record<string, string> = {}) => {
    const child = startProcess([...program, ...args], { env: { ...env, ...changes } });
    await child.exited;
    return child.output();
  };
  // What a node says that does not know the key: its own URL, and the key once more.
  const quoted = `${nodeKey} at ${nodeUrl} for ${nodeToken} ${nodeKey.toLowerCase()} ${encoded(nodeToken)}`;
  const refusal = { message: `no project ${quoted} ${"long ".repeat(2_000)}` };
  const refuseInWords = () => ({ error: { code: -32_000, ...refusal } });
  let refused = 0;
  const refuse = () => {
    refused += 1;
    const isShort = refused % 2 === 0;
    return isShort ? new Response(`Not authorised: ${nodeUrl}`, { status: 401 }) : refuseInWords();
  };
  node.answer = refuse;

  await install(env.TILL_DATA_DIR, passphrase);
  const [apiKey = ""] = /till_[\w-]{43}/.exec(await run(["key", "create"])) ?? [];
  expect(apiKey).toHaveLength(48);
  const till = startProcess([...program, "serve"], { env });
  await till.line((line) => line.includes("Till is ready"));

  const told: { path: string; text: string }[] = [];
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { text: `${JSON.stringify([...response.headers])} ${text}`, body: text };
  };
  const ask = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await call(method, path, body, headers);
    told.push({ path, text: answer.text });
    return answer.body;
  };

  const webhook_url = `${receiver.url}?token=${hookToken}`;
  const made = await call(
    "POST",
    "/api/invoices",
    { ...invoiceRequest, webhook_url },
    { "idempotency-key": "once" },
  );
  const invoice = JSON.parse(made.body);
  const secret: string = invoice.webhook_secret;
  expect(secret).toStartWith("whsec_");
  // The one place: nothing else in that answer is secret either.
  told.push({ path: "creation", text: made.text.replace(secret, "") });
  expect(invoice.sent_at).toBeNull();
  const id = invoice.invoice_id;
  expect(await ask("POST", `/api/invoices/${id}/send`)).toContain("refused the login");
  const notReady = await until(
    () => ask("GET", "/health/ready"),
    (text) => text.includes("no project"),
  );
  expect(notReady).toContain("refused");

  node.answer = null;
  await chain.pay(invoice.deposit_address, "1500.00");
  await until(
    () => receiver.received.length,
    (count) => count > 0,
    30_000,
  );
  await until(
    () => till.output(),
    (output) => output.includes("answered 500"),
  );
  for (const path of [
    ...["", "/status", "/payments", "/pdf"].map((part) => `/api/invoices/${id}${part}`),
    ...["/api/invoices", "/metrics", "/openapi.json", "/docs", "/health/ready", "/w.js", "/", "/nothing"],
    ...["/dev/mail", `/i/${invoice.slug}`, `/api/invoices/${nodeKey.slice(0, 3)}`],
  ]) {
    await ask("GET", path);
  }
  await ask("POST", "/api/invoices", { webhook_url: "x", nonsense: true });
  await ask("GET", "/api/invoices", undefined, { authorization: "Bearer till_wrong" });
  const events = await ask("GET", `/api/invoices/${id}/events`);
  expect(await till.end()).toBe(0);

  // The same troubles again, in JSON. Each is logged once, so the node always gives its longest answer.
  node.answer = refuseInWords;
  const json = startProcess([...program, "serve"], { env: { ...env, TILL_LOG_FORMAT: "json" } });
  await json.line((line) => line.includes('"event":"ready"'));
  await ask("POST", `/api/invoices/${id}/send`);
  await ask("POST", `/api/events/${JSON.parse(events).data[0].id}/redeliver`);
  await until(
    () => json.output(),
    (output) => ["answered 500", "refused the login", "no project"].every((words) => output.includes(words)),
  );
  expect(await json.end()).toBe(0);

  const wrongUrl = { TILL_BASE_URL: `https://jo:${baseUrlPassword}@pay.example`, TILL_TIMEZONE: "Mars" };
  const [wrong = "", faulty, ...others] = await Promise.all([
    run(["serve"], { TILL_WALLET_PASSPHRASE: wrongPassphrase }),
    run(["serve"], wrongUrl),
    run(["serve"], { TILL_RPC_URL: `htp://${nodeKey}`, TILL_SMTP_URL: `smpt://${smtpPassword}` }),
    run(["key", "list"]),
    run(["pay", `http://127.0.0.1:${port}/i/${invoice.slug}`], { TILL_API_KEY: apiKey }),
  ]);
  expect(wrong).toContain("the passphrase is wrong");
  expect(faulty).toContain("TILL_BASE_URL");
  const printed = [till.output(), json.output(), wrong, faulty, ...others];

  const wallet = await openWallet({ file: join(env.TILL_DATA_DIR, "wallet.age"), passphrase });
  const words = wallet.mnemonic();
  const secrets: Record<string, string> = {
    passphrase,
    wrongPassphrase,
    smtpPassword,
    smtpPasswordEncoded: encodeURIComponent(smtpPassword),
    smtpPasswordBase64: Buffer.from(smtpPassword).toString("base64"),
    smtpLogin: Buffer.from(`\0mailer\0${smtpPassword}`).toString("base64"),
    nodeKey,
    nodeToken,
    nodeKeyLower: nodeKey.toLowerCase(),
    nodeTokenEncoded: encoded(nodeToken),
    socketKey,
    baseUrlPassword,
    apiKey,
    webhookSecret: secret,
    webhookSecretBytes: secret.slice("whsec_".length),
    words,
    twoWords: words.split(" ").slice(3, 5).join(" "),
    addressSecret: Buffer.from(wallet.addressSecret).toString("hex"),
  };
  const everywhere = [...printed, ...told.map(({ text }) => text)].join("\n");
  const shown = (text: string) => Object.keys(secrets).filter((name) => text.includes(secrets[name] ?? name));
  expect(shown(everywhere)).toEqual([]);
  // With an API key one sees the webhook_url that was given with it; payers and logs never do.
  expect(printed.filter((text) => text.includes(hookToken))).toEqual([]);
  const holders = told.filter(({ text }) => text.includes(hookToken)).map(({ path }) => path);
  expect(holders).toEqual([`/api/invoices/${id}`, "/api/invoices", `/api/invoices/${id}/events`]);
  expect(JSON.parse(events).data[0].attempts[0]).toMatchObject({
    http_status: 500,
    reason: "answered 500",
  });
});
