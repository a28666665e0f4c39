import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { nextSecond, startTestChain } from "../support/chain/chain.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { endProcesses, program, startDev, startProcess } from "../support/till/process.ts";
import { invoiceRequest, until } from "../support/till/till.ts";

const dir = makeDataDir();
afterAll(async () => {
  await endProcesses();
  dir.remove();
});

const place = (name: string, env: Record<string, string> = {}) => ({
  cwd: process.cwd(),
  env: { TILL_DATA_DIR: join(dir.path, name), TILL_PORT: "0", ...env },
});

async function createInvoice(baseUrl: string): Promise<Record<string, string>> {
  const response = await fetch(`${baseUrl}/api/invoices`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(invoiceRequest),
  });
  return (await response.json()) as Record<string, string>;
}

describe("till dev", () => {
  test("has its own chain and catches mail, also beside another one and with the settings of a real Till, and ends with npx", async () => {
    const here = place("own-chain");
    const first = await startDev(program, {
      ...here,
      env: {
        ...here.env,
        TILL_CHAIN: "base-sepolia",
        TILL_RPC_WS_URL: "wss://node.example",
        TILL_WALLET_PASSPHRASE_FILE: join(dir.path, "no-such-file"),
        TILL_SMTP_URL: "smtp://127.0.0.1:9",
      },
    });
    const { invoice_number } = await createInvoice(first.ready.base_url);
    const headers = { accept: "application/json" };
    await until(
      async () => (await fetch(`${first.ready.base_url}/dev/mail`, { headers })).text(),
      (caught) => caught.includes(`Invoice ${invoice_number}`),
    );

    const { cwd, env } = place("npx");
    // As npx runs it: by a shell, and `bun run` below that. It is told to end and tells nobody.
    const command = `${program.join(" ")} dev --json`;
    const npx = startProcess(["sh", "-c", `sh -c '${command}; true'; true`], {
      cwd,
      env: { ...env, npm_command: "exec" },
    });
    const { rpc_url } = JSON.parse(await npx.line((line) => line.includes('"event":"ready"')));
    expect(rpc_url).not.toBe(first.ready.rpc_url);
    await npx.end("SIGKILL");
    expect(npx.output()).toContain("finishing what was begun");
    await expect(fetch(rpc_url)).rejects.toThrow();

    expect(await first.end("SIGINT")).toBe(0);
  });

  test("says that its chain is gone instead of waiting for blocks that never come, and begins anew with --reset", async () => {
    const here = place("own-chain");
    await nextSecond();
    rmSync(join(here.env.TILL_DATA_DIR, "dev/anvil-state.json"));
    const lost = startProcess([...program, "dev"], here);
    expect(await lost.exited).toBe(1);
    expect(lost.output()).toContain("is another chain than the one");
    expect(lost.output()).toContain("--reset");

    const anew = startProcess([...program, "dev", "--reset", "--json"], here);
    const { base_url } = JSON.parse(await anew.line((line) => line.includes("ready")));
    expect((await createInvoice(base_url))["invoice_number"]).toBe("INV-0001");
    expect(await anew.end()).toBe(0);
  });

  test("uses an Anvil that is running already, named once or twice, and leaves it running", async () => {
    const chain = await startTestChain();
    try {
      const again = chain.rpcUrl.replace("127.0.0.1", "localhost");
      const till = await startDev(program, place("own-anvil", { TILL_RPC_URL: `${chain.rpcUrl}, ${again}` }));
      expect(till.ready).toMatchObject({ rpc_url: chain.rpcUrl, usdc_address: chain.usdc });
      const invoice = await createInvoice(till.ready.base_url);
      const env = { TILL_RPC_URL: `${chain.rpcUrl}, ${again}`, PATH: "/usr/bin:/bin" };
      const payer = startProcess([...program, "pay", invoice["invoice_url"] ?? ""], { env });
      expect(await payer.exited).toBe(0);
      expect(payer.output()).toStartWith("Paid 1,500.00 USDC to 0x");
      expect(await till.end()).toBe(0);
      expect(await chain.rpc("eth_chainId")).toBe("0x7a69");
    } finally {
      await chain.stop();
    }
  });
});
