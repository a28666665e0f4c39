import type { ScryptOptions } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { ownerOnlyFile } from "../../lib/file.ts";
import { world } from "../../lib/world.ts";
import type { KeystoreHeader } from "./age.ts";

/**
 * One secret text at rest, in an age file (age-encryption.org/v1, ASCII armour): `age -d` opens it with the same
 * passphrase. Scrypt (RFC 7914) turns the passphrase into a key. Its cost stands in the file, so that new files can
 * become harder to guess without losing the old ones.
 */

/** log₂ N of a new file, with r = 8 and p = 1: 128 MiB and a third of a second per guess. */
const costOfNew = 17;

/** What opening a file may cost, 512 MiB: a changed file must not be able to take the machine's memory. */
const costMax = 19;

const keystoreBytesMax = 16 * 1_024;
const keyBytes = 32;
/** What age puts before the salt. */
const saltLabel = "age-encryption.org/v1/scrypt";
const saltBytes = 16;

/** `cost` is log₂ N of scrypt in a new file; whoever opens it reads it there. */
export type KeystoreInput = { file: string; passphrase: string; cost?: number };

/**
 * Encrypts `secret` under `passphrase` and writes `file`, mode 0600: whole or not at all, and never over a file
 * that is there. `cost` is what each guess of the passphrase takes. Throws KeystoreExistsError, RangeError for an
 * empty passphrase, and what the file system throws.
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
 * Decrypts what `createKeystore` or `age -p` wrote. Throws KeystoreUnreadableError when the file is missing or not a
 * keystore, and KeystoreLockedError when it does not open.
 */
export async function openKeystore({ file, passphrase }: KeystoreInput): Promise<string> {
  const sealed = withoutArmour(file, read(file));
  const key = await deriveKey(passphrase, headOf(file, sealed));
  // The library takes a while to load: only now, when the start has come far without it.
  const { unseal } = await import("./age.ts");
  const secret = await unseal(sealed, key);
  if (secret === null) throw new KeystoreLockedError(file, /^(".*"|'.*')$/.test(passphrase));
  return secret;
}

/**
 * The library's own scrypt is three times as slow as the system's, and nothing else runs meanwhile. The same
 * passphrase typed on another system may be composed differently, so it is normalised (NFC), as terminals do for age.
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

/** The file as bytes, also when it is armoured. */
function withoutArmour(file: string, bytes: Buffer): Buffer {
  const text = bytes.toString("latin1");
  if (!text.startsWith("-----BEGIN")) return bytes;
  const [, body] =
    /^-----BEGIN AGE ENCRYPTED FILE-----\s([\w+/=\s]+)-----END AGE ENCRYPTED FILE-----\s*$/.exec(text) ?? [];
  if (body === undefined) throw new KeystoreUnreadableError(file, "its end is missing, or it is damaged");
  return Buffer.from(body, "base64");
}

/** What it takes to make the key: the file's first lines. */
function headOf(file: string, sealed: Buffer): KeystoreHeader {
  const head = /^age-encryption\.org\/v1\n-> scrypt ([\w+/]{22}) ([1-9]\d?)\n/.exec(
    sealed.toString("latin1"),
  );
  if (!head) throw new KeystoreUnreadableError(file, "it is not an age file with a passphrase");
  const cost = Number(head[2]);
  if (cost > costMax) throw new KeystoreUnreadableError(file, "its scrypt parameters are out of bounds");
  return { salt: Buffer.from(String(head[1]), "base64"), cost };
}

/** At once: whoever starts goes on with long work, and the key is made beside it only if that has begun before. */
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

/** A link, unlike a rename, fails when the name is taken: two processes cannot each make a wallet. */
async function writeNew(file: string, text: string): Promise<void> {
  const temporary = `${file}.${world.randomBytes(6).toString("hex")}.tmp`;
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
  readonly isLasting: boolean;

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
