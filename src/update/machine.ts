import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { arch, platform } from "node:os";
import { dirname, resolve } from "node:path";
import type { Environment } from "../config/config.ts";
import { settings } from "../config/settings.ts";
import { accessFailure } from "../lib/file.ts";
import { sleep } from "../lib/loop.ts";
import { isEveryAddress, localUrl } from "../lib/net/host.ts";
import { world } from "../lib/world.ts";
import type { User } from "./owner.ts";
import { UpdateRefused } from "./refused.ts";

/** `scripts/build.ts` puts this into the executables of a release. */
declare const TILL_PLATFORM: string | undefined;

/** The name that a release has for what runs on this machine. */
export function nameHere(): string {
  const system = platform() === "win32" ? "windows" : platform();
  const name = typeof TILL_PLATFORM === "string" ? TILL_PLATFORM : `${system}-${arch()}`;
  return `till-${name}${system === "windows" ? ".exe" : ""}`;
}

const packageOf = (version: string) => `till_${version}_${arch() === "x64" ? "amd64" : arch()}.deb`;

/** Docker and Podman leave one in a container; Kubernetes leaves none. */
const containerMarks = ["/.dockerenv", "/run/.containerenv"];

/** Returns what to do instead if the executable is not Till's to replace; null if it is. */
export function otherWay(
  file: string,
  version: string,
  main = Bun.main,
  marks: readonly string[] = containerMarks,
): string | null {
  if (!/\$bunfs|~BUN/.test(main))
    return `This Till runs from source: check out v${version}, and start it again.`;
  const isContainer = marks.some((mark) => existsSync(mark));
  const isInit = process.pid === 1 || exeOf(1) === file;
  if (isInit || (isContainer && accessFailure(dirname(file), { write: true })))
    return `This Till is part of a container's image: pull the image of ${version} (docker pull), and replace the container.`;
  if (Bun.which("dpkg-query") && Bun.spawnSync(["dpkg-query", "--search", file]).success)
    return `This Till is a package of Debian: download ${packageOf(version)} of the release, and apt install ./${packageOf(version)}`;
  return null;
}

/** A service of systemd that runs an executable. */
export type Service = {
  unit: string;
  /** 0 while it does not run. */
  pid: number;
  user: User;
  /** Its environment, and where it looks for what it names; null while it does not run. */
  environment: Environment | null;
  cwd: string;
};

/** Runs systemctl; returns whether it did what it was told. */
export function control(systemctl: string, ...args: string[]): boolean {
  return Bun.spawnSync([systemctl, "--no-ask-password", ...args]).success;
}

/**
 * The service that runs this executable, as systemd tells everybody; null without one. Throws an UpdateRefused for
 * several, or when this user may not see how it runs.
 */
export function serviceOf(file: string, systemctl: string): Service | null {
  if (Bun.which(systemctl) === null) return null;
  const listing = Bun.spawnSync([systemctl, "show", "--property=Id,ExecStart,MainPID,UID,GID", "*.service"]);
  const units = listing.stdout
    .toString()
    .split("\n\n")
    .map((block) => new Map(block.split("\n").map((line) => line.split(/=(.*)/s, 2) as [string, string])))
    .filter((unit) => {
      const [first = "", args = ""] = unit.get("ExecStart")?.split(" ; ") ?? [];
      const path = first.replace("{ path=", "");
      return args === `argv[]=${path} serve` && existsSync(path) && realpathSync(path) === file;
    });
  const [unit, ...more] = units.map((each) => ({
    unit: each.get("Id") ?? "",
    pid: Number(each.get("MainPID")),
    user: { uid: idIn(each.get("UID")), gid: idIn(each.get("GID")) },
  }));
  if (unit === undefined) return null;
  if (more.length > 0)
    throw new UpdateRefused(
      `Several services run ${file}: ${[unit, ...more].map((each) => each.unit).join(", ")}. Give each an executable of its own, or update by hand.`,
    );
  if (unit.pid === 0) return { ...unit, environment: null, cwd: "/" };
  return { ...unit, ...environmentOf(unit.pid) };
}

/** A service without `User=` runs as root: systemd then says `[not set]`. */
const idIn = (said: string | undefined) => (said === "[not set]" ? 0 : Number(said));

function environmentOf(pid: number): { environment: Environment; cwd: string } {
  try {
    const lines = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
    return { environment, cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    throw new UpdateRefused("This user may not see how the service runs. Run as root: sudo till update");
  }
}

/** The file that a process runs; null where that cannot be seen. */
export function exeOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
}

/** The data directory in an environment, as the process that has it finds it. */
export function dataDirIn(environment: Environment, cwd: string): string {
  return resolve(cwd, environment["TILL_DATA_DIR"]?.trim() || settings.DATA_DIR.default);
}

/** Returns the URL at which a Till with this environment answers on this machine. */
export function urlIn(environment: Environment): string {
  const host = environment["TILL_HOST"]?.trim() || settings.HOST.default;
  const port = Number(environment["TILL_PORT"]?.trim() || settings.PORT.default);
  return localUrl(isEveryAddress(host) ? loopbackOf(host) : host, port);
}

const loopbackOf = (everyAddress: string) => (everyAddress === "0.0.0.0" ? "127.0.0.1" : "::1");

export type Standing = "ready" | "answers" | "silent";

const askMs = 5_000;

/** Returns the state of the Till at a URL. Asks it directly: no proxy of this shell answers for this machine. */
export function standingAt(url: string): Promise<Standing> {
  return new Promise((resolve) => {
    const request = world.request(new URL("/health/ready", url), { signal: world.timeout(askMs) });
    request.on("error", () => resolve("silent"));
    request.on("response", ({ statusCode }) => {
      request.destroy();
      if (statusCode === 200) resolve("ready");
      else resolve(statusCode === 503 ? "answers" : "silent");
    });
    request.end();
  });
}

const everyMs = 250;

/** The share of the wait for which it must keep running: one that dies a moment later is not well. */
const steadyShare = 0.05;

/** Waits until the Till at a URL stands as well as it did, and goes on to; returns whether it does by then. */
export async function standsAgain(url: string, before: Standing, waitMs: number): Promise<boolean> {
  const isWell = async () => {
    const standing = await standingAt(url);
    return standing === "ready" || (standing === "answers" && before !== "ready");
  };
  const end = world.uptime() + waitMs;
  for (;;) {
    if (await isWell()) {
      await sleep(waitMs * steadyShare);
      if (await isWell()) return true;
    }
    if (world.uptime() > end) return false;
    await sleep(everyMs);
  }
}
