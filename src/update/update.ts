import { existsSync, realpathSync, rmSync } from "node:fs";
import { messageOf } from "../lib/error.ts";
import type { Lock } from "../store/files/lock.ts";
import { newestSchema } from "../store/migrations.ts";
import {
  copyData,
  copyForSchema,
  goBackToCopy,
  hasData,
  mustHaveRoomForCopy,
  ownCopy,
  schemaOfData,
} from "./data.ts";
import {
  download,
  isWanted,
  lockExecutable,
  mustHaveBefore,
  replace,
  takeBack,
  whatIs,
} from "./executable.ts";
import {
  control,
  exeOf,
  nameHere,
  type Service,
  type Standing,
  standingAt,
  standsAgain,
  urlIn,
} from "./machine.ts";
import type { ReleaseKey } from "./minisign.ts";
import type { DataDir } from "./owner.ts";
import { type Patience, type Place, placeOf } from "./place.ts";
import { UpdateRefused } from "./refused.ts";
import { type Release, readRelease } from "./release.ts";

/** The Till that is to be another version. */
export type Target = {
  /** The executable. */
  file: string;
  version: string;
  data: DataDir;
  /** The service that runs it; null if unknown. */
  service: Service | null;
  systemctl: string;
  /** How long to wait until a started Till is as well as the one before. */
  waitMs: number;
};

export type ReleaseQuery = {
  /** A URL or a directory; null for where this build has its releases. */
  from: string | null;
  /** Null for the newest. */
  version: string | null;
  releases: string | null;
  keys: readonly ReleaseKey[];
  patience?: Patience;
};

/** A release that was found, and was signed. */
export type Offer = {
  release: Release;
  /** The place of its files. */
  place: Place;
  /** The executable for this machine, and its SHA-256. */
  name: string;
  sum: string;
  /** True if it may replace the version here. */
  isWanted: boolean;
  /** True if the version here has a known security hole. */
  isUrgent: boolean;
};

/** Looks for a release, and changes nothing. Throws an UpdateRefused. */
export async function look(here: string, query: ReleaseQuery): Promise<Offer> {
  const { from, version, releases, keys, patience } = query;
  if (keys.length === 0)
    throw new UpdateRefused(
      "This build of Till knows no key that signs releases, so it can take none. Download a release, check it as " +
        "docs/run.md says, and put it in place by hand.",
    );
  const release = await readRelease(placeOf(from, version, releases, patience), keys);
  if (version !== null && release.version !== version)
    throw new UpdateRefused(`The release there is ${release.version}, not ${version}.`);
  const name = nameHere();
  const sum = release.sums.get(name);
  if (sum === undefined)
    throw new UpdateRefused(`The release ${release.version} has no ${name}, which this machine needs.`);
  return {
    release,
    name,
    sum,
    // Another one may be the newest by the time of the download.
    place: placeOf(from, release.version, releases, patience),
    isWanted: isWanted(release.version, here, version),
    isUrgent: isWanted(release.safeFrom, here, null),
  };
}

/**
 * The end of an update: the new version runs; it has to be restarted by hand; or it was not well, and `back` was done.
 */
export type Outcome =
  | { kind: "runs" | "replaced"; copy: string | null }
  | { kind: "failed"; copy: string | null; back: Back };

/**
 * The end of going back: `version` is in place; or nothing was done, as that would lose what `came` since the copy, or
 * no copy is left.
 */
export type Back =
  | { kind: "back"; version: string; isStanding: boolean | null; replaced: boolean }
  | { kind: "left"; version: string; came: readonly string[]; copy: string | null };

/**
 * Replaces the executable by that of the release, and restarts the service. Goes back by itself when the new one does
 * not stand as the old one did. `tell` hears of each step before it is done. Throws an UpdateRefused, and whatever a
 * copy of the data throws; nothing was changed then.
 */
export async function update(
  target: Target,
  { release, place, name, sum }: Offer,
  tell: (step: string) => void,
): Promise<Outcome> {
  const { file, data, service } = target;
  const { version } = release;
  const lock = lockTarget(target);
  try {
    const isCopied = hasData(data);
    if (isCopied) mustHaveRoomForCopy(data);
    tell(`Downloading ${name} …`);
    const fresh = await download(place, name, sum, file);
    try {
      tell("Asking the new executable who it is …");
      mustBe(fresh, version, isCopied ? data : null);
      tell("Copying the data …");
      const copy = isCopied ? copyData(data, version) : null;
      const before = await standingOf(service);
      tell("Replacing the executable …");
      replace(file, fresh);
      if (before === null) return { kind: "replaced", copy };
      return await startNew(target, version, { before, copy }, tell);
    } finally {
      rmSync(fresh, { force: true });
    }
  } finally {
    lock.release();
  }
}

