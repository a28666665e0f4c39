import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { startTestChain } from "../../support/chain/chain.ts";
import { deployFactory } from "../../support/chain/evm.ts";
import { shared } from "../../support/per-file.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { callTill, runTill } from "../../support/till/run-till.ts";
import { linkRequest, startTestTill } from "../../support/till/till.ts";

const wallet = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));
let invoice: Record<string, string>;
let slugOfLink: string;
const dir = makeDataDir();
const file = join(dir.path, "invoice.json");

beforeAll(async () => {
  invoice = await till.createInvoice({ wallet_type: "byo", wallet_address: wallet });
  slugOfLink = (await till.api("POST", "/api/links", linkRequest)).body.slug;
  const record = await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`);
  await Bun.write(file, JSON.stringify(record.body));
});
afterAll(async () => {
  dir.remove();
});

const verify = (...args: string[]) =>
  callTill(["verify-address", ...args], { env: { TILL_BASE_URL: till.baseUrl } });

describe("till verify-address", () => {
  test("asks Till for the proof of an invoice and of a link", async () => {
    const link = (await till.api("GET", `/api/links/${slugOfLink}`)).body;
    for (const [of, args] of [
      [invoice, [invoice["invoice_number"] ?? "", "--wallet", wallet]],
      [invoice, [invoice["deposit_address"]?.toLowerCase() ?? ""]],
      [link, [slugOfLink]],
      [link, [link.deposit_address]],
    ] as const) {
      const { exitCode, stdout, stderr } = await verify(...args, "--json");
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, address: of["deposit_address"] });
    }
  });

  test("says that an address is of nothing here", async () => {
    expect(await verify(wallet)).toMatchObject({
      exitCode: 2,
      stderr: `till verify-address: ${wallet} is not the deposit address of any invoice or link of Till at ${till.baseUrl}.\n`,
    });
  });

  test("shows every step, from a file alone", async () => {
    const { exitCode, stdout } = await callTill(["verify-address", file, "--wallet", wallet]);
    expect(exitCode).toBe(0);
    for (const part of [
      "deployer",
      "keccak-256",
      "creation code",
      "preimage",
      "0xff",
      "5af43d82803e903d91602b57fd5bf3",
    ])
      expect(stdout).toContain(part);
    expect(stdout).toContain(`at ${invoice["deposit_address"]} can only ever go to ${wallet}.`);
  });

  test("ends with 1 when the address is not what the proof leads to, or pays another wallet", async () => {
    const record = await Bun.file(file).json();
    const stdin = JSON.stringify({ ...record, deposit_address: record.deposit_proof.factory });
    const forged = await runTill(["verify-address", "--proof", "-"], { stdin });
    expect(forged.exitCode).toBe(1);
    expect(forged.stdout).toContain("✗ differs");
    expect(forged.stdout).toContain("Do not use this address");

    const other = await callTill(["verify-address", file, "--wallet", record.deposit_proof.factory]);
    expect(other.exitCode).toBe(1);
    expect(other.stdout).toContain(`It pays ${wallet}, not`);
  });

  test("ends with 2 when there is nothing to compare", async () => {
    for (const [args, message] of [
      [["INV-9999"], "knows no invoice, link or credit note"],
      [["--proof", "/nowhere/proof.json"], "cannot be read"],
      [[file, "--wallet", wallet.toLowerCase()], `write it as ${wallet}`],
      [["http://127.0.0.1:9/i/abc"], "no Till answers"],
      [[], "give one invoice"],
    ] as const) {
      const { exitCode, stderr } = await verify(...args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
    }
  });

  test("asks the factory of a chain, before and after it is there", async () => {
    expect((await verify(file, "--rpc-url", chain.rpcUrl)).stdout).toContain("not on that chain yet");
    await deployFactory(chain);
    const { exitCode, stdout } = await verify(file, "--rpc-url", chain.rpcUrl);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`The factory on the chain says ${invoice["deposit_address"]}  ✓`);
  });
});
