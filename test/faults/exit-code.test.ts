import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase } from "../../src/store/database.ts";
import { ownPort } from "../support/http/port.ts";
import { install, makeDataDir, openNewDatabase, passphrase } from "../support/till/data-dir.ts";
import { blocks, shellLines } from "../support/till/handbook.ts";
import { endProcesses, program, startProcess } from "../support/till/process.ts";
import { callTill } from "../support/till/run-till.ts";

/** The exit code at which the handbook's service stays down. */
const staysDown = 2;

let dir: ReturnType<typeof makeDataDir>;
let dataDir: string;
const file = (name: string) => join(dataDir, name);

beforeEach(async () => {
  dir = makeDataDir();
  dataDir = join(dir.path, "data");
  await install(dataDir);
});
afterEach(() => dir.remove());
afterAll(endProcesses);

/** Root may read every file and listen on every port; this leaves out what the program must not have. */
const without = (capabilities: string) =>
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set", capabilities] : [];

const settings = () => ({
  TILL_CHAIN: "anvil",
  TILL_RPC_URL: "http://127.0.0.1:9",
  TILL_DATA_DIR: dataDir,
  TILL_WALLET_PASSPHRASE: passphrase,
  TILL_PORT: String(ownPort()),
});

const serve = (changes: Record<string, string> = {}, as: readonly string[] = []) =>
  startProcess([...as, ...program, "serve"], { env: { ...settings(), ...changes } });

/** The same in this process, where it costs less: it ends before there is anything to stop. */
async function called(changes: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await callTill(["serve"], { env: { ...settings(), ...changes } });
  return { code: exitCode, output: stdout + stderr };
}

async function endOf(till: ReturnType<typeof serve>): Promise<{ code: number; output: string }> {
  return { code: await till.exited, output: till.output() };
}

/** Changes the database as another program would. */
function alter(...statements: string[]): void {
  using db = new Database(file("till.db"), { create: true });
  for (const statement of statements) db.run(statement);
}

type Fault = {
  title: string;
  says: string;
  make?: () => unknown;
  env?: Record<string, string>;
  as?: readonly string[];
};

const lasting: Fault[] = [
  { title: "a setting is wrong", says: "TILL_TIMEZONE", env: { TILL_TIMEZONE: "Mars" } },
  {
    title: "a public Till has no API key",
    says: "there is no API key",
    env: { TILL_BASE_URL: "https://pay.acme.example" },
  },
  {
    title: "the passphrase is wrong",
    says: "the passphrase is wrong",
    env: { TILL_WALLET_PASSPHRASE: "something else" },
  },
  {
    title: "the passphrase has quotes around it that a shell would have taken away",
    says: "begins and ends with a quote",
    env: { TILL_WALLET_PASSPHRASE: `"${passphrase}"` },
  },
  {
    title: "the data directory is open to others, and another user's",
    says: "file_mode=0600,dir_mode=0700",
    make() {
      chmodSync(dataDir, 0o755);
      chownSync(dataDir, 1234, 1234);
    },
    as: without("-fowner"),
  },
  {
    title: "the wallet's file is damaged",
    says: "cannot be read",
    make: () => writeFileSync(file("wallet.age"), "{}"),
  },
  { title: "the wallet's file is gone", says: "put its file back", make: () => rmSync(file("wallet.age")) },
  {
    title: "the wallet is another one",
    says: "is another wallet",
    async make() {
      const other = join(dir.path, "other");
      await install(other);
      copyFileSync(join(other, "wallet.age"), file("wallet.age"));
    },
  },
  {
    title: "the database is gone, and its wallet is not",
    says: "till restore FILE",
    make: () => rmSync(file("till.db")),
  },
  {
    title: "the database is new, and its wallet is not: addresses would be given out twice",
    says: "till recover",
    make() {
      rmSync(file("till.db"));
      closeDatabase(openNewDatabase(dataDir));
    },
  },
  {
    title: "the database is another program's",
    says: "is not a database of Till",
    make: () => alter("PRAGMA application_id = 1"),
  },
  {
    title: "the lock's file is damaged",
    says: "delete it while no Till runs",
    make: () => writeFileSync(file("till.lock"), "not a lock ".repeat(1_000)),
  },
  {
    title: "the database is another user's",
    says: "may not be read by this user",
    make: () => chmodSync(file("till.db"), 0),
    as: without("-dac_override,-dac_read_search"),
  },
  {
    title: "this user may not listen on the port",
    says: "this user may not listen there",
    env: { TILL_PORT: "80" },
    as: without("-net_bind_service"),
  },
];

