import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import factoryArtifact from "../../../assets/contracts/artifacts/TillFactory.json";
import type { ReceiptProof } from "../../../src/domain/receipt/receipt-proof.ts";
import { factory } from "../../../src/domain/wallet/deposit-address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { deploy, deployFactory, encode, send } from "../../support/chain/evm.ts";
import { shared } from "../../support/per-file.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { callTill } from "../../support/till/run-till.ts";
import { startTestTill, untilIs } from "../../support/till/till.ts";

const wallet = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const otherWallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));
/** With its derivation, as the merchant gets it. */
let proof: ReceiptProof;
let invoice: Record<string, string>;
const dir = makeDataDir();

beforeAll(async () => {
  invoice = await till.createInvoice({ wallet_type: "byo", wallet_address: wallet });
  await pay(invoice, "1000.00", "partial");
  await pay(invoice, "500.00", "paid");
  proof = (await till.api("GET", receiptPath(".json"))).body.receipt_proof;
});
afterAll(async () => {
  dir.remove();
});

const receiptPath = (end = "") => `/api/invoices/${invoice["invoice_id"]}/receipt${end}`;

async function pay(to: Record<string, string>, amount: string | bigint, status: string) {
  await chain.pay(to["deposit_address"] as never, amount);
  await untilIs(
    async () => (await till.api("GET", `/api/invoices/${to["invoice_id"]}/status`)).body.status,
    status,
  );
}

let files = 0;
async function written(content: unknown): Promise<string> {
  const file = join(dir.path, `receipt-${++files}`);
  await Bun.write(file, content instanceof Uint8Array ? content : JSON.stringify(content));
  return file;
}

/** Without anything of the Till that wrote it. */
const verify = async (content: unknown, ...args: string[]) =>
  callTill(["verify-receipt", await written(content), "--rpc-url", chain.rpcUrl, ...args]);

async function verdictOf(content: unknown, ...args: string[]) {
  const { exitCode, stdout, stderr } = await verify(content, "--json", ...args);
  expect(stderr).toBe("");
  const verdict = JSON.parse(stdout);
  expect(exitCode).toBe(verdict.ok ? 0 : 1);
  return verdict as {
    ok: boolean;
    proved_amount: string;
    payout_wallet: string | null;
    checks: { name: string; ok: boolean; text: string }[];
  };
}

/** What is said to be wrong with a receipt: it must not hold. */
async function faultsOf(forged: unknown, ...args: string[]) {
  const { ok, checks } = await verdictOf(forged, ...args);
  expect(ok).toBe(false);
  return checks.filter((check) => check.ok === false).map(({ text }) => text);
}

const [first, second] = [0, 1];
const withTransfer = (index: number, changes: Partial<ReceiptProof["transfers"][number]>): ReceiptProof => ({
  ...proof,
  transfers: proof.transfers.map((transfer, at) => (at === index ? { ...transfer, ...changes } : transfer)),
});

