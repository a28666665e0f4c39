import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { ownerOnlyFile } from "../lib/file.ts";

/**
 * One secret text at rest, in a JSON file: scrypt (RFC 7914) turns the passphrase into a key, AES-256-GCM
 * encrypts under it. The scrypt parameters stand in the file, so that new files can become harder to guess
 * without losing the old ones.
 */

const version = 1;

/** Scrypt of a new file: 128 MiB and some tenths of a second per guess. */
const newCost: Cost = { n: 2 ** 17, r: 8, p: 1 };

/** What opening a file may cost: a changed file must not be able to take the machine's memory or hours. */
const scryptBytesMax = 512 * 1_024 * 1_024;
const scryptParallelMax = 16;

const keystoreBytesMax = 16 * 1_024;
const saltBytes = 32;
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

type Cost = { n: number; r: number; p: number };

type Sealed = { cost: Cost; salt: Buffer; nonce: Buffer; tag: Buffer; ciphertext: Buffer };

/**
 * Encrypts `secret` under `passphrase` and writes `file`, mode 0600: whole or not at all, and never over a file
 * that is there. Throws KeystoreExistsError, RangeError for an empty passphrase, and what the file system throws.
 */
export async function createKeystore({ file, passphrase, secret }: KeystoreInput & { secret: string }) {
  if (passphrase === "") throw new RangeError("A keystore needs a passphrase");
  const salt = randomBytes(saltBytes);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", await deriveKey(passphrase, salt, newCost), nonce);
  const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  await writeNew(file, serialise({ cost: newCost, salt, nonce, tag: cipher.getAuthTag(), ciphertext }));
}

/**
 * Decrypts what `createKeystore` wrote. Throws KeystoreUnreadableError when the file is missing or not a
 * keystore, KeystoreVersionError when a newer Till wrote it, and KeystoreLockedError when it does not open.
 */
export async function openKeystore({ file, passphrase }: KeystoreInput): Promise<string> {
  const { cost, salt, nonce, tag, ciphertext } = parse(file, read(file));
  const key = await deriveKey(passphrase, salt, cost);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes }).setAuthTag(tag);
  try {
    return decipher.update(ciphertext, undefined, "utf8") + decipher.final("utf8");
  } catch {
    // GCM knows only that the tag does not fit, and so does whoever tries passphrases.
    throw new KeystoreLockedError(file);
  }
}

export type KeystoreInput = { file: string; passphrase: string };

/** The same passphrase typed on another system may be composed differently, so it is normalised (NFKC). */
function deriveKey(passphrase: string, salt: Buffer, { n, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: n, r, p, maxmem: 2 * scryptBytesMax };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFKC"), salt, keyBytes, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function serialise({ cost, salt, nonce, tag, ciphertext }: Sealed): string {
  const kdf = { name: "scrypt", ...cost, salt: salt.toString("hex") };
  const parts = {
    nonce: nonce.toString("hex"),
    tag: tag.toString("hex"),
    ciphertext: ciphertext.toString("hex"),
  };
  return `${JSON.stringify({ version, kdf, cipher: { name: "aes-256-gcm", ...parts } }, null, 2)}\n`;
}

function parse(file: string, text: string): Sealed {
  const fault = (what: string) => new KeystoreUnreadableError(file, what);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw fault("it is not JSON, so it may be cut off");
  }
  const top = fields(json);
  if (typeof top.version !== "number") throw fault("it has no version");
  if (top.version !== version) throw new KeystoreVersionError(file, top.version);
  const kdf = fields(top.kdf);
  const cipher = fields(top.cipher);
  if (kdf.name !== "scrypt" || cipher.name !== "aes-256-gcm") throw fault("its ciphers are not known");
  const cost = costOf(kdf);
  const salt = bytesOf(kdf.salt);
  const nonce = bytesOf(cipher.nonce);
  const tag = bytesOf(cipher.tag);
  const ciphertext = bytesOf(cipher.ciphertext);
  if (!cost) throw fault("its scrypt parameters are out of bounds");
  if (salt?.length !== saltBytes || nonce?.length !== nonceBytes || tag?.length !== tagBytes || !ciphertext) {
    throw fault("a part of it is missing or damaged");
  }
  return { cost, salt, nonce, tag, ciphertext };
}

type Field =
  | "version"
  | "kdf"
  | "cipher"
  | "name"
  | "n"
  | "r"
  | "p"
  | "salt"
  | "nonce"
  | "tag"
  | "ciphertext";
type Fields = { [name in Field]?: unknown };

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function costOf({ n, r, p }: Fields): Cost | null {
  if (!isCount(n) || !isCount(r) || !isCount(p)) return null;
  if (n < 2 || !Number.isInteger(Math.log2(n))) return null;
  if (128 * n * r > scryptBytesMax || p > scryptParallelMax) return null;
  return { n, r, p };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

function bytesOf(value: unknown): Buffer | null {
  return typeof value === "string" && /^([0-9a-f]{2})+$/.test(value) ? Buffer.from(value, "hex") : null;
}

/** At once: whoever starts goes on with long work, and the key is made beside it only if that has begun before. */
function read(file: string): string {
  let handle: number | null = null;
  try {
    handle = openSync(file, "r");
    const buffer = Buffer.alloc(keystoreBytesMax + 1);
    const bytesRead = readSync(handle, buffer, 0, buffer.length, 0);
    if (bytesRead > keystoreBytesMax) throw new Error(`it is longer than ${keystoreBytesMax} bytes`);
    return buffer.toString("utf8", 0, bytesRead);
  } catch (thrown) {
    throw new KeystoreUnreadableError(file, thrown);
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

/** A link, unlike a rename, fails when the name is taken: two processes cannot each make a wallet. */
async function writeNew(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await using handle = await open(temporary, "wx", ownerOnlyFile);
    await handle.writeFile(text);
    await handle.sync();
    await link(temporary, file);
  } catch (thrown) {
    if (isCode(thrown, "EEXIST")) throw new KeystoreExistsError(file);
    throw thrown;
  } finally {
    await rm(temporary, { force: true });
  }
  await using directory = await open(dirname(file), "r");
  await directory.sync();
}

function isCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === code;
}

export class KeystoreExistsError extends Error {
  override readonly name = "KeystoreExistsError";

  constructor(readonly file: string) {
    super(`${file} is there already and is not overwritten`);
  }
}

/** `missing` tells a file that is not there from one that cannot be read. */
export class KeystoreUnreadableError extends Error {
  override readonly name = "KeystoreUnreadableError";
  readonly missing: boolean;

  /** `fault` is what is wrong with the content, or what the file system threw. */
  constructor(
    readonly file: string,
    fault: unknown,
  ) {
    const content = typeof fault === "string";
    super(
      `The keystore ${file} cannot be read${content ? `: ${fault}` : ""}`,
      content ? undefined : { cause: fault },
    );
    this.missing = isCode(fault, "ENOENT");
  }
}

export class KeystoreVersionError extends Error {
  override readonly name = "KeystoreVersionError";

  constructor(
    readonly file: string,
    readonly version: number,
  ) {
    super(`The keystore ${file} has version ${version}, which this Till does not know; a newer one wrote it`);
  }
}

export class KeystoreLockedError extends Error {
  override readonly name = "KeystoreLockedError";

  constructor(readonly file: string) {
    super(`The keystore ${file} does not open: the passphrase is wrong, or the file is damaged`);
  }
}
