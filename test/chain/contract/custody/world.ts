import { concatHex, getCreate2Address, type Hex, pad, parseAbi } from "viem";
import { payers } from "../../../../src/chain/dev/dev-chain.ts";
import * as Address from "../../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../../src/domain/wallet/deposit-address.ts";
import { type Deposit, eth, startDepositChain } from "../../../support/chain/deposits.ts";
import { contractsOf, deploy } from "../../../support/chain/evm.ts";

const { factory, implementation, deployer } = DepositAddress;
export const moodyAbi = parseAbi([
  "function setMood(uint256 to)",
  "function plan(address target, bytes input)",
  "function act()",
  "function held(address holder) view returns (uint256)",
  "function taxed(address holder) view returns (uint256)",
]);

/** Wallets without code, each with an even address: a token that blocks odd ones lets these be paid. */
const plainWallets = ["a2", "b4", "c6"].map((end) => Address.checksum(`0x${end.padStart(40, "5e")}`));
/** Who mines gets tips, which are no payments. */
const miner = Address.checksum(`0x${"c0".repeat(20)}`);

export type World = Awaited<ReturnType<typeof startWorld>>;

/** A chain with the factory, tokens and wallets of every mood, and what everybody has there before anything happens. */
export async function startWorld() {
  const chain = await startDepositChain();
  await chain.rpc("anvil_setCoinbase", [miner]);
  const moody = await contractsOf(new URL("Moody.sol", import.meta.url));
  const place = (name: string) => deploy(chain, moody.get(name)?.bytecode ?? "0x");
  // One after the other: Anvil gives two transactions of an account that come at once the same nonce.
  const moodyTokens = [await place("MoodyToken"), await place("MoodyToken")];
  const moodyWallets = [await place("MoodyWallet"), await place("MoodyWallet"), await place("MoodyWallet")];
  const tokens = [...moodyTokens, chain.usdc, eth];
  const edges = [
    Address.zero,
    factory,
    implementation,
    deployer,
    ...moodyTokens,
    chain.usdc,
    ...[1, 2, 4, 9, 0x100].map((number) => Address.checksum(pad(`0x${number.toString(16)}`, { size: 20 }))),
  ];
  const fixed = [...plainWallets, ...moodyWallets, ...edges, ...payers];
  let snapshot = await chain.rpc("evm_snapshot");

  /** What somebody has, by the books of the token and not by what it says of them. */
  async function held(token: Address.Address, of: Address.Address): Promise<bigint> {
    if (!moodyTokens.includes(token)) return chain.balance(token, of);
    return BigInt(await chain.read(token, moodyAbi, "held", [of]));
  }

  const atFirst = new Map<string, bigint>();
  for (const token of tokens) for (const of of fixed) atFirst.set(`${token} ${of}`, await held(token, of));

  return {
    chain,
    tokens,
    moodyTokens,
    moodyWallets,
    plainWallets,
    edges,
    fixed,
    held,

    atFirst: (token: Address.Address, of: Address.Address) => atFirst.get(`${token} ${of}`) ?? 0n,

    /** What a token kept for itself of transfers from somebody. */
    async taxed(token: Address.Address, of: Address.Address): Promise<bigint> {
      if (!moodyTokens.includes(token)) return 0n;
      return BigInt(await chain.read(token, moodyAbi, "taxed", [of]));
    },

    /** Forgets all that happened. */
    async reset(): Promise<void> {
      await chain.rpc("evm_revert", [snapshot]);
      snapshot = await chain.rpc("evm_snapshot");
    },
  };
}

/** The deposit of any wallet and salt, those that Till refuses too, computed by other code than Till's. */
export function depositOf(payoutWallet: Address.Address, salt: Hex): Deposit {
  const bytecode = concatHex([
    "0x61004d3d81600a3d39f3363d3d373d3d3d363d73",
    implementation,
    "0x5af43d82803e903d91602b57fd5bf3",
    pad(payoutWallet),
  ]);
  const address = Address.checksum(getCreate2Address({ from: factory, salt, bytecode }));
  return { payoutWallet, salt, address };
}
