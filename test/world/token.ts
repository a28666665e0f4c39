import {
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  hashDomain,
  keccak256,
  parseAbi,
  parseTransaction,
  toEventSelector,
} from "viem";
import * as Address from "../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../src/domain/wallet/deposit-address.ts";
import { networks } from "../../src/domain/wallet/network.ts";
import type { Sent, View } from "./chain.ts";

/** An error as JSON-RPC tells it. */
export class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export const { usdc, chainId } = networks.base;

export const word = (value: number | bigint) => value.toString(16).padStart(64, "0");

const tokenAbi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function isBlacklisted(address) view returns (bool)",
  "function decimals() view returns (uint8)",
  "function paused() view returns (bool)",
  "function symbol() view returns (string)",
  "function name() view returns (string)",
  "function version() view returns (string)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
]);

export const usedTopic = toEventSelector("event AuthorizationUsed(address indexed, bytes32 indexed)");

const separator = hashDomain({
  domain: { name: "USD Coin", version: "2", chainId: BigInt(chainId), verifyingContract: usdc },
  types: {
    EIP712Domain: [
      { name: "name", type: "string" },
      { name: "version", type: "string" },
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" },
    ],
  },
});

/** What the token answers. Throws a Refused when it reverts. */
export function callToken(view: View, { data, from }: { data: Hex; from: string }, block: number): Hex {
  const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data });
  switch (functionName) {
    case "balanceOf":
      return `0x${word(view.balanceOf(args[0].toLowerCase(), block))}`;
    case "decimals":
      return `0x${word(6)}`;
    case "symbol":
      return encodeFunctionResult({ abi: tokenAbi, functionName, result: "USDC" });
    case "name":
      return encodeFunctionResult({ abi: tokenAbi, functionName, result: "USD Coin" });
    case "version":
      return encodeFunctionResult({ abi: tokenAbi, functionName, result: "2" });
    case "DOMAIN_SEPARATOR":
      return separator;
    case "authorizationState":
      return `0x${word(view.usersOf(args[1], block).length > 0 ? 1 : 0)}`;
    case "transfer":
      if (view.balanceOf(from.toLowerCase(), block) < args[1])
        throw new Refused(3, "execution reverted: ERC20: transfer amount exceeds balance");
      return `0x${word(1)}`;
    default:
      return `0x${word(0)}`;
  }
}

const factoryAbi = parseAbi([
  "struct Deposit { address payoutWallet; bytes32 salt; }",
  "function settle(address token, Deposit[] deposits, uint256 gasPerDeposit)",
]);

/** What a signed transaction of Till's does. Whether the wallet signed the authorisation in it is not checked here. */
export function sentIn(raw: Hex): Sent {
  const { nonce = 0, to, data = "0x", maxFeePerGas: feeMax = 0n } = parseTransaction(raw);
  const hash = keccak256(raw);
  if (to?.toLowerCase() === usdc.toLowerCase()) {
    const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data });
    if (functionName !== "transferWithAuthorization")
      throw new Error(`Till sent the token a ${functionName}, which the simulated chain does not know`);
    const [from, receiver, amount, , validBefore, used] = args;
    const payment = { from: from.toLowerCase(), to: receiver.toLowerCase(), amount };
    return {
      hash,
      nonce,
      data,
      feeMax,
      authorization: { ...payment, nonce: used, validBeforeSec: Number(validBefore) },
    };
  }
  if (to?.toLowerCase() !== DepositAddress.factory.toLowerCase())
    throw new Error("Till sent a transaction that the simulated chain does not know");
  const { args } = decodeFunctionData({ abi: factoryAbi, data });
  const deposits = args[1].map(({ payoutWallet, salt }) => ({
    address: DepositAddress.derive({
      ...DepositAddress,
      payoutWallet: Address.checksum(payoutWallet),
      salt,
    }).toLowerCase(),
    to: payoutWallet.toLowerCase(),
  }));
  return { hash, nonce, data, feeMax, deposits };
}