const passing: Fault[] = [
  {
    title: "the data directory's disk is not there yet",
    says: "cannot be used",
    env: { TILL_DATA_DIR: "/proc/none" },
  },
  {
    title: "the data directory is an empty place that this user may not enter",
    says: "may not be read by this user",
    make: () => chmodSync(dataDir, 0),
    as: without("-dac_override,-dac_read_search"),
  },
  {
    title: "the address is not this machine's yet",
    says: "till serve: TILL_HOST is 203.0.113.1, which is no address of this machine. Behind a proxy, leave it out.\n",
    env: { TILL_HOST: "203.0.113.1", TILL_OPEN_API: "true" },
  },
];

describe("till serve ends", () => {
  test.each(lasting)("with 2, which no restart mends: $title", async ({ says, make, env, as }) => {
    await make?.();
    const { code, output } = await (as === undefined ? called(env) : endOf(serve(env, as)));
    expect(output).toContain(says);
    expect(output).not.toContain(env?.["TILL_WALLET_PASSPHRASE"] ?? passphrase);
    expect(code).toBe(staysDown);
  });

  test.each(passing)("with 1, to be started again: $title", async ({ says, make, env, as }) => {
    await make?.();
    const { code, output } = await (as === undefined ? called(env) : endOf(serve(env, as)));
    chmodSync(dataDir, 0o700);
    expect(output).toContain(says);
    expect(code).toBe(1);
  });

  test("only when it is told to, on a volume that takes no change of access and needs none", async () => {
    for (const path of [dataDir, file("till.db")]) chownSync(path, 1234, 1234);
    const till = serve({}, without("-fowner"));
    await till.line((line) => line.includes("[ready]"));
    expect(await till.end()).toBe(0);
  });

  test("with 1, to be started again: another Till has the port, or the data directory", async () => {
    const port = String(ownPort());
    const first = serve({ TILL_PORT: port });
    // The node is away, which is no reason to end.
    await first.line((line) => line.includes("[ready]"));
    const second = await endOf(serve());
    expect([second.code, second.output]).toEqual([1, expect.stringContaining("already serves")]);
    const other = join(dir.path, "other");
    const third = await endOf(serve({ TILL_PORT: port, TILL_DATA_DIR: other }));
    expect(third.output).toContain(`Port ${port} of 127.0.0.1 cannot be used`);
    expect(third.output).toContain("TILL_PORT");
    // The port comes before anything is stored.
    expect(existsSync(join(other, "wallet.age"))).toBe(false);
    expect([third.code, third.output]).toEqual([1, expect.stringContaining("something else listens there")]);
    expect(await first.end()).toBe(0);
  });
});

test("a Till in another container is named without a process id, which means nothing there", async () => {
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const elsewhere = ["unshare", ...user, "--pid", "--fork", "--mount-proc", "--kill-child"];
  const first = serve({}, elsewhere);
  await first.line((line) => line.includes("[ready]"));
  const outside = await endOf(serve());
  const inside = await endOf(serve({}, elsewhere));
  for (const { code, output } of [outside, inside]) {
    expect(output).toContain("Another Till, in another container or on another machine, already serves");
    expect(code).toBe(1);
  }
  await first.end("SIGKILL");
  // A lock is no file that stays: nobody has it any more.
  const next = serve();
  await next.line((line) => line.includes("[ready]"));
  const second = await endOf(serve());
  expect(second.output).toContain(`Another Till (process ${next.pid}) already serves`);
  expect(await next.end()).toBe(0);
});

test("the handbook's service stays down at that code, and leaves no memory on the disk; nor does its container", () => {
  const [unit = ""] = blocks("ini");
  expect(unit).toContain(`RestartPreventExitStatus=${staysDown}\n`);
  expect(unit).toContain("Restart=on-failure\n");
  expect(unit).toContain("LimitCORE=0\n");
  const [container = ""] = shellLines.filter((line) => line.startsWith("docker run -d"));
  expect(container).toContain(" --ulimit core=0 ");
});
