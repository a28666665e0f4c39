import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Load = { perSecond: number; p99Ms: number };

export type LoadOptions = {
  baseUrl: string;
  /** Asked for in turn, over and over. */
  paths: readonly string[];
  /** Makes it a POST of this JSON. */
  body?: string;
  connections: number;
  seconds: number;
};

const graceMs = 15_000;

/** Asks as fast as answers come: with wrk, or with autocannon on Node, which cannot outrun every server. */
export async function load({ baseUrl, paths, body, connections, seconds }: LoadOptions): Promise<Load> {
  const dir = mkdtempSync(join(tmpdir(), "till-load-"));
  try {
    const file = join(dir, "paths");
    writeFileSync(file, `${paths.join("\n")}\n`);
    const wrk = Bun.which("wrk");
    const flags = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", join(import.meta.dir, "load.lua")];
    const command = wrk
      ? [wrk, ...flags, baseUrl]
      : ["node", join(import.meta.dir, "peers/load.mjs"), baseUrl, String(connections), String(seconds)];
    const child = Bun.spawn(command, {
      env: { PATH: process.env["PATH"] ?? "", BENCH_PATHS: file, ...(body ? { BENCH_BODY: body } : {}) },
      stdio: ["ignore", "pipe", "inherit"],
      timeout: seconds * 1000 + graceMs,
    });
    const output = await child.stdout.text();
    const { failed, ...measured } = JSON.parse(output.trim().split("\n").at(-1) ?? "") as Load & {
      failed: number;
    };
    if (failed > 0) throw new Error(`${failed} requests to ${baseUrl} failed`);
    return measured;
  } finally {
    rmSync(dir, { recursive: true });
  }
}
