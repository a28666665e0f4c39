import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  commentOf,
  releaseKeysOf,
  sign,
  signRelease,
  throwAwayKey,
  verify,
} from "../../scripts/release/sign.ts";
import { sumsOf } from "../../scripts/release/sums.ts";
import { readKeys, trustedComment } from "../../src/update/minisign.ts";
import { makeDataDir } from "../support/till/data-dir.ts";

const dir = makeDataDir();
afterAll(() => dir.remove());

const { secret, publicKey } = throwAwayKey();
const comment = commentOf("1.2.3", "1.2.1");
let release: string;
let signature: string;

beforeEach(async () => {
  release = mkdtempSync(join(dir.path, "release-"));
  writeFileSync(join(release, "till-linux-x64"), "code");
  writeFileSync(join(release, "LICENSE"), "text");
  writeFileSync(join(release, "SHA256SUMS"), await sumsOf(release));
  sign(release, secret, comment);
  signature = readFileSync(join(release, "SHA256SUMS.minisig"), "utf8");
});

describe("a signed release", () => {
  test("lists every file but the list and its signature, as sha256sum reads it", async () => {
    const checked = Bun.spawnSync(["sha256sum", "--check", "--strict", "SHA256SUMS"], { cwd: release });
    expect(checked.stdout.toString()).toBe("LICENSE: OK\ntill-linux-x64: OK\n");
    expect(await sumsOf(release)).toBe(readFileSync(join(release, "SHA256SUMS"), "utf8"));
  });

  test("says its version and the lowest one that is secure, under the signature", () => {
    expect(comment).toBe("till 1.2.3 security 1.2.1");
    expect(signature.split("\n")[2]).toBe(`trusted comment: ${comment}`);
    // Prehashed: minisign's "ED".
    expect(
      Buffer.from(signature.split("\n")[1] ?? "", "base64")
        .subarray(0, 2)
        .toString(),
    ).toBe("ED");
    verify(release, publicKey, comment);
  });

  test("is one that till update takes", () => {
    const sums = readFileSync(join(release, "SHA256SUMS"));
    expect(trustedComment(sums, signature, readKeys(`# of this test\n${publicKey}\n`))).toBe(comment);
  });

  test("is refused when anything of it was changed, or another key signed it", () => {
    expect(() => verify(release, throwAwayKey().publicKey, comment)).toThrow("minisign");
    expect(() => verify(release, publicKey, commentOf("1.2.4", "1.2.1"))).toThrow("does not say");
    writeFileSync(join(release, "SHA256SUMS.minisig"), signature.replaceAll("1.2.1", "1.2.0"));
    expect(() => verify(release, publicKey, commentOf("1.2.3", "1.2.0"))).toThrow("minisign");
    writeFileSync(join(release, "SHA256SUMS.minisig"), signature);
    writeFileSync(join(release, "SHA256SUMS"), "0000  till-linux-x64\n");
    expect(() => verify(release, publicKey, comment)).toThrow("minisign");
  });

  test("names the images that came later, under a key that every Till trusts", async () => {
    const version = { version: "1.2.3", lowest: "1.2.1" };
    const trusted = releaseKeysOf(`# old\n${throwAwayKey().publicKey}\n\n${publicKey}\n`);
    expect(trusted).toHaveLength(2);
    writeFileSync(join(release, "till-image-amd64.tar.gz"), "image");
    await signRelease(release, { ...version, key: secret, trusted });
    expect(readFileSync(join(release, "SHA256SUMS"), "utf8")).toBe(await sumsOf(release));
    verify(release, publicKey, comment);

    const refused = async (key: string, keys: string[]) =>
      signRelease(release, { ...version, key, trusted: keys }).then(
        () => "signed",
        (thrown: Error) => thrown.message,
      );
    expect(await refused("", trusted)).toContain("MINISIGN_KEY is not set");
    expect(await refused(secret, [])).toContain("has no key");
    expect(await refused(throwAwayKey().secret, trusted)).toContain("takes the signature");
    writeFileSync(join(release, "LICENSE"), "another text");
    expect(await refused(secret, trusted)).toMatch(/not as they were made:\n.*LICENSE/);
  });

  test("leaves no copy of the key behind", () => {
    expect(signature).not.toContain(secret.split("\n")[1] ?? "no key");
    expect([...new Bun.Glob("**/*key*").scanSync(dir.path)]).toEqual([]);
  });
});
