import { decodeAbiParameters } from "viem";
import artifact from "../../../assets/contracts/artifacts/Holdings.json";
import * as Address from "../../../src/domain/wallet/address.ts";
import type { RpcCall } from "./rpc-proxy.ts";

/** What a node says of the block in which addresses hold something. */
export type HeldAt = { number: number; timestampSec: number; parentHash: string };
export type Held = { balance: bigint; hasCode?: boolean };

const codeBit = 1n << 63n;
const word = (value: bigint | number, digits = 16) => value.toString(16).padStart(digits, "0");

/** The addresses of which a call asks what they hold; null when it is another call. */
export function holdersIn({ method, params }: RpcCall): Address.Address[] | null {
  const [call] = params as [{ to?: string; data?: string } | undefined];
  if (method !== "eth_call" || call?.to !== undefined || !call?.data?.startsWith(artifact.bytecode))
    return null;
  const [, holders] = decodeAbiParameters(
    [{ type: "address" }, { type: "bytes" }],
    `0x${call.data.slice(artifact.bytecode.length)}`,
  );
  return (holders.slice(2).match(/.{40}/g) ?? []).map((hex) => Address.checksum(`0x${hex}`));
}

/** The answer to such a call. */
export function holdingsAnswer({ number, timestampSec, parentHash }: HeldAt, of: readonly Held[]): string {
  const words = of.map(({ balance, hasCode }) => word(balance | (hasCode ? codeBit : 0n)));
  return `0x${word(number)}${word(timestampSec)}${parentHash.slice(2)}${words.join("")}`;
}

/** The block of which such an answer is. */
export const numberIn = (answer: unknown): number => Number(String(answer).slice(0, 18));

/** The same answer with what each address holds changed. */
export function withBalances(answer: unknown, change: (balance: bigint, at: number) => bigint): string {
  const text = String(answer);
  const words = text.slice(holdingsAt).match(/.{16}/g) ?? [];
  const changed = words.map((old, at) => {
    const value = BigInt(`0x${old}`);
    return word(change(value & (codeBit - 1n), at) | (value & codeBit));
  });
  return text.slice(0, holdingsAt) + changed.join("");
}

/** Where the words of the addresses begin, after the number, the time and the parent's hash. */
const holdingsAt = 2 + 16 + 16 + 64;
