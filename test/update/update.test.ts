import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { lockExecutable, replace, takeBack } from "../../src/update/executable.ts";
import { nameHere } from "../../src/update/machine.ts";
import { as, dataDirAt } from "../../src/update/owner.ts";
import { compareVersions } from "../../src/update/release.ts";
import { finish, goBack, look, type Offer, update } from "../../src/update/update.ts";
import { hurry } from "../support/hurry.ts";
import { until } from "../support/till/till.ts";
import { type Fake, fakeTill, makeStand, quiet, type Stand } from "./stand.ts";

let stand: Stand;
beforeEach(() => {
  stand = makeStand();
});
afterEach(() => stand.remove());

/** Publishes this executable as the release of its version, and finds it. */
async function offerOf(fake: Fake, { safeFrom = "1.0.0" } = {}): Promise<Offer> {
  stand.publish({ version: fake.version, safeFrom, executable: fakeTill(fake) });
  return await look("1.0.0", stand.wish());
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "it was not refused",
    (thrown: Error) => `${thrown.name}: ${thrown.message}`,
  );

/** Nothing was changed, and nothing is left. */
function isUntouched(): void {
  expect(stand.installed()).toBe("1.0.0");
  expect(stand.beside().filter((name) => !name.startsWith(".till.update-lock"))).toEqual(["till"]);
  expect(stand.copies()).toEqual([]);
}

describe("a look", () => {
  test("finds a newer release, and says whether this one has a hole", async () => {
    const offer = await offerOf({ version: "1.2.3" }, { safeFrom: "1.1.0" });
    expect(offer).toMatchObject({ release: { version: "1.2.3" }, isWanted: true, isUrgent: true });
    expect(await look("1.1.0", stand.wish())).toMatchObject({ isWanted: true, isUrgent: false });
    expect(await look("1.2.3", stand.wish())).toMatchObject({ isWanted: false, isUrgent: false });
    isUntouched();
  });

  test("wants an older one only when it is named", async () => {
    await offerOf({ version: "0.9.0" }, { safeFrom: "0.9.0" });
    expect(await look("1.0.0", stand.wish())).toMatchObject({ isWanted: false });
    expect(await look("1.0.0", stand.wish({ version: "0.9.0" }))).toMatchObject({ isWanted: true });
    expect(await refusal(look("1.0.0", stand.wish({ version: "0.8.0" })))).toContain("is 0.9.0, not 0.8.0");
  });

  test("takes nothing without a key, or from nowhere", async () => {
    await offerOf({ version: "1.2.3" });
    expect(await refusal(look("1.0.0", stand.wish({ keys: [] })))).toContain("knows no key");
    expect(await refusal(look("1.0.0", stand.wish({ from: null })))).toContain("--from");
  });

  test("takes no comment but Till's own, in its exact form", async () => {
    for (const comment of [
      "till 1.2.3",
      "till 1.2.3 security 1.2.3 ",
      "tell 1.2.3 security 1.2.3",
      "till 1.2.3-rc.1 security 1.2.3",
      "till 1.2.3 security 1.2.4",
    ]) {
      writeFileSync(join(stand.releaseDir, "SHA256SUMS"), "");
      const signature = stand.signer.sign(Buffer.from(""), comment);
      writeFileSync(join(stand.releaseDir, "SHA256SUMS.minisig"), signature);
      expect(await refusal(look("1.0.0", stand.wish()))).toMatch(
        /which is not of Till\.$|has a security hole\.$/,
      );
    }
  });

  test("orders versions by number", () => {
    const sorted = ["0.9.9", "1.0.0", "1.0.2", "1.0.10", "1.2.0", "1.10.0", "10.0.0"];
    expect(sorted.toReversed().sort(compareVersions)).toEqual(sorted);
    expect(compareVersions("1.0.0-rc.1", "1.0.0")).toBe(0);
  });
});

