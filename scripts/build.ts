/**
 * Builds the executable: Bun, the code, the worker, the fonts and the styles in one file.
 *
 *   bun run build                dist/till, for this machine
 *   bun run build linux-arm64    dist/till-linux-arm64
 *
 * TILL_BUILD_RELEASES is the URL below which `till update` finds releases: https://github.com/OWNER/NAME/releases
 */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";

/** Bun's names of the platforms; baseline is for processors from before 2013, musl for Alpine Linux. */
export const platforms = [
  "linux-x64",
  "linux-x64-baseline",
  "linux-x64-musl",
  "linux-arm64",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
] as const;

export type Platform = (typeof platforms)[number];

/**
 * What is built: named from outside, or by the clone this is; `.git` of a directory above would be another. In a fixed
 * length: the same commit gives the same bytes in every clone.
 */
export function commitOfBuild(): string {
  const named = process.env["TILL_BUILD_COMMIT"];
  if (named !== undefined && named !== "") return named;
  // The image that the Dockerfile builds in has no git.
  if (Bun.which("git") === null) return "";
  const described = Bun.spawnSync(
    ["git", "--git-dir=.git", "describe", "--always", "--abbrev=12", "--dirty", "--exclude=*"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  return described.success ? described.stdout.toString().trim() : "";
}

const defines = (values: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : ["--define", `${name}=${JSON.stringify(value)}`],
  );

/**
 * Makes one executable in a directory and returns its file; with `metafile`, also says there, as esbuild does, what went
 * into it. Without a platform it is for this machine. Ends the process when it cannot.
 */
export async function build({
  platform,
  directory = "dist",
  metafile,
  releases = process.env["TILL_BUILD_RELEASES"],
  keys,
  version,
}: {
  platform?: Platform | undefined;
  directory?: string;
  metafile?: string;
  releases?: string | undefined;
  /** Instead of those in assets/release-keys.txt and package.json, for tests. */
  keys?: string;
  version?: string;
}): Promise<string> {
  const { scripts } = await import("../src/pages/scripts.ts");
  const name = platform === undefined ? "till" : `till-${platform}`;
  const outfile = `${directory}/${platform === "windows-x64" ? `${name}.exe` : name}`;
  const commit = commitOfBuild();
  rmSync(outfile, { force: true });
  const { success } = Bun.spawnSync(
    [
      process.execPath,
      "build",
      "--compile",
      ...(platform === undefined ? [] : [`--target=bun-${platform}`]),
      "--minify-syntax",
      "--minify-whitespace",
      // Each command reads its own code only: till health is asked every few seconds.
      "--splitting",
      "--format=esm",
      // Compiled here rather than at each start: the first answer comes in half the time.
      "--bytecode",
      // Otherwise the executable would run what lies in its working directory.
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      ...(/^[\w-]+$/.test(commit) ? ["--define", `TILL_COMMIT="${commit}"`] : []),
      ...defines({
        TILL_PLATFORM: platform,
        TILL_RELEASES: releases,
        TILL_RELEASE_KEYS: keys,
        TILL_VERSION: version,
      }),
      "--define",
      `BROWSER_SCRIPTS=${JSON.stringify(JSON.stringify(scripts))}`,
      ...(metafile === undefined ? [] : [`--metafile=${metafile}`]),
      "src/main.ts",
      "src/document/worker/pdf-worker.ts",
      "src/store/files/thread-worker.ts",
      "--outfile",
      outfile,
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  if (!success) process.exit(1);
  console.log(`${outfile}: ${(Bun.file(outfile).size / 1_000_000).toFixed(0)} MB`);
  return outfile;
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const unknown = positionals.filter((name) => !platforms.some((platform) => platform === name));
  if (unknown.length > 0) {
    console.error(`There is no platform ${unknown.join(", ")}. Choose from: ${platforms.join(", ")}`);
    process.exit(2);
  }
  const chosen = platforms.filter((platform) => positionals.includes(platform));
  for (const platform of chosen.length === 0 ? [undefined] : chosen) await build({ platform });
}
