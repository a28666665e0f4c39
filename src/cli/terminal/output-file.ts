import { once } from "node:events";
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { randomName } from "../../lib/crypto.ts";
import { nameFile, ownerOnlyFile, syncToDisk } from "../../lib/file.ts";
import { UsageError } from "../command.ts";

type Output = {
  write(text: string): Promise<void>;
  /** Renames the file to its final name, which does not exist before. */
  finish(): void;
  close(): void;
};

function open(unfinished: string, file: string): number {
  try {
    return openSync(unfinished, "wx", ownerOnlyFile);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw new Error(
      `${file} cannot be written (${code}): name a file in a directory where the user of this command may write.`,
    );
  }
}

/** Characters to buffer, approximately, before writing to the file. */
const bufferedMax = 65_536;

/** Throws a UsageError for a directory, even with --force. */
export function refuseDirectory(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${file} is a directory: name a file in it.`);
}

/**
 * Opens an output for large data: a file, written whole or not at all and only for its owner, or standard output for
 * null. Throws an OutputExists unless `force` allows replacing the file, and a UsageError for a directory. `encode`
 * replaces UTF-8.
 */
export function openOutput(
  file: string | null,
  force: boolean,
  encode: (text: string) => Uint8Array = Buffer.from,
): Output {
  if (file === null) return standardOutput(encode);
  refuseDirectory(file);
  if (!force && existsSync(file)) throw new OutputExists(file);
  const unfinished = `${file}.${randomName(8)}.tmp`;
  const handle = open(unfinished, file);
  let buffered = "";
  const flush = () => {
    const bytes = encode(buffered);
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    buffered = "";
  };
  return {
    async write(text) {
      buffered += text;
      if (buffered.length > bufferedMax) flush();
    },
    finish() {
      flush();
      syncToDisk(unfinished);
      if (force) renameSync(unfinished, file);
      else nameFile(unfinished, file);
      syncToDisk(dirname(file));
    },
    close() {
      closeSync(handle);
      rmSync(unfinished, { force: true });
    },
  };
}

function standardOutput(encode: (text: string) => Uint8Array): Output {
  return {
    async write(text) {
      if (!process.stdout.write(encode(text))) await once(process.stdout, "drain");
    },
    finish() {},
    close() {},
  };
}

class OutputExists extends Error {
  override readonly name = "OutputExists";
  constructor(file: string) {
    super(`${file} already exists and was not replaced: --force replaces it.`);
  }
}
