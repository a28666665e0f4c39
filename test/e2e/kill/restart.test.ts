import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import * as Address from "../../../src/domain/wallet/address.ts";
import { nextSecond, startTestChain } from "../../support/chain/chain.ts";
import { ownPort } from "../../support/http/port.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { makeDataDir, passphrase } from "../../support/till/data-dir.ts";
import { endProcesses, program, startProcess, startServedTill } from "../../support/till/process.ts";
import { invoiceRequest, until } from "../../support/till/till.ts";

const chain = shared(startTestChain);
const receiver = shared(startReceiver);
const dir = makeDataDir();
afterAll(async () => {
  await endProcesses();
  dir.remove();
});

describe("till serve", () => {
  test("credits what was paid while it was down, after a stop and after a kill, and nothing on another chain", async () => {
    await using till = await startServedTill(chain);
    const { body: made } = await till.api("POST", "/api/invoices", {
      ...invoiceRequest,
      send_now: false,
      webhook_url: receiver.url,
    });
    const to = Address.checksum(made.deposit_address);
    const status = async () => (await till.api("GET", `/api/invoices/${made.invoice_id}/status`)).body.status;
    const untilStatus = (wanted: string) => until(status, (value) => value === wanted);
    await chain.pay(to, "300.00");
    await untilStatus("partial");
    await till.pause("SIGTERM");
    await chain.pay(to, "1200.00");
    await chain.mine(30);
    await till.resume();
    await untilStatus("paid");
    const told = () => receiver.received.map(({ raw }) => JSON.parse(raw.toString()).status).sort();
    await until(told, (statuses) => statuses.includes("paid") && statuses.includes("partial"));
    // A stop, unlike a kill, lets it hear what a receiver answers: nothing comes twice.
    expect(told()).toEqual(["paid", "partial"]);
    await till.pause("SIGKILL");
    await chain.pay(to, "1.00");
    await chain.mine(30);
    await till.resume();
    await untilStatus("excess");
    // A process that is killed while a receiver answers cannot know of it: the event comes again, with its id.
    const heard = () => {
      const events = receiver.received.map(
        ({ headers, raw }) => [headers["webhook-id"], JSON.parse(raw.toString()).status] as const,
      );
      return [...new Map(events).values()].sort();
    };
    await until(heard, (statuses) => statuses.includes("excess"));
    expect(heard()).toEqual(["excess", "paid", "partial"]);

    const { body: unpaid } = await till.api("POST", "/api/invoices", { ...invoiceRequest, send_now: false });
    await until(
      () => till.api("GET", "/health/ready"),
      (answer) => answer.status === 200,
    );
    await till.pause("SIGTERM");
    await nextSecond();
    await using other = await startTestChain();
    await other.pay(Address.checksum(unpaid.deposit_address), "1500.00");
    await till.resume({ TILL_RPC_URL: other.rpcUrl, TILL_RPC_WS_URL: other.wsUrl });
    await until(
      async () => String((await till.api("GET", "/health/ready")).body.reasons),
      (reasons) => reasons.includes("is another chain"),
    );
    await until(till.output, (output) => output.includes("is another chain"));
    expect((await till.api("GET", `/api/invoices/${unpaid.invoice_id}/status`)).body.status).toBe("draft");
    await till.pause("SIGTERM");
  });

  test("finishes its start and ends well when it is told to stop meanwhile", async () => {
    const till = startProcess([...program, "serve"], {
      env: {
        TILL_CHAIN: "anvil",
        TILL_RPC_URL: chain.rpcUrl,
        TILL_DATA_DIR: dir.path,
        TILL_WALLET_PASSPHRASE: passphrase,
        TILL_PORT: String(ownPort()),
      },
    });
    const begun = Bun.file(join(dir.path, "till.lock"));
    await until(() => begun.exists(), Boolean);
    expect(await till.end("SIGINT")).toBe(0);
    expect(till.output()).toContain("[stopping]");
  });
});
