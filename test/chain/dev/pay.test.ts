import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import { NotADevChain } from "../../../src/chain/dev/dev-chain.ts";
import { PaymentFailed, pay } from "../../../src/chain/dev/pay.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { encode, send } from "../../support/chain/evm.ts";

const shop = Address.checksum("0x00000000000000000000000000000000000000aa");

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const payment = (amount: bigint, more: { payerIndex?: number; to?: Address.Address } = {}) =>
  pay({ rpcUrl: chain.rpcUrl, usdcAddress: chain.usdc, to: shop, amount: Usdc.fromMicro(amount), ...more });

describe("pay", () => {
  test("transfers to the micro-USDC and returns the transaction and its block", async () => {
    const { txHash, blockNumber } = await payment(1_499_999_999n);
    const logs = await chain.rpc("eth_getLogs", [{ address: chain.usdc, fromBlock: "0x0" }]);
    expect(logs).toMatchObject([{ transactionHash: txHash, blockNumber: `0x${blockNumber.toString(16)}` }]);
    expect(logs).toMatchObject([{ data: `0x${1_499_999_999n.toString(16).padStart(64, "0")}` }]);
  });

  test("lets several payers pay at the same time", async () => {
    const paid = await Promise.all([0, 1, 2].map((payerIndex) => payment(1n, { payerIndex })));
    expect(new Set(paid.map(({ txHash }) => txHash)).size).toBe(3);
  });

  test("says why a payment was not made", async () => {
    const blocked = Address.checksum("0x00000000000000000000000000000000000000bb");
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "blacklist", [blocked]) });
    const toBlocked = await payment(1n, { to: blocked }).catch((thrown) => thrown);
    expect(toBlocked).toBeInstanceOf(PaymentFailed);
    expect(toBlocked.message).toContain("blacklisted");
    const tooMuch = await payment(10n ** 15n).catch((thrown) => thrown);
    expect(tooMuch.message).toContain("does not have that much USDC");
  });

  test("never signs for a chain that is not a development chain", async () => {
    await chain.rpc("anvil_setChainId", [8453]);
    expect(await payment(1n).catch((thrown) => thrown)).toBeInstanceOf(NotADevChain);
    await chain.rpc("anvil_setChainId", [31337]);
  });
});
