import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { closeDatabase } from "../../src/store/database.ts";
import { nameHere, serviceOf } from "../../src/update/machine.ts";
import { readKeys } from "../../src/update/minisign.ts";
import { dataDirAt } from "../../src/update/owner.ts";
import type { ReleaseQuery, Target } from "../../src/update/update.ts";
import { ownPort } from "../support/http/port.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { newSigner, type Signer } from "./signer.ts";

/** What an executable of the tests is: what it says of itself, and how it serves. */
export type Fake = { version: string; schema?: number; status?: number; does?: string };

/** A small script in the place of an executable; `does` is code that runs before it serves, with `db` open. */
export function fakeTill({ version, schema = 1, status = 200, does = "" }: Fake): string {
  const server = `const { Database } = require("bun:sqlite");
    const db = new Database(process.env.TILL_DATA_DIR + "/till.db");
    ${does};
    db.close();
    Bun.serve({ hostname: "127.0.0.1", port: Number(process.env.TILL_PORT),
      fetch: () => new Response(${JSON.stringify(version)}, { status: ${status} }) });`;
  return `#!/bin/sh
case "$1" in
  --version) echo '{"version":"${version}","commit":null,"schema":${schema}}' ;;
  serve) exec ${process.execPath} -e '${server}' ;;
esac
`;
}

/** A release: the files by their names. */
export function releaseOf(
  signer: Signer,
  { version, safeFrom = version, executable, name = nameHere() }: ReleaseParts,
): Record<string, string | Buffer> {
  const sum = createHash("sha256").update(executable).digest("hex");
  const sums = `${"0".repeat(64)}  LICENSE\n${sum}  ${name}\n`;
  return {
    [name]: executable,
    SHA256SUMS: sums,
    "SHA256SUMS.minisig": signer.sign(Buffer.from(sums), `till ${version} security ${safeFrom}`),
  };
}

export type ReleaseParts = { version: string; safeFrom?: string; executable: string | Buffer; name?: string };

/** Acts as systemctl does towards Till, for one service that runs the executable. */
function systemctl(dir: string, file: string, env: Readonly<Record<string, string>>): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  return `#!/bin/sh
cd ${dir}
[ "$1" = --no-ask-password ] && shift
stop() {
  pid=$(cat pid); [ "$pid" = 0 ] && return
  kill "$pid"
  until ended "$pid" 2>/dev/null; do sleep 0.01; done
  echo 0 > pid
}
# With its last thread: before that the port is not free.
ended() {
  [ -e "/proc/$1" ] || return 0
  [ "$(ls "/proc/$1/task" | wc -l)" = 1 ] && grep -q '^State:.Z' "/proc/$1/status"
}
start() {
  env -i PATH="$PATH" ${variables.join(" ")} ${file} serve </dev/null >>log 2>&1 &
  echo $! > pid
}
echo "$*" >> calls
[ -e denied ] && [ "$1" != show ] && exit 1
case "$1" in
  show) printf 'ExecStart={ path=/usr/bin/other ; argv[]=/usr/bin/other serve ; }\\nId=other.service\\nMainPID=1\\n\\n'
    printf 'MainPID=%s\\nId=till.service\\nExecStart={ path=${file} ; argv[]=${file} serve ; ignore_errors=no }\\nUID=%s\\nGID=%s\\n' "$(cat pid)" "$(id -u)" "$(id -g)" ;;
  start) start ;;
  stop) stop ;;
  restart) stop; start ;;
esac
`;
}

const longMs = 20_000;

export type Stand = ReturnType<typeof makeStand>;

/**
 * A machine with an old executable, data, a place for a release, and a service on request. `real`: the file of an
 * executable instead of a script, and the environment of its service.
 */
export function makeStand(
  old: Fake = { version: "1.0.0" },
  real: { executable: string; env: Record<string, string> } | null = null,
) {
  const dir = makeDataDir();
  const at = (name: string) => join(dir.path, name);
  const [bin, dataDir, releaseDir] = [at("bin"), at("data"), at("release")];
  // Its owner is another user in a test.
  chmodSync(dir.path, 0o711);
  for (const path of [bin, releaseDir]) mkdirSync(path);
  const file = join(bin, "till");
  if (real === null) {
    writeFileSync(file, fakeTill(old));
    closeDatabase(openNewDatabase(dataDir));
  } else copyFileSync(real.executable, file);
  chmodSync(file, 0o755);
  const signer = newSigner();
  const port = ownPort();
  const env: Record<string, string> = { TILL_DATA_DIR: dataDir, TILL_PORT: String(port), ...real?.env };
  const control = at("systemctl");
  writeFileSync(at("pid"), "0\n");
  writeFileSync(control, systemctl(dir.path, file, env));
  chmodSync(control, 0o755);
  const run = (action: string) => Bun.spawnSync([control, action]);
  return {
    dir: dir.path,
    bin,
    file,
    dataDir,
    releaseDir,
    signer,
    env,
    systemctl: control,
    url: `http://127.0.0.1:${port}`,
    publish(parts: ReleaseParts): void {
      for (const [name, content] of Object.entries(releaseOf(signer, parts)))
        writeFileSync(join(releaseDir, name), content);
    },
    wish: (changes: Partial<ReleaseQuery> = {}): ReleaseQuery => ({
      from: releaseDir,
      version: null,
      releases: null,
      keys: readKeys(signer.publicKey),
      ...changes,
    }),
    /**
     * As the command finds it; `served`: with the service; `patienceMs`: for the new one, when that will not be well.
     */
    target({ served = false, patienceMs = longMs } = {}): Target {
      const waits = [patienceMs];
      return {
        file,
        version: old.version,
        data: dataDirAt(dataDir),
        service: served ? serviceOf(file, control) : null,
        systemctl: control,
        get waitMs() {
          return waits.shift() ?? longMs;
        },
      };
    },
    start: () => run("start"),
    stop: () => run("stop"),
    restart: () => run("restart"),
    /** From now on systemd restarts nothing. */
    deny: () => writeFileSync(at("denied"), ""),
    /** The version that the service answers with; empty when it does not. */
    answers: async () =>
      await fetch(`http://127.0.0.1:${port}`).then(
        (r) => r.text(),
        () => "",
      ),
    installed: () => /"version":"([\d.]+)"/.exec(readFileSync(file, "utf8"))?.[1] ?? "",
    beside: () => readdirSync(bin).sort(),
    copies: () =>
      readdirSync(dataDir)
        .filter((name) => name.includes("before-update"))
        .sort(),
    calls: () => (existsSync(at("calls")) ? readFileSync(at("calls"), "utf8").trim().split("\n") : []),
    remove() {
      rmSync(at("denied"), { force: true });
      run("stop");
      rmSync(dir.path, { recursive: true, force: true });
    },
  };
}

/** Nobody needs to hear. */
export const quiet = () => {};
