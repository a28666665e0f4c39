import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import type { Subprocess } from "bun";
import * as Address from "../../src/domain/wallet/address.ts";
import { createApiKey } from "../../src/http/access/api-key.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { newSigner } from "../support/chain/signer.ts";
import { ownPort } from "../support/http/port.ts";
import { decoded, encoded, makePayment, payingTill } from "../support/http/x402.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { project } from "../support/till/handbook.ts";
import { invoiceRequest, type TestTill, until, untilIs } from "../support/till/till.ts";

/** Each example as somebody runs it: in a directory of its own, against a real Till. */
let chain: TestChain;
let till: TestTill;
let apiKey: string;
const dir = makeDataDir();
const running: Subprocess[] = [];

beforeAll(async () => {
  chain = await startTestChain();
  till = await payingTill(chain);
  apiKey = createApiKey(till.db, "examples", Date.now(), { scope: "shop" }).key;
  // The client as it is written: package.test.ts builds it, which takes a slow machine minutes.
  const client = join(dir.path, "node_modules/till-client");
  mkdirSync(client, { recursive: true });
  symlinkSync(join(project, "clients/typescript/src"), join(client, "src"));
  writeFileSync(join(client, "package.json"), '{"type":"module","exports":"./src/index.ts"}');
  symlinkSync(join(project, "node_modules/hono"), join(dir.path, "node_modules/hono"));
  writeFileSync(join(dir.path, "package.json"), '{"type":"module"}');
  writeFileSync(join(dir.path, "report.txt"), "Tea sells.");
  for (const name of ["shop.ts", "overdue.py", "sell-file.ts"]) {
    const code = readFileSync(join(project, "clients/examples", name), "utf8");
    expect(code.split("\n").length).toBeLessThan(100);
    writeFileSync(join(dir.path, name), code);
  }
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill();
    await child.exited;
  }
});
afterAll(async () => {
  await till.stop();
  await chain.stop();
  dir.remove();
});

const environment = () => ({ ...process.env, TILL_URL: till.localUrl, TILL_API_KEY: apiKey });

/** A server of an example, once it answers; returns where. */
async function serve(...program: string[]): Promise<string> {
  const url = `http://127.0.0.1:${ownPort()}`;
  const env = { ...environment(), SHOP_URL: url };
  running.push(
    Bun.spawn([process.execPath, ...program], { cwd: dir.path, env, stdio: ["ignore", "ignore", "inherit"] }),
  );
  await until(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    (isUp) => isUp,
  );
  return url;
}

test("a shop sends its customer to pay, and the tea once it is paid", async () => {
  const shop = await serve("shop.ts");
  expect(await (await fetch(shop)).text()).toContain("Buy for 25.00 USDC");
  const ordered = await fetch(`${shop}/orders`, { method: "POST", redirect: "manual" });
  const slug = ordered.headers.get("location")?.split("/").at(-1) ?? "";
  const { body: link } = await till.api("GET", `/api/links/${slug}`);
  expect(link).toMatchObject({ expected_amount: "25.00", product_description: "Guji, 500 g" });
  const { body: all } = await till.api("GET", `/api/links?slug=${slug}`, undefined, {
    authorization: `Bearer ${apiKey}`,
  });
  const page = all.data[0].success_url;
  expect(await (await fetch(page)).text()).toContain("Waiting");

  const forged = await fetch(all.data[0].webhook_url, { method: "POST", body: '{"event":"link.paid"}' });
  expect(forged.status).toBe(400);
  await chain.pay(Address.checksum(link.deposit_address), "25.00");
  await until(
    async () => (await fetch(page)).text(),
    (text) => text.includes("The tea is on its way"),
  );
});

