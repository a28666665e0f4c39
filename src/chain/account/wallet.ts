import { hkdfSync } from "node:crypto";
import { mnemonicToEntropy } from "@scure/bip39";
import { english, generateMnemonic, HDKey, type LocalAccount, privateKeyToAccount } from "viem/accounts";
import * as Address from "../../domain/wallet/address.ts";
import { createVault, hexOf, hmacSha256, type Vault } from "../../lib/crypto.ts";
import { world } from "../../lib/world.ts";
import {
  createKeystore,
  KeystoreExistsError,
  type KeystoreInput,
  KeystoreUnreadableError,
  openKeystore,
} from "./keystore.ts";

/**
 * The installation's HD wallet. One BIP-39 mnemonic, without a BIP-39 passphrase, gives
 *
 * - account 0 at m/44'/60'/0'/0/0, which pays gas;
 * - account i ≥ 1 at m/44'/60'/0'/0/i, the managed payout wallet of one merchant;
 * - the address secret: HKDF-SHA256 (RFC 5869) of the 64-byte BIP-39 seed with an empty salt, 32 bytes;
 * - the keys of the vault and of marks: the same, each with its own label.
 *
 * These are the paths of ordinary wallets: whoever has the words has the money, with or without Till.
 */
export interface Wallet {
  readonly gasAddress: Address.Address;
  /** Throws a RangeError for an account that no merchant can have: below 1, above 2³¹ − 1, or not whole. */
  merchantAddress(accountIndex: number): Address.Address;
  /** 32 bytes from which the salts of deposit addresses are derived. Logs never print it. */
  readonly addressSecret: Uint8Array;
  /** Encrypts what the database must not hold in plain text. */
  readonly vault: Vault;
  /** A keyed hash of a text, in Base64url, that nobody else can compute: proves later that the text came from here. */
  mark(text: string): string;
  /** The signing account of this index, 0 for gas. It does not expose its private key. */
  account(index: number): LocalAccount;
  /** The words, for a backup on paper. */
  mnemonic(): string;
  /** Whether this call created the mnemonic, so that nobody has a backup yet. */
  readonly created: boolean;
}

/** 12 words: 128 bits, as strong as the keys derived from them, and short enough to write down correctly. */
const mnemonicBits = 128;

const wordCount = 12;

const accountsPath = "m/44'/60'/0'/0";
const accountIndexMax = 2 ** 31 - 1;

/** Deriving an address takes a millisecond, so those of this many merchants are cached. */
const rememberedMax = 10_000;

/** Part of every deposit address: another label would lose them all. */
const addressSecretLabel = "till deposit address secret v1";
const derivedBytes = 32;

/** Another label would make every stored webhook secret unreadable. */
const vaultLabel = "till vault key v1";

const markLabel = "till mark key v1";

/**
 * Opens the wallet in `file`, or creates one if the file is missing. Throws the keystore's errors if it cannot be read
 * or opened. Takes some tenths of a second, as the passphrase is made slow to guess. `opened` is the result of
 * openKeystore for the same input, if that was called earlier.
 */
export async function openWallet(input: KeystoreInput, opened = openKeystore(input)): Promise<Wallet> {
  const existing = await wordsOf(opened);
  if (existing !== null) return fromMnemonic(mnemonicIn(input.file, existing), false);
  const mnemonic = generateMnemonic(english, mnemonicBits);
  try {
    await createKeystore({ ...input, secret: mnemonic });
  } catch (thrown) {
    // Another process created one at the same moment: use that wallet.
    if (thrown instanceof KeystoreExistsError)
      return fromMnemonic(mnemonicIn(input.file, await openKeystore(input)), false);
    throw thrown;
  }
  return fromMnemonic(mnemonic, true);
}

/** Creates a wallet's file from its words. Throws a WordsRefused, and the errors of `createKeystore`. */
export async function restoreWallet({ words, ...input }: KeystoreInput & { words: string }): Promise<Wallet> {
  await createKeystore({ ...input, secret: checkedWords(words) });
  return await openWallet(input);
}

/** Account 0 of the wallet with these words. Throws a WordsRefused. */
export async function gasAddressOf(words: string): Promise<Address.Address> {
  return (await fromMnemonic(checkedWords(words), false)).gasAddress;
}

