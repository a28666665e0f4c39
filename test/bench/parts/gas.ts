/** What moving the money of paid deposits to their payout wallets costs, beside a plain transfer of the same token. */
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import { compile } from "../../../scripts/contracts.ts";
import { readReceipt } from "../../../src/chain/account/transaction.ts";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import { topicOf } from "../../../src/chain/transfer/transfer-log.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as GasTransactionStore from "../../../src/store/tables/settle/gas-transaction.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { deploy, encode, send } from "../../support/chain/evm.ts";
import { openGasAccount } from "../../support/chain/gas-account.ts";
import { openRelays, owed, price } from "../../support/chain/relays.ts";
import { credit, fundedDeposit, mint, newWallet, settleAll } from "../../support/chain/settlement.ts";
import { newSigner } from "../../support/chain/signer.ts";
import { ratioAtMost, report } from "../line.ts";

const chain = await startTestChain();
const gas = await openGasAccount(chain);
const source = new URL("../../settle/ProxiedToken.sol", import.meta.url);
const proxy = compile(source, "cancun").get("ProxiedToken");
const token = await deploy(chain, `${proxy?.bytecode ?? "0x"}${topicOf(chain.usdc).slice(2)}`);
const amount = 2_000_000n;

/** To a wallet that holds the token already, as a payout wallet does. */
async function transferGas(): Promise<number> {
  const [from, to] = [payers[0] ?? Address.zero, newWallet()];
  await mint(chain, from, 2n * amount, token);
  await mint(chain, to, 1n, token);
  const receipt = await send(chain, {
    from,
    to: token,
    data: encode(usdcArtifact.abi, "transfer", [to, amount]),
  });
  return Number(receipt.gasUsed);
}

async function settlementGas(count: number): Promise<number> {
  const wallet = newWallet();
  await mint(chain, wallet, 1n, token);
  for (let i = 0; i < count; i++) await fundedDeposit(chain, gas.db, amount, wallet, token);
  await credit(gas, token);
  await settleAll(gas, { usdc: token, min: Usdc.fromMicro(1_000_000n) });
  const latest = GasTransactionStore.latest(gas.db, gas.chainId, "settle");
  const receipt = await readReceipt(gas.rpc, latest?.txHash ?? "");
  return (receipt?.gasUsed ?? Number.NaN) / count;
}

const transfer = await transferGas();
// The first one also puts the factory on the chain.
await settlementGas(1);
const beside = { name: "a plain transfer of USDC", value: transfer };
report({
  id: "gas/one",
  what: "gas to settle one deposit",
  unit: "gas",
  till: await settlementGas(1),
  beside,
  targets: [ratioAtMost(2.4)],
});
const fifty = await settlementGas(50);
report({
  id: "gas/fifty",
  what: "gas to settle each of 50 deposits",
  unit: "gas",
  till: fifty,
  beside,
  targets: [ratioAtMost(1.45)],
});

/** A payer without ETH signs; Till brings it to a deposit address that holds nothing, and settles it with others. */
async function relayGas(): Promise<number> {
  const proxied = { ...chain, usdc: token };
  const relays = await openRelays(proxied, gas);
  const { request } = owed(gas.db);
  const answer = await relays.accept(await request(await newSigner(proxied, price)));
  const { txHash } = await relays.end(answer);
  return (await readReceipt(gas.rpc, txHash ?? ""))?.gasUsed ?? Number.NaN;
}

/**
 * A charge by EIP-3009 of base/commerce-payments, as its own gas benchmark has it: the payer
 * signs as well, and a contract in between takes the money to the receiver.
 */
const chargeGas = 165_167;

const relay = await relayGas();
report({
  id: "gas/relay",
  what: "gas to bring a signed payment to its deposit address (10,000 more with Circle's own token)",
  unit: "gas",
  till: relay,
  beside,
  targets: [ratioAtMost(3)],
});
report({
  id: "gas/relay-settled",
  what: "gas to bring a signed payment, and to settle it among 50 (10,000 more with Circle's own token)",
  unit: "gas",
  till: relay + fifty,
  beside: { name: "a charge by Commerce Payments", value: chargeGas },
  targets: [ratioAtMost(1)],
});
gas.close();
await chain.stop();
