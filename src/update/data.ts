import { existsSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { version } from "../config/version.ts";
import { accessFailure } from "../lib/file.ts";
import { world } from "../lib/world.ts";
import { makeBackup } from "../store/files/backup.ts";
import { databaseFile, databaseFiles } from "../store/files/data-dir.ts";
import { isServed } from "../store/files/lock.ts";
import { cameSince, putBack, schemaIn } from "../store/files/since.ts";
import { as, type DataDir } from "./owner.ts";
import { UpdateRefused } from "./refused.ts";

/** The data of the Till whose executable an update replaces. */

const copiesMax = 3;

/** Room that is left over, for the Till that goes on working beside the copy. */
const spareBytes = 50_000_000;

/** Throws an UpdateRefused unless a directory's disk has room for so many bytes more. */
export function mustHaveRoom(directory: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  const missing = bytes + spareBytes - bavail * bsize;
  if (missing > 0)
    throw new UpdateRefused(
      `There is no room in ${directory}: ${Math.ceil(missing / 1_000_000)} MB are missing.`,
    );
}

/** Returns whether there is a database. Throws an UpdateRefused if this user may not read it. */
export function hasData({ path }: DataDir): boolean {
  const failure = [path, databaseFile(path)].map((each) => accessFailure(each)).find((each) => each !== null);
  if (failure === "EACCES")
    throw new UpdateRefused(`${path} may not be read by this user. Run as root: sudo till update`);
  return failure === undefined;
}

/** The file of the copy that is made before an update to a version. */
export const copyFor = (dataDir: string, to: string) => `${databaseFile(dataDir)}.before-update-${to}`;

/** The copy that was made before an update to a version; null without one. */
export function ownCopy({ path, owner }: DataDir, to: string): string | null {
  const file = copyFor(path, to);
  return as(owner, () => (existsSync(file) ? file : null));
}

const copiesIn = (dataDir: string) =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith("till.db.before-update-"))
    .map((name) => join(dataDir, name));

export function mustHaveRoomForCopy({ path: dataDir }: DataDir): void {
  const sizes = databaseFiles(dataDir).map((file) => (existsSync(file) ? statSync(file).size : 0));
  mustHaveRoom(
    dataDir,
    sizes.reduce((a, b) => a + b, 0),
  );
}

/** Copies the data as `till backup` does, and keeps the last three such copies. Throws what `makeBackup` throws. */
export function copyData({ path: dataDir, owner }: DataDir, to: string): string {
  return as(owner, () => {
    // What one that was killed had begun.
    for (const file of copiesIn(dataDir)) if (file.endsWith(".tmp")) rmSync(file, { force: true });
    const { file } = makeBackup({
      dataDir,
      file: copyFor(dataDir, to),
      force: true,
      version,
      now: world.now(),
    });
    const copies = copiesIn(dataDir).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
    for (const copy of copies.slice(copiesMax)) rmSync(copy, { force: true });
    return file;
  });
}

/** The schema's number of the data. */
export const schemaOfData = ({ path, owner }: DataDir) => as(owner, () => schemaIn(databaseFile(path)));

/** The newest copy that a Till can read which knows this schema, the one of this update first; null without one. */
export function copyForSchema(
  { path: dataDir, owner }: DataDir,
  updatedTo: string,
  schema: number,
): string | null {
  return as(owner, () => {
    const own = copyFor(dataDir, updatedTo);
    const copies = copiesIn(dataDir)
      .filter((file) => !file.endsWith(".tmp"))
      .sort((a, b) => Number(b === own) - Number(a === own) || statSync(b).mtimeMs - statSync(a).mtimeMs);
    // One by one, as an older copy may be damaged.
    return copies.find((file) => schemaIn(file) <= schema) ?? null;
  });
}

/** Puts the copy in place unless something came since: what it was, in words. The server must not run. */
export function goBackToCopy({ path: dataDir, owner }: DataDir, copy: string): string[] {
  return as(owner, () => {
    if (isServed(dataDir))
      throw new UpdateRefused("Till runs: stop it first, as its data has to go back too.");
    const came = cameSince(copy, dataDir);
    if (came.length === 0) putBack(copy, dataDir, world.now());
    return came;
  });
}
