import keyList from "../../assets/release-keys.txt" with { type: "text" };
import { isCertificateCode, messageOf } from "../lib/error.ts";
import { instant } from "../lib/time.ts";
import { world } from "../lib/world.ts";
import { type ReleaseKey, readKeys, trustedComment } from "./minisign.ts";
import type { Place } from "./place.ts";
import { UpdateRefused } from "./refused.ts";

/** `scripts/build.ts` puts these here; run from source there are none. */
declare const TILL_RELEASES: string | undefined;
declare const TILL_RELEASE_KEYS: string | undefined;

/** The URL of this Till's releases; null if the build names none. */
export const builtReleases: string | null = typeof TILL_RELEASES === "string" ? TILL_RELEASES : null;

/**
 * The keys whose releases this Till takes. They are part of the executable, and no variable of the environment and no
 * flag replaces them: who could set one would have Till run what they like, as root. Who builds an executable decides on
 * all of its code, so tests build theirs with keys of their own.
 */
export const builtKeys = (): ReleaseKey[] =>
  readKeys(typeof TILL_RELEASE_KEYS === "string" ? TILL_RELEASE_KEYS : keyList);

export type Release = {
  version: string;
  /** The lowest version without a known security hole. */
  safeFrom: string;
  /** SHA-256 in hex, by the name of the file. */
  sums: ReadonlyMap<string, string>;
};

const bytesMax = { sums: 65_536, signature: 8_192 };
const namePattern = "[A-Za-z0-9][\\w.-]*";
const sumLine = new RegExp(`^([0-9a-f]{64}) [ *](${namePattern})$`);
const commentForm = /^till (\d{1,6}\.\d{1,6}\.\d{1,6}) security (\d{1,6}\.\d{1,6}\.\d{1,6})$/;

/** Reads what a release has and whether it is one: signed by one of the keys. Throws an UpdateRefused. */
export async function readRelease(place: Place, keys: readonly ReleaseKey[]): Promise<Release> {
  const signature = await sayingWhy(place, () => place.read("SHA256SUMS.minisig", bytesMax.signature));
  const sums = await sayingWhy(place, () => place.read("SHA256SUMS", bytesMax.sums));
  const comment = trustedComment(sums, signature.toString(), keys);
  const [, version, safeFrom] = commentForm.exec(comment) ?? [];
  if (version === undefined || safeFrom === undefined)
    throw new UpdateRefused(`The release says ${JSON.stringify(comment)}, which is not of Till.`);
  if (compareVersions(safeFrom, version) > 0)
    throw new UpdateRefused(`The release ${version} says of itself that it has a security hole.`);
  const lines = sums.toString().split("\n");
  return {
    version,
    safeFrom,
    sums: new Map(
      lines.flatMap((line) => {
        const [, sum, name] = sumLine.exec(line) ?? [];
        return sum === undefined || name === undefined ? [] : [[name, sum] as const];
      }),
    ),
  };
}

/** Below 0 when `a` is the older version, 0 for the same. What follows the three numbers does not count. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.+-]/).slice(0, 3).map(Number));
  return [0, 1, 2].map((at) => (left?.[at] ?? 0) - (right?.[at] ?? 0)).find((each) => each !== 0) ?? 0;
}

/** Says of a failure what it was about, and of one that the clock explains what the clock says. */
export async function sayingWhy<T>(place: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof UpdateRefused) throw thrown;
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    const isOfTime = isCertificateCode(code) && /NOT_YET_VALID|EXPIRED/.test(code);
    const clock = isOfTime
      ? ` This machine's clock says ${instant(world.now())}: if that is wrong, set it.`
      : "";
    throw new UpdateRefused(`${place.name} cannot be read: ${messageOf(thrown).replace(/\.$/, "")}.${clock}`);
  }
}
