import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataDirIn, exeOf, otherWay, serviceOf, urlIn } from "../../src/update/machine.ts";

const inExecutable = "/$bunfs/root/till";

test("what is not Till's to replace has another way", () => {
  expect(otherWay("/usr/local/bin/till", "1.2.3")).toContain("runs from source: check out v1.2.3");
  expect(otherWay(process.execPath, "1.2.3", inExecutable)).toBeNull();
  if (Bun.which("dpkg-query") !== null)
    expect(otherWay("/usr/bin/dpkg", "1.2.3", inExecutable)).toContain("apt install ./till_1.2.3_");
  const first = exeOf(1);
  if (existsSync("/.dockerenv") && first !== null)
    expect(otherWay(first, "1.2.3", inExecutable)).toContain("docker pull");
});

test("what is the first process of its machine is a container, which nothing has to mark", () => {
  const code = `import { otherWay } from "${join(import.meta.dir, "../../src/update/machine.ts")}";
    console.log(otherWay(process.execPath, "1.2.3", "${inExecutable}", []));`;
  const user = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const asFirst = ["unshare", "--pid", "--fork", "--mount-proc", ...user];
  const [first, other] = [asFirst, []].map((way) => Bun.spawnSync([...way, process.execPath, "-e", code]));
  expect(first?.stdout.toString()).toContain("docker pull");
  expect(other?.stdout.toString()).toBe("null\n");
});

test("a service is found by its executable, and several are not chosen from", () => {
  const dir = mkdtempSync(join(tmpdir(), "till-units-"));
  const systemctl = join(dir, "systemctl");
  const unit = (id: string, command: string, pid: number) =>
    `Id=${id}\nExecStart={ path=${process.execPath} ; argv[]=${process.execPath} ${command} ; ignore_errors=no }\n` +
    `MainPID=${pid}\nUID=7\nGID=8\n`;
  const tells = (...units: string[]) => {
    writeFileSync(systemctl, `#!/bin/sh\ncat <<'END'\n${units.join("\n")}END\n`);
    chmodSync(systemctl, 0o755);
    return serviceOf(process.execPath, systemctl);
  };
  expect(tells(unit("a.service", "backup", 1), unit("b.service", "serve", process.pid))).toMatchObject({
    unit: "b.service",
    pid: process.pid,
    user: { uid: 7, gid: 8 },
    environment: { PATH: process.env["PATH"] },
    cwd: process.cwd(),
  });
  expect(tells(unit("a.service", "serve", 0))).toMatchObject({ unit: "a.service", environment: null });
  const ofRoot = unit("c.service", "serve", process.pid).replace(/ID=\d\n/g, "ID=[not set]\n");
  expect(tells(ofRoot)).toMatchObject({ unit: "c.service", user: { uid: 0, gid: 0 } });
  expect(tells("")).toBeNull();
  expect(serviceOf(process.execPath, join(dir, "none"))).toBeNull();
  expect(() => tells(unit("a.service", "serve", 1), unit("b.service", "serve", 1))).toThrow(
    "Several services run",
  );
  expect(() => tells(unit("a.service", "serve", 2 ** 30))).toThrow("Run as root");
  rmSync(dir, { recursive: true });
});

test("a Till is asked where it listens, and its data is where it keeps it", () => {
  expect([
    urlIn({}),
    urlIn({ TILL_HOST: "0.0.0.0", TILL_PORT: "8080" }),
    urlIn({ TILL_HOST: "::" }),
    urlIn({ TILL_HOST: "10.0.0.7" }),
  ]).toEqual(["http://127.0.0.1:3000", "http://127.0.0.1:8080", "http://[::1]:3000", "http://10.0.0.7:3000"]);
  expect([dataDirIn({}, "/srv/till"), dataDirIn({ TILL_DATA_DIR: "/var/lib/till" }, "/")]).toEqual([
    "/srv/till/data",
    "/var/lib/till",
  ]);
});
