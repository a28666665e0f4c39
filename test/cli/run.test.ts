import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { helpOf } from "../../src/cli/help.ts";
import { commands } from "../../src/cli/run.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { makeBackup } from "../../src/store/files/backup.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { program, startProcess } from "../support/till/process.ts";
import { callTill } from "../support/till/run-till.ts";

async function till(...args: string[]): Promise<{ exitCode: number; output: string }> {
  const { exitCode, stdout, stderr } = await callTill(args);
  return { exitCode, output: stdout + stderr };
}

/** What runs a command as somebody to whom a mode of 0 means something: root may read everything. */
const asStranger =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : [];

describe("somebody else than the user that Till runs as", () => {
  test("is told so, and not that there is no database", async () => {
    const dir = makeDataDir();
    const dataDir = join(dir.path, "in/a/folder");
    closeDatabase(openDatabase(dataDir));
    chmodSync(dir.path, 0);
    const env = {
      TILL_DATA_DIR: dataDir,
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: "http://127.0.0.1:9",
      TILL_WALLET_PASSPHRASE: "p",
    };
    const run = async (args: string[]) => {
      const child = startProcess([...asStranger, ...program, ...args], { env });
      return { exitCode: await child.exited, output: child.output() };
    };
    // Each has another way to the data.
    for (const args of [
      ["key", "list"],
      ["backup", "/tmp/never-written.db"],
      ["wallet", "show"],
      ["serve"],
    ]) {
      expect(await run(args)).toEqual({
        exitCode: 1,
        output: `till ${args[0]}: ${dataDir} may not be read by this user: run this as the user that Till runs as.\n`,
      });
    }
    const { exitCode, output } = await run(["doctor"]);
    expect(exitCode).toBe(1);
    expect(output).toContain(`✗ wrong  data directory: ${dataDir} may not be read and written by this user.`);
    expect(output).not.toMatch(/ok +(wallet|access|database)/);
    chmodSync(dir.path, 0o700);
    dir.remove();
  });

  test.each(["till.db", "backup.db"])("is told by till restore which file it is: %s", async (forbidden) => {
    const dir = makeDataDir();
    const file = join(dir.path, "backup.db");
    closeDatabase(openDatabase(dir.path));
    makeBackup({ dataDir: dir.path, file, force: false, version: "1", now: Date.now() });
    chmodSync(join(dir.path, forbidden), 0);
    const env = { TILL_DATA_DIR: dir.path };
    const child = startProcess([...asStranger, ...program, "restore", file, "--force"], { env });
    expect(await child.exited).toBe(forbidden === "till.db" ? 2 : 1);
    expect(child.output()).toContain(
      forbidden === "till.db"
        ? `${join(dir.path, "till.db")} may not be read by this user: run this as the user that Till runs as.`
        : `${file} is not a backup that can be restored: this user may not read it. Nothing was changed.`,
    );
    dir.remove();
  });
});