function checkedWords(words: string): string {
  const fault = wordsFault(words);
  if (fault !== null) throw new WordsRefused(fault);
  return normalizeWords(words);
}

/**
 * Returns why a text is not the words of a wallet, as a sentence that repeats none of them; null if it is. The last
 * word contains a checksum (BIP-39): one wrong word is noticed 15 times out of 16.
 */
export function wordsFault(text: string): string | null {
  const words = normalizeWords(text).split(" ");
  if (words.length !== wordCount)
    return `A wallet of Till has ${wordCount} words, and these are ${words.length}.`;
  const unknown = words.findIndex((word) => !english.includes(word));
  if (unknown !== -1) return `Word ${unknown + 1} is not one of the 2,048 English words of BIP-39.`;
  try {
    mnemonicToEntropy(words.join(" "), english);
    return null;
  } catch {
    return "Each word is valid, but the checksum is not: one word is wrong, or two are swapped.";
  }
}

function normalizeWords(text: string): string {
  return text.trim().toLowerCase().split(/\s+/).join(" ");
}

/** Any text would derive some wallet, and a file that `age` wrote may contain anything. */
function mnemonicIn(file: string, secret: string): string {
  if (wordsFault(secret) !== null)
    throw new KeystoreUnreadableError(file, `it does not hold the ${wordCount} words of a wallet`);
  return normalizeWords(secret);
}

async function wordsOf(opened: Promise<string>): Promise<string | null> {
  try {
    return await opened;
  } catch (thrown) {
    if (thrown instanceof KeystoreUnreadableError && thrown.missing) return null;
    throw thrown;
  }
}

async function fromMnemonic(mnemonic: string, created: boolean): Promise<Wallet> {
  const seed = await seedOf(mnemonic);
  const accounts = HDKey.fromMasterSeed(seed).derive(accountsPath);
  const account = (index: number): LocalAccount => {
    if (!Number.isInteger(index) || index < 0 || index > accountIndexMax) {
      throw new RangeError(`A wallet has no account ${index}`);
    }
    const { privateKey } = accounts.deriveChild(index);
    if (!privateKey) throw new RangeError(`Account ${index} of this wallet has no key`);
    return privateKeyToAccount(hexOf(privateKey));
  };
  // Deriving it takes a millisecond of every transaction.
  const gasAccount = account(0);
  const addressOf = (index: number) => Address.checksum(account(index).address);
  const merchantAddresses = new Map<number, Address.Address>();
  const derive = (label: string) => new Uint8Array(hkdfSync("sha256", seed, "", label, derivedBytes));
  const markKey = derive(markLabel);
  const wallet = {
    gasAddress: Address.checksum(gasAccount.address),
    merchantAddress(accountIndex: number) {
      if (accountIndex < 1)
        throw new RangeError(`Account ${accountIndex} cannot be a merchant's: they start at 1`);
      const remembered = merchantAddresses.get(accountIndex);
      if (remembered !== undefined) return remembered;
      const address = addressOf(accountIndex);
      if (merchantAddresses.size >= rememberedMax) merchantAddresses.clear();
      merchantAddresses.set(accountIndex, address);
      return address;
    },
    account: (index: number) => (index === 0 ? gasAccount : account(index)),
    vault: createVault(derive(vaultLabel)),
    mark: (text: string) => Buffer.from(hmacSha256(markKey, text)).toString("base64url"),
    mnemonic: () => mnemonic,
    created,
  };
  const secret = derive(addressSecretLabel);
  // Bun prints non-enumerable values too, but does not call getters.
  return Object.defineProperty(wallet, "addressSecret", { get: () => secret, enumerable: false }) as Wallet;
}

/** BIP-39: PBKDF2-HMAC-SHA512 of the words, 2,048 rounds, with the salt "mnemonic". */
function seedOf(mnemonic: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    world.pbkdf2(mnemonic.normalize("NFKD"), "mnemonic", 2_048, 64, "sha512", (error, seed) => {
      if (error) reject(error);
      else resolve(seed);
    });
  });
}

class WordsRefused extends Error {
  override readonly name = "WordsRefused";
}
