import { type Hex, isWord } from "../../lib/crypto.ts";
import * as Usdc from "../usdc.ts";
import type * as Address from "../wallet/address.ts";

/**
 * USDC that a payer burns on another chain, and that Circle has minted at the deposit address: CCTP, version 2. What
 * arrives is an ordinary transfer, so nothing here decides whether anything is paid.
 */

/**
 * told: somebody says so. attested: Circle signed that it was burnt, and the contract here would mint it. arrived: it was
 * minted. unknown: Circle knows nothing of it, or it goes elsewhere; if it was attested, nobody had it minted in time.
 */
export type State = "told" | "attested" | "arrived" | "unknown";

export type Crossing = {
  id: number;
  depositIndex: number;
  /** Where it was burnt, and by which transaction. */
  chainId: number;
  txHash: Hex;
  state: State;
  /** What arrives, without the fee; null until it is attested, like the message and its signature. */
  amount: Usdc.Usdc | null;
  message: Hex | null;
  attestation: Hex | null;
  /** Unix time in milliseconds, here and below. */
  createdAt: number;
  attestedAt: number | null;
  endedAt: number | null;
  /** When Circle is asked again. */
  nextAt: number;
};

export const isOnItsWay = ({ state }: Pick<Crossing, "state">): boolean =>
  state === "told" || state === "attested";

/**
 * Returns whether it was minted when Till first saw a signature of it: no contract has checked that, and somebody may have
 * told of it long after it came.
 */
export const isSeenMinted = ({ attestedAt, endedAt }: Pick<Crossing, "attestedAt" | "endedAt">): boolean =>
  attestedAt !== null && attestedAt === endedAt;

/** From when on it is late: Circle usually has it minted within seconds of its signature. */
const mintedWithinMs = 10 * 60_000;

/** Returns whether somebody else should have it minted, as Circle has not. */
export const isLate = ({ attestedAt }: Pick<Crossing, "attestedAt">, now: number): boolean =>
  attestedAt !== null && Math.abs(now - attestedAt) > mintedWithinMs;

/** Circle's numbers for the chains (its list of supported blockchains), by chain id; a test chain has its mainnet's. */
const domains: Readonly<Record<number, number>> = {
  1: 0,
  10: 2,
  137: 7,
  8453: 6,
  42161: 3,
  11155111: 0,
  11155420: 2,
  80002: 7,
  84532: 6,
  421614: 3,
  31337: 6,
  31338: 0,
  31339: 7,
};

/** Null for a chain to and from which nothing can be brought. */
export const domainOf = (chainId: number): number | null => domains[chainId] ?? null;

/** Circle's contracts, at the same addresses on every chain (its list of contract addresses). */
export const contracts = {
  messenger: "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d" as Address.Address,
  transmitter: "0x81D40F21F12A8F0E3252Bccb954D722d4c464B64" as Address.Address,
};
const testContracts = {
  messenger: "0x8FE6B999Dc680CcFDD5Bf7EB0974218be2542DAA" as Address.Address,
  transmitter: "0xE737e5cEBEEBa77EFE34D4aa090756590b1CE275" as Address.Address,
};
const baseSepolia = 84532;

/** `home` is Till's own chain: test chains only go with test chains. */
export const contractsOf = (home: number) => (home === baseSepolia ? testContracts : contracts);

/** Asks Circle to send the transaction that mints, for a part of the fee: "cctp-forward", version 0, nothing more. */
export const forwardHook: Hex = `0x${Buffer.from("cctp-forward").toString("hex").padEnd(64, "0")}`;

/** Circle's price for bringing USDC from one chain to another. */
export type Price = {
  /** How final the burn has to be before Circle signs: 1000 takes seconds, 2000 up to 20 minutes. */
  finality: number;
  /** In millionths of what is burnt. */
  share: bigint;
  /** For minting. */
  forward: bigint;
};

const whole = 1_000_000n;

/** What to burn, and the most that the fee may be, so that all that is due arrives: Circle takes the fee out of it. */
export function burnFor(due: Usdc.Usdc, { share, forward }: Price): { amount: Usdc.Usdc; fee: Usdc.Usdc } {
  const left = whole - share;
  const amount = ((due + forward) * whole + left - 1n) / left;
  return { amount: Usdc.fromMicro(amount), fee: Usdc.fromMicro(amount - due) };
}

/** Where USDC is burnt, and for whom it is minted; `home` is the id of Till's own chain. */
export type Route = { chainId: number; usdc: Address.Address; home: number; to: Address.Address };

/** What a message says of a burn: what arrives of it, without the fee. */
export type Message = { nonce: Hex; amount: bigint };

/** Where a message has its parts, in bytes: 148 of its own, then the burn's. */
const parts = { nonce: 12, amount: 148 + 68, fee: 148 + 164, end: 148 + 228 };

/** What a message has to say, at which byte: for which contract it is, and which token is burnt for whom. */
function signsOf({
  chainId,
  usdc,
  home,
  to,
}: Route): [at: number, bytes: number, said: Hex | number | null][] {
  return [
    [4, 4, domainOf(chainId)],
    [8, 4, domainOf(home)],
    [76, 32, contractsOf(home).messenger],
    [148 + 4, 32, usdc],
    [148 + 36, 32, to],
  ];
}

/**
 * Reads a message of Circle's; null unless it is that of a burn on this route. Circle signs whatever anybody sends to
 * whatever contract, so a message that says the same to another one mints nothing. Its signature is not checked.
 */
export function readMessage(message: Hex, route: Route): Message | null {
  const at = (byte: number, bytes = 32): Hex => `0x${message.slice(2 + byte * 2, 2 + (byte + bytes) * 2)}`;
  const nonce = at(parts.nonce);
  if (message.length < 2 + parts.end * 2 || !isWord(nonce)) return null;
  const isOther = signsOf(route).some(
    ([byte, bytes, said]) => said === null || BigInt(at(byte, bytes)) !== BigInt(said),
  );
  const amount = BigInt(at(parts.amount)) - BigInt(at(parts.fee));
  // The contract counts the nonce of a message that was not signed yet, zero, as used.
  return isOther || amount <= 0n || BigInt(nonce) === 0n ? null : { nonce, amount };
}