/** Throws an UpdateRefused when another process is replacing the executable, or has since this one was started. */
function lockTarget({ file, version }: Target): Lock {
  const lock = lockExecutable(file);
  try {
    const found = whatIs(file);
    if (found.version === version) return lock;
    throw new UpdateRefused(`${file} is Till ${found.version} by now: look again.`);
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

/** Repeats an update from the restart on, if it was interrupted there. */
export async function finish(target: Target, tell: (step: string) => void): Promise<Outcome> {
  const { data, service, version } = target;
  const lock = lockTarget(target);
  try {
    const before = (await standingOf(service)) ?? "silent";
    return await startNew(target, version, { before, copy: ownCopy(data, version) }, tell);
  } finally {
    lock.release();
  }
}

/** Returns whether the service still runs an executable that is no longer in place. */
export const isUnfinished = ({ service, file }: Target) =>
  service !== null && service.pid !== 0 && ![file, null].includes(exeOf(service.pid));

async function startNew(
  target: Target,
  version: string,
  { before, copy }: { before: Standing; copy: string | null },
  tell: (step: string) => void,
): Promise<Outcome> {
  tell(`Restarting ${target.service?.unit} …`);
  const isStanding = await restarted(target, before);
  if (isStanding === null) return { kind: "replaced", copy };
  if (isStanding) return { kind: "runs", copy };
  tell(`Till ${version} is not well: going back …`);
  try {
    return { kind: "failed", copy, back: await backFrom(target, version, before, tell) };
  } catch (thrown) {
    throw new Error(
      `Till ${version} was not well in time, and going back failed: ${messageOf(thrown).replace(/\.?$/, ".")} ` +
        "Once that is mended: till update --back",
    );
  }
}

/** Null where no service runs, so that nothing is to be restarted. */
async function standingOf(service: Service | null): Promise<Standing | null> {
  return service?.environment ? await standingAt(urlIn(service.environment)) : null;
}

/** A version that first brings the data to a later schema gets so many times as long. */
const upgradePatience = 10;

/** Returns whether the executable in place must bring the data to a later schema. */
const hasToUpgrade = ({ file, data }: Target) => hasData(data) && schemaOfData(data) < whatIs(file).schema;

/** Restarts the service: whether it then stands as it did; null when there is none, or this user may not restart it. */
async function restarted(target: Target, before: Standing): Promise<boolean | null> {
  const { service, systemctl } = target;
  if (service?.environment == null) return null;
  const waitMs = target.waitMs * (hasToUpgrade(target) ? upgradePatience : 1);
  if (!control(systemctl, "restart", service.unit)) return existsSync(`/proc/${service.pid}`) ? null : false;
  return await standsAgain(urlIn(service.environment), before, waitMs);
}

/** Throws an UpdateRefused unless it runs, has this version, and can read the data. */
function mustBe(fresh: string, version: string, data: DataDir | null): void {
  const found = whatIs(fresh);
  if (found.version !== version)
    throw new UpdateRefused(`The executable says that it is ${found.version}, but was signed as ${version}.`);
  if (found.schema >= newestSchema || data === null) return;
  const schema = schemaOfData(data);
  if (schema <= found.schema) return;
  const copy = copyForSchema(data, version, found.schema);
  throw new UpdateRefused(
    `Till ${version} cannot read this data, which has schema ${schema}; it knows ${found.schema}. To go back, stop Till, ` +
      `put its executable in place by hand, and restore a copy that it can read: till restore ${copy ?? "FILE"} --force`,
  );
}

/** Goes back to the executable from before the update, and to the copy of the data where it has to. */
export async function goBack(target: Target, tell: (step: string) => void): Promise<Back> {
  const lock = lockTarget(target);
  try {
    const before = (await standingOf(target.service)) ?? "silent";
    return await backFrom(target, target.version, before, tell);
  } finally {
    lock.release();
  }
}

async function backFrom(
  target: Target,
  from: string,
  before: Standing,
  tell: (step: string) => void,
): Promise<Back> {
  const { file, data, service, systemctl } = target;
  const old = mustHaveBefore(file);
  if (old.schema < newestSchema && !hasData(data))
    throw new UpdateRefused(
      `There is no data in ${data.path}, and Till ${old.version} may not be able to read what this one wrote: ` +
        "name its directory with --data-dir.",
    );
  const isRun = service?.environment != null;
  let [replaced, isBack] = [false, false];
  if (isRun) {
    // First of all: it may be about to upgrade the data.
    tell(`Stopping ${service.unit} …`);
    control(systemctl, "stop", service.unit);
  }
  try {
    if (hasData(data) && schemaOfData(data) > old.schema) {
      const copy = copyForSchema(data, from, old.schema);
      const came = copy === null ? [] : goBackToCopy(data, copy);
      replaced = copy !== null && came.length === 0;
      if (!replaced) return { kind: "left", version: old.version, came, copy };
    }
    tell(`Putting Till ${old.version} back …`);
    takeBack(file);
    isBack = true;
  } finally {
    if (isRun && !isBack) control(systemctl, "start", service.unit);
  }
  return { kind: "back", version: old.version, isStanding: await restarted(target, before), replaced };
}

/** The executable that runs now, as systemd and people name it. */
export const ownFile = () => realpathSync(process.execPath);
