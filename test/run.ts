/**
 * The whole check: installs what the tests need beyond npm packages, checks the code, builds the executable, runs
 * every test, and ends with `N passed, N failed` alone on a line.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Tests start real chains, servers and browsers, on machines that may be busy. */
const testTimeoutMs = 60_000;

/** Much of a test is waiting: for a chain, a browser, a clock. */
const filesAtOnce = 2;

const debianPackages = {
  chromium: "/usr/bin/chromium",
  "nginx-light": "/usr/sbin/nginx",
  openssl: "/usr/bin/openssl",
  "poppler-utils": "/usr/bin/pdftotext",
};

/** Runs a command with its output on this terminal; returns whether it succeeded. */
function run(...command: string[]): boolean {
  console.log(`$ ${command.join(" ")}`);
  return Bun.spawnSync(command, { stdio: ["ignore", "inherit", "inherit"] }).success;
}

function installDebianPackages(): void {
  const missing = Object.entries(debianPackages).filter(([, file]) => !existsSync(file));
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name);
  const sudo = process.getuid?.() === 0 ? [] : ["sudo"];
  const done =
    Bun.which("apt-get") !== null &&
    run(...sudo, "apt-get", "update", "-qq") &&
    run(...sudo, "apt-get", "install", "-y", "-qq", "--no-install-recommends", ...names);
  if (done) return;
  console.error(`The tests need ${names.join(" and ")}. On Debian: apt-get install ${names.join(" ")}`);
  process.exit(1);
}

installDebianPackages();

let passed = 0;
let failed = 0;
for (const step of ["check", "build"]) {
  if (run(process.execPath, "run", step)) passed += 1;
  else failed += 1;
}

/** Of the whole run: what a test that is cut off leaves behind goes with it. */
const scratch = mkdtempSync(join(tmpdir(), "till-test-run-"));
// Some tests run Till as another user, who has to get through to its own directories.
chmodSync(scratch, 0o711);
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const startedAt = performance.now();
console.log("$ bun test");
const tests = Bun.spawn(
  [process.execPath, "test", `--timeout=${testTimeoutMs}`, `--parallel=${filesAtOnce}`],
  {
    stdio: ["ignore", "inherit", "pipe"],
    env: { ...process.env, TMPDIR: scratch },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => tests.kill(signal));
let report = "";
const decoder = new TextDecoder();
for await (const chunk of tests.stderr) {
  process.stderr.write(chunk);
  report += decoder.decode(chunk, { stream: true });
}
const exitCode = await tests.exited;
const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(report)?.[1] ?? 0);
passed += count("pass");
failed += count("fail");
// A runner that died did not report what failed.
if (exitCode !== 0 && failed === 0) failed += 1;
if (count("pass") === 0) failed += 1;

console.log(`Tests took ${Math.round((performance.now() - startedAt) / 1000)} s.`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
