import type { ScryptOptions } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { nameFile, ownerOnlyFile } from "../../lib/file.ts";
import { world } from "../../lib/world.ts";
import type { KeystoreHeader } from "./age.ts";

/**
 * One secret text at rest in an age file (age-encryption.org/v1, ASCII armour), which `age -d` opens with the same
 * passphrase. Scrypt (RFC 7914) derives a key from the passphrase. Its cost is stored in the file, so that new files
 * can become harder to guess without losing old ones.
 */

/** log₂ N of a new file, with r = 8 and p = 1: 128 MiB and a third of a second per guess. */
const costOfNew = 17;

/** Maximum cost of opening a file, 512 MiB: a manipulated file must not exhaust the machine's memory. */
const costMax = 19;

const keystoreBytesMax = 16 * 1_024;
const keyBytes = 32;
/** The prefix that age adds to the salt. */
const saltLabel = "age-encryption.org/v1/scrypt";
const saltBytes = 16;

/** `cost` is log₂ N of scrypt for a new file; an existing file contains its own. */
export type KeystoreInput = { file: string; passphrase: string; cost?: number };

/**
 * Encrypts `secret` with `passphrase` and writes `file`, mode 0600: completely or not at all, and never over an
 * existing file. `cost` is the work per guess of the passphrase. Throws KeystoreExistsError, RangeError for an empty
 * passphrase, and file system errors.
 */
export async function createKeystore(input: KeystoreInput & { secret: string }): Promise<void> {
  const { file, passphrase, secret, cost = costOfNew } = input;
  if (passphrase === "") throw new RangeError("A keystore needs a passphrase");
  const salt = world.randomBytes(saltBytes);
  const key = await deriveKey(passphrase, { salt, cost });
  const { seal } = await import("./age.ts");
  await writeNew(file, await seal(secret, { key, salt, cost }));
}

/**
 * Decrypts a file written by `createKeystore` or `age -p`. Throws KeystoreUnreadableError if the file is missing or not
 * a keystore, and KeystoreLockedError if it does not open.
 */
export async function openKeystore({ file, passphrase }: KeystoreInput): Promise<string> {
  const sealed = withoutArmour(file, read(file));
  const key = await deriveKey(passphrase, headOf(file, sealed));
  // Loading the library takes a while, so it is put off until startup has got far without it.
  const { unseal } = await import("./age.ts");
  const secret = await unseal(sealed, key);
  if (secret === null) throw new KeystoreLockedError(file, /^(".*"|'.*')$/.test(passphrase));
  return secret;
}

/**
 * The library's own scrypt is three times as slow as the system's, and blocks everything else. The passphrase is
 * normalised (NFC), as terminals do for age, because another system may compose the same characters differently.
 */
function deriveKey(passphrase: string, { salt, cost }: KeystoreHeader): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** cost, r: 8, p: 1, maxmem: 2 ** (costMax + 11) };
  const labelled = Buffer.concat([Buffer.from(saltLabel), salt]);
  return new Promise((resolve, reject) => {
    world.scrypt(passphrase.normalize("NFC"), labelled, keyBytes, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** The file as bytes, without its armour if it has any. */
function withoutArmour(file: string, bytes: Buffer): Buffer {
  const text = bytes.toString("latin1");
  if (!text.startsWith("-----BEGIN")) return bytes;
  const [, body] =
    /^-----BEGIN AGE ENCRYPTED FILE-----\s([\w+/=\s]+)-----END AGE ENCRYPTED FILE-----\s*$/.exec(text) ?? [];
  if (body === undefined) throw new KeystoreUnreadableError(file, "its end is missing, or it is damaged");
  return Buffer.from(body, "base64");
}

/** Reads the key derivation parameters from the first lines of the file. */
function headOf(file: string, sealed: Buffer): KeystoreHeader {
  const head = /^age-encryption\.org\/v1\n-> scrypt ([\w+/]{22}) ([1-9]\d?)\n/.exec(
    sealed.toString("latin1"),
  );
  if (!head) throw new KeystoreUnreadableError(file, "it is not an age file with a passphrase");
  const cost = Number(head[2]);
  if (cost > costMax) throw new KeystoreUnreadableError(file, "its scrypt parameters are out of bounds");
  return { salt: Buffer.from(String(head[1]), "base64"), cost };
}

/** Synchronous: startup goes on with long work, and the key is derived alongside only if that has begun before. */
function read(file: string): Buffer {
  let handle: number | null = null;
  try {
    handle = openSync(file, "r");
    const buffer = Buffer.alloc(keystoreBytesMax + 1);
    const bytesRead = readSync(handle, buffer, 0, buffer.length, 0);
    if (bytesRead > keystoreBytesMax) throw new Error(`it is longer than ${keystoreBytesMax} bytes`);
    return buffer.subarray(0, bytesRead);
  } catch (thrown) {
    throw new KeystoreUnreadableError(file, thrown);
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

/** Fails if the name exists, so that two processes cannot both create a wallet. */
async function writeNew(file: string, text: string): Promise<void> {
  const temporary = `${file}.${world.randomBytes(6).toString("hex")}.tmp`;
  try {
    await using handle = await open(temporary, "wx", ownerOnlyFile);
    await handle.writeFile(text);
    await handle.sync();
    nameFile(temporary, file);
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

/** `missing` distinguishes a missing file from an unreadable one. */
export class KeystoreUnreadableError extends Error {
  override readonly name = "KeystoreUnreadableError";
  readonly missing: boolean;
  readonly isLasting: boolean;

  /** `fault` describes the content, or is the file system's error. */
  constructor(
    readonly file: string,
    fault: unknown,
  ) {
    const content = typeof fault === "string";
    super(
      `The keystore ${file} cannot be read${content ? `: ${fault}` : ""}`,
      content ? undefined : { cause: fault },
    );
    this.isLasting = content;
    this.missing = isCode(fault, "ENOENT");
  }
}

export class KeystoreLockedError extends Error {
  override readonly name = "KeystoreLockedError";
  readonly isLasting = true;

  constructor(
    readonly file: string,
    isQuoted: boolean,
  ) {
    super(
      `The keystore ${file} does not open: the passphrase is wrong, or the file is damaged` +
        (isQuoted
          ? ". The passphrase begins and ends with a quote: docker --env-file takes these for a part of it, a shell and systemd do not"
          : ""),
    );
  }
}
