import { type Hex, hexOf, hmacSha256, keccak256 } from "../../lib/crypto.ts";
import type { Usdc } from "../usdc.ts";
import * as Address from "./address.ts";

/**
 * Deposit addresses of invoices and links: the CREATE2 address (EIP-1014) of a forwarder that can only ever pay one
 * payout wallet. Deriving it is pure arithmetic; the forwarder itself is created by the first settlement. The contracts
 * are in assets/contracts/.
 */

/** Arachnid's deterministic deployer: it has the same address on every EVM chain, so the factory does too. */
export const deployer = Address.checksum("0x4e59b44847b379578588920cA78FbF26c0B4956C");

/** The salt of the factory itself. All installations share one factory, so it carries no information. */
export const factorySalt = `0x${"00".repeat(32)}` as const;

/**
 * Keccak-256 of the factory's creation code in assets/contracts/artifacts/TillFactory.json; a test compares them.
 * Another value means another factory, which changes every deposit address of every installation.
 */
export const factoryCodeHash = "0xe87440274f644407215b32b90097508f3cad272d37a14da884a704a4389548c8";

/** The factory's address on every chain. */
export const factory = lastTwentyBytes(
  keccak256(create2Preimage(deployer, bytes(factorySalt, 32), bytes(factoryCodeHash, 32))),
);

/** The forwarder that all deposit addresses delegate to. */
export const implementation = implementationOf(factory);

interface Derivation {
  readonly factory: Address.Address;
  readonly implementation: Address.Address;
  readonly payoutWallet: Address.Address;
  /** 32 bytes as hex. */
  readonly salt: Hex;
}

/**
 * Derives the deposit address of a payout wallet and a salt. Throws a RangeError for the zero address as payout wallet,
 * which nothing ever returns from, and for a salt that is not 32 bytes long.
 */
export function derive(derivation: Derivation): Address.Address {
  return steps(derivation).address;
}

/** Intermediate results of `derive`, for recomputing them by other means. */
type Steps = {
  /** The creation code of the clone; the payout wallet is its last 20 bytes. */
  readonly creationCode: Uint8Array;
  /** Keccak-256 of the creation code. */
  readonly codeHash: Uint8Array;
  /** 0xff, the factory, the salt and the hash of the creation code (EIP-1014). */
  readonly preimage: Uint8Array;
  /** The last 20 bytes of the preimage's Keccak-256. */
  readonly address: Address.Address;
};

/** Derives a deposit address step by step. Throws what `derive` throws. */
export function steps({ factory, implementation, payoutWallet, salt }: Derivation): Steps {
  const creationCode = creationCodeOf(implementation, payoutWallet);
  const codeHash = keccak256(creationCode);
  const preimage = create2Preimage(factory, bytes(salt, 32), codeHash);
  return { creationCode, codeHash, preimage, address: lastTwentyBytes(keccak256(preimage)) };
}

/** Keccak-256 of the creation code of a payout wallet's clones. Throws like `derive` for the zero address. */
export function codeHashOf(payoutWallet: Address.Address): Hex {
  return hexOf(keccak256(creationCodeOf(implementation, payoutWallet)));
}

/** Length of the constructor, which precedes the clone's code in its creation code. */
const constructorBytes = 10;

/** The only wallet that a contract with this code can ever pay; null if it is not a clone of Till's forwarder. */
export function payoutWalletOf(code: string): Address.Address | null {
  const wallet = `0x${code.slice(-40)}`;
  if (!/^0x[0-9a-f]{40}$/i.test(wallet) || /^0x0*$/.test(wallet)) return null;
  const payoutWallet = Address.checksum(wallet);
  const expected = hexOf(creationCodeOf(implementation, payoutWallet).subarray(constructorBytes));
  return expected === code.toLowerCase() ? payoutWallet : null;
}

