import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { ownPort } from "../support/http/port.ts";
import { install, makeDataDir, passphrase } from "../support/till/data-dir.ts";
import { environment, program } from "../support/till/process.ts";
import { until } from "../support/till/till.ts";

/** Till whose log goes to a pipe that is read only when the test reads it. */

let dir: ReturnType<typeof makeDataDir>;
let pipe: number;
beforeAll(async () => {
  dir = makeDataDir();
  await install(join(dir.path, "data"));
  const path = join(dir.path, "log");
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
  pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
});
afterAll(() => {
  closeSync(pipe);
  dir.remove();
});

/** What is in the pipe now. */
function read(): string {
  const bytes = Buffer.alloc(65_536);
  let text = "";
  for (;;) {
    try {
      text += bytes.toString("utf8", 0, readSync(pipe, bytes));
    } catch (thrown) {
      if ((thrown as { code?: string }).code === "EAGAIN") return text;
      throw thrown;
    }
  }
}

test("a reader of the log that stops holds nobody up, hears how much it missed, and Till stops without it", async () => {
  const port = ownPort();
  const child = Bun.spawn([...program, "serve"], {
    env: {
      ...environment,
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: "http://127.0.0.1:9",
      TILL_DATA_DIR: join(dir.path, "data"),
      TILL_WALLET_PASSPHRASE: passphrase,
      TILL_PORT: String(port),
      TILL_LOG_LEVEL: "debug",
    },
    // The same pipe, opened for writing alone: Till may not make it one that never waits for the test, too.
    stdio: ["ignore", openSync(join(dir.path, "log"), constants.O_WRONLY), "inherit"],
  });
  try {
    let log = "";
    await until(
      () => {
        log += read();
        return log;
      },
      (text) => text.includes("[ready]"),
      60_000,
    );
    const ask = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health/live`, {
        signal: AbortSignal.timeout(60_000),
      });
      return answer.status;
    };
    // Each is a line of some 120 characters: much more than the pipe holds, and than Till keeps.
    for (let i = 0; i < 110; i++)
      expect(new Set(await Promise.all(Array.from({ length: 100 }, ask)))).toEqual(new Set([200]));
    log = "";
    await until(
      () => {
        log += read();
        return log;
      },
      (text) => text.includes("[log.dropped]"),
    );
    const [, count] = /\[log\.dropped\].* count=(\d+)/.exec(log) ?? [];
    const written = log.match(/\[http\.request\]/g)?.length ?? 0;
    expect(written + Number(count)).toBeGreaterThanOrEqual(11_000);
    expect(
      log
        .split("\n")
        .slice(0, -1)
        .every((line) => /^\d{4}-.* \[[a-z.]+\] /.test(line)),
    ).toBe(true);
    for (let i = 0; i < 8; i++) await Promise.all(Array.from({ length: 100 }, ask));
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});
