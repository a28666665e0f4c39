import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { walletFile } from "../../../src/store/files/data-dir.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { ownPort } from "../../support/http/port.ts";
import { cheapen, makeDataDir } from "../../support/till/data-dir.ts";
import { endProcesses, program, startProcess, type TillProcess } from "../../support/till/process.ts";
import { callTill, runTill } from "../../support/till/run-till.ts";
import { linkRequest, startTestTill } from "../../support/till/till.ts";

const dir = makeDataDir();
const [port, chainPort] = [String(ownPort()), String(ownPort())];
const devArgs = ["dev", "--json", "--port", port, "--chain-port", chainPort, "--data-dir", dir.path];
let dev: TillProcess;

beforeAll(async () => {
  dev = startProcess([...program, ...devArgs]);
  await dev.line((line) => line.includes('"ready"'));
  await cheapen({ file: walletFile(join(dir.path, "dev")), passphrase: "development" });
});
afterAll(async () => {
  await endProcesses();
  dir.remove();
});

describe("a command beside till dev", () => {
  const env = { TILL_DATA_DIR: dir.path };

  test("finds its wallet, its chain and its server by itself", async () => {
    const shown = await callTill(["wallet", "show", "--json"], { env });
    expect(shown.stderr).toContain(`the test money of till dev, in ${join(dir.path, "dev")}`);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      network: "Base (Anvil)",
      gas_account: { balance_wei: `${10n ** 19n}` },
      node_problem: null,
    });
    expect((await callTill(["list"], { env })).stdout).toBe("There are no invoices yet.\n");
    for (const args of [
      ["key", "list"],
      ["settle", "--print"],
      ["export", "fees"],
      ["wallet", "show"],
    ])
      expect(await callTill(args, { env })).toMatchObject({ exitCode: 0 });
  });

  test("is told with --dev, or --data-dir, also in a terminal with the settings of a real Till", async () => {
    const real = { TILL_CHAIN: "base", TILL_RPC_URL: "http://127.0.0.1:9", TILL_WALLET_PASSPHRASE: "secret" };
    for (const [args, changes] of [
      [["--dev"], { ...env, ...real }],
      [["--data-dir", join(dir.path, "dev")], real],
      [["--dev", "--data-dir", dir.path], real],
    ] as const) {
      const shown = await callTill(["wallet", "show", "--json", ...args], { env: changes });
      expect(JSON.parse(shown.stdout)).toMatchObject({ node_problem: null });
    }
    const without = await callTill(["wallet", "show"], { env: { ...env, ...real } });
    expect(without).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("There is no wallet") });
    const empty = makeDataDir();
    const nothing = await callTill(["wallet", "show", "--dev", "--data-dir", empty.path]);
    expect(nothing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("start till dev first") });
    empty.remove();
  });

  test("does not take it for the place of a backup or of restored words", async () => {
    const backup = join(dir.path, "backup.db");
    expect(await callTill(["backup", backup, "--dev"], { env })).toMatchObject({ exitCode: 0 });
    const restored = await runTill(["wallet", "restore"], { env, stdin: "none" });
    expect(restored.stderr).not.toContain("till dev");
  });

  test("is told in a sentence which port is taken, and by which flag to choose another", async () => {
    const other = makeDataDir();
    const start = (...ports: string[]) => callTill(["dev", "--data-dir", other.path, ...ports]);
    expect(await start("--port", port)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        `Port ${port} of 127.0.0.1 cannot be used: something else listens there, perhaps another Till. Choose another with`,
      ),
    });
    expect(await start("--port", String(ownPort()), "--chain-port", chainPort)).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `till dev: port ${chainPort} is taken: something else listens there. Choose another with --chain-port, or leave it out.\n`,
    });
    expect(await start("--port", "70000")).toMatchObject({ exitCode: 2 });
    other.remove();
  });

  test("pays on the chain of the Till that the page is of, from any directory", async () => {
    await using chain = await startTestChain();
    await using second = await startTestTill(chain, {}, { isDev: true });
    const link = { ...linkRequest, expected_amount: "5.00" };
    const { payment_link, deposit_address } = (await second.api("POST", "/api/links", link)).body;
    const paid = await callTill(["pay", payment_link, "--json"], { env });
    expect(JSON.parse(paid.stdout)).toMatchObject({ to: deposit_address, amount: "5.00" });
    expect(await balanceOf(chain, chain.usdc, deposit_address)).toBe(5_000_000n);
  });

  test("still finds its data when it has stopped", async () => {
    expect(await dev.end("SIGINT")).toBe(0);
    const shown = await callTill(["wallet", "show"], { env });
    expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Balances are unknown.") });
  });
});
