import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeFunctionResult, type Hex, hexToBigInt, type TransactionReceipt } from "viem";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import forwarderArtifact from "../../assets/contracts/artifacts/Forwarder.json";
import factoryArtifact from "../../assets/contracts/artifacts/TillFactory.json";
import { compile } from "../../scripts/contracts.ts";
import { payers } from "../../src/chain/dev-chain.ts";
import * as Address from "../../src/domain/address.ts";
import * as DepositAddress from "../../src/domain/deposit-address.ts";
import { startTestChain, type TestChain } from "../support/chain.ts";
import { deploy, deployFactory, encode, send } from "../support/evm.ts";

const { factory, implementation } = DepositAddress;
const eth = Address.zero;
const hostileContracts = compile(new URL("Hostile.sol", import.meta.url), "cancun");
const secret = new Uint8Array(32).fill(7);

let chain: TestChain;
let lastIndex = 0;

type Deposit = { payoutWallet: Address.Address; salt: Hex; address: Address.Address };

/** A deposit nobody has used, for a payout wallet that holds nothing unless one is given. */
function newDeposit(payoutWallet?: Address.Address): Deposit {
  lastIndex += 1;
  const wallet = payoutWallet ?? Address.checksum(`0x${lastIndex.toString(16).padStart(40, "e")}`);
  const salt = `0x${Buffer.from(DepositAddress.saltFor(secret, lastIndex)).toString("hex")}` as const;
  const address = DepositAddress.derive({ factory, implementation, payoutWallet: wallet, salt });
  return { payoutWallet: wallet, salt, address };
}

async function balance(token: Address.Address, of: Address.Address): Promise<bigint> {
  if (token === eth) return BigInt(String(await chain.rpc("eth_getBalance", [of, "latest"])));
  const data = encode(usdcArtifact.abi, "balanceOf", [of]);
  return hexToBigInt((await chain.rpc("eth_call", [{ to: token, data }, "latest"])) as Hex);
}

async function codeAt(address: Address.Address): Promise<unknown> {
  return chain.rpc("eth_getCode", [address, "latest"]);
}

const mint = (token: Address.Address, to: Address.Address, value: bigint) =>
  send(chain, { to: token, data: encode(usdcArtifact.abi, "mint", [to, value]) });
const create = ({ payoutWallet, salt }: Deposit) =>
  send(chain, { to: factory, data: encode(factoryArtifact.abi, "deploy", [payoutWallet, salt]) });
const flush = (of: Address.Address, token: Address.Address, from = payers[3]) =>
  send(chain, { to: of, data: encode(forwarderArtifact.abi, "flush", [token]), ...(from ? { from } : {}) });

/** A settlement with exactly the gas that Till gives it. */
function settle(token: Address.Address, deposits: readonly Deposit[]): Promise<TransactionReceipt> {
  const { limit, perDeposit } = DepositAddress.settlementGas(deposits.length);
  const data = encode(factoryArtifact.abi, "settle", [token, deposits, perDeposit]);
  return send(chain, { to: factory, data, gas: limit });
}

async function deployHostile(name: string): Promise<Address.Address> {
  return deploy(chain, hostileContracts.get(name)?.bytecode ?? "0x");
}

beforeAll(async () => {
  chain = await startTestChain();
  expect((await deployFactory(chain)).status).toBe("success");
});
afterAll(() => chain.stop());

describe("derived addresses", () => {
  test("the factory and its implementation are where arithmetic says, with the code of the artifacts", async () => {
    expect(await codeAt(factory)).not.toBe("0x");
    // The one immutable of each contract is filled in on chain; everything around it is the artifact's code.
    const data = encode(factoryArtifact.abi, "implementation");
    const answer = (await chain.rpc("eth_call", [{ to: factory, data }, "latest"])) as Hex;
    expect(Address.checksum(`0x${answer.slice(-40)}`)).toBe(implementation);
    const self = implementation.slice(2).toLowerCase();
    expect(String(await codeAt(implementation)).replaceAll(self, "0".repeat(40))).toBe(
      forwarderArtifact.deployedBytecode,
    );
  });

  test("the factory predicts the same address as the derivation, for any payout wallet and salt", async () => {
    await fc.assert(
      fc.asyncProperty(bytesHex(20, 1), bytesHex(32), async (wallet, salt) => {
        const payoutWallet = Address.checksum(wallet);
        const data = encode(factoryArtifact.abi, "predict", [payoutWallet, salt]);
        const answer = (await chain.rpc("eth_call", [{ to: factory, data }, "latest"])) as Hex;
        expect(Address.checksum(`0x${answer.slice(-40)}`)).toBe(
          DepositAddress.derive({ factory, implementation, payoutWallet, salt }),
        );
      }),
      { numRuns: 25 },
    );
  });

  test("the forwarder is created at the derived address and knows its payout wallet", async () => {
    const deposit = newDeposit();
    expect(await codeAt(deposit.address)).toBe("0x");
    await create(deposit);
    expect(await codeAt(deposit.address)).not.toBe("0x");
    const data = encode(forwarderArtifact.abi, "payoutWallet");
    const answer = (await chain.rpc("eth_call", [{ to: deposit.address, data }, "latest"])) as Hex;
    expect(
      decodeFunctionResult({ abi: forwarderArtifact.abi, functionName: "payoutWallet", data: answer }),
    ).toBe(deposit.payoutWallet);
  });
});

