import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commentOf, releaseKeys, sign, throwAwayKey, verify } from "./sign.ts";
import { sumsFile, sumsOf } from "./sums.ts";

/** Of one thing that was tried: null when this machine cannot, and why. */
type Trial = { what: string; command: string[] | null; lacks?: string };

/**
 * Tries a release that was made in a directory: builds it a second time, uses every artifact that runs here, signs it with
 * a key that nobody keeps. Then says what could not be tried, and what is left for a person. Throws what went wrong.
 */
export async function rehearse(
  directory: string,
  release: { version: string; lowest: string; isDated: boolean },
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "till-rehearsal-"));
  const untried: string[] = [];
  try {
    await buildAgain(directory, join(scratch, "another/place"));
    for (const { what, command, lacks } of trials(directory, scratch, release.version)) {
      if (command === null) untried.push(`${what}: ${lacks}`);
      else run(what, command);
    }
    await Bun.write(join(directory, sumsFile), await sumsOf(directory));
    const comment = commentOf(release.version, release.lowest);
    const { secret, publicKey } = throwAwayKey();
    sign(directory, secret, comment);
    verify(directory, publicKey, comment);
    console.log(`✓ signed with a key for this once, and verified: ${comment}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  if (untried.length > 0) console.log(`\nNot tried here; the workflow does:\n${listOf(untried)}`);
  console.log(`\nLeft for a person:\n${listOf(leftFor(release))}`);
}

const listOf = (items: readonly string[]) => items.map((item) => `- ${item}`).join("\n");

function run(what: string, command: readonly string[], cwd = "."): void {
  const { success, stdout, stderr } = Bun.spawnSync([...command], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (!success) throw new Error(`${what}: ${command.join(" ")} failed\n${stdout}${stderr}`);
  console.log(`✓ ${what}`);
}

/** Another clone in another place has to give the same bytes. */
async function buildAgain(directory: string, place: string): Promise<void> {
  run("cloned for a second build", ["git", "clone", "-q", "--no-hardlinks", ".", place]);
  run("the same packages", [process.execPath, "install", "--frozen-lockfile"], place);
  run("built a second time", [process.execPath, "scripts/release.ts", "--rehearse", "--files"], place);
  const [first, second] = [directory, join(place, directory)].map((of) =>
    readFileSync(join(of, sumsFile), "utf8"),
  );
  if (first !== second) throw new Error(`The second build differs:\n${first}\n${second}`);
  console.log("✓ the second build has the same bytes");
}

const works = (...command: string[]) => {
  const [program = ""] = command;
  return (
    Bun.which(program) !== null && Bun.spawnSync(command, { stdio: ["ignore", "ignore", "ignore"] }).success
  );
};

/** Every artifact of which this machine may run a copy. */
function trials(directory: string, scratch: string, version: string): Trial[] {
  const smoke = (...command: string[]) => [process.execPath, "scripts/release/smoke.ts", ...command];
  const file = (platform: string) => join(directory, `till-${platform}`);
  const debOf = (architecture: string) => join(directory, `till_${version}_${architecture}.deb`);
  const isX64 = process.platform === "linux" && process.arch === "x64";
  const when = (can: boolean, command: string[]) => (can ? command : null);

  const [unpacked, root] = [join(scratch, "deb"), join(scratch, "root")];
  const arm64Libraries = "/usr/aarch64-linux-gnu";
  const emulated = ["qemu-aarch64-static", "-L", arm64Libraries];
  const canEmulate = isX64 && works("qemu-aarch64-static", "--version") && existsSync(arm64Libraries);
  const canUnpack = Bun.which("dpkg-deb") !== null;
  const isRoot = process.getuid?.() === 0;
  const hasDocker = works("docker", "info");
  return [
    ...["linux-x64", "linux-x64-baseline"].map((platform) => {
      return {
        what: `used till-${platform}`,
        command: when(isX64, smoke(file(platform))),
        lacks: "this is no Linux on x64",
      };
    }),
    {
      what: "used till-linux-arm64",
      command: when(canEmulate, smoke(...emulated, file("linux-arm64"))),
      lacks: "needs qemu-user-static and libc6-arm64-cross",
    },
    ...["linux-x64-musl", "linux-arm64-musl", "darwin-x64", "darwin-arm64", "windows-x64"].map((platform) => {
      return { what: `used till-${platform}`, command: null, lacks: "needs another system" };
    }),
    {
      what: "lintian finds nothing in the Debian packages",
      command: when(works("lintian", "--version"), [
        ...["lintian", "--no-cfg", "--allow-root", "--fail-on", "error,warning"],
        ...[debOf("amd64"), debOf("arm64")],
      ]),
      lacks: "needs lintian",
    },
    {
      what: "unpacked the Debian package",
      command: when(canUnpack, ["dpkg-deb", "-x", debOf("amd64"), unpacked]),
      lacks: "needs dpkg-deb",
    },
    {
      what: "used the Debian package",
      command: when(canUnpack && isX64, smoke(join(unpacked, "usr/bin/till"))),
      lacks: "needs dpkg-deb, on x64",
    },
    {
      what: "made the image's root file system",
      command: when(isRoot && isX64, ["scripts/rootfs.sh", root, file("linux-x64"), "amd64"]),
      lacks: "needs root",
    },
    {
      what: "used it",
      command: when(isRoot && isX64, smoke("scripts/release/in-rootfs.sh", root)),
      lacks: "needs root",
    },
    {
      what: "built the images",
      command: when(hasDocker, ["scripts/release/image.sh"]),
      lacks: "needs a Docker engine",
    },
    {
      what: "installed, upgraded and purged the Debian package",
      command: null,
      lacks: "scripts/release/try-deb.sh needs a Debian that may be thrown away",
    },
  ];
}

/** What no script does. */
function leftFor({ version, isDated }: { version: string; isDated: boolean }): string[] {
  const key = [
    "once: `minisign -G -W -p till.pub -s till.key`; the second line of till.pub goes into assets/release-keys.txt, till.key " +
      "into the repository's secret MINISIGN_KEY (environment `release`) and onto paper, and is then deleted",
  ];
  return [
    ...(releaseKeys().length === 0 ? key : []),
    ...(isDated ? [] : [`write today's date after [${version}] in CHANGELOG.md, and commit`]),
    "if anything came that docs/stability.md promises: `bun test/http/docs/keep.ts`, `bun test/stability/promises.ts`, commit",
    `git tag -s v${version} -m "Till ${version}" && git push origin v${version}`,
    "wait for the workflow `release`: it checks, builds twice, tries every artifact, and drafts the release",
    "approve its last job, which signs (environment `release`)",
    "look at the draft on GitHub, and press Publish: the workflow `publish` then pushes the images",
  ];
}