function creationCodeOf(implementation: Address.Address, payoutWallet: Address.Address): Uint8Array {
  if (payoutWallet === Address.zero) throw new RangeError("The payout wallet cannot be the zero address");
  return Buffer.concat([
    cloneHead,
    bytes(implementation, 20),
    cloneTail,
    // The one immutable argument is ABI-encoded: the address fills the low 20 of 32 bytes.
    Buffer.alloc(12),
    bytes(payoutWallet, 20),
  ]);
}

/** The forwarder that all clones of a factory delegate to: the first contract that the factory created. */
export function implementationOf(factory: Address.Address): Address.Address {
  return create(factory, 1);
}

/**
 * The salt of the deposit with this index (0, 1, 2, … per installation): HMAC-SHA256 over the index as 8 bytes,
 * big-endian. Without the secret nobody can list a merchant's addresses; with it they can all be found again. Throws a
 * RangeError for an index that is negative, not whole or needs more than 8 bytes.
 */
export function saltFor(secret: Uint8Array, index: number | bigint): Hex {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(index));
  return hexOf(hmacSha256(secret, message));
}

/** Maximum deposits per settlement: 11.6 million gas, below the 16.8 million of a transaction (EIP-7825). */
export const settlementDepositsMax = 100;

/**
 * The gas of a settlement with this many deposits: the transaction's limit, and how much the factory's `settle` must
 * keep back for each remaining deposit. Creating a forwarder and flushing USDC to a wallet that had none takes 90,000
 * within a batch, 100,000 to 105,000 alone (nothing has been touched yet, and USDC is a proxy); the deposit's 64 bytes
 * in the transaction take 900. Whoever sends the call from another wallet gets that wallet's estimate: the lowest limit
 * at which the transaction succeeds, which it does without a single flush if too little is kept back. Throws a
 * RangeError for a count outside 1 to `settlementDepositsMax`.
 */
export function settlementGas(depositCount: number): { limit: bigint; perDeposit: bigint } {
  if (!Number.isInteger(depositCount) || depositCount < 1 || depositCount > settlementDepositsMax) {
    throw new RangeError(`A settlement has 1 to ${settlementDepositsMax} deposits, not ${depositCount}`);
  }
  return { limit: 80_000n + 115_000n * BigInt(depositCount), perDeposit: 110_000n };
}

/** Creation code of an EIP-1167 clone with 32 bytes of immutable arguments; it returns 0x4d bytes of code. */
const cloneHead = Buffer.from("61004d3d81600a3d39f3363d3d373d3d3d363d73", "hex");
const cloneTail = Buffer.from("5af43d82803e903d91602b57fd5bf3", "hex");

function create2Preimage(from: Address.Address, salt: Uint8Array, codeHash: Uint8Array): Uint8Array {
  return Buffer.concat([new Uint8Array([0xff]), bytes(from, 20), salt, codeHash]);
}

/** The address of a contract's nth creation, for n below 128, where RLP encodes the nonce as one byte. */
function create(from: Address.Address, nonce: number): Address.Address {
  return lastTwentyBytes(
    keccak256(Buffer.concat([new Uint8Array([0xd6, 0x94]), bytes(from, 20), new Uint8Array([nonce])])),
  );
}

function lastTwentyBytes(hash: Uint8Array): Address.Address {
  return Address.checksum(hexOf(hash.subarray(12)));
}

function bytes(hex: string, length: number): Uint8Array {
  const result = Buffer.from(hex.slice(2), "hex");
  if (result.length !== length)
    throw new RangeError(`${length} bytes of hex expected: ${JSON.stringify(hex)}`);
  return result;
}

export type PaymentRequest = { usdc: Address.Address; chainId: number; to: Address.Address; amount: Usdc };

/** An EIP-681 URI that asks a wallet for a USDC transfer on one chain. The amount is in micro-USDC. */
export function paymentUri({ usdc, chainId, to, amount }: PaymentRequest): string {
  return `ethereum:${usdc}@${chainId}/transfer?address=${to}&uint256=${amount}`;
}
