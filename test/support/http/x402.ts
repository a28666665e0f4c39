import { signedCall } from "../../../src/chain/contract/authorization.ts";
import type { Environment } from "../../../src/config/config.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import type { Hex } from "../../../src/lib/crypto.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import type { TestChain } from "../chain/chain.ts";
import { send, stranger } from "../chain/evm.ts";
import type { Signed, Signer } from "../chain/signer.ts";
import { linkRequest, startTestTill, type TestTill, type TestTillOptions } from "../till/till.ts";

/** A local chain asks for more than Base. */
const localFees = { TILL_RELAY_FEE_MAX: "20", TILL_RELAY_BUDGET: "1" };

/** A Till that can pay the fees of others. */
export async function payingTill(
  chain: TestChain,
  environment: Environment = {},
  options: TestTillOptions = {},
): Promise<TestTill> {
  const settings = { ...localFees, TILL_CONFIRMATIONS: "1", ...environment };
  const till = await startTestTill(chain, settings, options);
  const gasAccount = WalletStore.gasAddress(till.db);
  if (!gasAccount) throw new Error("There is no gas account");
  await chain.giveEth(gasAccount);
  return till;
}

/** A new link over 25 USDC, where it is paid, and the address that it is paid to. */
export async function newLink(till: TestTill, fields: object = {}) {
  const { body } = await till.api("POST", "/api/links", { ...linkRequest, ...fields });
  const slug = String(body.slug);
  const to = Address.checksum(body.deposit_address);
  return { slug, path: `/x402/${slug}`, page: `/pay/${slug}`, url: String(body.x402_url), to };
}

export type NewLink = Awaited<ReturnType<typeof newLink>>;

export type Accepted = {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: { name: string; version: string };
};

/** What a header of x402 says. */
export const decoded = (header: string | null) => JSON.parse(Buffer.from(header ?? "", "base64").toString());

export const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

export type Made = { accepted: Accepted; payload: SignedFields; x402Version: number; extensions?: object };

/** A payment of version 2 for what a 402 asks for, as its payer signs it. */
export async function makePayment(
  signer: Signer,
  accepted: Accepted,
  signed: Partial<Signed> = {},
): Promise<Made> {
  const { auth, signature } = await signer.sign({
    to: Address.checksum(accepted.payTo),
    amount: BigInt(accepted.amount),
    ...signed,
  });
  const authorization = {
    from: auth.from,
    to: auth.to,
    value: auth.amount.toString(),
    validAfter: auth.validAfterSec.toString(),
    validBefore: auth.validBeforeSec.toString(),
    nonce: auth.nonce,
  };
  return { x402Version: 2, accepted, payload: { signature, authorization } };
}

/** An authorisation as JSON has it, with its signature, whatever the protocol. */
export type SignedFields = { authorization: Record<string, string>; signature: string };

/** Somebody else shows an authorisation to the token. Returns the transaction. */
export async function show(
  chain: TestChain,
  { authorization: said, signature }: SignedFields,
): Promise<string> {
  const field = (name: string) => String(said[name]);
  const terms = {
    from: Address.checksum(field("from")),
    to: Address.checksum(field("to")),
    amount: BigInt(field("value")),
    validAfterSec: Number(field("validAfter")),
    validBeforeSec: Number(field("validBefore")),
    nonce: field("nonce") as Hex,
  };
  const data = signedCall({ ...terms, chainId: 31_337, token: chain.usdc }, signature as Hex);
  return (await send(chain, { from: stranger, to: chain.usdc, data })).transactionHash;
}