describe("till", () => {
  test("prints its version", async () => {
    expect(await till("--version")).toEqual({ exitCode: 0, output: `till ${manifest.version}\n` });
  });

  test("lists its commands, and helps with each", async () => {
    const { exitCode, output } = await till("--help");
    expect(exitCode).toBe(0);
    const listed = [...output.matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name = ""]) => name);
    expect(listed).toContain("invoice");
    expect(listed.filter((name) => !Object.hasOwn(commands, name))).toEqual([]);
    const help = await till("list", "--help");
    expect(help).toMatchObject({ exitCode: 0, output: expect.stringContaining("Usage: till list") });
    expect(await till("help", "list")).toEqual(help);
    expect((await till("key", "--help")).output).toContain("Usage: till key create");
    expect((await till("key", "create", "--help")).output).toContain("--scope");
  });

  test("says in the first line of rescan, restore, recover and rescue which of the others it is not", async () => {
    const first = async (name: string) => (await till(name, "--help")).output.split("\n\n")[0];
    expect(await first("restore")).toContain("recover");
    expect(await first("recover")).toContain("restore");
    expect(await first("rescue")).toMatch(/rescan.+restore\s+or\s+recover/s);
    expect(await first("rescan")).toContain("rescue");
    expect((await till("help")).output).toMatch(/\n\nEmergencies\n {2}rescan /);
  });

  test.each(Object.entries(commands))(
    "helps with %s in 80 columns, and names every flag that it takes",
    async (name, { summary, load }) => {
      const loaded = await load();
      const pages = [
        [helpOf(name, summary, loaded), "actions" in loaded ? {} : loaded.flags] as const,
        ...Object.entries("actions" in loaded ? loaded.actions : {}).map(
          ([action, each]) =>
            [helpOf(`${name} ${action}`, each.summary, each.command), each.command.flags] as const,
        ),
      ];
      expect(pages[0]?.[0]).toContain("\nExample");
      for (const [page, flags] of pages) {
        expect(page).toContain(`Usage: till ${name}`);
        expect(page.split("\n").filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
        for (const flag of Object.keys(flags)) expect(page).toContain(`\n  --${flag}`);
      }
    },
  );

  test("guesses what was meant", async () => {
    expect(await till("invocie")).toEqual({
      exitCode: 2,
      output: 'till: there is no command "invocie". Did you mean till invoice?\n',
    });
    expect((await till("heal")).output).toContain("Did you mean till health?");
    expect((await till("--versoin")).output).toContain("Did you mean till --version?");
    expect(await till("list", "--lmit", "3")).toEqual({
      exitCode: 2,
      output: "till list: there is no option --lmit. Did you mean --limit?\n",
    });
    expect((await till("list", "--frobnicate=1")).output).toBe(
      "till list: there is no option --frobnicate. till list --help shows how to use it.\n",
    );
    expect((await till("\u001b[31m")).output).toContain('no command "\\u001b[31m".\n\nUsage: till COMMAND');
  });

  test("prints no character that a terminal acts on, in text or in JSON", async () => {
    const dir = makeDataDir();
    closeDatabase(openDatabase(dir.path));
    for (const flags of [[], ["--json"]]) {
      const file = join(dir.path, `\u009b2J\u202e${flags.length}.db`);
      const { stdout } = await callTill(["backup", file, ...flags], { env: { TILL_DATA_DIR: dir.path } });
      expect(stdout).toContain(`/\\u009b2J\\u202e${flags.length}.db`);
      expect(stdout).not.toMatch(/[\u009b\u202e]/);
    }
    dir.remove();
  });

  test("looks for keys in no database that it had to make", async () => {
    const dir = makeDataDir();
    const dataDir = join(dir.path, "mistyped");
    const misnamed = await callTill(["key", "create", "--name", "a<b"], { env: { TILL_DATA_DIR: dataDir } });
    expect(misnamed.exitCode).toBe(2);
    for (const args of [["list"], ["revoke", "1"]]) {
      const { exitCode, stderr } = await callTill(["key", ...args], { env: { TILL_DATA_DIR: dataDir } });
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: `till key: There is no database in ${dataDir}. TILL_DATA_DIR says where Till keeps its data\n`,
      });
    }
    expect(existsSync(dataDir)).toBe(false);
    dir.remove();
  });

  test("exits with 2 when it is called wrongly, and says how", async () => {
    for (const [args, said] of [
      [[], "Usage: till COMMAND"],
      [["serve", "--port"], "--port"],
      [["pay"], "give an invoice"],
      [["pay", "abc", "1,50"], '"1,50"'],
    ] as const)
      expect(await till(...args)).toMatchObject({ exitCode: 2, output: expect.stringContaining(said) });
  });

  test.each([
    [["serve", "now"], "unexpected argument: now. till serve --help shows how to use it."],
    [["pay", "abc", "-5"], "there is no option -5. till pay --help shows how to use it."],
    [["list", "--limit"], "--limit needs a value. till list --help shows how to use it."],
    [["list", "--limit", "-5"], "--limit needs a value. Write one that begins with a dash as --limit=-…"],
    [["list", "--all=yes"], "--all takes no value."],
    [["key", "create", "webshop"], "unexpected argument: webshop. A name is given with --name webshop."],
    [["key", "list", "webshop"], "unexpected argument: webshop. till key list --help shows how to use it."],
    [["key", "revoke", "1", "2"], "say which key: its number in till key list."],
    [
      ["key", "list", "--name", "webshop"],
      "there is no option --name. till key list --help shows how to use it.",
    ],
  ])("says what is wrong with till %j", async (args, message) => {
    expect(await till(...args)).toEqual({ exitCode: 2, output: `till ${args[0]}: ${message}\n` });
  });

  test("lists no keys of an older database, and makes no change to it", async () => {
    const dir = makeDataDir();
    const db = openDatabase(dir.path);
    db.run("PRAGMA user_version = 0");
    closeDatabase(db);
    const before = readFileSync(join(dir.path, "till.db"));
    const { exitCode, stdout, stderr } = await callTill(["key", "list"], {
      env: { TILL_DATA_DIR: dir.path },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain("written by an earlier version of Till");
    expect(readFileSync(join(dir.path, "till.db")).equals(before)).toBe(true);
    dir.remove();
  });

  test("makes keys with a scope, a merchant and an end, lists them for people and for programs, and revokes them", async () => {
    const dir = makeDataDir();
    const env = { TILL_DATA_DIR: dir.path, TILL_TIMEZONE: "Pacific/Kiritimati" };
    const key = (...args: string[]) => callTill(["key", ...args], { env });
    const json = async (...args: string[]) => JSON.parse((await key(...args, "--json")).stdout);
    const year = new Date().getUTCFullYear() + 1;
    const until = ["--expires", `${year}-06-30`];
    expect(await json("create", "--name", "a", "--scope", "read", ...until)).toMatchObject({
      scope: "read",
      merchant_email: null,
      expires_at: `${year}-06-30T10:00:00.000Z`,
    });
    expect(await json("create", "--name", "b", "--merchant", "Jo@Shop.example")).toMatchObject({
      scope: "shop",
      merchant_email: "jo@shop.example",
      expires_at: null,
    });
    expect(await json("create", "--name", "c", "--scope", "metrics")).toMatchObject({
      scope: "metrics",
      key: expect.stringMatching(/^till_/),
    });
    const { stdout } = await key("list");
    for (const row of [
      /ID +STATE +SCOPE +MERCHANT +MADE +LAST USED +EXPIRES +NAME/,
      new RegExp(`1 +active +read +all +.* +never +${year}-07-01 00:00`),
      /2 +active +shop +jo@shop\.example +.* +never +never +b/,
      /3 +active +metrics +all/,
    ])
      expect(stdout).toMatch(row);
    for (const [args, said] of [
      [["--scope", "all"], '--scope must be "read", "shop", "full" or "metrics".'],
      [["--merchant", "nobody"], "--merchant must be one address such as name@example.com."],
      [["--merchant", "a@b.example", "--scope", "full"], "--merchant must be omitted with full"],
      [["--expires", "soon"], "--expires must be a day such as 2026-12-31, or a time with its time zone"],
      [["--expires", "2020-01-01"], "--expires must be in the future"],
      [["--name", "a/b"], "--name must have up to 100 letters"],
    ] as const) {
      const { exitCode, stderr } = await key("create", ...args);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)]);
    }
    const listed = await json("list");
    expect(listed).toHaveLength(3);
    expect(listed[2]).toEqual({
      ...{ id: 3, name: "c", scope: "metrics", merchant_email: null, created_at: expect.any(String) },
      ...{ last_used_at: null, expires_at: null, revoked_at: null },
    });
    expect(await json("revoke", "3")).toEqual({ ok: true });
    expect((await json("list"))[2]).toMatchObject({ revoked_at: expect.any(String) });
    dir.remove();
  });

  test("names what does not answer when paying", async () => {
    const { exitCode, output } = await till("pay", "http://127.0.0.1:9/i/abc");
    expect(exitCode).toBe(1);
    expect(output).toContain("no Till answers at http://127.0.0.1:9");
    expect(output).toContain("till dev");
  });
});