test("a script lists what is overdue, and reminds of it", async () => {
  const dues: [string, boolean][] = [
    ["2020-01-31", true],
    ["2020-01-15", true],
    ["2020-01-01", false],
    ["2030-01-31", true],
  ];
  const headers = { authorization: `Bearer ${apiKey}` };
  const numbers: string[] = [];
  const bill = async (due_date: string, send_now: boolean) => {
    const request = { ...invoiceRequest, issue_date: "2020-01-01", due_date, send_now };
    const { body } = await till.api("POST", "/api/invoices", request, headers);
    return body;
  };
  for (const [due_date, send_now] of dues) numbers.push((await bill(due_date, send_now)).invoice_number);
  const paid = async (amount: string, status: string) => {
    const invoice = await bill("2020-01-10", true);
    await chain.pay(invoice.deposit_address, amount);
    const state = () => till.api("GET", `/api/invoices/${invoice.invoice_id}/status`, undefined, headers);
    await untilIs(state, { body: { status } });
    return invoice.invoice_number as string;
  };
  await paid("1600.00", "excess");
  const part = await paid("400.50", "partial");
  const run = async (...more: string[]) => {
    const child = Bun.spawn(["python3", "overdue.py", ...more], {
      cwd: dir.path,
      env: environment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const text = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    return text.trim().split("\n");
  };
  const listed = await run();
  expect(listed.map((line) => line.split(" ")[0])).toEqual([
    part,
    numbers[1] as string,
    numbers[0] as string,
  ]);
  expect(listed[0]).toMatch(/ \d{4} days {2}1099\.50 USDC /);
  const reminders = () => till.mail.list().filter(({ subject }) => subject.startsWith("Reminder: "));
  expect(reminders()).toHaveLength(0);
  expect((await run("--remind")).filter((line) => line === "  reminded")).toHaveLength(3);
  await until(reminders, ({ length }) => length >= 3);
  expect(reminders()).toHaveLength(3);
});

test("a program buys the file that another one sells, once for each payment", async () => {
  const shop = await serve("sell-file.ts", "report.txt");
  const buyer = await newSigner(chain, 25_000_000n);
  let copied = "";
  const overheard = (request: Request) => {
    copied = request.headers.get("payment-signature") ?? "";
    return fetch(request);
  };
  const pay = wrapFetchWithPaymentFromConfig(overheard as typeof fetch, {
    schemes: [{ network: "eip155:*", client: new ExactEvmScheme(buyer.key) }],
    // It knows no token of a local chain.
    spendControls: false,
  });
  expect((await fetch(`${shop}/file`)).status).toBe(402);
  const bought = await pay(`${shop}/file`);
  expect([bought.status, await bought.text()]).toEqual([200, "Tea sells."]);
  const sold = async () => {
    const answer = await till.api("GET", "/api/links", undefined, { authorization: `Bearer ${apiKey}` });
    return answer.body.data.filter(
      ({ business_name, status }: Record<string, string>) =>
        business_name === "Files" && status === "confirmed",
    );
  };
  await untilIs(sold, { length: 1 });
  // As anybody can send it who reads it on the chain; a new price would have the buyer pay twice.
  expect(copied).not.toBe("");
  const again = await fetch(`${shop}/file`, { headers: { "payment-signature": copied } });
  expect([again.status, await again.text()]).toEqual([409, "This was sold. Please write to us"]);
  // What another pays is not for whoever names its address.
  const offered = await fetch(`${shop}/file`);
  const { accepts } = decoded(offered.headers.get("payment-required"));
  await chain.pay(Address.checksum(accepts[0].payTo), "25.00");
  await untilIs(sold, { length: 2 });
  const unpaid = encoded(await makePayment(await newSigner(chain, 0n), accepts[0]));
  const thief = await fetch(`${shop}/file`, { headers: { "payment-signature": unpaid } });
  expect([thief.status, await thief.text()]).toEqual([409, "Another payment paid this"]);
  // A header that is none is an unpaid request.
  const odd = await fetch(`${shop}/file`, { headers: { "payment-signature": "e30=" } });
  expect(odd.status).toBe(402);
  expect((await fetch(`${shop}/other`)).status).toBe(404);
});
