import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { findAnvil } from "../../src/chain/dev/anvil.ts";
import { solidTextOf } from "../document/poppler.ts";
import { soon, startBrowser } from "../support/browser/browser.ts";
import { expectedSignature, type Receiver, startReceiver } from "../support/http/receiver.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import {
  type DevReady,
  endProcesses,
  startDev,
  startProcess,
  type TillProcess,
} from "../support/till/process.ts";
import { invoiceRequest, until } from "../support/till/till.ts";

const executable = join(import.meta.dir, "../../dist/till");

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await endProcesses();
  await browser.close();
});

/** A directory with nothing but the executable, where it keeps its data, and a PATH on which Anvil can be found. */
function makeEmptyDir() {
  const dir = makeDataDir();
  const cwd = join(dir.path, "alone");
  const bin = join(dir.path, "bin");
  mkdirSync(cwd);
  mkdirSync(bin);
  symlinkSync(findAnvil(), join(bin, "anvil"));
  copyFileSync(executable, join(cwd, "till"));
  return {
    cwd,
    env: { PATH: `${bin}:/usr/bin:/bin`, TILL_DATA_DIR: join(cwd, "data") },
    command: [join(cwd, "till")],
    remove: dir.remove,
  };
}

describe("till dev as an executable alone in an empty directory", () => {
  let place: ReturnType<typeof makeEmptyDir>;
  let till: TillProcess & { ready: DevReady };
  let receiver: Receiver;
  let page: Page;
  let created: Record<string, string>;

  beforeAll(async () => {
    if (!existsSync(executable)) throw new Error("Build it first: bun run build");
    place = makeEmptyDir();
    receiver = await startReceiver();
    till = await startDev(place.command, place);
    page = await browser.newPage();
  });
  afterAll(async () => {
    await page?.close();
    const exitCode = await till?.end();
    await receiver?.stop();
    place?.remove();
    expect(exitCode).toBe(0);
  });

  /** Pays with the command that a developer uses, and says when it was done. */
  async function pay(...args: string[]): Promise<void> {
    const env = { ...place.env, TILL_RPC_URL: till.ready.rpc_url, TILL_BASE_URL: till.ready.base_url };
    const payer = startProcess([...place.command, "pay", ...args, "--json"], { cwd: place.cwd, env });
    const exitCode = await payer.exited;
    if (exitCode !== 0) throw new Error(payer.output());
  }

  const receivedStatuses = () => receiver.received.map(({ raw }) => JSON.parse(raw.toString()).status);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const getJson = async (url: string): Promise<any> => (await fetch(url)).json();
  const apiStatus = async () =>
    (await getJson(`${till.ready.base_url}/api/invoices/${created["invoice_id"]}/status`)).status;
  const pageSays = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 15_000 });

  test("issues an invoice and mails its link", async () => {
    const response = await fetch(`${till.ready.base_url}/api/invoices`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...invoiceRequest, notes: "Thank you!", webhook_url: receiver.url }),
    });
    expect(response.status).toBe(201);
    created = (await response.json()) as Record<string, string>;
    // The answer waits a few seconds for the mail, which may take longer on a busy machine.
    await until(apiStatus, (status) => status === "sent");
    const mails = (await getJson(`${till.ready.base_url}/dev/mail`)).data;
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: "ap@globex.example" });
    expect(mails[0].subject).toContain("INV-0001");
    const link = /href="([^"]*\/i\/[^"]*)"/.exec(mails[0].html)?.[1] ?? "";
    expect(link).toBe(created["invoice_url"] ?? "");
    await page.goto(link);
    expect(await page.title()).toContain("INV-0001");
    await pageSays("Acme Ltd");
    expect(await page.textContent("body")).toContain(created["deposit_address"] ?? "?");
  });

  const pdfText = async () => solidTextOf(await (await fetch(created["pdf_url"] ?? "")).bytes());

  test("makes a PDF that says it all", async () => {
    const text = await pdfText();
    for (const part of [
      "INV-0001",
      "AcmeLtd",
      "GlobexGmbH",
      "Design",
      "1,200.00",
      "1,500.00",
      "Thankyou!",
      "2030",
    ])
      expect(text).toContain(part);
    expect(text).toContain(created["deposit_address"] ?? "?");
  });

  test("half of it: the open page shows what remains, and the merchant hears of it once", async () => {
    await pay(created["invoice_url"] ?? "", "700.00");
    await pageSays(/800\.00/);
    expect(await apiStatus()).toBe("partial");
    await until(
      () => receivedStatuses(),
      (statuses) => statuses.length === 1,
    );
    expect(receivedStatuses()).toEqual(["partial"]);
    expect(await pdfText()).toContain("Pay800.00USDC");
  });

  test("the rest: the page turns to paid without a reload", async () => {
    await page.evaluate("window.sameDocument = true");
    await pay(created["slug"] ?? "");
    await soon(page, () => page.getByText(/^paid/i).first().isVisible());
    expect(await page.evaluate("window.sameDocument")).toBe(true);
    expect(await apiStatus()).toBe("paid");
    await until(
      () => receivedStatuses(),
      (statuses) => statuses.length === 2,
    );
    expect(await pdfText()).toContain("Paidinfull");
  });

  test("more than that: excess", async () => {
    await pay(created["deposit_address"] ?? "", "1.00");
    await until(apiStatus, (status) => status === "excess");
    await until(
      () => receivedStatuses(),
      (statuses) => statuses.length === 3,
    );
    expect(receivedStatuses()).toEqual(["partial", "paid", "excess"]);
    const { data } = await getJson(`${till.ready.base_url}/api/invoices/${created["invoice_id"]}/payments`);
    expect(data.map((payment: { amount: string }) => payment.amount)).toEqual(["700.00", "800.00", "1.00"]);
    expect(data.every((payment: { confirmed: boolean }) => payment.confirmed)).toBe(true);
  });

  test("every webhook is signed over its raw bytes, both ways", () => {
    const secret = created["webhook_secret"] ?? "";
    for (const { headers, raw } of receiver.received) {
      expect(headers["x-service-signature"]).toBe(expectedSignature(secret, raw));
      const verified = new Webhook(secret).verify(raw.toString(), headers);
      expect(Object.keys(verified as object)).toEqual([
        "event",
        "invoice_id",
        "invoice_number",
        "total_amount",
        "status",
      ]);
      expect(verified).toMatchObject({
        event: "invoice.paid",
        invoice_number: "INV-0001",
        total_amount: "1500.00",
      });
    }
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  });

  test("keeps everything over a restart, the chain included", async () => {
    expect(await till.end("SIGINT")).toBe(0);
    till = await startDev(place.command, place);
    expect(await apiStatus()).toBe("excess");
    await pay(created["deposit_address"] ?? "", "1.00");
    const amount = async () =>
      (await getJson(`${till.ready.base_url}/api/invoices/${created["invoice_id"]}`)).received_amount;
    await until(amount, (received) => received === "1502.00");
    expect(receiver.received).toHaveLength(3);
    const mails = async (): Promise<{ subject: string }[]> =>
      (await getJson(`${till.ready.base_url}/dev/mail`)).data;
    await until(mails, ({ length }) => length === 6);
    const kinds = (await mails()).map(({ subject }) => subject.split(" ")[0]);
    expect(kinds.toSorted()).toEqual(["Invoice", "Overpaid:", "Paid:", "Partial", "Partially", "Receipt"]);
  });
});