describe("flush", () => {
  test("by a stranger pays the payout wallet and nobody else: USDC", async () => {
    const deposit = newDeposit();
    const stranger = payers[3] ?? Address.zero;
    const strangerBefore = await balance(chain.usdc, stranger);
    await chain.pay(deposit.address, "1500.00");
    await create(deposit);
    expect((await flush(deposit.address, chain.usdc)).status).toBe("success");
    expect(await balance(chain.usdc, deposit.payoutWallet)).toBe(1_500_000_000n);
    expect(await balance(chain.usdc, deposit.address)).toBe(0n);
    expect(await balance(chain.usdc, stranger)).toBe(strangerBefore);
  });

  test("pays out ETH that came before and after the forwarder was created", async () => {
    const deposit = newDeposit();
    await send(chain, { to: deposit.address, value: 5n });
    await create(deposit);
    expect((await send(chain, { to: deposit.address, value: 6n })).status).toBe("success");
    expect((await flush(deposit.address, eth)).status).toBe("success");
    expect(await balance(eth, deposit.payoutWallet)).toBe(11n);
  });

  test("pays out a token whose transfer returns nothing", async () => {
    const deposit = newDeposit();
    const token = await deployHostile("SilentToken");
    await mint(token, deposit.address, 42n);
    await create(deposit);
    expect((await flush(deposit.address, token)).status).toBe("success");
    expect(await balance(token, deposit.payoutWallet)).toBe(42n);
  });

  test("fails when a token answers that the transfer did not happen", async () => {
    const deposit = newDeposit();
    const token = await deployHostile("FalseToken");
    await create(deposit);
    expect((await flush(deposit.address, token)).status).toBe("reverted");
  });

  test("with nothing there succeeds and moves nothing", async () => {
    const deposit = newDeposit();
    await create(deposit);
    const receipt = await flush(deposit.address, chain.usdc);
    expect(receipt.status).toBe("success");
    expect(receipt.logs).toEqual([]);
  });

  test("of an address that is no token fails", async () => {
    const deposit = newDeposit();
    await create(deposit);
    expect((await flush(deposit.address, deposit.payoutWallet)).status).toBe("reverted");
  });

  test("leaves ETH where it is when the payout wallet does not take it", async () => {
    const deposit = newDeposit(await deployHostile("RefusingWallet"));
    await send(chain, { to: deposit.address, value: 9n });
    await create(deposit);
    expect((await flush(deposit.address, eth)).status).toBe("reverted");
    expect(await balance(eth, deposit.address)).toBe(9n);
  });

  test("called again by the payout wallet that is being paid pays once", async () => {
    const deposit = newDeposit(await deployHostile("ReenteringWallet"));
    await send(chain, { to: deposit.address, value: 9n });
    await create(deposit);
    expect((await flush(deposit.address, eth)).status).toBe("success");
    expect(await balance(eth, deposit.payoutWallet)).toBe(9n);
    const payments = await chain.rpc("eth_getStorageAt", [deposit.payoutWallet, "0x0", "latest"]);
    expect(BigInt(String(payments))).toBe(1n);
  });

  test("called again by the token in the middle of a transfer pays once", async () => {
    const deposit = newDeposit();
    const token = await deployHostile("ReenteringToken");
    await mint(token, deposit.address, 33n);
    await create(deposit);
    expect((await flush(deposit.address, token)).status).toBe("success");
    expect(await balance(token, deposit.payoutWallet)).toBe(33n);
  });

  test("of the shared implementation is refused, and so is ETH sent to it", async () => {
    await mint(chain.usdc, implementation, 1n);
    expect((await flush(implementation, chain.usdc)).status).toBe("reverted");
    expect((await send(chain, { to: implementation, value: 1n })).status).toBe("reverted");
  });
});

