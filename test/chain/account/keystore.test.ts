import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { armor, Decrypter, Encrypter } from "age-encryption";
import {
  createKeystore,
  KeystoreExistsError,
  KeystoreLockedError,
  KeystoreUnreadableError,
  openKeystore,
} from "../../../src/chain/account/keystore.ts";
import { usedMs } from "../../support/processor.ts";
import { cheap } from "../../support/till/data-dir.ts";

const secret = "test test test test test test test test test test test junk";
const passphrase = "correct horse é";

let directory: string;
let file: string;
let written: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "till-keystore-"));
  file = join(directory, "wallet.age");
  await createKeystore({ file, passphrase, secret });
  written = await readFile(file, "utf8");
});
beforeEach(() => writeFile(file, written));
afterAll(() => rm(directory, { recursive: true }));

async function failure(phrase = passphrase): Promise<unknown> {
  return openKeystore({ file, passphrase: phrase }).then(
    () => "it opened",
    (thrown: unknown) => thrown,
  );
}

/** Opens the file with something else in it. */
async function failureOf(content: string | Uint8Array): Promise<unknown> {
  await writeFile(file, content);
  return failure();
}
/** The file without its armour: a head of text, then 16 bytes of nonce and the ciphertext. */
const sealed = () => Buffer.from(written.replace(/^-----.*$/gm, ""), "base64");
const withHead = (head: string) =>
  Buffer.concat([Buffer.from(head), sealed().subarray(sealed().indexOf("\n", 25) + 1)]);

