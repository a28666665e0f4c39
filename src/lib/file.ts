import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { messageOf } from "./error.ts";

export const ownerOnlyFile = 0o600;

/** Creates an empty file readable only by its owner. Throws if the name exists. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, "wx", ownerOnlyFile));
}

/**
 * Sets the mode of a path, which keeps everybody but its owner out. Some volumes refuse that to this user, or to all:
 * then it throws an OpenToOthers, unless others are already kept out.
 */
export function makePrivate(path: string, mode: number): void {
  const before = statSync(path).mode & 0o777;
  if (before === mode) return;
  try {
    chmodSync(path, mode);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(code)) throw thrown;
    if ((before & 0o077) !== 0) throw new OpenToOthers(path);
  }
}

export class OpenToOthers extends Error {
  override readonly name = "OpenToOthers";
  readonly isLasting = true;
  constructor(path: string) {
    super(
      `${path} is open to others, and this user may not change that. Give it to the user that Till runs as, with chown. ` +
        "A volume without owners of its own, such as CIFS, is mounted with the uid of that user and file_mode=0600,dir_mode=0700.",
    );
  }
}

/**
 * Gives a finished file its name, under which it appears whole. Throws if something has that name: unlike a rename, it
 * never replaces what is there.
 */
export function nameFile(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch {
    // A volume without links, such as FAT, exFAT and many by FUSE: the name is taken first. Only a process killed right
    // then leaves it empty. Whatever else stood against the link stands against this too.
    makePrivateFile(file);
    try {
      renameSync(unfinished, file);
    } catch (thrown) {
      rmSync(file, { force: true });
      throw thrown;
    }
  }
}

/** Keeps what a file is now under another name, too, which must be free: on a volume without links as a copy. */
export function keepAs(file: string, kept: string): void {
  try {
    linkSync(file, kept);
  } catch {
    const copy = `${kept}.tmp`;
    try {
      copyFileSync(file, copy);
      syncToDisk(copy);
      nameFile(copy, kept);
    } finally {
      rmSync(copy, { force: true });
    }
  }
}

/** Returns once the content of a file, or the names in a directory, are on the disk. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Returns why this user may not read a path, or with `write` not write it: `"EACCES"`, `"ENOENT"` …; null if they may.
 */
export function accessFailure(path: string, { write = false } = {}): string | null {
  try {
    accessSync(path, write ? constants.R_OK | constants.W_OK : constants.R_OK);
    return null;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown) return String(thrown.code);
    throw thrown;
  }
}

/**
 * Returns why no file can be written to a directory, in a phrase; null if one can. Only a write reveals a broken disk.
 */
export function writeFailure(directory: string): string | null {
  const file = join(directory, `.write-${process.pid}`);
  try {
    writeFileSync(file, "1", { flag: "wx", mode: ownerOnlyFile });
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  } finally {
    try {
      rmSync(file, { force: true });
    } catch {
      // It was not created.
    }
  }
}

/**
 * The URL of a worker's file. `path` is its path below `src/`, without the extension. In a compiled executable this
 * module is part of the bundle at the root, and a worker, as an entry point of its own, keeps its path.
 */
export function workerUrl(path: string): string {
  return import.meta.path.endsWith("lib/file.ts")
    ? new URL(`../${path}.ts`, import.meta.url).href
    : new URL(`./${path}.js`, import.meta.url).href;
}
