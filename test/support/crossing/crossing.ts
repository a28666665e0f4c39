import {
  type Abi,
  decodeEventLog,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  type TransactionReceipt,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import * as Address from "../../../src/domain/wallet/address.ts";
import type { TestChain } from "../chain/chain.ts";
import { contractsOf, encode, send } from "../chain/evm.ts";

/** USDC on its way from one chain to another by Circle's CCTP, with a stand-in for its contracts and its attester. */

const attester = privateKeyToAccount(keccak256("0xc1"));
export const messenger = Address.checksum("0x28b5a0e9c621a5badaa536219b3a228c8168cf5d");
export const transmitter = Address.checksum("0x81d40f21f12a8f0e3252bccb954d722d4c464b64");
const contract = (await contractsOf(new URL("Crossing.sol", import.meta.url))).get("Crossing");
export const crossingAbi = (contract?.abi ?? []) as Abi;

/** Where a message has what the attester fills in, in bytes; the body begins at 148. */
const nonceAt = 12;
const finalityAt = 144;
const feeAt = 148 + 164;
const expiresAt = 148 + 196;

export async function placeCrossing(chain: TestChain, domain: number): Promise<void> {
  for (const at of [messenger, transmitter]) {
    await chain.rpc("anvil_setCode", [at, contract?.deployedBytecode]);
    await send(chain, { to: at, data: encode(crossingAbi, "place", [domain, attester.address]) });
  }
}

type Burn = { from: Address.Address; to: Address.Address; amount: bigint; maxFee: bigint };

/** Circle's number of Till's own chain. */
const home = 6;

/** Burns USDC on its chain, as a payer's wallet does; `amount` includes the fee. */
export async function burn(chain: TestChain, { from, to, amount, maxFee }: Burn): Promise<Hex> {
  const allow = encode(usdcArtifact.abi, "approve", [messenger, amount]);
  await send(chain, { from, to: chain.usdc, data: allow });
  const noCaller = numberToHex(0, { size: 32 });
  const hook = pad("0x636374702d666f7277617264", { dir: "right", size: 32 });
  const args = [amount, home, pad(to, { size: 32 }), chain.usdc, noCaller, maxFee, 1000, hook];
  const data = encode(crossingAbi, "depositForBurnWithHook", args);
  return messageIn(await send(chain, { from, to: messenger, data }));
}

/** The message that a burn emitted; the attester has not filled in its part yet. */
export function messageIn({ logs, status }: TransactionReceipt): Hex {
  if (status !== "success") throw new Error("It was not burnt.");
  for (const { address, data, topics } of logs) {
    if (Address.checksum(address) !== messenger) continue;
    return (decodeEventLog({ abi: crossingAbi, data, topics }).args as unknown as { message: Hex }).message;
  }
  throw new Error("No message was sent.");
}

export type Attested = { message: Hex; attestation: Hex; nonce: Hex };

/** What Circle's attester makes of a message: it takes `fee`, and after the block `until` it has to sign anew. */
export async function attest(message: Hex, nonce: Hex, { fee = 0n, until = 0n } = {}): Promise<Attested> {
  const bytes = Buffer.from(message.slice(2), "hex");
  const put = (at: number, hex: Hex) => void Buffer.from(hex.slice(2), "hex").copy(bytes, at);
  put(nonceAt, nonce);
  put(finalityAt, numberToHex(1000, { size: 4 }));
  put(feeAt, numberToHex(fee, { size: 32 }));
  put(expiresAt, numberToHex(until, { size: 32 }));
  return {
    message: `0x${bytes.toString("hex")}`,
    attestation: await attester.sign({ hash: keccak256(bytes) }),
    nonce,
  };
}

/** Mints what was burnt: anybody may, with the attestation. */
export function mint(
  chain: TestChain,
  { message, attestation }: Attested,
  from: Address.Address,
): Promise<TransactionReceipt> {
  return send(chain, {
    from,
    to: transmitter,
    data: encode(crossingAbi, "receiveMessage", [message, attestation]),
  });
}
