import { type Hex, hexOf } from "../../lib/crypto.ts";
import type { Deposit } from "../payment/deposit.ts";
import * as Address from "./address.ts";
import * as DepositAddress from "./deposit-address.ts";

/**
 * All inputs of a deposit address, as the API shows them to the merchant: anybody can recompute the address from them
 * and see that its money can only go to the payout wallet. It holds no secret, but reveals whose wallet an address
 * belongs to, so it is not shown to payers.
 */
export type DepositProof = {
  address: Address.Address;
  payout_wallet: Address.Address;
  salt: Hex;
  /** Keccak-256 of the clone's creation code. */
  bytecode_hash: Hex;
  implementation: Address.Address;
  factory: Address.Address;
  deployer: Address.Address;
  factory_salt: Hex;
  factory_bytecode_hash: Hex;
};

/** Builds the proof of a deposit's address as stored, without checking it: that is up to others. */
export function proofOf({
  address,
  payoutWallet,
  salt,
  factory,
}: Pick<Deposit, "address" | "payoutWallet" | "salt" | "factory">): DepositProof {
  const implementation = DepositAddress.implementationOf(factory);
  const { codeHash } = DepositAddress.steps({ factory, implementation, payoutWallet, salt });
  return {
    address,
    payout_wallet: payoutWallet,
    salt,
    bytecode_hash: hexOf(codeHash),
    implementation,
    factory,
    deployer: DepositAddress.deployer,
    factory_salt: DepositAddress.factorySalt,
    factory_bytecode_hash: DepositAddress.factoryCodeHash,
  };
}

/** The claims besides wallet and salt, in the order in which they are computed. */
const claims = [
  "deployer",
  "factory_salt",
  "factory_bytecode_hash",
  "factory",
  "implementation",
  "bytecode_hash",
  "address",
] as const;

export type ClaimCheck = { name: (typeof claims)[number]; computed: string; claimed: string; ok: boolean };

export type ProofVerdict = {
  payoutWallet: Address.Address;
  salt: Hex;
  creationCode: Hex;
  preimage: Hex;
  address: Address.Address;
  checks: readonly ClaimCheck[];
  ok: boolean;
};

/**
 * Recomputes a proof from its payout wallet and salt, and compares. `value` is untrusted: a proof, or the record of an
 * invoice or a link containing one, whose deposit address is then compared too. The proof fails for any factory but
 * Till's, as what another one does with money is unknown. Throws a NotAProof.
 */
export function verify(value: unknown): ProofVerdict {
  const { proof, shownAddress } = read(value);
  const { factory, implementation } = DepositAddress;
  const payoutWallet = proof.payout_wallet;
  const steps = DepositAddress.steps({ factory, implementation, payoutWallet, salt: proof.salt });
  const { address } = steps;
  const computed = proofOf({ address, payoutWallet, salt: proof.salt, factory });
  const checks = claims.map((name): ClaimCheck => {
    const claimed = name === "address" && proof.address === address ? shownAddress : proof[name];
    return { name, computed: computed[name], claimed, ok: computed[name] === claimed };
  });
  return {
    payoutWallet,
    salt: proof.salt,
    creationCode: hexOf(steps.creationCode),
    preimage: hexOf(steps.preimage),
    address,
    checks,
    ok: checks.every(({ ok }) => ok),
  };
}

type Fields = { readonly [name: string]: unknown };

function read(value: unknown): { proof: DepositProof; shownAddress: Address.Address } {
  if (typeof value !== "object" || value === null) throw new NotAProof("it is not a JSON object");
  const record: Fields = { ...value };
  const inside = record["deposit_proof"];
  const fields: Fields = typeof inside === "object" && inside !== null ? { ...inside } : record;
  const proof = {
    address: address(fields, "address"),
    payout_wallet: address(fields, "payout_wallet"),
    salt: bytes32(fields, "salt"),
    bytecode_hash: bytes32(fields, "bytecode_hash"),
    implementation: address(fields, "implementation"),
    factory: address(fields, "factory"),
    deployer: address(fields, "deployer"),
    factory_salt: bytes32(fields, "factory_salt"),
    factory_bytecode_hash: bytes32(fields, "factory_bytecode_hash"),
  };
  if (proof.payout_wallet === Address.zero) throw new NotAProof("its payout_wallet is the zero address");
  return { proof, shownAddress: fields === record ? proof.address : address(record, "deposit_address") };
}

function address(fields: Fields, name: string): Address.Address {
  const value = fields[name];
  const parsed = typeof value === "string" ? Address.parse(value) : null;
  if (!parsed?.ok) throw new NotAProof(`its ${name} is missing or not an address in checksum form`);
  return parsed.address;
}

function bytes32(fields: Fields, name: string): Hex {
  const value = fields[name];
  if (typeof value !== "string" || !/^0x[0-9a-f]{64}$/.test(value))
    throw new NotAProof(`its ${name} is missing or not 0x and 64 hex digits in lower case`);
  return value as Hex;
}

export class NotAProof extends Error {
  override readonly name = "NotAProof";
  constructor(what: string) {
    super(`This is not the proof of a deposit address, nor an invoice or a link with one: ${what}`);
  }
}
