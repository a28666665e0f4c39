/**
 * Runs the tests of a lane, `whole` unless told: `bun run test [unit|parts|whole|nightly]`. The whole installs what the
 * tests need beyond npm packages, checks the code and builds the executable too; nightly runs the attacks alone, for as
 * long as a night has, and looks whether Till is as fast as it was. Ends with `N passed, N failed` alone on a line.
 */
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";

/** Tests start real chains, servers and browsers, on machines that may be slow and busy: only what hangs is cut off. */
const testTimeoutMs = 120_000;

/** Code that runs a few times takes longer to compile well than that saves: ten times as often as usual comes before. */
const compileLate = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "10000",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "1000000",
};

/** Garbage is looked for when there is much of it. To look by the clock, too, is for processes that idle for long. */
const collectLate = { BUN_GC_TIMER_DISABLE: "1" };

/** Of one test of a night. */
const nightTimeoutMs = 3_600_000;

/** Much of a test is waiting: for a chain, a browser, a clock. Each process takes up to a gigabyte and a half. */
const filesAtOnce = Math.max(2, Math.min(7, Math.floor(totalmem() / 1_500_000_000)));
const aloneAtOnce = 2;

/** These measure time so closely that they run last, and no more of them at a time than there are processors. */
const alone = [
  "test/cli/client.test.ts",
  "test/mail/encryption.test.ts",
  "test/mail/transport.test.ts",
  "test/outbox/post.test.ts",
];

/**
 * How long each file took, in ms, when this was last written: the longest begin first, so that none is left over at
 * the end. `TEST_TIMES=write` writes it anew.
 */
const timesFile = "test/times.json";
const unitMsMax = 1_000;
const longestShown = 10;

type Times = { files: Record<string, number> };
const readTimes = (file: string) => (JSON.parse(readFileSync(file, "utf8")) as Times).files;
const times = readTimes(timesFile);

/** Needs the executable, or all of Till and everything around it. */
const isOfTheWhole = (file: string) => /^test\/(e2e|faults|scripts)\//.test(file);

/** What attacks Till, and how much of it a night brings; every run tries a little of each. */
const attacks: Record<string, Readonly<Record<string, string>>> = {
  "test/chain/contract/custody/custody.test.ts": { TEST_CUSTODY_SEEDS: "2000" },
  "test/desk/sweep.test.ts": { TEST_EVERY: "yes" },
  "test/http/attack/fuzz.test.ts": { TEST_FUZZ: "2000" },
  "test/invoicing/refunds.test.ts": { TEST_REFUND_ROUNDS: "600" },
  "test/invoicing/close.test.ts": { TEST_CLOSE_RUNS: "1000" },
  "test/http/invoices/tax.test.ts": { TEST_TAXED_INVOICES: "300", TEST_TAXED_PDFS: "100" },
  "test/http/attack/slow-connections.test.ts": { TEST_SLOW_CONNECTIONS: "1000" },
  "test/pages/accessibility.test.ts": { TEST_EVERY: "yes" },
  "test/pages/looks.test.ts": { TEST_EVERY: "yes" },
  "test/pages/tool-pages.test.ts": { TEST_EVERY: "yes" },
  "test/watch/chain-attack.test.ts": { TEST_ATTACK_SEEDS: "500" },
  "test/document/invoice-layout.test.ts": { TEST_RUNS: "2000" },
  "test/domain/bill/credit-note.test.ts": { TEST_RUNS: "20000" },
  "test/domain/einvoice/einvoice.test.ts": { TEST_RANDOM_EINVOICES: "2000" },
  "test/store/backup.test.ts": { TEST_BACKUPS: "60" },
  "test/store/restore.test.ts": { TEST_RESTORE_KILLS: "300" },
  "test/store/search.test.ts": { TEST_SEARCHES: "600" },
  "test/world/simulation.test.ts": { TEST_WORLD_SEEDS: "60", TEST_WORLD_DAYS: "1" },
  "test/watch/flood.test.ts": { TEST_FLOODED_BLOCKS: "20" },
  "test/watch/connection-drops.test.ts": { TEST_DROPS: "200" },
  "test/e2e/update.test.ts": { TEST_EVERY: "yes" },
  "test/e2e/kill/credit-note-kill.test.ts": { TEST_KILLS: "60" },
  "test/e2e/kill/endpoint-kill.test.ts": { TEST_ENDPOINT_KILLS: "30" },
  "test/e2e/kill/kill.test.ts": { TEST_KILLS: "300" },
  "test/e2e/kill/mail-kill.test.ts": { TEST_KILLS: "30" },
  "test/e2e/kill/quote-kill.test.ts": { TEST_QUOTE_KILLS: "30" },
  "test/e2e/kill/recurring-kill.test.ts": { TEST_RECURRING_KILLS: "30" },
  "test/e2e/kill/refund-kill.test.ts": { TEST_REFUND_KILLS: "30" },
  "test/e2e/kill/settlement-kill.test.ts": { TEST_KILLS: "100" },
  "test/e2e/kill/relay-kill.test.ts": { TEST_RELAY_KILLS: "100" },
  "test/e2e/kill/reusable-kill.test.ts": { TEST_REUSABLE_KILLS: "30" },
  "test/e2e/kill/stop-under-load.test.ts": { TEST_STOPS: "100" },
  "test/scripts/contracts.test.ts": { TEST_EVERY: "yes" },
  "test/upgrade/kept.test.ts": { TEST_EVERY: "yes" },
  "test/upgrade/upgrade-kept.test.ts": { TEST_UPGRADE_KILLS: "20" },
};

