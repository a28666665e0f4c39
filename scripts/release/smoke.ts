/**
 * Has a Till that was built issue an invoice and see it paid, on an Anvil of its own:
 *
 *   bun scripts/release/smoke.ts dist/release/till-linux-x64
 *   bun scripts/release/smoke.ts docker run --rm --network host {env} till
 *
 * What follows `{env}` or nothing starts Till in a container; `{env}` stands for what hands the settings to it.
 */
import { resolve } from "node:path";
import { checksum } from "../../src/domain/wallet/address.ts";
import { startTestChain } from "../../test/support/chain/chain.ts";
import { ownPort } from "../../test/support/http/port.ts";
import { makeDataDir, passphrase } from "../../test/support/till/data-dir.ts";
import { startProcess } from "../../test/support/till/process.ts";
import { invoiceRequest, until } from "../../test/support/till/till.ts";

type Invoice = { invoice_id: string; deposit_address: string; total_amount: string; status: string };

/** Starts Till by a command, uses it as a shop does, and ends it. Throws what went wrong. */
export async function smoke(command: readonly string[]): Promise<void> {
  const chain = await startTestChain();
  const dir = makeDataDir();
  const port = ownPort();
  const settings: Record<string, string> = {
    TILL_CHAIN: "anvil",
    TILL_HOST: "127.0.0.1",
    TILL_PORT: `${port}`,
    TILL_RPC_URL: chain.rpcUrl,
    TILL_RPC_WS_URL: chain.wsUrl,
    TILL_TAX_RATES: "off",
    TILL_DATA_DIR: resolve(dir.path, "data"),
    TILL_WALLET_PASSPHRASE: passphrase,
  };
  const handed = Object.keys(settings).flatMap((name) => ["-e", name]);
  const whole = command.flatMap((word) => (word === "{env}" ? handed : [word]));
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || name.startsWith("TILL_") ? [] : [[name, value]],
  );
  const till = startProcess([...whole, "serve"], { env: { ...Object.fromEntries(inherited), ...settings } });
  const ask = async (path: string, body?: object) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const request = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, request);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  try {
    await till.line((line) => line.includes("[ready]"));
    await ask("/health/live");
    const invoice = (await (await ask("/api/invoices", invoiceRequest)).json()) as Invoice;
    const pdf = await (await ask(`/api/invoices/${invoice.invoice_id}/pdf`)).text();
    if (!pdf.startsWith("%PDF-")) throw new Error("The PDF of the invoice is none.");
    await chain.pay(checksum(invoice.deposit_address), invoice.total_amount);
    const status = async () => {
      const answer = await ask(`/api/invoices/${invoice.invoice_id}`);
      return ((await answer.json()) as Invoice).status;
    };
    await until(status, (now) => now === "paid");
    await ask("/health/ready");
    // Windows has no signals: there it is cut off.
    const code = await till.end("SIGTERM");
    if (code !== 0 && process.platform !== "win32") throw new Error(`It ended with exit code ${code}.`);
  } catch (thrown) {
    await till.end("SIGKILL");
    throw new Error(`${command.join(" ")}:\n${till.output()}`, { cause: thrown });
  } finally {
    await chain.stop();
    dir.remove();
  }
}

if (import.meta.main) {
  const command = process.argv.slice(2);
  await smoke(command);
  console.log(`${command.join(" ")}: issued an invoice and saw it paid`);
}