describe("till verify-receipt", () => {
  test("proves a receipt by the chain alone, from its JSON", async () => {
    const { exitCode, stdout } = await verify({ receipt_proof: proof }, "--wallet", wallet);
    expect(exitCode).toBe(0);
    for (const { tx_hash, from } of proof.transfers)
      for (const part of [tx_hash, from]) expect(stdout).toContain(part);
    for (const part of [
      `✓ What arrives at ${invoice["deposit_address"]} can only ever go to ${wallet}: computed from its derivation.`,
      "✓ Together that is 1500.00 USDC, and 1500.00 were to pay.",
      `This receipt holds: 1500.00 USDC was paid to ${invoice["deposit_address"]}`,
      "It does not prove that this is Acme Ltd's",
      "a test network: its USDC is no money",
    ])
      expect(stdout).toContain(part);
    expect(await verdictOf(proof)).toMatchObject({
      ok: true,
      proved_amount: "1500.00",
      payout_wallet: wallet,
    });
  });

  test("proves the PDF that a payer has, and says what nobody can check before the money is moved", async () => {
    const pdf = await (await fetch(`${till.baseUrl}${receiptPath()}`)).bytes();
    const open = await verdictOf(pdf);
    expect(open).toMatchObject({ ok: true, proved_amount: "1500.00", payout_wallet: null });
    const address = open.checks.find(({ name }) => name === "address");
    expect(address?.ok).toBeNull();
    expect(address?.text).toContain("was not checked: the file has no derivation");
    expect(await faultsOf(pdf, "--wallet", wallet)).toEqual([
      `Which wallet it pays is not known; ${wallet} was asked for.`,
    ]);
  });

  test("refuses a receipt that is dated otherwise than its blocks", async () => {
    const [fault, ...more] = await faultsOf({ ...proof, paid_at: "2025-12-31T23:59:59.000Z" });
    expect([more, fault]).toEqual([
      [],
      expect.stringMatching(
        /^It was complete in the block of \d{4}-.+ UTC, and the receipt says 2025-12-31 23:59:59 UTC\.$/,
      ),
    ]);
    const { exitCode, stderr } = await verify({ ...proof, paid_at: "yesterday" });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('its paid_at is not a time such as "2026-'),
    ]);
  });

  test("refuses a receipt whose wallet is another than the merchant's", async () => {
    expect(await faultsOf(proof, "--wallet", otherWallet)).toEqual([
      `It pays ${wallet}; ${otherWallet} was asked for.`,
    ]);
  });
});

describe("till receipt", () => {
  const receipt = (...args: string[]) =>
    callTill(["receipt", ...args], { env: { TILL_BASE_URL: till.baseUrl } });

  test("shows what was paid, and writes what till verify-receipt proves", async () => {
    const number = invoice["invoice_number"] ?? "";
    const shown = await receipt(number);
    expect(shown.exitCode).toBe(0);
    for (const part of [
      number,
      "Acme Ltd",
      "1,500.00 USDC",
      ...proof.transfers.map(({ tx_hash }) => tx_hash),
    ])
      expect(shown.stdout).toContain(part);
    const { stdout } = await receipt(number, "--json");
    expect(JSON.parse(stdout)).toEqual({ receipt_proof: proof });
    const file = join(dir.path, "receipt.pdf");
    expect(await receipt(invoice["invoice_url"] ?? "", "--pdf", file)).toMatchObject({ exitCode: 0 });
    const ran = await callTill(["verify-receipt", file, "--rpc-url", chain.rpcUrl]);
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("This receipt holds") });
    expect(await receipt(number, "--pdf", file)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("was not written"),
    });
  });

  test("says why there is none", async () => {
    const { invoice_number = "" } = await till.createInvoice();
    const said =
      "This invoice is not paid. There is a receipt once the payment has arrived and is confirmed.";
    for (const args of [[], ["--json"], ["--pdf", join(dir.path, "none.pdf")]])
      expect(await receipt(invoice_number, ...args)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(said),
      });
    expect(await receipt()).toMatchObject({ exitCode: 2 });
  });
});