/** Which test files a lane runs. */
const lanes: Record<string, (file: string) => boolean> = {
  unit: (file) => !isOfTheWhole(file) && (times[file] ?? 0) < unitMsMax,
  parts: (file) => !isOfTheWhole(file),
  whole: () => true,
  nightly: (file) => file in attacks,
};
const lane = process.argv[2] ?? "whole";
const inLane = lanes[lane];
if (inLane === undefined) {
  console.error(`There is no lane ${lane}: choose ${Object.keys(lanes).join(", ")}.`);
  process.exit(2);
}
const files = [...new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync()].sort().filter(inLane);

const debianPackages = {
  "chromium-headless-shell": "/usr/lib/chromium/chromium-headless-shell",
  "fonts-dejavu-core": "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
  minisign: "/usr/bin/minisign",
  "nginx-light": "/usr/sbin/nginx",
  openssl: "/usr/bin/openssl",
  "php-cli": "/usr/bin/php",
  "poppler-utils": "/usr/bin/pdftotext",
  python3: "/usr/bin/python3",
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

let passed = 0;
let failed = 0;
function count(isGood: boolean): void {
  if (isGood) passed += 1;
  else failed += 1;
}

/** Checks the code beside the tests, which wait often, and says what it found once it is done. */
async function check(): Promise<void> {
  const child = Bun.spawn([process.execPath, "run", "check"], { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const isGood = (await child.exited) === 0;
  console.log(isGood ? "The check of the code passed." : `The check of the code failed:\n${stdout}${stderr}`);
  count(isGood);
}

/** Where what tests write is in memory, a fifth of their time is saved: databases wait for the disk at every commit. */
const inMemory = "/dev/shm";
/** Five times what a run takes at its peak. */
const scratchBytesMin = 1_000_000_000;

/** Whether there is room, and programs may run: some tests run copies of Till. */
function isFit(dir: string): boolean {
  if (!existsSync(dir)) return false;
  const { bavail, bsize } = statfsSync(dir);
  if (bavail * bsize < scratchBytesMin) return false;
  const trial = mkdtempSync(join(dir, "till-test-run-"));
  try {
    copyFileSync("/bin/true", join(trial, "true"));
    return Bun.spawnSync([join(trial, "true")]).success;
  } catch {
    return false;
  } finally {
    rmSync(trial, { recursive: true });
  }
}

/** Of the whole run: what a test that is cut off leaves behind goes with it. */
const scratch = mkdtempSync(join(isFit(inMemory) ? inMemory : tmpdir(), "till-test-run-"));
// Some tests run Till as another user, who has to get through to its own directories.
chmodSync(scratch, 0o711);
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const measured = join(scratch, "times.json");
copyFileSync(timesFile, measured);

/** Runs some test files, so many at once, and counts what passed and failed. */
async function runTests(
  some: readonly string[],
  atOnce: number,
  {
    timeoutMs = testTimeoutMs,
    env = { ...compileLate, ...collectLate },
  }: { timeoutMs?: number; env?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  if (some.length === 0) return;
  console.log(`$ bun test, ${some.length} files, ${atOnce} at once`);
  const tests = Bun.spawn(
    [
      process.execPath,
      "test",
      `--timeout=${timeoutMs}`,
      `--parallel=${atOnce}`,
      "--no-isolate",
      `--timings=${measured}`,
      "--update-timings",
      "--only-failures",
      ...some.map((file) => `./${file}`),
    ],
    { stdio: ["ignore", "inherit", "pipe"], env: { ...process.env, ...executable, ...env, TMPDIR: scratch } },
  );
  let isStopped = false;
  const end = (signal: NodeJS.Signals) => {
    isStopped = true;
    tests.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  let report = "";
  const decoder = new TextDecoder();
  for await (const chunk of tests.stderr) {
    process.stderr.write(chunk);
    report += decoder.decode(chunk, { stream: true });
  }
  const exitCode = await tests.exited;
  if (isStopped) process.exit(130);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
  const told = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(report)?.[1] ?? 0);
  passed += told("pass");
  failed += told("fail");
  // A runner that died did not report what failed.
  if ((exitCode !== 0 && told("fail") === 0) || told("pass") === 0) failed += 1;
}

const startedAt = performance.now();
const checks: Promise<void>[] = [];
/** Once it is built, tests run what users run. It also starts in half the time. */
const executable: { TEST_TILL?: string } = {};
if (lane === "whole" || lane === "nightly") {
  installDebianPackages();
  const isBuilt = run(process.execPath, "run", "build");
  count(isBuilt);
  if (isBuilt) executable.TEST_TILL = join(import.meta.dir, "../dist/till");
  if (lane === "whole") checks.push(check());
}
if (lane === "nightly") {
  for (const file of files)
    await runTests([file], 1, { timeoutMs: nightTimeoutMs, env: attacks[file] ?? {} });
  count(run(process.execPath, "run", "bench", "--quick"));
} else {
  const isAlone = (file: string) => alone.includes(file);
  await runTests(
    files.filter((file) => !isAlone(file)),
    filesAtOnce,
  );
  await Promise.all(checks);
  await runTests(files.filter(isAlone), aloneAtOnce);
}

const longest = Object.entries(readTimes(measured))
  .filter(([file]) => files.includes(file))
  .sort(([, a], [, b]) => b - a);
console.log("The longest files, in seconds:");
for (const [file, ms] of longest.slice(0, longestShown))
  console.log(`${(ms / 1000).toFixed(1).padStart(6)} ${file}`);
if (process.env["TEST_TIMES"] === "write") {
  const sorted = Object.fromEntries(longest.sort(([a], [b]) => (a < b ? -1 : 1)));
  await Bun.write(timesFile, `${JSON.stringify({ version: 1, files: sorted }, null, 2)}\n`);
}
console.log(`All of it took ${Math.round((performance.now() - startedAt) / 1000)} s.`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
