import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createKeystore,
  KeystoreExistsError,
  KeystoreLockedError,
  KeystoreUnreadableError,
  KeystoreVersionError,
  openKeystore,
} from "../../src/chain/keystore.ts";

const secret = "test test test test test test test test test test test junk";
const passphrase = "correct horse é";

let directory: string;
let file: string;
let written: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "till-keystore-"));
  file = join(directory, "wallet.json");
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

/** Changes one value of the file, named by its path, and opens it. */
async function failureWith(path: [string, string?], value: unknown): Promise<unknown> {
  const json = JSON.parse(written);
  const [first, second] = path;
  if (second === undefined) json[first] = value;
  else json[first][second] = value;
  await writeFile(file, JSON.stringify(json));
  return failure();
}

describe("createKeystore", () => {
  test("writes a file for its owner alone, leaves nothing beside it, and shows nothing of the secret", async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(["wallet.json"]);
    for (const word of ["junk", passphrase, Buffer.from(secret).toString("hex")])
      expect(written).not.toContain(word);
  });

  test("states how the key is made: scrypt with N = 2^17, r = 8, p = 1", () => {
    expect(JSON.parse(written)).toMatchObject({
      version: 1,
      kdf: { name: "scrypt", n: 131_072, r: 8, p: 1 },
    });
  });

  test("never overwrites a file", async () => {
    await writeFile(file, "something else");
    await expect(createKeystore({ file, passphrase, secret })).rejects.toBeInstanceOf(KeystoreExistsError);
    expect(await readFile(file, "utf8")).toBe("something else");
    expect(await readdir(directory)).toEqual(["wallet.json"]);
  });

  test("lets one of two that write at once win, and the other one know", async () => {
    const shared = join(directory, "shared.json");
    const one = createKeystore({ file: shared, passphrase, secret: "one" });
    const two = createKeystore({ file: shared, passphrase, secret: "two" });
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
    const nowhere = join(directory, "missing", "wallet.json");
    await expect(createKeystore({ file: nowhere, passphrase, secret })).rejects.toMatchObject({
      code: "ENOENT",
    });
  });
});

describe("openKeystore", () => {
  test("gives the secret back, also when é is typed as e and an accent", async () => {
    expect(await openKeystore({ file, passphrase })).toBe(secret);
    expect(await openKeystore({ file, passphrase: passphrase.normalize("NFD") })).toBe(secret);
  });

  test("says of a wrong passphrase that it or the file may be at fault", async () => {
    const thrown = await failure("wrong");
    expect(thrown).toBeInstanceOf(KeystoreLockedError);
    expect(String(thrown)).toContain("the passphrase is wrong, or the file is damaged");
  });

  test("says the same of a flipped bit in any encrypted part", async () => {
    for (const [part, name] of [
      ["kdf", "salt"],
      ["cipher", "nonce"],
      ["cipher", "tag"],
      ["cipher", "ciphertext"],
    ] as const) {
      const hex: string = JSON.parse(written)[part][name];
      const flipped = (Number.parseInt(hex.charAt(0), 16) ^ 1).toString(16) + hex.slice(1);
      expect([name, await failureWith([part, name], flipped)]).toEqual([
        name,
        expect.any(KeystoreLockedError),
      ]);
    }
  });

  test("cannot read a file that is cut off at any place", async () => {
    for (let length = 0; length < written.trimEnd().length; length += 7) {
      await writeFile(file, written.slice(0, length));
      expect(await failure()).toBeInstanceOf(KeystoreUnreadableError);
    }
  });

  test("cannot read a file with a part missing, too short or in another notation", async () => {
    const damages: [[string, string?], unknown][] = [
      [["version"], undefined],
      [["version"], "1"],
      [["kdf"], null],
      [["kdf", "name"], "argon2id"],
      [["kdf", "salt"], "00"],
      [["cipher"], []],
      [["cipher", "name"], "aes-256-cbc"],
      [["cipher", "tag"], "00000000"],
      [["cipher", "nonce"], 12],
      [["cipher", "ciphertext"], "ABCD"],
      [["cipher", "ciphertext"], ""],
    ];
    for (const [path, value] of damages) {
      expect([path, await failureWith(path, value)]).toEqual([path, expect.any(KeystoreUnreadableError)]);
    }
  });

  test("spends no memory or time on parameters out of bounds", async () => {
    const costs: [string, number][] = [
      ["n", 2 ** 30],
      ["n", 100_000],
      ["n", 0],
      ["n", 1],
      ["n", 1.5],
      ["r", 1e9],
      ["r", 0],
      ["p", 1e6],
    ];
    const startedAt = performance.now();
    for (const [name, value] of costs) {
      expect([name, value, await failureWith(["kdf", name], value)]).toEqual([
        name,
        value,
        expect.any(KeystoreUnreadableError),
      ]);
    }
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test("says of a higher version that a newer Till wrote it", async () => {
    const thrown = await failureWith(["version"], 2);
    expect(thrown).toBeInstanceOf(KeystoreVersionError);
    expect(thrown).toMatchObject({ version: 2 });
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
    for (const thrown of [await failure("wrong-phrase"), await failureWith(["kdf", "n"], 3)]) {
      const text = Bun.inspect(thrown) + JSON.stringify(thrown);
      for (const part of ["wrong-phrase", passphrase, "junk"]) expect(text).not.toContain(part);
    }
  });
});