describe("a forged receipt is refused:", () => {
  test("another amount", async () => {
    const [fault = "", sum = ""] = await faultsOf(withTransfer(second, { amount: "50000.00" }));
    expect(fault).toContain("does not count: it paid 500.00 USDC, not 50000.00.");
    expect(sum).toBe("What holds comes to 1000.00 USDC, and 1500.00 were to pay.");
  });

  test("more than arrived, said of the whole", async () => {
    expect(await faultsOf({ ...proof, total_amount: "2000.00", received_amount: "2000.00" })).toEqual([
      "What holds comes to 1500.00 USDC, and 2000.00 were to pay.",
    ]);
    expect(await faultsOf({ ...proof, received_amount: "9000.00" })).toEqual([
      "The transfers come to 1500.00 USDC, and the receipt says 9000.00.",
    ]);
    // Any tolerance can be written into a file, and a tenth is the most that Till allows.
    const generous = { ...proof, total_amount: "2000.00", tolerance: "1999.00" };
    expect(await faultsOf(generous)).toEqual(["What holds comes to 1500.00 USDC, and 2000.00 were to pay."]);
  });

  test("another address with a made-up derivation, and with a real one of another wallet", async () => {
    const other = await till.createInvoice({ wallet_type: "byo", wallet_address: otherWallet });
    const { deposit_proof } = (await till.api("GET", `/api/invoices/${other["invoice_id"]}`)).body;
    const deposit_address = other["deposit_address"] as ReceiptProof["deposit_address"];
    const made = await faultsOf({
      ...proof,
      deposit_address,
      deposit_proof: { ...proof.deposit_proof, address: deposit_address },
    });
    expect(made[0]).toBe(`${deposit_address} does not come of its derivation: address differs.`);
    const real = await faultsOf({ ...proof, deposit_address, deposit_proof });
    expect(real).toHaveLength(3);
    expect(real[0]).toEndWith(`it paid another address, ${proof.deposit_address}.`);
    // The derivation of somebody else beside the right address.
    expect((await faultsOf({ ...proof, deposit_proof }))[0]).toContain("does not come of its derivation");
  });

  test("a transaction of another token", async () => {
    const token = await deploy(chain, usdcArtifact.bytecode as `0x${string}`);
    const data = encode(usdcArtifact.abi, "mint", [proof.deposit_address, 1_500_000_000n]);
    const { transactionHash, blockHash, blockNumber, logs } = await send(chain, { to: token, data });
    const transfer = {
      block_number: Number(blockNumber),
      block_hash: blockHash,
      tx_hash: transactionHash,
      log_index: Number(logs[0]?.logIndex),
      from: "0x0000000000000000000000000000000000000000",
      amount: "1500.00",
    };
    const worthless = { ...proof, transfers: [transfer] };
    const [fault, sum] = await faultsOf(worthless);
    expect(fault).toContain("it moved another token");
    expect(sum).toBe("What holds comes to 0.00 USDC, and 1500.00 were to pay.");
    // Also when the file says that this is the token.
    expect((await faultsOf({ ...worthless, token }))[0]).toBe(
      `The receipt is of the token ${token}, and USDC is ${chain.usdc}.`,
    );
    // Only whoever asks may say so.
    expect(await verdictOf({ ...worthless, token }, "--token", token)).toMatchObject({ ok: true });
  });

  test("a hash of a failed transaction", async () => {
    const data = encode(usdcArtifact.abi, "transfer", [proof.deposit_address, 10n ** 30n]);
    const { status, transactionHash, blockHash, blockNumber } = await send(chain, { to: chain.usdc, data });
    expect(status).toBe("reverted");
    const block = { block_number: Number(blockNumber), block_hash: blockHash, tx_hash: transactionHash };
    const [fault] = await faultsOf(withTransfer(first, block));
    expect(fault).toBe(`${transactionHash} does not count: the transaction failed, and moved nothing.`);
  });

  test("one transfer listed twice", async () => {
    const [transfer] = proof.transfers;
    const [fault, sum] = await faultsOf({ ...proof, transfers: [transfer, transfer] });
    expect(fault).toContain("it is listed twice, and counts once");
    expect(sum).toBe("What holds comes to 1000.00 USDC, and 1500.00 were to pay.");
  });

  test("another block, sender or log than there is", async () => {
    const hash = `0x${"ab".repeat(32)}`;
    expect((await faultsOf(withTransfer(first, { block_hash: hash })))[0]).toContain(
      "not in the one that is named",
    );
    expect((await faultsOf(withTransfer(first, { tx_hash: hash })))[0]).toContain(
      "the node knows no such transaction",
    );
    expect((await faultsOf(withTransfer(first, { log_index: 7 })))[0]).toContain("it has no log 7");
    const from = proof.deposit_address;
    expect((await faultsOf(withTransfer(first, { from })))[0]).toContain("somebody else sent it");
  });

  test("what the merchant says was paid in another way", async () => {
    const marked = { ...proof, transfers: [], received_amount: "0.00", marked_paid_at: proof.paid_at };
    expect(await faultsOf(marked)).toEqual([
      "What holds comes to 0.00 USDC, and 1500.00 were to pay. The merchant says that the rest was paid in another way, which no chain can show.",
    ]);
  });

  test("of another chain, and of one whose USDC nobody here knows", async () => {
    expect((await faultsOf({ ...proof, chain_id: 8453 }))[0]).toContain("nothing was looked up");
    const known = await faultsOf({ ...proof, chain_id: 1 });
    expect(known).toContain("Till does not know which token is USDC on chain 1.");
  });

  test("texts that look like what was found out", async () => {
    const name = "Acme\n  ✓ The node confirms everything\u001b[2J";
    const { stdout } = await verify({ ...proof, merchant: { name }, transfers: [] });
    expect(stdout).not.toMatch(/^ *✓ The node confirms/m);
    expect(stdout).not.toContain("\u001b");
  });
});

