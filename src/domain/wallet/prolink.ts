import type { PaymentRequest } from "./deposit-address.ts";
import type { Network } from "./network.ts";

/** Explicit, as the default of Coinbase's own encoder is about to change. */
const base = "https://wallet.coinbase.com/base-pay";

/**
 * A link that opens Coinbase Wallet with a USDC transfer filled in: a `wallet_sendCalls` request as a Prolink,
 * Coinbase's compressed link format, in its uncompressed variant. Null for a local chain, which no wallet can reach.
 */
export function prolink(
  { usdc, chainId, to, amount }: PaymentRequest,
  { isLocal }: Pick<Network, "isLocal">,
): string | null {
  if (isLocal) return null;
  const transfer = [...field(1, hex(usdc)), ...field(2, hex(to)), ...field(3, hex(minimal(amount)))];
  // 1: the type, an ERC-20 transfer; 4: the version of the call.
  const call = [...number(1, 1), ...field(10, transfer), ...field(4, Buffer.from("1.0"))];
  // 1: format version; 3: the body is a wallet_sendCalls; 4: its version; the leading 0: uncompressed.
  const payload = [
    ...number(1, 1),
    ...number(2, chainId),
    ...number(3, 1),
    ...number(4, 0),
    ...field(11, call),
  ];
  return `${base}?p=${Buffer.from([0, ...payload]).toString("base64url")}`;
}

const hex = (text: string) => Buffer.from(text.replace(/^0x/, ""), "hex");

function minimal(amount: bigint): string {
  const digits = amount.toString(16);
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

/** Protocol Buffers: a bytes field, and a number field, which is omitted at zero. */
const field = (id: number, bytes: Iterable<number> & { length: number }) => [
  ...varint((id << 3) | 2),
  ...varint(bytes.length),
  ...bytes,
];

const number = (id: number, value: number) => (value === 0 ? [] : [...varint(id << 3), ...varint(value)]);

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
