import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { getContractAddress } from "viem";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import { NotAProof, proofOf, verify } from "../../../src/domain/wallet/deposit-proof.ts";

const { factory, implementation } = DepositAddress;
const payoutWallet = Address.checksum("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
const salt = DepositAddress.saltFor(new Uint8Array(32).fill(1), 0);
const address = DepositAddress.derive({ factory, implementation, payoutWallet, salt });
const proof = proofOf({ address, payoutWallet, salt, factory });

describe("proofOf", () => {
  test("holds enough for another library to come to the same address", () => {
    const found = getContractAddress({
      opcode: "CREATE2",
      from: proof.factory,
      salt: proof.salt,
      bytecodeHash: proof.bytecode_hash,
    });
    expect(found as string).toBe(proof.address);
    const from = getContractAddress({
      opcode: "CREATE2",
      from: proof.deployer,
      salt: proof.factory_salt,
      bytecodeHash: proof.factory_bytecode_hash,
    });
    expect(from as string).toBe(proof.factory);
    expect(getContractAddress({ from, nonce: 1n }) as string).toBe(proof.implementation);
  });
});

describe("verify", () => {
  test("takes a proof by itself, and inside the record of what it is for", () => {
    expect(verify(proof)).toMatchObject({ ok: true, address, payoutWallet });
    expect(verify({ slug: "x", deposit_address: address, deposit_proof: proof }).ok).toBe(true);
  });

  test("fails a proof of which any digit was changed", () => {
    const names = Object.keys(proof) as (keyof typeof proof)[];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 1, max: 15 }), (name, at, by) => {
        const digits = [...proof[name].slice(2).toLowerCase()];
        const place = at % digits.length;
        digits[place] = (Number.parseInt(digits[place] ?? "0", 16) ^ by).toString(16);
        const changed = `0x${digits.join("")}`;
        const value = digits.length === 40 ? Address.checksum(changed) : changed;
        const verdict = verify({ ...proof, [name]: value });
        expect(verdict.ok).toBe(false);
        expect(verdict.checks.filter((check) => !check.ok)).not.toEqual([]);
      }),
      { seed: 1 },
    );
  });

  test("fails a record that shows payers another address than the proof is for", () => {
    const other = DepositAddress.derive({ factory, implementation, payoutWallet: factory, salt });
    const verdict = verify({ deposit_address: other, deposit_proof: proof });
    expect(verdict.ok).toBe(false);
    expect(verdict.checks.filter((check) => !check.ok)).toMatchObject([{ name: "address", claimed: other }]);
  });

  test("refuses what is not a proof, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => verify(value)).toThrow(NotAProof);
      }),
      { seed: 1 },
    );
    expect(() => verify({ ...proof, payout_wallet: Address.zero })).toThrow("zero address");
    expect(() => verify({ ...proof, payout_wallet: payoutWallet.toLowerCase() })).toThrow("payout_wallet");
    expect(() => verify({ deposit_proof: proof })).toThrow("deposit_address");
  });
});