describe("createKeystore", () => {
  test("writes a file for its owner alone, leaves nothing beside it, and shows nothing of the secret", async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(["wallet.age"]);
    for (const word of ["junk", passphrase, Buffer.from(secret).toString("base64")])
      expect(written).not.toContain(word);
  });

  test("makes the key with scrypt, N = 2^17, r = 8 and p = 1, and says so in an age file", () => {
    expect(written).toStartWith("-----BEGIN AGE ENCRYPTED FILE-----\n");
    expect(sealed().toString("latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S{22} 17\n/);
  });

  test("writes what it opens itself", async () => {
    expect(await openKeystore({ file, passphrase })).toBe(secret);
  });

  test("never overwrites a file", async () => {
    await writeFile(file, "something else");
    await expect(createKeystore({ file, passphrase, secret, cost: cheap })).rejects.toBeInstanceOf(
      KeystoreExistsError,
    );
    expect(await readFile(file, "utf8")).toBe("something else");
    expect(await readdir(directory)).toEqual(["wallet.age"]);
  });

  test("lets one of two that write at once win, and the other one know", async () => {
    const shared = join(directory, "shared.json");
    const one = createKeystore({ file: shared, passphrase, secret: "one", cost: cheap });
    const two = createKeystore({ file: shared, passphrase, secret: "two", cost: cheap });
    const results = await Promise.allSettled([one, two]);
    const loser = results.find((result) => result.status === "rejected");
    expect(loser?.reason).toBeInstanceOf(KeystoreExistsError);
    const winner = results[0]?.status === "fulfilled" ? "one" : "two";
    expect(await openKeystore({ file: shared, passphrase })).toBe(winner);
    await rm(shared);
  });

  test("refuses an empty passphrase", async () => {
    const other = join(directory, "other.json");
    await expect(createKeystore({ file: other, passphrase: "", secret })).rejects.toBeInstanceOf(RangeError);
  });

  test("passes on what the file system says", async () => {
    const nowhere = join(directory, "missing", "wallet.age");
    await expect(createKeystore({ file: nowhere, passphrase, secret, cost: cheap })).rejects.toMatchObject({
      code: "ENOENT",
    });
  });
});

describe("openKeystore", () => {
  // What each try takes changes nothing but the time.
  beforeAll(async () => {
    await rm(file);
    await createKeystore({ file, passphrase, secret, cost: cheap });
    written = await readFile(file, "utf8");
  });

  test("opens what every other tool for age opens", async () => {
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    expect(await decrypter.decrypt(armor.decode(written), "text")).toBe(secret);
  });

  test("gives the secret back, also when é is typed as e and an accent", async () => {
    expect(await openKeystore({ file, passphrase })).toBe(secret);
    expect(await openKeystore({ file, passphrase: passphrase.normalize("NFD") })).toBe(secret);
  });

  test("says of a wrong passphrase that it or the file may be at fault", async () => {
    const thrown = await failure("wrong");
    expect(thrown).toBeInstanceOf(KeystoreLockedError);
    expect(String(thrown)).toContain("the passphrase is wrong, or the file is damaged");
  });

  test("opens what another tool for age has written, armoured or not", async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(passphrase);
    encrypter.setScryptWorkFactor(10);
    const theirs = await encrypter.encrypt(secret);
    for (const content of [theirs, armor.encode(theirs), armor.encode(theirs).replace(/\n/g, "\r\n")]) {
      await writeFile(file, content);
      expect(await openKeystore({ file, passphrase })).toBe(secret);
    }
  });

  test("says the same of a changed character anywhere behind the first lines", async () => {
    const whole = sealed();
    const letterA = "A".charCodeAt(0);
    const salt = whole.indexOf("-> scrypt ") + 10;
    const places = [salt, salt + 30, whole.indexOf("\n---") + 6, whole.length - 80, whole.length - 1];
    for (const at of places) {
      const changed = Buffer.from(whole);
      // Another letter, as the header stays base64 with it.
      changed[at] = whole[at] === letterA ? letterA + 1 : letterA;
      expect([at, await failureOf(changed)]).toEqual([at, expect.any(KeystoreLockedError)]);
    }
  });

  test("cannot read a file that is cut off at any place", async () => {
    for (let length = 0; length < written.trimEnd().length; length += 7)
      expect(await failureOf(written.slice(0, length))).toBeInstanceOf(KeystoreUnreadableError);
  });

  test("cannot read what is no age file with a passphrase", async () => {
    const salt = "A".repeat(22);
    for (const content of [
      "{}",
      "-----BEGIN AGE ENCRYPTED FILE-----\n!\n-----END AGE ENCRYPTED FILE-----\n",
      withHead(`age-encryption.org/v2\n-> scrypt ${salt} 17\n`),
      withHead(`age-encryption.org/v1\n-> X25519 ${salt} 17\n`),
      withHead(`age-encryption.org/v1\n-> scrypt ${salt} 017\n`),
      withHead(`age-encryption.org/v1\n-> scrypt ${salt}\n`),
    ]) {
      const thrown = await failureOf(content);
      expect([String(content), thrown]).toEqual([String(content), expect.any(KeystoreUnreadableError)]);
    }
  });

  test("spends no memory or time on a cost out of bounds", async () => {
    const before = usedMs();
    for (const cost of [20, 63, 99, 1_000_000]) {
      const thrown = await failureOf(
        withHead(`age-encryption.org/v1\n-> scrypt ${"A".repeat(22)} ${cost}\n`),
      );
      expect([cost, thrown]).toEqual([cost, expect.any(KeystoreUnreadableError)]);
    }
    expect(usedMs() - before).toBeLessThan(1_000);
  });

  test("tells a missing file from one that cannot be read", async () => {
    await rm(file);
    expect(await failure()).toMatchObject({ name: "KeystoreUnreadableError", missing: true });
    await writeFile(file, "x".repeat(20_000));
    expect(await failure()).toMatchObject({ name: "KeystoreUnreadableError", missing: false });
    const thrown = await openKeystore({ file: directory, passphrase }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ name: "KeystoreUnreadableError", missing: false });
  });

  test("shows neither passphrase nor secret in any error", async () => {
    for (const thrown of [await failure("wrong-phrase"), await failureOf(written.slice(0, 100))]) {
      const text = Bun.inspect(thrown) + JSON.stringify(thrown);
      for (const part of ["wrong-phrase", passphrase, "junk"]) expect(text).not.toContain(part);
    }
  });
});