describe("settle", () => {
  test("creates and pays out, with ETH too, and settles a deposit again", async () => {
    const deposit = newDeposit();
    await chain.pay(deposit.address, "10.00");
    await send(chain, { to: deposit.address, value: 8n });
    expect((await settle(chain.usdc, [deposit])).logs).toHaveLength(1);
    await settle(eth, [deposit]);
    await chain.pay(deposit.address, "2.50");
    await settle(chain.usdc, [deposit, deposit]);
    expect(await balance(chain.usdc, deposit.payoutWallet)).toBe(12_500_000n);
    expect(await balance(eth, deposit.payoutWallet)).toBe(8n);
  });

  test("only flushes a forwarder that somebody else created first", async () => {
    const deposit = newDeposit();
    await chain.pay(deposit.address, "10.00");
    await create(deposit);
    expect((await create(deposit)).status).toBe("success");
    expect((await settle(chain.usdc, [deposit])).status).toBe("success");
    expect(await balance(chain.usdc, deposit.payoutWallet)).toBe(10_000_000n);
  });

  test("pays out every deposit but a blacklisted one, and that one once it is free", async () => {
    const deposits = Array.from({ length: 5 }, () => newDeposit());
    for (const { address } of deposits) await mint(chain.usdc, address, 1_000_000n);
    const blocked = deposits[2]?.address ?? Address.zero;
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "blacklist", [blocked]) });

    expect((await settle(chain.usdc, deposits)).status).toBe("success");
    const paid = await Promise.all(deposits.map((deposit) => balance(chain.usdc, deposit.payoutWallet)));
    expect(paid).toEqual([1_000_000n, 1_000_000n, 0n, 1_000_000n, 1_000_000n]);
    expect(await balance(chain.usdc, blocked)).toBe(1_000_000n);

    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "unBlacklist", [blocked]) });
    await settle(chain.usdc, deposits);
    expect(await balance(chain.usdc, deposits[2]?.payoutWallet ?? Address.zero)).toBe(1_000_000n);
  });

  test("pays out the honest deposits whatever the payout wallets of the others do with their gas", async () => {
    const [burning, bomb, refusing] = await Promise.all(
      ["BurningWallet", "BombWallet", "RefusingWallet"].map(deployHostile),
    );
    const hostile = [burning, bomb, refusing, burning, bomb, burning].map((wallet) => newDeposit(wallet));
    const honest = hostile.map(() => newDeposit());
    const mixed = hostile.flatMap((deposit, i) => [deposit, honest[i] ?? deposit]);
    for (const { address } of mixed) await send(chain, { to: address, value: 3n });

    expect((await settle(eth, mixed)).status).toBe("success");
    for (const { payoutWallet, address } of honest) {
      expect(await balance(eth, payoutWallet)).toBe(3n);
      expect(await balance(eth, address)).toBe(0n);
    }
    for (const { address } of hostile) expect(await balance(eth, address)).toBe(3n);
  });

  test("refuses to start with less gas than is to be kept back for the deposits", async () => {
    const deposit = newDeposit();
    await chain.pay(deposit.address, "10.00");
    const data = encode(factoryArtifact.abi, "settle", [chain.usdc, [deposit], 95_000n]);
    expect((await send(chain, { to: factory, data, gas: 110_000n })).status).toBe("reverted");
    expect(await balance(chain.usdc, deposit.address)).toBe(10_000_000n);
  });
});

describe("settlementGas", () => {
  test.each([1, 2, 10, 100])("is enough for %d new deposits with new payout wallets", async (count) => {
    const deposits = Array.from({ length: count }, () => newDeposit());
    for (const { address } of deposits) await mint(chain.usdc, address, 1n);
    const receipt = await settle(chain.usdc, deposits);
    expect(receipt.status).toBe("success");
    expect(receipt.logs).toHaveLength(count);
    const { limit } = DepositAddress.settlementGas(count);
    console.log(`settlement of ${count}: ${receipt.gasUsed} gas, limit ${limit}`);
    expect(receipt.gasUsed).toBeLessThan(limit);
  });

  test("refuses a settlement of none and of more than a transaction has room for", () => {
    expect(() => DepositAddress.settlementGas(0)).toThrow(RangeError);
    expect(() => DepositAddress.settlementGas(DepositAddress.settlementDepositsMax + 1)).toThrow(RangeError);
  });
});

function bytesHex(length: number, min = 0): fc.Arbitrary<Hex> {
  const max = 2n ** BigInt(8 * length) - 1n;
  return fc
    .bigInt({ min: BigInt(min), max })
    .map((value) => `0x${value.toString(16).padStart(2 * length, "0")}` as const);
}
