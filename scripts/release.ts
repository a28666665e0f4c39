/**
 * Makes a release in dist/release: the executable of every platform, Debian packages, what is inside them, the notes out of
 * CHANGELOG.md, and the checksums. Refuses what nobody could make again: changes that are not committed, a commit without
 * the tag of its version, a version without a dated entry in CHANGELOG.md.
 *
 *   bun run release --rehearse   does without tag and date, tries all of it, and says what is left for a person
 *   bun run release --sign       signs what is in dist/release, images too, with the key in MINISIGN_KEY
 */
import { parseArgs } from "node:util";
import manifest from "../package.json";
import { entryOf, lowestSecure } from "./release/changelog.ts";

const directory = "dist/release";
const { values } = parseArgs({
  options: {
    rehearse: { type: "boolean", default: false },
    /** With `rehearse`: makes the files and tries nothing, as the second build of a rehearsal. */
    files: { type: "boolean", default: false },
    sign: { type: "boolean", default: false },
  },
});

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

const { version } = manifest;
const changelog = await Bun.file("CHANGELOG.md").text();
const entry =
  entryOf(changelog, version) ?? refuse(`CHANGELOG.md does not say what changes with ${version}.`);
const lowest =
  lowestSecure(changelog) ?? refuse("CHANGELOG.md does not name the lowest version without a security hole.");
if (Bun.semver.order(lowest, version) > 0)
  refuse(`CHANGELOG.md calls ${lowest} the lowest version without a security hole, and this is ${version}.`);
if (git("status", "--porcelain") !== "") refuse("there are changes that are not committed. See git status.");
if (!values.rehearse) {
  if (entry.date === null)
    refuse(`CHANGELOG.md has no date for ${version}. Write one, or try with --rehearse.`);
  if (!git("tag", "--points-at", "HEAD").split("\n").includes(`v${version}`))
    refuse(`this commit has no tag v${version}. Make one, or try with --rehearse.`);
  if (!process.env["TILL_BUILD_RELEASES"])
    refuse("TILL_BUILD_RELEASES is not set, so no executable would know where its releases are.");
}

if (values.sign) {
  const { releaseKeys, signRelease } = await import("./release/sign.ts");
  const keys = { key: process.env["MINISIGN_KEY"] ?? "", trusted: releaseKeys() };
  await signRelease(directory, { version, lowest, ...keys }).catch((thrown: Error) => refuse(thrown.message));
  console.log(`${directory} is signed: ${version}, and secure from ${lowest} on`);
} else {
  const { makeFiles } = await import("./release/files.ts");
  const printed = await makeFiles(directory, git("log", "-1", "--format=%cI")).catch((thrown: Error) =>
    refuse(thrown.message),
  );
  await Bun.write("dist/NOTES.md", `${entry.notes}\n`);
  console.log(`${printed} is in ${directory}, its notes in dist/NOTES.md`);
  if (values.rehearse && !values.files) {
    const { rehearse } = await import("./release/rehearse.ts");
    await rehearse(directory, { version, lowest, isDated: entry.date !== null });
  }
}
