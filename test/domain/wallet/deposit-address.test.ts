import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { getContractAddress, keccak256, toHex } from "viem";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";

const { factory, implementation } = DepositAddress;
const secret = new Uint8Array(32).fill(1);
const wallet = Address.checksum("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const salts = bytes(32).map((value) => toHex(value));
const payoutWallets = bytes(20)
  .map((value) => Address.checksum(toHex(value)))
  .filter((address) => address !== Address.zero);

describe("factory and implementation", () => {
  test("never move: these addresses are on invoices that were sent", () => {
    expect(factory as string).toBe("0x5116E9961A4F055BA9BBBa406075EA6ba3226dc3");
    expect(implementation as string).toBe("0x99b68AB49C99fb7e9512F965AD6527965C97e318");
  });

  test("follow from CREATE2 by the deterministic deployer and the factory's first CREATE", () => {
    const { deployer, factorySalt, factoryCodeHash } = DepositAddress;
    expect(factory as string).toBe(
      getContractAddress({
        opcode: "CREATE2",
        from: deployer,
        salt: factorySalt,
        bytecodeHash: factoryCodeHash,
      }),
    );
    expect(implementation as string).toBe(getContractAddress({ from: factory, nonce: 1n }));
  });
});

describe("derive", () => {
  test("never moves: one payout wallet, the first three deposits of one secret", () => {
    const addresses = [0, 1, 2].map((index) => {
      const salt = DepositAddress.saltFor(secret, index);
      return DepositAddress.derive({ factory, implementation, payoutWallet: wallet, salt });
    });
    expect(addresses as string[]).toEqual([
      "0x94d83Ce70445740E4b9006D2F9C618FfC06a6798",
      "0xFB51eC6b42879968Ed09b31e57Cdb6DD023a1DF0",
      "0xC67EfAE7CbFE52e5818d678DE5ABDF8a64A0f548",
    ]);
  });

  test("is the CREATE2 address of the clone's code, as viem computes it", () => {
    fc.assert(
      fc.property(payoutWallets, salts, (payoutWallet, salt) => {
        const code = `0x61004d3d81600a3d39f3363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3${payoutWallet.slice(2).padStart(64, "0")}`;
        const bytecodeHash = keccak256(code.toLowerCase() as `0x${string}`);
        const expected = getContractAddress({ opcode: "CREATE2", from: factory, salt, bytecodeHash });
        expect(DepositAddress.derive({ factory, implementation, payoutWallet, salt }) as string).toBe(
          expected,
        );
      }),
      { seed: 1 },
    );
  });

  test("gives two payout wallets or two salts never the same address", () => {
    fc.assert(
      fc.property(payoutWallets, payoutWallets, salts, salts, (walletA, walletB, saltA, saltB) => {
        const pairs = new Set([walletA, walletB].flatMap((w) => [saltA, saltB].map((s) => `${w}${s}`)));
        const addresses = new Set(
          [walletA, walletB].flatMap((payoutWallet) =>
            [saltA, saltB].map((salt) =>
              DepositAddress.derive({ factory, implementation, payoutWallet, salt }),
            ),
          ),
        );
        expect(addresses.size).toBe(pairs.size);
      }),
      { seed: 1 },
    );
  });

  test("throws for the zero address as payout wallet, and for a salt of another length", () => {
    const salt = toHex(new Uint8Array(32));
    expect(() =>
      DepositAddress.derive({ factory, implementation, payoutWallet: Address.zero, salt }),
    ).toThrow(RangeError);
    for (const wrong of [
      `0x${"00".repeat(31)}`,
      "0x00",
      `0x${"00".repeat(33)}`,
      `0x${"zz".repeat(32)}`,
    ] as const) {
      expect(() =>
        DepositAddress.derive({ factory, implementation, payoutWallet: wallet, salt: wrong }),
      ).toThrow(RangeError);
    }
  });

  test("derives 10,000 deposits, all different, without keeping anybody waiting", () => {
    const before = process.threadCpuUsage();
    const addresses = new Set<string>();
    for (let index = 0; index < 10_000; index++) {
      const salt = DepositAddress.saltFor(secret, index);
      addresses.add(DepositAddress.derive({ factory, implementation, payoutWallet: wallet, salt }));
    }
    const { user, system } = process.threadCpuUsage(before);
    const workedMs = (user + system) / 1_000;
    console.log(`10,000 deposit addresses in ${workedMs.toFixed(0)} ms of processor`);
    expect(addresses.size).toBe(10_000);
    // Far from what it takes: what is to be noticed is an accident.
    expect(workedMs).toBeLessThan(10_000);
  });
});

describe("saltFor", () => {
  test("is the HMAC of the index as eight bytes, so numbers and bigints of one value agree", () => {
    const index = new Uint8Array([0, 0, 0, 0, 0, 0, 1, 2]);
    const expected = `0x${new Bun.CryptoHasher("sha256", secret).update(index).digest("hex")}`;
    expect(DepositAddress.saltFor(secret, 258) as string).toBe(expected);
    expect(DepositAddress.saltFor(secret, 258n) as string).toBe(expected);
  });

  test("differs for another index and for another secret", () => {
    const each = [
      DepositAddress.saltFor(secret, 0),
      DepositAddress.saltFor(secret, 1),
      DepositAddress.saltFor(new Uint8Array(32).fill(2), 0),
    ];
    expect(new Set(each).size).toBe(3);
  });

  test.each([-1, 0.5, 2n ** 64n, Number.NaN])("throws for the index %p", (index) => {
    expect(() => DepositAddress.saltFor(secret, index)).toThrow(RangeError);
  });
});
