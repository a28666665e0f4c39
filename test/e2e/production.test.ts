import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../src/chain/dev/dev-chain.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { holds, startBrowser } from "../support/browser/browser.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { encode } from "../support/chain/evm.ts";
import { createForger, type Forger } from "../support/chain/forger.ts";
import { type RpcProxy, startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { expectedSignature, type Receiver, startReceiver } from "../support/http/receiver.ts";
import { endProcesses, type TillProcess } from "../support/till/process.ts";
import { type Production, startProduction } from "../support/till/production.ts";
import { until } from "../support/till/till.ts";
import * as Usdc from "../support/usdc.ts";

const baseChainId = 8453;
const blockMs = 400;
const payoutWallet = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

let chain: TestChain;
/** The nodes; they say what they are told to. */
let first: RpcProxy;
let second: RpcProxy;
let receiver: Receiver;
let machine: Production;
let browser: Browser;
let page: Page;
let server: TillProcess;
let key: string;
let invoice: Record<string, string>;
let link: Record<string, string>;
let forger: Forger;
/** Blocks come by themselves, five times as fast as on Base. */
let miner: ReturnType<typeof setInterval>;

beforeAll(async () => {
  chain = await startTestChain();
  await chain.rpc("anvil_setChainId", [baseChainId]);
  // Its own accounts sign for the chain that it was.
  await chain.rpc("anvil_autoImpersonateAccount", [true]);
  miner = setInterval(() => void chain.mine(1), blockMs);
  first = startRpcProxy(chain.rpcUrl);
  second = startRpcProxy(chain.rpcUrl);
  receiver = await startReceiver();
  machine = await startProduction({
    nodes: { rpcUrl: first.url, wsUrl: chain.wsUrl, secondRpcUrl: second.url },
    receiverUrl: new URL(receiver.url).origin,
  });
  browser = await startBrowser();
  page = await browser.newPage({ ignoreHTTPSErrors: true });
});

afterAll(async () => {
  clearInterval(miner);
  await browser?.close();
  await server?.end("SIGKILL");
  await machine?.stop();
  await endProcesses();
  await receiver?.stop();
  await first?.stop();
  await second?.stop();
  await chain?.stop();
});

/** Pays as anybody does on a chain that is not a development one. */
async function pay(to: string, amount: string): Promise<void> {
  const data = encode(usdcArtifact.abi, "transfer", [to, Usdc.usdc(amount)]);
  await chain.rpc("eth_sendTransaction", [{ from: payers[0], to: chain.usdc, data, gas: "0x30d40" }]);
}

async function usdcOf(account: string): Promise<bigint> {
  const data = encode(usdcArtifact.abi, "balanceOf", [account]);
  return BigInt(String(await chain.rpc("eth_call", [{ to: chain.usdc, data }, "latest"])));
}

const withKey = () => ({ TILL_API_KEY: key });

async function api<T = Record<string, string>>(
  path: string,
  request?: { method: "POST" | "PUT"; body: object },
): Promise<T> {
  return JSON.parse(await machine.ask(path, key, request)) as T;
}

const germanSeller = {
  ...{ street: "Hauptstrasse 1", postal_code: "10115", city: "Berlin", country: "DE" },
  vat_id: "DE136695976",
};

/** The whole PDF that came with a mail to the customer with these words in its subject. */
async function pdfMailed(words: string): Promise<Buffer> {
  const found = () =>
    machine.mails
      .filter(({ to, content }) => to[0] === "ap@globex.example" && subjectOf(content).includes(words))
      .map(({ content }) => pdfOf(content))
      .find((pdf) => pdf.includes("%%EOF"));
  return (await until(found, Boolean)) ?? Buffer.alloc(0);
}

const subjectOf = (mail: string) =>
  (/^Subject: (.*(?:\r\n .*)*)/m.exec(mail)?.[1] ?? "").replaceAll("\r\n", "");

/** The PDF that is attached to a mail. */
function pdfOf(mail: string): Buffer {
  const [, encoded = ""] = /application\/pdf[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(mail) ?? [];
  return Buffer.from(encoded, "base64");
}

const linkFlags = [
  ...["--business-name", "Corner Shop", "--expected-amount", "25.00", "--wallet-type", "managed"],
  ...["--merchant-email", "owner@corner.example"],
];
const linkStatus = () => `/api/payments/status/${link["slug"]}`;

const statusOf = async (status: string) =>
  until(
    () => api(`/api/invoices/${invoice["invoice_id"]}/status`),
    (answer) => answer["status"] === status,
  );

describe("a Till set up as the handbook says", () => {
  test("starts as another user in an empty directory, once there is a key", async () => {
    const refused = machine.start(["serve"]);
    expect(await refused.exited).toBe(2);
    expect(refused.output()).toContain("till key create");
    key = (await machine.run(["key", "create", "--name", "webshop"])).trim();
    // As deep as ten seconds of Base.
    server = machine.start(["serve"], { TILL_E_INVOICE: "factur-x", TILL_CONFIRMATIONS: "5" });
    await server.line((line) => line.includes('"event":"ready"'));
  });

  test("is well by its own word and the doctor's", async () => {
    const words = await machine.run(["wallet", "backup", "--yes"]);
    expect(words.match(/\b[a-z]{3,8}\b/g)?.length).toBeGreaterThanOrEqual(12);
    const report = await machine.run(["doctor"]);
    expect(report).not.toMatch(/fail|✗/i);
    expect(await machine.run(["health"])).toContain("ok");
  });

  test("issues an invoice whose mail arrives, with a page that opens", async () => {
    invoice = JSON.parse(
      await machine.run(
        [
          ...["invoice", "--merchant-email", "billing@acme.example", "--merchant-name", "Acme Ltd"],
          ...["--merchant-address", "1 Main Street", "--vendor-email", "ap@globex.example"],
          ...["--vendor-name", "Globex GmbH", "--item", "10 x 150.00 Design", "--due-date", "2030-01-31"],
          ...["--wallet-type", "byo", "--wallet-address", payoutWallet, "--webhook-url", machine.webhookUrl],
        ],
        withKey(),
      ),
    );
    // The answer waits a few seconds for the mail, which may take longer on a busy machine.
    await until(
      () => api(`/api/invoices/${invoice["invoice_id"]}`),
      ({ sent_at }) => sent_at !== null,
    );
    expect(machine.mails).toHaveLength(1);
    expect(machine.mails[0]?.to).toEqual(["ap@globex.example"]);
    expect(machine.mails[0]?.content.replaceAll("=\r\n", "")).toContain(
      `${invoice["invoice_url"]}`.replace("=", "=3D"),
    );
    await page.goto(invoice["invoice_url"] ?? "");
    expect(await page.locator("body").textContent()).toContain(invoice["deposit_address"] ?? "none");
  });

  test("credits what is paid, tells the shop over TLS, and mails the receipt", async () => {
    const to = invoice["deposit_address"] ?? "";
    await pay(to, "500.00");
    await statusOf("partial");
    await pay(to, "1000.00");
    await statusOf("paid");
    await until(
      async () => receiver.received.length,
      (count) => count === 2,
    );
    for (const { headers, raw } of receiver.received) {
      expect(headers["x-service-signature"]).toBe(expectedSignature(invoice["webhook_secret"] ?? "", raw));
    }
    expect(receiver.received.map(({ raw }) => JSON.parse(raw.toString()).status)).toEqual([
      "partial",
      "paid",
    ]);
    // A slow machine mails of the part, too, before the rest has come.
    await until(
      async () => machine.mails.slice(1).flatMap(({ to }) => to),
      (told) => told.includes("ap@globex.example") && told.includes("billing@acme.example"),
    );
    await holds(page, `document.querySelector("[data-payment=paid]") !== null`);
  });

  test("bills a business in EUR with tax: an e-invoice, its payment, and a credit note of a part", async () => {
    const save = (path: string, details: object) => api(path, { method: "PUT", body: { details } });
    await save("/api/merchants/billing@acme.example", germanSeller);
    await save("/api/customers/ap@globex.example", { ...germanSeller, vat_id: "DE811907980" });
    const billed = await api("/api/invoices", {
      method: "POST",
      body: {
        ...{ merchant_email: "billing@acme.example", merchant_name: "Acme GmbH", merchant_address: "Berlin" },
        ...{ customer_email: "ap@globex.example", customer_name: "Globex GmbH", customer_address: "Bonn" },
        ...{ currency: "EUR", rate: "0.86", due_date: "2030-01-31" },
        line_items: [{ description: "Design", quantity: 1, unit_price: "100.00", tax_rate: "19.00" }],
        ...{ wallet_type: "byo", wallet_address: payoutWallet, send_now: false },
      },
    });
    expect(billed).toMatchObject({ total_amount: "119.00", expected_usdc: "138.37" });
    const number = billed["invoice_number"] ?? "";
    const path = `/api/invoices/${billed["invoice_id"]}`;
    // A mail waits 4 s for its e-invoice, which is too short for a busy machine: it is made before.
    expect(await machine.ask(`${path}/e-invoice?format=factur-x`, key)).toContain("%%EOF");
    await api(`${path}/send`, { method: "POST", body: {} });
    const mailed = await pdfMailed(`Invoice ${number} from`);
    expect(mailed.includes("<fx:DocumentFileName>factur-x.xml<")).toBe(true);

    await pay(billed["deposit_address"] ?? "", "138.37");
    expect((await pdfMailed(`Receipt for invoice ${number}`)).length).toBeGreaterThan(10_000);
    expect(await api(`${path}/status`)).toMatchObject({ status: "paid" });

    const note = await api(`${path}/credit-notes`, {
      method: "POST",
      body: { reason: "One hour less", amounts: [{ amount: "11.90", tax_rate: "19.00" }], send_now: false },
    });
    expect(note).toMatchObject({
      credit_note_number: "CN-0001",
      total_amount: "11.90",
      return_usdc: "13.84",
    });
    expect(await machine.run(["export", "tax-sums"])).toMatch(/19\.00/);
  });

  test("sends whoever comes without TLS to TLS, by IPv4 and IPv6", async () => {
    const { port: publicPort } = new URL(machine.baseUrl);
    for (const address of ["127.0.0.1", "[::1]"]) {
      const plain = await fetch(`http://${address}:${machine.plainPort}/pay/abc?x=1`, {
        headers: { host: "pay.acme.example" },
        redirect: "manual",
      });
      expect([plain.status, plain.headers.get("location")]).toEqual([
        301,
        "https://pay.acme.example/pay/abc?x=1",
      ]);
      const live = await fetch(`https://${address}:${publicPort}/health/live`, {
        headers: { host: `pay.acme.example:${publicPort}` },
        tls: { rejectUnauthorized: false },
      });
      expect(live.status).toBe(200);
    }
  });

  test("lets the owner into the desk through the proxy, with a cookie for TLS alone", async () => {
    const cookies = async () => (await page.context().cookies()).filter(({ name }) => name === "__Host-till");
    // Browsers make no passkey where they do not know the certificate, so the password is tried here.
    await page.goto(`${(await machine.run(["login"])).trim()}?password`);
    await page.fill("[name=name]", "Mara");
    await page.fill("[name=password]", "correct horse battery");
    await page.click("main button[type=submit]");
    await page.waitForURL(/\/desk(\?did=Enter)?$/);
    expect(await cookies()).toMatchObject([{ secure: true, httpOnly: true, path: "/" }]);
    await page.goto(new URL(`/desk/invoices/${invoice["invoice_number"]}`, page.url()).href);
    expect(await page.locator(".head").textContent()).toContain("Paid");
    await page.fill("[name=note]", "Shipped on Monday.");
    await page.click(".say button");
    await page.locator("main").getByText("The note is added.").waitFor();
    expect(await page.locator("#timeline").textContent()).toContain("Shipped on Monday.");
    await page.click(".me button");
    await page.waitForURL(/\/desk\/sign-in/);
    expect(await cookies()).toEqual([]);
  });

  test("leaves the money where it is while the gas account is empty, says so, and moves it once there is ETH", async () => {
    expect(await usdcOf(payoutWallet)).toBe(0n);
    const wallet = JSON.parse(await machine.run(["wallet", "show", "--json"])) as {
      gas_account: { address: Address.Address };
    };
    expect(await machine.ask("/health/ready", key)).toContain("settlement waits: The gas account has 0 ETH");
    await chain.giveEth(wallet.gas_account.address);
    await machine.run(["settle", "--yes"]);
    await until(
      () => usdcOf(payoutWallet),
      (balance) => balance === Usdc.usdc("1638.37"),
    );
  });

  test("counts nothing that one of its two nodes made up", async () => {
    link = JSON.parse(await machine.run(["link", ...linkFlags], withKey()));
    forger = createForger(chain, first);
    const { txHash } = await forger.forge({
      to: Address.checksum(link["deposit_address"] ?? ""),
      amount: Usdc.usdc("25.00"),
    });
    // Something real that makes Till read the newest blocks.
    await pay(invoice["deposit_address"] ?? "", "1.00");
    await until(
      () => server.output(),
      (log) => log.includes(txHash) && log.includes("payment.contradicted"),
    );
    // Time itself: by then it would count, if what one node says were enough.
    await Bun.sleep(10 * blockMs);
    expect(await api(linkStatus())).toMatchObject({ status: "pending", received_amount: "0.00" });
  });

  test("goes on crediting while its clock is an hour behind the chain's", async () => {
    await chain.rpc("evm_increaseTime", [3_600]);
    await pay(invoice["deposit_address"] ?? "", "1.00");
    await until(
      () => api(`/api/invoices/${invoice["invoice_id"]}`),
      ({ received_amount }) => received_amount === "1502.00",
      30_000,
    );
  });

  test("says by its doctor what is wrong: a node that lies, and a slow clock", async () => {
    const doctor = machine.start(["doctor"]);
    expect(await doctor.exited).toBe(1);
    const report = doctor.output();
    expect(report).toContain("The nodes contradict each other about 1 payment, which Till does not count");
    expect(report).toMatch(/It is 3[56]\d\d s behind the newest block/);
    forger.repent();
  });

  test("sees a payment while its first node is gone, and counts it when both know it", async () => {
    first.answer = () => new Response("no", { status: 503 });
    await pay(link["deposit_address"] ?? "", "25.00");
    await until(
      async () => (await api<{ data: { from: string }[] }>(`/api/links/${link["slug"]}/payments`)).data,
      (data) => data.some(({ from }) => from === payers[0]),
      30_000,
    );
    expect(await api(linkStatus())).toMatchObject({ status: "pending" });
    first.answer = null;
    await until(
      () => api(linkStatus()),
      ({ status }) => status === "confirmed",
      30_000,
    );
  });

  test("is exported, backed up beside the running server, and stops when asked", async () => {
    expect(await machine.run(["export", "invoices"])).toContain("INV-0001");
    await machine.run(["backup", `${machine.dataDir}/../till.backup`]);
    expect(await server.end("SIGTERM")).toBe(0);
  });
});
