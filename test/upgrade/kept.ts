import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { schemaSteps } from "../../src/store/migrations.ts";
import { makeDataDir } from "../support/till/data-dir.ts";

/** What is to be known of a kept data directory to start a Till on it. */
export type About = {
  /** When its life ended, in Unix ms: what a page says may depend on the day. */
  now: number;
  passphrase: string;
  /** An API key that may do all. */
  key: string;
  /** Who owns the shop, by the id of the person. */
  owner: number;
};

/** Of a kept directory: the steps of its schema, and its files, each by its SHA-256. */
export type Frozen = Record<string, { steps: Record<string, string>; files: Record<string, string> }>;

const home = import.meta.dir;
const packed = ".zst";
const frozenFile = join(home, "frozen.json");
const sha256 = (bytes: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** The kept data directories, each named by the schema of the Till that left it. */
export const keptNames = (): string[] =>
  readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
    .map(({ name }) => name);

export const readFrozen = (): Frozen => JSON.parse(readFileSync(frozenFile, "utf8"));

/** What a kept directory, and the steps up to its schema, are now. */
export function hashesOf(name: string): Frozen[string] {
  const files = readdirSync(join(home, name)).sort();
  return {
    steps: Object.fromEntries(
      schemaSteps.slice(0, Number.parseInt(name, 10)).map((step, at) => [`${at + 1}`, sha256(step)]),
    ),
    files: Object.fromEntries(files.map((file) => [file, sha256(readFileSync(join(home, name, file)))])),
  };
}

/** Keeps a data directory for ever: its files compressed, and what is to be known of it. */
export function keep(name: string, dataDir: string, about: About): void {
  const target = join(home, name);
  mkdirSync(target);
  for (const file of readdirSync(dataDir).filter((each) => !/\.lock$|-wal$|-shm$/.test(each)))
    pack(join(target, file), readFileSync(join(dataDir, file)));
  writeFileSync(join(target, "about.json"), `${JSON.stringify(about, null, 2)}\n`);
}

/** What is expected of a kept directory. It is frozen with that. */
export function keepExpected(name: string, expected: object): void {
  pack(join(home, name, "expected.json"), JSON.stringify(expected, null, 1));
  writeFileSync(frozenFile, `${JSON.stringify({ ...readFrozen(), [name]: hashesOf(name) }, null, 2)}\n`);
}

function pack(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}${packed}`, Bun.zstdCompressSync(Buffer.from(content), { level: 19 }));
}

/** A copy of a kept data directory, as if its Till had just stopped. */
export function unpack(name: string) {
  const dir = makeDataDir();
  const source = join(home, name);
  const dataDir = join(dir.path, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const read = (file: string) => Bun.zstdDecompressSync(readFileSync(join(source, file)));
  const isOfTill = (file: string) => file.endsWith(packed) && !file.startsWith("expected.");
  for (const file of readdirSync(source).filter(isOfTill))
    writeFileSync(join(dataDir, file.slice(0, -packed.length)), read(file), { mode: 0o600 });
  return {
    dataDir,
    about: JSON.parse(readFileSync(join(source, "about.json"), "utf8")) as About,
    expected: () => JSON.parse(read(`expected.json${packed}`).toString()),
    remove: dir.remove,
  };
}
