/**
 * Makes a release in dist/release: the executable of every platform, what is inside them, the notes out of CHANGELOG.md,
 * and the checksums. Refuses what nobody could make again: changes that are not committed, a commit without the tag of
 * its version, a version without a dated entry in CHANGELOG.md. `--rehearse` does without tag and date.
 */
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import manifest from "../package.json";
import { build, commitOfBuild, platforms } from "./build.ts";
import { entryOf } from "./changelog.ts";

const directory = "dist/release";
const { values } = parseArgs({ options: { rehearse: { type: "boolean", default: false } } });

function refuse(reason: string): never {
  console.error(`No release is made: ${reason}`);
  process.exit(1);
}

function git(...args: string[]): string {
  const { success, stdout } = Bun.spawnSync(["git", "--git-dir=.git", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return success ? stdout.toString().trim() : refuse("this is no git clone.");
}

async function checksumOf(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
  return hash.digest("hex");
}

const { version } = manifest;
const entry =
  entryOf(await Bun.file("CHANGELOG.md").text(), version) ??
  refuse(`CHANGELOG.md does not say what changes with ${version}.`);
if (git("status", "--porcelain") !== "") refuse("there are changes that are not committed. See git status.");
if (!values.rehearse) {
  if (entry.date === null)
    refuse(`CHANGELOG.md has no date for ${version}. Write one, or try with --rehearse.`);
  if (!git("tag", "--points-at", "HEAD").split("\n").includes(`v${version}`))
    refuse(`this commit has no tag v${version}. Make one, or try with --rehearse.`);
}

rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
const metafile = "dist/metafile.json";
const executable = await build({ metafile });
const printed = Bun.spawnSync([executable, "--version"]).stdout.toString().trim();
if (printed !== `till ${version} (${commitOfBuild()})`)
  refuse(`the executable says that it is "${printed}".`);

// The commit's time, not today's: the same commit gives the same files.
const { sbomOf } = await import("./sbom.ts");
await Bun.write(`${directory}/till.cdx.json`, await sbomOf(metafile, git("log", "-1", "--format=%cI")));
for (const platform of platforms) await build({ platform, directory });
copyFileSync("LICENSE", `${directory}/LICENSE`);
await Bun.write("dist/NOTES.md", `${entry.notes}\n`);

const sums: string[] = [];
for (const file of [...new Bun.Glob("*").scanSync(directory)].sort())
  sums.push(`${await checksumOf(`${directory}/${file}`)}  ${file}\n`);
await Bun.write(`${directory}/SHA256SUMS`, sums.join(""));
console.log(`${printed} is in ${directory}, its notes in dist/NOTES.md`);
