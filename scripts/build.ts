/** Builds `dist/till`: Bun, the code, the worker, the fonts and the styles in one executable file. */
import { rmSync } from "node:fs";

const outfile = "dist/till";

/** What is built, when this is a clone: `.git` of a directory above would name something else. */
const described = Bun.spawnSync(["git", "--git-dir=.git", "describe", "--always", "--dirty", "--exclude=*"], {
  stdio: ["ignore", "pipe", "ignore"],
});
const commit = described.success ? described.stdout.toString().trim() : "";
const defined = /^[\w-]+$/.test(commit) ? ["--define", `TILL_COMMIT="${commit}"`] : [];

rmSync(outfile, { force: true });
const built = Bun.spawnSync(
  [
    process.execPath,
    "build",
    "--compile",
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
if (!built.success) process.exit(1);
console.log(`${outfile}: ${(Bun.file(outfile).size / 1_000_000).toFixed(0)} MB`);