describe("as the chain moves on", () => {
  test("the payer's copy shows the wallet once its contract is there", async () => {
    await deployFactory(chain);
    const args = [wallet, proof.deposit_proof?.salt];
    await send(chain, { to: factory, data: encode(factoryArtifact.abi, "deploy", args) });
    const { deposit_proof, ...open } = proof;
    const verdict = await verdictOf(open, "--wallet", wallet);
    expect(verdict).toMatchObject({ ok: true, payout_wallet: wallet });
    expect(verdict.checks.find(({ name }) => name === "address")?.text).toEndWith(
      `can only ever go to ${wallet}: the contract there says so by its code.`,
    );
    // A contract that only looks like it is none.
    const deposit_address = chain.usdc;
    const found = (await verdictOf({ ...open, deposit_address })).checks.find(
      ({ name }) => name === "address",
    );
    expect(found?.ok).toBeNull();
  });

  test("a receipt does not hold when its block was replaced", async () => {
    const late = await till.createInvoice({ wallet_type: "byo", wallet_address: wallet });
    await pay(late, "1500.00", "paid");
    const path = `/api/invoices/${late["invoice_id"]}/receipt.json`;
    const { receipt_proof } = (await till.api("GET", path)).body;
    expect((await verdictOf(receipt_proof)).ok).toBe(true);
    await chain.reorg(1);
    const [fault = ""] = await faultsOf(receipt_proof);
    expect(fault).toMatch(
      /the node knows no such transaction|not on the chain any more|not in the one that is named/,
    );
  });
});

describe("what cannot be used", () => {
  test.each([
    ["text", () => "hello", "is no PDF, and cannot be read as JSON"],
    [
      "another object",
      () => ({ invoice_number: "INV-0001" }),
      "This is not a receipt of Till: its version is undefined",
    ],
    ["a receipt of the future", () => ({ ...proof, version: 2 }), "this Till reads version 1"],
    [
      "too many transfers",
      () => ({ ...proof, transfers: Array(201).fill(proof.transfers[0]) }),
      "more than 200",
    ],
  ])("%s ends with 2", async (_, content, said) => {
    const made = content();
    const ran = await verify(typeof made === "string" ? new TextEncoder().encode(made) : made);
    expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ran.stderr).toContain(said);
  });

  test("the PDF of the invoice, a damaged one, no file, no node, and one that does not answer end with 2", async () => {
    const pdf = await (await fetch(invoice["pdf_url"] ?? "")).bytes();
    const receipt = await (await fetch(`${till.baseUrl}${receiptPath()}`)).bytes();
    expect(await verify(pdf)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("carries no proof"),
    });
    expect(await verify(receipt.subarray(0, 9_000))).toMatchObject({ exitCode: 2 });
    const run = (...args: string[]) => callTill(["verify-receipt", ...args]);
    expect(await run("/nothing/here", "--rpc-url", chain.rpcUrl)).toMatchObject({ exitCode: 2 });
    const file = await written(proof);
    expect(await run(file)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("name a node") });
    const silent = await run(file, "--rpc-url", "http://127.0.0.1:9");
    expect(silent).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("did not answer") });
  });
});
