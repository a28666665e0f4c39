import { join } from "node:path";

export const sumsFile = "SHA256SUMS";
export const signatureFile = `${sumsFile}.minisig`;

/** The SHA-256 of every file in a directory, in sha256sum's form, but for this list and its signature. */
export async function sumsOf(directory: string): Promise<string> {
  const lines: string[] = [];
  for (const file of [...new Bun.Glob("*").scanSync(directory)].sort())
    if (file !== sumsFile && file !== signatureFile)
      lines.push(`${await checksumOf(join(directory, file))}  ${file}\n`);
  return lines.join("");
}

async function checksumOf(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
  return hash.digest("hex");
}
