import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** Signs as minisign does, with a key of its own. */
export function newSigner() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const id = randomBytes(8);
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return {
    /** As it stands in assets/release-keys.txt. */
    publicKey: Buffer.concat([Buffer.from("Ed"), id, raw]).toString("base64"),
    sign(content: Uint8Array, comment: string): string {
      const signature = sign(null, createHash("blake2b512").update(content).digest(), privateKey);
      const all = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey);
      return [
        "untrusted comment: signature from minisign secret key",
        Buffer.concat([Buffer.from("ED"), id, signature]).toString("base64"),
        `trusted comment: ${comment}`,
        all.toString("base64"),
        "",
      ].join("\n");
    },
  };
}

export type Signer = ReturnType<typeof newSigner>;
