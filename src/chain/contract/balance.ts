import { encodeAbiParameters } from "viem";
import artifact from "../../../assets/contracts/artifacts/Holdings.json";
import type { Usdc } from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import type { Hex } from "../../lib/crypto.ts";
import { chunks } from "../../lib/loop.ts";
import { BadAnswer, blockParam } from "../node/block.ts";
import type { Rpc } from "../node/rpc.ts";
import { amountWithin } from "../transfer/transfer-log.ts";

/** One call for this many takes about 14 million gas, of 50 that nodes allow, sends 50 KB and returns 19. */
export const addressesPerCall = 1_200;

/** Maximum parallel calls. */
const callsMax = 4;

const parameters = [{ type: "address" }, { type: "bytes" }] as const;

/**
 * Length of an answer's parts in hex digits: block number, time and hash of the previous block, and one word per
 * address.
 */
const digits = { number: 16, time: 16, hash: 64, holding: 16 };
const headDigits = digits.number + digits.time + digits.hash;

const codeBit = 1n << 63n;

/** An address's balance of the token, and whether it has code, which means for a deposit that it was emptied once. */
export type Holding = { balance: Usdc; hasCode: boolean };

/** Holdings of addresses right after one block, in their order, with data of that block. */
export type Holdings = {
  number: number;
  timestampSec: number;
  /** Hash of the previous block. */
  parentHash: Hex;
  of: Holding[];
};

/**
 * Reads the holdings of addresses, `addressesPerCall` at a time. Each part is of one block; with `latest`, these may
 * differ. Throws when the node fails or answers nonsense.
 */
export async function readHoldings(
  rpc: Rpc,
  token: Address,
  addresses: readonly Address[],
  block: number | "latest",
): Promise<Holdings[]> {
  const parts: Holdings[] = [];
  for (const together of chunks(chunks(addresses, addressesPerCall), callsMax))
    parts.push(...(await Promise.all(together.map((some) => readPart(rpc, token, some, block)))));
  return parts;
}

async function readPart(
  rpc: Rpc,
  token: Address,
  addresses: readonly Address[],
  block: number | "latest",
): Promise<Holdings> {
  const holders: Hex = `0x${addresses.map((address) => address.slice(2)).join("")}`;
  const data = artifact.bytecode + encodeAbiParameters(parameters, [token, holders]).slice(2);
  const answer = await rpc.request("eth_call", [{ data }, blockParam(block)]);
  const length = 2 + headDigits + digits.holding * addresses.length;
  if (typeof answer !== "string" || answer.length !== length || !/^0x[0-9a-f]+$/i.test(answer))
    throw new BadAnswer(
      rpc.host,
      `no balances of ${addresses.length} addresses: is there a token at ${token}?`,
    );
  let at = 2;
  function take(count: number): string {
    at += count;
    return String(answer).slice(at - count, at);
  }
  const number = Number(`0x${take(digits.number)}`);
  if (typeof block === "number" && number !== block)
    throw new BadAnswer(rpc.host, `balances of block ${number} when asked for those of block ${block}`);
  if (!Number.isSafeInteger(number)) throw new BadAnswer(rpc.host, "balances of no block");
  const timestampSec = Number(`0x${take(digits.time)}`);
  const parentHash = `0x${take(digits.hash).toLowerCase()}` as Hex;
  const of = addresses.map(() => {
    const word = BigInt(`0x${take(digits.holding)}`);
    const hasCode = word >= codeBit;
    return { balance: amountWithin(rpc, hasCode ? word - codeBit : word), hasCode };
  });
  return { number, timestampSec, parentHash, of };
}

/** Reads the USDC balances of addresses right after a block, in order. Throws like `readHoldings`. */
export async function readBalances(
  rpc: Rpc,
  usdc: Address,
  addresses: readonly Address[],
  block: number | "latest",
): Promise<Usdc[]> {
  const parts = await readHoldings(rpc, usdc, addresses, block);
  return parts.flatMap(({ of }) => of.map(({ balance }) => balance));
}
