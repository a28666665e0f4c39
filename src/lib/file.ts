import { closeSync, fsyncSync, openSync } from "node:fs";

export const ownerOnlyFile = 0o600;

/** Makes an empty file that its owner alone can read. Throws when there is one of this name. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, "wx", ownerOnlyFile));
}

/** Returns when the content of a file, or the names in a directory, are on the disk. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
