/**
 * Builds `dist/till` for this machine: Bun, the code, the worker, the fonts and the styles in one executable file.
 * `--all` builds `dist/till-PLATFORM` for every platform that Bun runs on instead, and their checksums.
 */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";

/** Bun's names of the platforms; baseline is for processors from before 2013, musl for Alpine Linux. */
const platforms = [
  "linux-x64",
  "linux-x64-baseline",
  "linux-x64-musl",
  "linux-arm64",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
] as const;

/** What is built: named from outside, or by the clone this is; `.git` of a directory above would be another. */
const described = Bun.spawnSync(["git", "--git-dir=.git", "describe", "--always", "--dirty", "--exclude=*"], {
  stdio: ["ignore", "pipe", "ignore"],
});
const commit =
  process.env["TILL_BUILD_COMMIT"] || (described.success ? described.stdout.toString().trim() : "");
const defined = /^[\w-]+$/.test(commit) ? ["--define", `TILL_COMMIT="${commit}"`] : [];

/** Makes one executable and returns its file. Ends the process when it cannot. */
function build(platform?: (typeof platforms)[number]): string {
  const name = platform === undefined ? "dist/till" : `dist/till-${platform}`;
  const outfile = platform === "windows-x64" ? `${name}.exe` : name;
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
      // Otherwise the executable would run what lies in its working directory.
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      ...defined,
      "src/main.ts",
      "src/document/pdf-worker.ts",
      "--outfile",
      outfile,
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  if (!success) process.exit(1);
  console.log(`${outfile}: ${(Bun.file(outfile).size / 1_000_000).toFixed(0)} MB`);
  return outfile;
}

async function checksum(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
  return `${hash.digest("hex")}  ${file.slice("dist/".length)}\n`;
}

const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });
if (values.all) {
  const sums: string[] = [];
  for (const platform of platforms) sums.push(await checksum(build(platform)));
  await Bun.write("dist/SHA256SUMS", sums.join(""));
} else {
  build();
}
