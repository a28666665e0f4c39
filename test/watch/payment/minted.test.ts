import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Hex, keccak256 } from "viem";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import { askAbout } from "../../../src/chain/transfer/attest.ts";
import { checkOnChain } from "../../../src/chain/transfer/receipt-check.ts";
import * as ReceiptProof from "../../../src/domain/receipt/receipt-proof.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { balanceOf, stranger } from "../../support/chain/evm.ts";
import { attest, burn, mint, placeCrossing } from "../../support/crossing/crossing.ts";
import { startTestTill, type TestTill, until } from "../../support/till/till.ts";

/** USDC that comes from another chain is minted at the deposit address, in a transaction of somebody unknown. */

const payer = payers[1] ?? Address.zero;
let there: TestChain;
let here: TestChain;
let till: TestTill;

beforeAll(async () => {
  [there, here] = await Promise.all([startTestChain(), startTestChain()]);
  await Promise.all([placeCrossing(there, 0), placeCrossing(here, 6)]);
  till = await startTestTill(here);
});
afterAll(async () => {
  await till.stop();
  await Promise.all([there.stop(), here.stop()]);
});

const due = 1_500_000_000n;
const fee = 215_000n;
const nonces = ["0xa1", "0xa2"].map((seed) => keccak256(seed as Hex));

test("USDC burnt on another chain pays exactly, once it is minted, and its receipt can be verified", async () => {
  const invoice = await till.createInvoice();
  const to = Address.checksum(invoice["deposit_address"] ?? "");
  const path = `/api/invoices/${invoice["invoice_id"]}`;
  const amount = due + fee;
  const message = await burn(there, { from: payer, to, amount, maxFee: fee });
  const [nonce = "0x", late = "0x"] = nonces;
  const attested = await attest(message, nonce, { fee });
  expect((await mint(here, await attest(message, late, { fee, until: 1n }), stranger)).status).toBe(
    "reverted",
  );
  const minted = await mint(here, attested, stranger);
  // The payer, the forwarder, anybody may try again.
  expect((await mint(here, attested, payer)).status).toBe("reverted");
  expect(await balanceOf(here, here.usdc, to)).toBe(due);

  const { body } = await until(
    () => till.api("GET", path),
    (answer) => answer.body.status === "paid",
    60_000,
  );
  expect(body.received_amount).toBe("1500.00");
  const { data } = (await till.api("GET", `${path}/timeline`)).body;
  const seen = data.find(({ type }: { type: string }) => type === "transfer_confirmed");
  expect(seen.data).toMatchObject({ amount: "1500.00", from: Address.zero, tx_hash: minted.transactionHash });

  const proof = ReceiptProof.read((await till.api("GET", `${path}/receipt.json`)).body);
  const rpc = createRpc({ url: here.rpcUrl });
  const check = await checkOnChain(rpc, proof, { token: here.usdc, confirmations: 1 });
  expect(check.transfers).toMatchObject([{ fault: null, from: Address.zero, amount: "1500.00" }]);
});

test("another node that is asked vouches for what was minted", async () => {
  const invoice = await till.createInvoice();
  const to = Address.checksum(invoice["deposit_address"] ?? "");
  const amount = 5_000_000n;
  const message = await burn(there, { from: payer, to, amount, maxFee: 1n });
  const minted = await mint(here, await attest(message, keccak256("0xb1")), stranger);
  const log = minted.logs.find(({ topics }) => topics[2]?.endsWith(to.slice(2).toLowerCase()));
  const claim = {
    blockHash: minted.blockHash,
    blockNumber: Number(minted.blockNumber),
    logIndex: log?.logIndex ?? -1,
    txHash: minted.transactionHash,
    payer: Address.zero,
    amount: Usdc.fromMicro(amount),
    address: to,
  };
  const rpc = createRpc({ url: here.rpcUrl });
  expect(await askAbout(rpc, here.usdc, claim.txHash, [claim])).toEqual([{ kind: "known" }]);
});