describe("an update", () => {
  test("replaces the executable, keeps the old one, and copies the data", async () => {
    const steps: string[] = [];
    const outcome = await update(stand.target(), await offerOf({ version: "1.2.3" }), (step) => {
      steps.push(step);
    });
    expect(outcome).toEqual({ kind: "replaced", copy: join(stand.dataDir, "till.db.before-update-1.2.3") });
    expect(stand.installed()).toBe("1.2.3");
    expect(readFileSync(join(stand.bin, "till.before-update"), "utf8")).toBe(fakeTill({ version: "1.0.0" }));
    expect(statSync(stand.file).mode & 0o777).toBe(0o755);
    expect(statSync(join(stand.dataDir, "till.db.before-update-1.2.3")).mode & 0o777).toBe(0o600);
    expect(steps).toHaveLength(4);
  });

  test("skips as many versions as there are between, and keeps the last three copies", async () => {
    for (const version of ["1.1.0", "1.2.0", "1.3.0", "27.4.12"]) {
      await update({ ...stand.target(), version: stand.installed() }, await offerOf({ version }), quiet);
      expect(stand.installed()).toBe(version);
    }
    expect(stand.copies()).toEqual([
      "till.db.before-update-1.2.0",
      "till.db.before-update-1.3.0",
      "till.db.before-update-27.4.12",
    ]);
  });

  test.skipIf(process.getuid?.() !== 0)("leaves the data to its owner, and none of it to root", async () => {
    const nobody = 65_534;
    const tree = Bun.spawnSync(["chown", "-R", `${nobody}:${nobody}`, stand.dataDir]);
    expect(tree.success).toBe(true);
    const { copy } = (await update(stand.target(), await offerOf({ version: "1.2.3" }), quiet)) as {
      copy: string;
    };
    expect([statSync(copy).uid, statSync(copy).gid]).toEqual([nobody, nobody]);
    expect([process.geteuid?.(), process.getegid?.(), process.getgroups?.()?.includes(nobody)]).toEqual([
      0,
      0,
      false,
    ]);
  });

  test("takes no file but the one that was signed, and runs none before", async () => {
    const offer = await offerOf({ version: "1.2.3" });
    const ran = join(stand.dir, "ran");
    writeFileSync(join(stand.releaseDir, nameHere()), `#!/bin/sh\ntouch ${ran}\n`);
    expect(await refusal(update(stand.target(), offer, quiet))).toContain(
      "is not the file that the release signed",
    );
    expect(existsSync(ran)).toBe(false);
    isUntouched();
  });

  test("takes no file that says that it is another version, or that does not run here", async () => {
    stand.publish({ version: "1.2.3", executable: fakeTill({ version: "1.2.2" }) });
    const offer = await look("1.0.0", stand.wish());
    expect(await refusal(update(stand.target(), offer, quiet))).toContain("says that it is 1.2.2");
    for (const executable of [
      "#!/bin/sh\nexit 0\n",
      "#!/no/such/interpreter\n",
      "\u007fELF",
      "#!/bin/sh\nyes\n",
    ]) {
      stand.publish({ version: "1.2.3", executable });
      const other = await look("1.0.0", stand.wish());
      expect(await refusal(update(stand.target(), other, quiet))).toContain("does not run on this machine");
    }
    isUntouched();
  });

  test("needs a file for this machine", async () => {
    stand.publish({ version: "1.2.3", executable: "x", name: "till-plan9-mips" });
    expect(await refusal(look("1.0.0", stand.wish()))).toContain(`has no ${nameHere()}`);
  });

  test("needs room for the copy of the data", async () => {
    const offer = await offerOf({ version: "1.2.3" });
    const log = join(stand.dataDir, "till.db-wal");
    writeFileSync(log, "");
    truncateSync(log, 10_000_000_000_000);
    expect(await refusal(update(stand.target(), offer, quiet))).toMatch(/There is no room in .*data: \d+ MB/);
    isUntouched();
  });

  test("needs a directory that it may write, and says how to run as root", async () => {
    // As root, another user; as another one, a change of user does nothing.
    chmodSync(stand.bin, 0o555);
    expect(() => as({ uid: 65_534, gid: 65_534 }, () => lockExecutable(stand.file))).toThrow(
      /cannot be replaced \(.*EACCES.*\. Run as root: sudo till update$/,
    );
    chmodSync(stand.bin, 0o755);
    expect(() => lockExecutable("/proc/till")).toThrow(/cannot be replaced/);
  });

  test("needs a disk that it may write", () => {
    const code = `import { lockExecutable } from "${join(import.meta.dir, "../../src/update/executable.ts")}";
      try { lockExecutable("${stand.file}"); } catch (thrown) { console.log(thrown.message); }`;
    const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';
    const user = process.getuid?.() === 0 ? [] : ["--map-root-user"];
    const asked = Bun.spawnSync([
      "unshare",
      "--mount",
      ...user,
      "sh",
      "-c",
      script,
      "sh",
      stand.bin,
      process.execPath,
      "-e",
      code,
    ]);
    expect(asked.stdout.toString()).toMatch(
      /cannot be replaced \(EROFS.*Its directory must be writable\.\n$/,
    );
  });

  test("goes on alone", async () => {
    const offer = await offerOf({ version: "1.2.3" });
    const done = await Promise.allSettled([1, 2].map(() => update(stand.target(), offer, quiet)));
    expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [failed] = done.filter((each) => each.status === "rejected");
    expect(failed?.reason.message).toContain("Another till update is replacing");
    expect(stand.installed()).toBe("1.2.3");
  });

  test("replaces nothing that another one put in place while this one was asking", async () => {
    const offer = await offerOf({ version: "1.2.3" });
    const asking = stand.target();
    await update(stand.target(), offer, quiet);
    expect(await refusal(update(asking, offer, quiet))).toContain("is Till 1.2.3 by now");
    expect(readFileSync(join(stand.bin, "till.before-update"), "utf8")).toBe(fakeTill({ version: "1.0.0" }));
  });

  test("leaves an executable in place where Windows refuses a rename, and can be taken back there", () => {
    const platform = Object.getOwnPropertyDescriptor(process, "platform") ?? {};
    Object.defineProperty(process, "platform", { ...platform, value: "win32" });
    try {
      expect(() => replace(stand.file, join(stand.bin, "none"))).toThrow("ENOENT");
      expect(stand.installed()).toBe("1.0.0");
      const fresh = join(stand.bin, ".till.update-fresh");
      writeFileSync(fresh, fakeTill({ version: "1.2.3" }));
      replace(stand.file, fresh);
      expect(stand.installed()).toBe("1.2.3");
      const running = openSync(stand.file, "r");
      takeBack(stand.file);
      // A program that runs can be renamed there, and not replaced.
      expect(fstatSync(running).nlink).toBe(1);
      closeSync(running);
      expect(stand.installed()).toBe("1.0.0");
    } finally {
      Object.defineProperty(process, "platform", platform);
    }
  });

  test("does not put in place what cannot read the data", async () => {
    const offer = await offerOf({ version: "1.2.3", schema: 0 });
    expect(await refusal(update(stand.target(), offer, quiet))).toMatch(
      /cannot read this data, which has schema 1; it knows 0\. .* till restore FILE --force$/,
    );
    isUntouched();
  });
});

const started = async () => {
  stand.start();
  await until(stand.answers, (version) => version === "1.0.0");
};

/** However slow the machine is, it answers once and is gone before it has answered again. */
const diesWhenAskedAgain = `const { serve } = Bun;
    let isAsked = false;
    Bun.serve = (app) => serve({ ...app, fetch(request) {
      if (isAsked) process.exit(1);
      isAsked = true;
      console.log("asked");
      return app.fetch(request);
    } })`;

test("an update of a service goes back from one that is well only for a moment", async () => {
  await started();
  const offer = await offerOf({ version: "1.2.3", does: diesWhenAskedAgain });
  const outcome = await update(stand.target({ served: true, patienceMs: 2_000 }), offer, quiet);
  expect(outcome).toMatchObject({ kind: "failed", back: { kind: "back" } });
  expect(readFileSync(join(stand.dir, "log"), "utf8")).toContain("asked");
});

describe("an update of a service", () => {
  hurry();

  test("restarts it, and is done once it is ready", async () => {
    await started();
    const outcome = await update(stand.target({ served: true }), await offerOf({ version: "1.2.3" }), quiet);
    expect(outcome.kind).toBe("runs");
    expect(await stand.answers()).toBe("1.2.3");
    expect(stand.calls().filter((call) => !call.startsWith("show"))).toEqual([
      "start",
      "restart till.service",
    ]);
  });

  test("restarts none that does not run", async () => {
    const outcome = await update(stand.target({ served: true }), await offerOf({ version: "1.2.3" }), quiet);
    expect(outcome.kind).toBe("replaced");
    expect(await stand.answers()).toBe("");
  });

  test("is left to whoever may restart it", async () => {
    await started();
    stand.deny();
    const outcome = await update(stand.target({ served: true }), await offerOf({ version: "1.2.3" }), quiet);
    expect([outcome.kind, await stand.answers(), stand.installed()]).toEqual(["replaced", "1.0.0", "1.2.3"]);
  });

  test("goes back when it is not well", async () => {
    await started();
    for (const bad of [{ status: 503 }, { does: "process.exit(2)" }]) {
      const offer = await offerOf({ version: "1.2.3", ...bad });
      const outcome = await update(stand.target({ served: true, patienceMs: 400 }), offer, quiet);
      expect(outcome).toMatchObject({
        kind: "failed",
        back: { kind: "back", version: "1.0.0", isStanding: true, replaced: false },
      });
      expect(await stand.answers()).toBe("1.0.0");
      expect(stand.installed()).toBe("1.0.0");
    }
  });

  test("expects no more of the new one than of the old one", async () => {
    stand.remove();
    stand = makeStand({ version: "1.0.0", status: 503 });
    await started();
    const offer = await offerOf({ version: "1.2.3", status: 503 });
    expect((await update(stand.target({ served: true }), offer, quiet)).kind).toBe("runs");
  });

  const upgrades = `db.run("PRAGMA user_version = 2")`;
  const sets = `db.run("INSERT OR IGNORE INTO preference (name, value, changed_at) VALUES (char(97), char(49), 1)")`;

  test("puts the data back too when the new one changed its schema and nothing came since", async () => {
    await started();
    // A copy of an earlier update that is damaged is not in the way.
    writeFileSync(join(stand.dataDir, "till.db.before-update-0.9.0"), "no database at all");
    const offer = await offerOf({ version: "1.2.3", schema: 2, status: 503, does: upgrades });
    const outcome = await update(stand.target({ served: true, patienceMs: 400 }), offer, quiet);
    expect(outcome).toMatchObject({
      kind: "failed",
      back: { kind: "back", isStanding: true, replaced: true },
    });
    expect(await stand.answers()).toBe("1.0.0");
    expect(schema()).toBe(1);
  });

  test("leaves all as it is when something came since, and says what", async () => {
    await started();
    const offer = await offerOf({ version: "1.2.3", schema: 2, status: 503, does: `${upgrades}; ${sets}` });
    const outcome = await update(stand.target({ served: true, patienceMs: 400 }), offer, quiet);
    expect(outcome).toMatchObject({
      kind: "failed",
      back: { kind: "left", version: "1.0.0", came: ["1 preference"], copy: outcome.copy },
    });
    await until(stand.answers, (version) => version === "1.2.3");
    expect([stand.installed(), schema()]).toEqual(["1.2.3", 2]);
  });

  test("puts the data back of one that upgrades it only when it is told to end", async () => {
    await started();
    const slow = `process.on("SIGTERM", () => process.exit(0)); Bun.sleepSync(1500); ${upgrades}`;
    const offer = await offerOf({ version: "1.2.3", schema: 2, does: slow });
    const outcome = await update(stand.target({ served: true, patienceMs: 100 }), offer, quiet);
    expect(outcome).toMatchObject({ kind: "failed", back: { kind: "back", isStanding: true } });
    expect([schema(), await stand.answers()]).toEqual([1, "1.0.0"]);
  });

  test("waits longer for one that upgrades the data first", async () => {
    await started();
    const offer = await offerOf({ version: "1.2.3", schema: 2, does: `Bun.sleepSync(1000); ${upgrades}` });
    const outcome = await update(stand.target({ served: true, patienceMs: 400 }), offer, quiet);
    expect(outcome).toMatchObject({ kind: "runs" });
    expect(schema()).toBe(2);
  });

  test("runs, and is told of, when it cannot be taken back", async () => {
    await started();
    const offer = await offerOf({ version: "1.2.3", status: 503 });
    const failed = update(stand.target({ served: true, patienceMs: 400 }), offer, (step) => {
      if (step.startsWith("Putting")) rmSync(join(stand.bin, "till.before-update"));
    });
    expect(await refusal(failed)).toMatch(/^Error: Till 1\.2\.3 was not well .* failed: ENOENT.*\. Once /);
    await until(stand.answers, (version) => version === "1.2.3");
  });

  test("is not taken back as long as nobody knows whether the old one can read the data", async () => {
    writeFileSync(join(stand.bin, "till.before-update"), fakeTill({ version: "0.9.0", schema: 0 }));
    chmodSync(join(stand.bin, "till.before-update"), 0o755);
    const target = { ...stand.target({ served: true }), data: dataDirAt(join(stand.dir, "elsewhere")) };
    expect(await refusal(goBack(target, quiet))).toMatch(/There is no data in .*elsewhere.*--data-dir\.$/);
    expect(stand.installed()).toBe("1.0.0");
  });

  test("can be taken back later", async () => {
    await started();
    await update(stand.target({ served: true }), await offerOf({ version: "1.2.3" }), quiet);
    const target = { ...stand.target({ served: true }), version: "1.2.3" };
    expect(await goBack(target, quiet)).toEqual({
      kind: "back",
      version: "1.0.0",
      isStanding: true,
      replaced: false,
    });
    expect(await stand.answers()).toBe("1.0.0");
    expect(await refusal(goBack(stand.target(), quiet))).toContain("nothing can be taken back");
  });

  test("that was interrupted before the restart is finished", async () => {
    await started();
    await update(stand.target(), await offerOf({ version: "1.2.3" }), quiet);
    expect(await stand.answers()).toBe("1.0.0");
    const target = { ...stand.target({ served: true }), version: "1.2.3" };
    const copy = join(stand.dataDir, "till.db.before-update-1.2.3");
    expect(await finish(target, quiet)).toEqual({ kind: "runs", copy });
    expect(await stand.answers()).toBe("1.2.3");
  });

  function schema(): number {
    using db = new Database(join(stand.dataDir, "till.db"), { readonly: true });
    return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
  }
});
