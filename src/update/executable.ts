import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { randomName } from "../lib/crypto.ts";
import { keepAs, ownerOnlyFile, syncToDisk, writeFailure } from "../lib/file.ts";
import { DataDirInUse, type Lock, lockBy } from "../store/files/lock.ts";
import { mustHaveRoom } from "./data.ts";
import type { Place } from "./place.ts";
import { UpdateRefused } from "./refused.ts";
import { compareVersions, sayingWhy } from "./release.ts";

/** The executable's file, and those beside it. */

const unfinishedPrefix = ".till.update-";
const executableMax = 500_000_000;
const runMode = 0o755;

const unfinishedBeside = (file: string) => join(dirname(file), `${unfinishedPrefix}${randomName(8)}`);

/** The path of the executable from before the update. */
export const beforeUpdate = (file: string) => join(dirname(file), "till.before-update");

/** Throws an UpdateRefused when this user may not replace the executable. */
export function mustBeReplaceable(file: string): void {
  const failure = writeFailure(dirname(file));
  if (failure === null) return;
  const isForRoot = process.geteuid?.() !== 0 && /EACCES|EPERM|permission/i.test(failure);
  const advice = isForRoot ? "Run as root: sudo till update" : "Its directory must be writable.";
  throw new UpdateRefused(`${file} cannot be replaced (${failure}). ${advice}`);
}

/**
 * Makes this the only process that replaces the executable, until it ends, and removes what one left that was killed.
 * Throws an UpdateRefused when another one does, or this user may not.
 */
export function lockExecutable(file: string): Lock {
  const directory = dirname(file);
  mustBeReplaceable(file);
  try {
    const lock = lockBy(join(directory, `${unfinishedPrefix}lock`), directory);
    for (const name of readdirSync(directory))
      if (name.startsWith(unfinishedPrefix) && !name.startsWith(`${unfinishedPrefix}lock`))
        rmSync(join(directory, name), { force: true });
    return lock;
  } catch (thrown) {
    if (!(thrown instanceof DataDirInUse)) throw thrown;
    throw new UpdateRefused(`Another till update is replacing ${file} just now.`);
  }
}

/**
 * Downloads an executable beside the old one and returns its file. It can be run only once its checksum was found to be
 * the one that was signed. Throws an UpdateRefused, and leaves nothing then.
 */
export async function download(
  place: Place,
  name: string,
  sum: string,
  file: string,
  bytesMax = executableMax,
): Promise<string> {
  const unfinished = unfinishedBeside(file);
  try {
    await sayingWhy(place, async () => {
      const { bytes, chunks } = await place.open(name);
      mustHaveRoom(dirname(file), bytes ?? bytesMax);
      const found = await write(unfinished, chunks, name, bytesMax);
      if (found !== sum)
        throw new UpdateRefused(
          `${name} is not the file that the release signed: its SHA-256 is ${found}, not ${sum}.`,
        );
    });
    chmodSync(unfinished, runMode);
    syncToDisk(unfinished);
    return unfinished;
  } catch (thrown) {
    rmSync(unfinished, { force: true });
    throw thrown;
  }
}

async function write(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  bytesMax: number,
): Promise<string> {
  const hash = createHash("sha256");
  const handle = openSync(file, "wx", ownerOnlyFile);
  try {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > bytesMax)
        throw new UpdateRefused(`${name} has more than ${bytesMax} bytes, and is not read.`);
      hash.update(chunk);
      for (let at = 0; at < chunk.length; ) at += writeSync(handle, chunk, at);
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return hash.digest("hex");
}

const askMs = 60_000;
const answerMax = 4_096;

/** Asks an executable for its version and the schema that it knows. Throws an UpdateRefused. */
export function whatIs(file: string): { version: string; schema: number } {
  try {
    const { success, stdout } = Bun.spawnSync([file, "--version", "--json"], {
      env: {},
      stdio: ["ignore", "pipe", "ignore"],
      timeout: askMs,
      maxBuffer: answerMax,
    });
    const { version, schema } = JSON.parse(stdout.toString());
    if (success && typeof version === "string" && Number.isSafeInteger(schema)) return { version, schema };
  } catch {
    // The system does not run it, or it printed something else.
  }
  throw new UpdateRefused(`${file} does not run on this machine, or is not Till.`);
}

/**
 * Puts a new executable in the place of the old one, which is kept; at any moment there is one of the two, but on
 * Windows, where for a moment there is the kept one alone.
 */
export function replace(file: string, by: string): void {
  const kept = beforeUpdate(file);
  if (process.platform !== "win32") {
    const unfinished = `${by}-before`;
    keepAs(file, unfinished);
    renameSync(unfinished, kept);
  }
  putInPlace(by, file, kept);
}

/** Windows renames a program that runs, and replaces none: there it is `aside` first, and comes back on a failure. */
function putInPlace(by: string, file: string, aside: string): void {
  if (process.platform === "win32") renameSync(file, aside);
  try {
    renameSync(by, file);
  } catch (thrown) {
    if (!existsSync(file)) renameSync(aside, file);
    throw thrown;
  }
  syncToDisk(dirname(file));
}

/** Puts the executable from before the update back in its place. */
export function takeBack(file: string): void {
  // What is aside, the next update removes.
  putInPlace(beforeUpdate(file), file, unfinishedBeside(file));
}

/** The executable from before the update. Throws an UpdateRefused without one. */
export function mustHaveBefore(file: string): { version: string; schema: number } {
  const kept = beforeUpdate(file);
  if (!existsSync(kept)) throw new UpdateRefused(`There is no ${kept}: nothing can be taken back.`);
  return whatIs(kept);
}

/** Returns whether an offered version may replace this one: only a newer one, unless somebody names it. */
export const isWanted = (offered: string, here: string, named: string | null) =>
  named === null ? compareVersions(offered, here) > 0 : compareVersions(offered, here) !== 0;
