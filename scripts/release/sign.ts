import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signatureFile, sumsFile, sumsOf } from "./sums.ts";

/** What `till update` trusts: minisign's public keys, one a line. */
const keysFile = "assets/release-keys.txt";

function minisign(...args: string[]): void {
  const { success, stdout, stderr } = Bun.spawnSync(["minisign", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (!success) throw new Error(`minisign: ${stdout}${stderr}`.trim());
}

/** What the signature says besides: `till update` reads it. */
export const commentOf = (version: string, lowest: string) => `till ${version} security ${lowest}`;

/** Signs the checksums in a directory by a secret key, which is the text of minisign's file, without a password. */
export function sign(directory: string, key: string, comment: string): void {
  const secret = mkdtempSync(join(tmpdir(), "till-key-"));
  try {
    const file = join(secret, "key");
    writeFileSync(file, `${key.trim()}\n`, { mode: 0o600 });
    const [sums, signature] = [join(directory, sumsFile), join(directory, signatureFile)];
    minisign("-S", "-H", "-s", file, "-m", sums, "-x", signature, "-c", comment, "-t", comment);
  } finally {
    rmSync(secret, { recursive: true });
  }
}

/** Throws unless minisign takes the signature in a directory as that of this public key, with this comment. */
export function verify(directory: string, publicKey: string, comment: string): void {
  const [sums, signature] = [join(directory, sumsFile), join(directory, signatureFile)];
  minisign("-V", "-H", "-P", publicKey, "-m", sums, "-x", signature);
  if (!readFileSync(signature, "utf8").includes(`\ntrusted comment: ${comment}\n`))
    throw new Error(`The signature does not say "${comment}".`);
}

/** The public keys in the text of the file that every Till of this source trusts. */
export function releaseKeysOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

export const releaseKeys = (): string[] =>
  existsSync(keysFile) ? releaseKeysOf(readFileSync(keysFile, "utf8")) : [];

/** A key pair that is forgotten at once: the secret file's text, and the public key. */
export function throwAwayKey(): { secret: string; publicKey: string } {
  const directory = mkdtempSync(join(tmpdir(), "till-key-"));
  try {
    const [secret, shown] = [join(directory, "till.key"), join(directory, "till.pub")];
    minisign("-G", "-W", "-s", secret, "-p", shown);
    const [, publicKey = ""] = readFileSync(shown, "utf8").trim().split("\n");
    return { secret: readFileSync(secret, "utf8"), publicKey };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * Signs a release, once its checksums name every file in the directory: those that were made before it, unchanged, and the
 * images since. Throws when it cannot, or when no Till would take the signature.
 */
export async function signRelease(
  directory: string,
  {
    version,
    lowest,
    key,
    trusted,
  }: { version: string; lowest: string; key: string; trusted: readonly string[] },
): Promise<void> {
  if (key === "") throw new Error("MINISIGN_KEY is not set.");
  if (trusted.length === 0) throw new Error(`${keysFile} has no key, so no Till would take the signature.`);
  const before = readFileSync(join(directory, sumsFile), "utf8");
  const now = await sumsOf(directory);
  const changed = before.split("\n").filter((line) => !now.split("\n").includes(line));
  if (changed.length > 0) throw new Error(`these files are not as they were made:\n${changed.join("\n")}`);
  writeFileSync(join(directory, sumsFile), now);
  const comment = commentOf(version, lowest);
  sign(directory, key, comment);
  const faults = trusted.flatMap((publicKey) => {
    try {
      verify(directory, publicKey, comment);
      return [];
    } catch (thrown) {
      return [String(thrown)];
    }
  });
  if (faults.length === trusted.length)
    throw new Error(`no key in ${keysFile} takes the signature:\n${faults.join("\n")}`);
}
