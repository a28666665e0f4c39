import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Anvil, AnvilFailed, startAnvil } from "../../../src/chain/dev/anvil.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import { until } from "../../support/till/till.ts";

let dir: string;
let started: Anvil[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "till-anvil-test-"));
});
afterEach(async () => {
  await Promise.all(started.map((anvil) => anvil.stop()));
  started = [];
  await rm(dir, { recursive: true });
});

async function start(options: Parameters<typeof startAnvil>[0]): Promise<Anvil> {
  const anvil = await startAnvil(options);
  started.push(anvil);
  return anvil;
}

const call = (rpcUrl: string, method: string, params: unknown[] = []) =>
  createRpc({ url: rpcUrl }).request(method, params);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended stays listed until its parent asks for it; in a container that may never happen.
    const stat = `/proc/${pid}/stat`;
    return !(existsSync(stat) && readFileSync(stat, "utf8").includes(") Z "));
  } catch {
    return false;
  }
}

const waitUntilGone = (pid: number) =>
  until(
    () => isRunning(pid),
    (isThere) => !isThere,
  );

describe("startAnvil", () => {
  test("answers at once, on the loopback interface, with the chain id of a development chain", async () => {
    const anvil = await start({ port: 0 });
    expect(anvil.rpcUrl).toStartWith("http://127.0.0.1:");
    expect(await call(anvil.rpcUrl, "eth_chainId")).toBe("0x7a69");
    const socket = new WebSocket(anvil.wsUrl);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    socket.close();
  });

  test("runs several at once on free ports", async () => {
    const anvils = await Promise.all([start({ port: 0 }), start({ port: 0 }), start({ port: 0 })]);
    expect(new Set(anvils.map(({ rpcUrl }) => rpcUrl)).size).toBe(3);
  });

  test("makes no block while nothing happens", async () => {
    const anvil = await start({ port: 0 });
    // Time itself: in it there would be a block.
    await Bun.sleep(300);
    expect(await call(anvil.rpcUrl, "eth_blockNumber")).toBe("0x0");
  });

  test("says that a port is taken, even when another Anvil would have answered on it", async () => {
    const first = await start({ port: 0 });
    const port = Number(new URL(first.rpcUrl).port);
    await expect(start({ port })).rejects.toThrow(`port ${port} of 127.0.0.1 cannot be used`);
  });

  test("repeats Anvil's own words when it ends before it is ready", async () => {
    const stateFile = join(dir, "state.json");
    await Bun.write(stateFile, "{ torn");
    const failure = startAnvil({ port: 0, stateFile });
    await expect(failure).rejects.toBeInstanceOf(AnvilFailed);
    await expect(failure).rejects.toThrow("failed to parse json file");
  });

  test("is stopped by its signal, also before it was ready", async () => {
    const running = new AbortController();
    const anvil = await start({ port: 0, signal: running.signal });
    running.abort();
    await anvil.exited;
    expect(isRunning(anvil.pid)).toBe(false);

    const starting = new AbortController();
    const aborted = startAnvil({ port: 0, signal: starting.signal });
    starting.abort(new Error("changed my mind"));
    await expect(aborted).rejects.toThrow("changed my mind");
    await expect(startAnvil({ port: 0, signal: starting.signal })).rejects.toThrow("changed my mind");
  });

  test("tells when somebody else ends it", async () => {
    const anvil = await start({ port: 0 });
    process.kill(anvil.pid, "SIGKILL");
    expect(await anvil.exited).toBeNull();
  });
});

describe("stop", () => {
  test("saves the state, and the next start continues the same chain", async () => {
    const stateFile = join(dir, "state.json");
    const first = await start({ port: 0, stateFile });
    await call(first.rpcUrl, "anvil_mine", ["0x3"]);
    const genesis = await call(first.rpcUrl, "eth_getBlockByNumber", ["0x0", false]);
    await Promise.all([first.stop(), first.stop()]);
    expect(isRunning(first.pid)).toBe(false);

    const second = await start({ port: 0, stateFile });
    expect(await call(second.rpcUrl, "eth_blockNumber")).toBe("0x3");
    expect(await call(second.rpcUrl, "eth_getBlockByNumber", ["0x0", false])).toMatchObject({
      hash: (genesis as { hash: string }).hash,
    });
  });
});

describe("a process that runs Anvil", () => {
  async function startHost(stateFile: string) {
    const host = Bun.spawn([process.execPath, join(import.meta.dir, "anvil-host.ts"), stateFile], {
      stdio: ["ignore", "pipe", "inherit"],
      // A group of its own, so that the test can interrupt the whole group as a terminal does.
      detached: true,
    });
    const lines = host.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const readLine = async () => JSON.parse((await lines.read()).value ?? "null");
    const { pid, rpcUrl }: { pid: number; rpcUrl: string } = await readLine();
    return { host, readLine, pid, rpcUrl };
  }

  test("is killed: Anvil saves its state and goes too", async () => {
    const stateFile = join(dir, "state.json");
    const { host, pid } = await startHost(stateFile);
    expect(isRunning(pid)).toBe(true);
    host.kill("SIGKILL");
    await host.exited;
    await waitUntilGone(pid);

    const anvil = await start({ port: 0, stateFile });
    expect(await call(anvil.rpcUrl, "eth_blockNumber")).toBe("0x5");
  });

  test("gets a terminal's Ctrl-C: Anvil answers until it is stopped", async () => {
    const { host, readLine, pid } = await startHost(join(dir, "state.json"));
    process.kill(-host.pid, "SIGINT");
    expect(await readLine()).toEqual({ headAfterInterrupt: "0x5" });
    expect(await host.exited).toBe(0);
    await waitUntilGone(pid);
  });
});
