import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { UpdateRefused } from "./refused.ts";

/** Signatures as minisign makes them (jedisct1.github.io/minisign), in their prehashed form alone. */

const algorithms = { key: "Ed", prehashed: "ED" };
const lengths = { algorithm: 2, id: 8, key: 32, signature: 64 };

/** Precedes the 32 bytes of a key in DER (RFC 8410). */
const derPrefix = Buffer.from("302a300506032b6570032100", "hex");

export type ReleaseKey = { id: string; key: KeyObject };

/** The bytes of strict base64 of exactly this length; null for anything else. */
function bytesOf(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.length === length && bytes.toString("base64") === text ? bytes : null;
}

/** The keys in a list with one a line; `#` begins a comment. */
export function readKeys(list: string): ReleaseKey[] {
  const lines = list.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const bytes = bytesOf(line, lengths.algorithm + lengths.id + lengths.key);
      if (bytes?.subarray(0, lengths.algorithm).toString("latin1") !== algorithms.key)
        throw new UpdateRefused(`${JSON.stringify(line)} is no public key of minisign.`);
      const key = bytes.subarray(lengths.algorithm + lengths.id);
      return {
        id: idOf(bytes),
        key: createPublicKey({ key: Buffer.concat([derPrefix, key]), format: "der", type: "spki" }),
      };
    });
}

/** Formats the id of a key as minisign does. */
function idOf(bytes: Buffer): string {
  const id = bytes.subarray(lengths.algorithm, lengths.algorithm + lengths.id);
  return Buffer.from(id).reverse().toString("hex").toUpperCase();
}

const form = /^untrusted comment: .*\n(.+)\ntrusted comment: (.*)\n(.+)\n?$/;

/** The trusted comment of a signature of `content` by one of the keys. Throws an UpdateRefused for any other. */
export function trustedComment(content: Uint8Array, signature: string, keys: readonly ReleaseKey[]): string {
  const [, first = "", comment = "", last = ""] = form.exec(signature) ?? [];
  const head = bytesOf(first, lengths.algorithm + lengths.id + lengths.signature);
  const ofAll = bytesOf(last, lengths.signature);
  if (head === null || ofAll === null)
    throw new UpdateRefused(
      "What came as the signature of the release is none: perhaps a proxy or a login page answered instead.",
    );
  if (head.subarray(0, lengths.algorithm).toString("latin1") !== algorithms.prehashed)
    throw new UpdateRefused("The release is signed in a form that Till does not take (it takes ED).");
  const id = idOf(head);
  const key = keys.find((each) => each.id === id)?.key;
  if (key === undefined)
    throw new UpdateRefused(`The release is signed with the key ${id}, which this Till does not know.`);
  const ofContent = head.subarray(lengths.algorithm + lengths.id);
  const digest = createHash("blake2b512").update(content).digest();
  if (!verify(null, digest, key, ofContent))
    throw new UpdateRefused("The signature of the release is wrong: its checksums were changed.");
  if (!verify(null, Buffer.concat([ofContent, Buffer.from(comment)]), key, ofAll))
    throw new UpdateRefused("The signature of the release is wrong: its version was changed.");
  return comment;
}
