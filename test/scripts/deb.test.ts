import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { packageOf } from "../../scripts/release/deb.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { blocks, project } from "../support/till/handbook.ts";

const dir = makeDataDir();
afterAll(() => dir.remove());

const executable = join(dir.path, "till");
const deb = join(dir.path, "till.deb");
const timeSec = Date.parse("2027-01-02T03:04:05Z") / 1000;
const code = "#!/bin/sh\necho till\n";

const ask = (...args: string[]) => {
  const ran = Bun.spawnSync(["dpkg-deb", ...args], { env: { ...process.env, TZ: "UTC" }, stderr: "pipe" });
  if (!ran.success) throw new Error(ran.stderr.toString());
  return ran.stdout.toString();
};
const asset = (name: string) => readFileSync(join(project, "assets/debian", name), "utf8");

beforeAll(async () => {
  writeFileSync(executable, code);
  writeFileSync(deb, await packageOf(executable, "arm64", timeSec));
});

test("the handbook shows the unit of the Debian package, for an executable that somebody installed by hand", () => {
  expect(blocks("ini")).toEqual([asset("till.service").replace("/usr/bin/till", "/usr/local/bin/till")]);
});

describe("the Debian package", () => {
  test("is the same for the same executable and time, whatever the clock says", async () => {
    expect(await packageOf(executable, "arm64", timeSec)).toEqual(readFileSync(deb));
    expect(await packageOf(executable, "arm64", timeSec + 1)).not.toEqual(readFileSync(deb));
  });

  test("says what it is", () => {
    const fields = ["Package", "Version", "Architecture", "Depends"].map((field) =>
      ask("-f", deb, field).trim(),
    );
    expect(fields).toEqual(["till", manifest.version, "arm64", "adduser, libc6 (>= 2.17)"]);
  });

  test("holds the executable, the unit and the settings, all of them root's", () => {
    const lines = ask("-c", deb).trim().split("\n");
    const files = lines.map((line) => line.trim().split(/\s+/));
    expect(files.filter(([, owner]) => owner !== "root/root")).toEqual([]);
    expect(files.filter(([, , , day, time]) => `${day} ${time}` !== "2027-01-02 03:04")).toEqual([]);
    const modes = Object.fromEntries(files.map(([mode = "", , , , , path = ""]) => [path, mode]));
    expect(modes).toMatchObject({
      "./": "drwxr-xr-x",
      "./usr/bin/till": "-rwxr-xr-x",
      "./usr/lib/systemd/system/till.service": "-rw-r--r--",
      "./etc/till/till.env": "-rw-r--r--",
    });
    const root = join(dir.path, "root");
    ask("-x", deb, root);
    expect(readFileSync(join(root, "usr/bin/till"), "utf8")).toBe(code);
    expect(readFileSync(join(root, "usr/lib/systemd/system/till.service"), "utf8")).toBe(
      asset("till.service"),
    );
    expect(statSync(join(root, "usr/bin/till")).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(root, "usr/share/doc/till/copyright"), "utf8")).toContain(
      "Permission is hereby granted",
    );
  });

  test("keeps the settings that somebody wrote, and runs scripts that a shell takes", () => {
    const about = join(dir.path, "about");
    ask("-e", deb, about);
    expect(readFileSync(join(about, "conffiles"), "utf8")).toBe("/etc/till/till.env\n");
    const sums = Bun.spawnSync(["md5sum", "--check", "--quiet", join(about, "md5sums")], {
      cwd: join(dir.path, "root"),
    });
    expect(sums.success).toBe(true);
    for (const name of ["postinst", "prerm", "postrm"]) {
      expect(readFileSync(join(about, name), "utf8")).toBe(asset(name));
      expect(Bun.spawnSync(["sh", "-n", join(about, name)]).success).toBe(true);
    }
  });

  test("deletes no wallet: no script removes a file", () => {
    for (const name of ["postinst", "prerm", "postrm"]) {
      const commands = asset(name).replaceAll(/echo ".*"/g, "");
      expect(commands).not.toMatch(/\b(rm|unlink|shred|truncate|userdel|deluser|find)\b/);
    }
  });
});
