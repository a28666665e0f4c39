import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { peersDir } from "./server.ts";

const installMsMax = 300_000;

/**
 * Installs what is compared with Till, when it is not there yet, with npm: native modules are built for Node. Each is
 * optional, and one that cannot be installed is not measured.
 */
export function preparePeers(): void {
  const installed = join(peersDir, "node_modules/.package-lock.json");
  const manifest = join(peersDir, "package.json");
  if (existsSync(installed) && statSync(installed).mtimeMs > statSync(manifest).mtimeMs) return;
  if (!Bun.which("npm")) {
    console.error("npm is missing: what runs on Node is not measured");
    return;
  }
  console.error("installing what Till is compared with …");
  const flags = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  const { success } = Bun.spawnSync(["npm", "install", ...flags], {
    cwd: peersDir,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: installMsMax,
  });
  if (!success) console.error("not everything could be installed: what is missing is not measured");
}
