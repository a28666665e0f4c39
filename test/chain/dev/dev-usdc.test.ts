import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPublicClient, domainSeparator, type Hex, http, parseSignature, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { encode, send } from "../../support/chain/evm.ts";

const owner = privateKeyToAccount(generatePrivateKey());
const ownerAddress = Address.checksum(owner.address);
const shop = Address.checksum("0x00000000000000000000000000000000000000aa");
const stranger = payers[4] ?? shop;
const never = 2n ** 256n - 1n;

let chain: TestChain;
const domain = () => ({ name: "USD Coin", version: "2", chainId: 31337, verifyingContract: chain.usdc });

async function read(functionName: string, args: readonly unknown[] = []): Promise<unknown> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  return client.readContract({ address: chain.usdc, abi: usdcArtifact.abi, functionName, args });
}

const call = (functionName: string, args: readonly unknown[], from = stranger) =>
  send(chain, { to: chain.usdc, from, data: encode(usdcArtifact.abi, functionName, args) });

function split(signature: Hex): [bigint, Hex, Hex] {
  const { r, s, yParity } = parseSignature(signature);
  return [BigInt(27 + yParity), r, s];
}

const authorizationTypes = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

beforeAll(async () => {
  chain = await startTestChain();
  await chain.pay(ownerAddress, "100.00");
});
afterAll(() => chain.stop());

describe("DevUsdc", () => {
  test("presents itself as the USDC of Base, though its constructor never ran", async () => {
    expect(await Promise.all(["name", "symbol", "decimals", "version"].map((name) => read(name)))).toEqual([
      "USD Coin",
      "USDC",
      6,
      "2",
    ]);
    expect(await read("DOMAIN_SEPARATOR")).toBe(domainSeparator({ domain: domain() }));
    const fields = (await read("eip712Domain")) as unknown[];
    expect(fields.slice(0, 5)).toEqual(["0x0f", "USD Coin", "2", 31337n, chain.usdc]);
  });

  test("refuses an authorisation that somebody else signed", async () => {
    const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)));
    const thief = privateKeyToAccount(generatePrivateKey());
    const signature = await thief.signTypedData({
      domain: domain(),
      types: authorizationTypes,
      primaryType: "TransferWithAuthorization",
      message: { from: ownerAddress, to: shop, value: 7n, validAfter: 0n, validBefore: never, nonce },
    });
    const args = [ownerAddress, shop, 7n, 0n, never, nonce, ...split(signature)];
    expect((await call("transferWithAuthorization", args)).status).toBe("reverted");
  });

  test("takes an EIP-2612 permit once, and not after its deadline", async () => {
    const types = {
      Permit: [
        { name: "owner", type: "address" },
        { name: "spender", type: "address" },
        { name: "value", type: "uint256" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
      ],
    } as const;
    const permit = async (deadline: bigint) => {
      const nonce = (await read("nonces", [ownerAddress])) as bigint;
      const message = { owner: ownerAddress, spender: stranger, value: 3n, nonce, deadline };
      const signature = await owner.signTypedData({
        domain: domain(),
        types,
        primaryType: "Permit",
        message,
      });
      return [ownerAddress, stranger, 3n, deadline, ...split(signature)];
    };
    const args = await permit(never);
    expect((await call("permit", args)).status).toBe("success");
    expect(await read("allowance", [ownerAddress, stranger])).toBe(3n);
    expect((await call("transferFrom", [ownerAddress, stranger, 3n])).status).toBe("success");
    expect((await call("permit", args)).status).toBe("reverted");
    expect((await call("permit", await permit(1n))).status).toBe("reverted");
  });
});
