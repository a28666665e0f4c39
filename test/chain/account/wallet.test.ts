import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { recoverMessageAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import {
  createKeystore,
  KeystoreLockedError,
  KeystoreUnreadableError,
} from "../../../src/chain/account/keystore.ts";
import { openWallet, type Wallet } from "../../../src/chain/account/wallet.ts";
import { cheap } from "../../support/till/data-dir.ts";

const passphrase = "a passphrase";
const junk = "test test test test test test test test test test test junk";
/** The address secret of those words, computed with Python's hashlib and hmac alone. */
const junkAddressSecret = "48a192f97a4886536576e8c892173f65a380231ee0201cee5e3346d25de631a6";
/** "a secret" for "a place", sealed for those words by Python's cryptography. */
const junkSealed = "sealed1:AAECAwQFBgcICQoLYR7pj/2iuqKwg76EYCpwu8GtLtbRpahi";

let directory: string;
let known: Wallet;
let fresh: Wallet;
let file: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "till-wallet-"));
  await createKeystore({ file: join(directory, "known.json"), passphrase, secret: junk, cost: cheap });
  known = await openWallet({ file: join(directory, "known.json"), passphrase });
  file = join(directory, "fresh.json");
  fresh = await openWallet({ file, passphrase, cost: cheap });
});
afterAll(() => rm(directory, { recursive: true }));

describe("openWallet", () => {
  test("derives the accounts that every BIP-44 wallet derives from the same words", () => {
    expect(known.gasAddress as string).toBe("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
    expect(known.merchantAddress(1) as string).toBe("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
    expect(known.merchantAddress(2) as string).toBe("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");
    const far = mnemonicToAccount(junk, { addressIndex: 123_456 }).address;
    expect(known.merchantAddress(123_456) as string).toBe(far);
  });

  test("derives the address secret from the seed by the documented label", () => {
    expect(known.addressSecret).toHaveLength(32);
    expect(Buffer.from(known.addressSecret).toString("hex")).toBe(junkAddressSecret);
  });

  test("opens for ever what its vault once sealed, and no other wallet does", () => {
    expect(known.vault.open(junkSealed, "a place")).toBe("a secret");
    expect(() => fresh.vault.open(junkSealed, "a place")).toThrow("cannot be decrypted");
  });

  test("makes 12 words on first use, in a file for its owner alone, and says so", async () => {
    expect(fresh.created).toBe(true);
    expect(fresh.mnemonic().split(" ")).toHaveLength(12);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("finds everything again the second time", async () => {
    const again = await openWallet({ file, passphrase });
    expect(again.created).toBe(false);
    expect(again.mnemonic()).toBe(fresh.mnemonic());
    expect(again.gasAddress).toBe(fresh.gasAddress);
    expect(again.merchantAddress(7)).toBe(fresh.merchantAddress(7));
    expect(again.addressSecret).toEqual(fresh.addressSecret);
  });

  test("gives one wallet to two that make it at once", async () => {
    const input = { file: join(directory, "race.json"), passphrase, cost: cheap };
    const [one, two] = await Promise.all([openWallet(input), openWallet(input)]);
    expect(one.mnemonic()).toBe(two.mnemonic());
    expect([one.created, two.created].filter(Boolean)).toHaveLength(1);
  });

  test("never makes a new wallet in place of one that does not open", async () => {
    await expect(openWallet({ file, passphrase: "wrong" })).rejects.toBeInstanceOf(KeystoreLockedError);
    const cut = join(directory, "cut.json");
    await writeFile(cut, "");
    await expect(openWallet({ file: cut, passphrase })).rejects.toBeInstanceOf(KeystoreUnreadableError);
    expect((await stat(cut)).size).toBe(0);
  });

  test("takes no other text for the words of a wallet, and says them to nobody", async () => {
    const other = join(directory, "other.age");
    for (const secret of ["a shopping list", junk.replace("junk", "test"), `${junk} ${junk}`]) {
      await createKeystore({ file: other, passphrase, secret, cost: cheap });
      const thrown = await openWallet({ file: other, passphrase }).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(KeystoreUnreadableError);
      expect(String(thrown)).toContain("it does not hold the 12 words of a wallet");
      expect(Bun.inspect(thrown)).not.toContain(secret);
      await rm(other);
    }
  });

  test("makes different wallets in different places", () => {
    expect(fresh.gasAddress).not.toBe(known.gasAddress);
    expect(fresh.addressSecret).not.toEqual(known.addressSecret);
  });
});

describe("merchantAddress", () => {
  test("refuses the gas account and indices that BIP-32 does not have", () => {
    for (const index of [0, -1, 1.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => known.merchantAddress(index)).toThrow(RangeError);
    }
    expect(known.merchantAddress(2 ** 31 - 1)).toStartWith("0x");
  });
});

describe("account", () => {
  test("signs as the address of its index", async () => {
    for (const [index, address] of [
      [0, known.gasAddress],
      [3, known.merchantAddress(3)],
    ] as const) {
      const signature = await known.account(index).signMessage({ message: "till" });
      expect(await recoverMessageAddress({ message: "till", signature })).toBe(address);
    }
  });
});

describe("a wallet that is printed", () => {
  test("shows no word, no private key and no address secret, by any usual way", async () => {
    const privateKey = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
    const secret = Buffer.from(known.addressSecret);
    const child = Bun.spawn(
      [
        process.execPath,
        "-e",
        `
        import { openWallet } from ${JSON.stringify(join(import.meta.dir, "../../../src/chain/account/wallet.ts"))};
        const wallet = await openWallet(${JSON.stringify({ file: join(directory, "known.json"), passphrase })});
        console.log(wallet, wallet.account(0));
        console.error(wallet, wallet.account(0));`,
      ],
      { stderr: "pipe" },
    );
    const printed = [
      await new Response(child.stdout).text(),
      await new Response(child.stderr).text(),
      ...[known, known.account(0), { ...known }].flatMap((value) => [
        JSON.stringify(value),
        Bun.inspect(value, { depth: 9 }),
        inspect(value, { depth: 9, showHidden: true }),
        Object.values(value).map(String).join(),
      ]),
    ];
    for (const text of printed) {
      expect(text.length).toBeGreaterThan(40);
      for (const part of ["junk", privateKey, BigInt(`0x${privateKey}`).toString(), secret.toString("hex")]) {
        expect(text).not.toContain(part);
      }
      expect(text.replace(/\s/g, "")).not.toContain([...secret.subarray(0, 6)].join());
      expect(text.replace(/\s/g, "")).not.toContain(
        [...Buffer.from(privateKey, "hex").subarray(0, 6)].join(),
      );
    }
    expect(printed[0]).toContain(known.gasAddress);
  });
});
