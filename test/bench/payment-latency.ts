/**
 * How long after its block a payment is in the API: from the moment the node has mined the transfer to the answer
 * of GET /api/invoices/{id}/status that says so, with one confirmation. Run: bun test/bench/payment-latency.ts
 */
import { createWalletClient, encodeFunctionData, http, parseAbi } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { startTestChain } from "../support/chain.ts";
import { startTestTill } from "../support/till.ts";

const rounds = 50;

const chain = await startTestChain();
const till = await startTestTill(chain);
const account = mnemonicToAccount("test test test test test test test test test test test junk");
const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) });
const abi = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);

const latenciesMs: number[] = [];
for (let round = 0; round < rounds; round++) {
  const invoice = await till.createInvoice();
  await Bun.sleep(60);
  const transaction = await wallet.prepareTransactionRequest({
    chain: null,
    to: chain.usdc,
    data: encodeFunctionData({
      abi,
      functionName: "transfer",
      args: [invoice["deposit_address"] as `0x${string}`, 1_500_000_000n],
    }),
  });
  const signed = await wallet.signTransaction(transaction as never);
  // Anvil mines on arrival: the block is there when it answers.
  await chain.rpc("eth_sendRawTransaction", [signed]);
  const minedAt = performance.now();
  for (;;) {
    const { body } = await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`);
    if (body.status === "paid") break;
    if (performance.now() - minedAt > 10_000) throw new Error("not paid within 10 s");
  }
  latenciesMs.push(performance.now() - minedAt);
}
await till.stop();
await chain.stop();

latenciesMs.sort((a, b) => a - b);
const percentile = (share: number) =>
  latenciesMs[Math.min(rounds - 1, Math.floor(rounds * share))]?.toFixed(1);
console.log(
  `block to paid in the API, ${rounds} payments: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms`,
);
