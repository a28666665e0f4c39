import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import * as Address from "../../../src/domain/wallet/address.ts";
import { nextSecond, startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { ownPort } from "../../support/http/port.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { install, makeDataDir, passphrase } from "../../support/till/data-dir.ts";
import { endProcesses, program, startProcess, type TillProcess } from "../../support/till/process.ts";
import { invoiceRequest, until } from "../../support/till/till.ts";

let chain: TestChain;
let receiver: Receiver;
const dir = makeDataDir();

beforeAll(async () => {
  chain = await startTestChain();
  for (const name of ["SIGTERM", "SIGKILL", "shared", "port-a"]) await install(join(dir.path, name));
  receiver = await startReceiver();
});
afterAll(async () => {
  await endProcesses();
  await receiver.stop();
  await chain.stop();
  dir.remove();
});

async function serve(
  name: string,
  changes: Record<string, string> = {},
): Promise<{ baseUrl: string; till: TillProcess }> {
  const port = changes["TILL_PORT"] ?? String(ownPort());
  const till = startProcess([...program, "serve"], {
    env: {
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: chain.rpcUrl,
      TILL_RPC_WS_URL: chain.wsUrl,
      TILL_DATA_DIR: join(dir.path, name),
      TILL_WALLET_PASSPHRASE: passphrase,
      ...changes,
      TILL_PORT: port,
    },
  });
  return { baseUrl: `http://127.0.0.1:${port}`, till };
}

async function create(baseUrl: string): Promise<Record<string, string>> {
  const response = await fetch(`${baseUrl}/api/invoices`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...invoiceRequest, send_now: false, webhook_url: receiver.url }),
  });
  return (await response.json()) as Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const getJson = async (url: string): Promise<any> => (await fetch(url)).json();
const status = async (baseUrl: string, id: string | undefined) =>
  (await getJson(`${baseUrl}/api/invoices/${id}/status`)).status;
const isReady = (line: string) => line.includes("[ready]");

describe("till serve", () => {
  test.each(["SIGTERM", "SIGKILL"] as const)(
    "credits what was paid while it was down, after %s",
    async (signal) => {
      const first = await serve(signal);
      await first.till.line(isReady);
      const { invoice_id, deposit_address } = await create(first.baseUrl);
      const to = Address.checksum(deposit_address ?? "");
      await chain.pay(to, "700.00");
      await until(
        () => status(first.baseUrl, invoice_id),
        (value) => value === "partial",
      );
      expect(await first.till.end(signal)).toBe(signal === "SIGTERM" ? 0 : 137);

      await chain.pay(to, "800.00");
      await chain.mine(30);

      const second = await serve(signal);
      await second.till.line(isReady);
      await until(
        () => status(second.baseUrl, invoice_id),
        (value) => value === "paid",
      );
      // A process that is killed while a receiver answers cannot know of it: the event comes again, with its id.
      const heard = () => {
        const events = receiver.received
          .map(({ headers, raw }) => ({ id: headers["webhook-id"], ...JSON.parse(raw.toString()) }))
          .filter((event) => event.invoice_id === invoice_id);
        return signal === "SIGTERM"
          ? events
          : [...new Map(events.map((event) => [event.id, event])).values()];
      };
      await until(heard, (events) => events.some((event) => event.status === "paid"));
      // What would come twice would come before this.
      await chain.pay(to, "1.00");
      await until(heard, (events) => events.some((event) => event.status === "excess"));
      expect(
        heard()
          .map((event) => event.status)
          .sort(),
      ).toEqual(["excess", "paid", "partial"]);
      expect(await second.till.end()).toBe(0);
    },
  );

  test("refuses a data directory that another Till serves, before it binds the port", async () => {
    const first = await serve("shared");
    await first.till.line(isReady);
    const second = await serve("shared");
    expect(await second.till.exited).toBe(1);
    expect(second.till.output()).toContain(`Another Till (process ${first.till.pid}) already serves`);
    await expect(fetch(`${second.baseUrl}/health/live`)).rejects.toThrow();
    expect(await first.till.end()).toBe(0);
  });

  test("finishes its start and ends well when it is told to stop meanwhile", async () => {
    const { till } = await serve("early");
    const begun = Bun.file(join(dir.path, "early", "till.lock"));
    await until(() => begun.exists(), Boolean);
    expect(await till.end()).toBe(0);
    expect(till.output()).toContain("[stopping]");
  });

  test("says which port is taken", async () => {
    const first = await serve("port-a");
    await first.till.line(isReady);
    const second = await serve("port-b", { TILL_PORT: new URL(first.baseUrl).port });
    expect(await second.till.exited).toBe(1);
    expect(second.till.output()).toContain(new URL(first.baseUrl).port);
    expect(second.till.output()).toContain("TILL_PORT");
    expect(await first.till.end()).toBe(0);
  });

  test("reports every configuration fault at once with exit code 2", async () => {
    const { till } = await serve("faults", {
      TILL_RPC_URL: "",
      TILL_WALLET_PASSPHRASE: "",
      TILL_TIMEZONE: "Mars",
    });
    expect(await till.exited).toBe(2);
    for (const name of ["TILL_RPC_URL", "TILL_WALLET_PASSPHRASE", "TILL_TIMEZONE"])
      expect(till.output()).toContain(name);
  });

  test("says that the passphrase does not fit, and that the wallet of this installation is gone", async () => {
    const first = await serve("wallet");
    await first.till.line(isReady);
    expect(await first.till.end()).toBe(0);
    const wrong = await serve("wallet", { TILL_WALLET_PASSPHRASE: "something else" });
    expect(await wrong.till.exited).toBe(2);
    expect(wrong.till.output()).toContain("passphrase");
    expect(wrong.till.output()).not.toContain("something else");
    await Bun.file(join(dir.path, "wallet", "wallet.age")).delete();
    const without = await serve("wallet");
    expect(await without.till.exited).toBe(2);
    expect(without.till.output()).toContain("put its file back");
  });

  test("credits nothing on another chain than the one it began with, and says so", async () => {
    const first = await serve("chain");
    await first.till.line(isReady);
    const { invoice_id, deposit_address } = await create(first.baseUrl);
    await until(
      async () => (await fetch(`${first.baseUrl}/health/ready`)).status,
      (code) => code === 200,
    );
    expect(await first.till.end()).toBe(0);
    await nextSecond();
    const other = await startTestChain();
    try {
      await other.pay(Address.checksum(deposit_address ?? ""), "1500.00");
      const second = await serve("chain", { TILL_RPC_URL: other.rpcUrl, TILL_RPC_WS_URL: other.wsUrl });
      await second.till.line(isReady);
      await until(
        async () => String((await getJson(`${second.baseUrl}/health/ready`)).reasons),
        (reasons) => reasons.includes("is another chain"),
      );
      await until(second.till.output, (output) => output.includes("is another chain"));
      expect(await status(second.baseUrl, invoice_id)).toBe("draft");
      expect(await second.till.end()).toBe(0);
    } finally {
      await other.stop();
    }
  });
});
