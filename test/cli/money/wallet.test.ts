import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createKeystore, openKeystore } from "../../../src/chain/account/keystore.ts";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { cheap, makeDataDir } from "../../support/till/data-dir.ts";
import { program } from "../../support/till/process.ts";
import { callTill, type RunOptions, runTill } from "../../support/till/run-till.ts";
import { keys, startTerminal } from "../../support/till/terminal.ts";
import { startTestTill, untilIs } from "../../support/till/till.ts";

const words = "test test test test test test test test test test test junk";
const otherWords = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const gasAddress = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const passphrase = "a passphrase";

const made = makeDataDir();
const madeFile = join(made.path, "wallet.age");
beforeAll(() => createKeystore({ file: madeFile, passphrase, secret: words, cost: cheap }));
afterAll(made.remove);

let dir: ReturnType<typeof makeDataDir>;
let file: string;
let env: Record<string, string>;
beforeEach(() => {
  dir = makeDataDir();
  file = join(dir.path, "wallet.age");
  env = { TILL_DATA_DIR: dir.path, TILL_WALLET_PASSPHRASE: passphrase };
});
afterEach(() => dir.remove());

const wallet = (args: string[], options: RunOptions = {}) =>
  (options.stdin === undefined ? callTill : runTill)(["wallet", ...args], { env, ...options });

describe("till wallet backup", () => {
  test("asks on a terminal, shows the words after a yes, and nothing after a no", async () => {
    await copyFile(madeFile, file);
    for (const [answer, exitCode] of [
      ["y", 0],
      ["n", 1],
    ] as const) {
      const terminal = startTerminal([...program, ...["wallet", "backup"]], { env: env });
      await terminal.see("Show the words now?");
      expect(terminal.shown()).not.toContain("junk");
      terminal.type(answer);
      expect(await terminal.exited).toBe(exitCode);
      expect(terminal.shown().includes(words)).toBe(exitCode === 0);
      expect(terminal.shown()).toContain(exitCode === 0 ? gasAddress : "Nothing was shown.");
    }
  });

  test("prints nothing without a terminal, and the words alone on standard output with --yes", async () => {
    await copyFile(madeFile, file);
    const refused = await wallet(["backup"]);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("--yes") });
    const printed = await wallet(["backup", "--yes"]);
    expect(printed).toMatchObject({ exitCode: 0, stdout: `${words}\n` });
    expect(printed.stderr).toContain("Write them on paper");
  });

  test("does not make a wallet, and says so when there is none or the passphrase is another", async () => {
    const none = await wallet(["backup", "--yes"]);
    expect(none).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringContaining("There is no wallet"),
    });
    expect(readdirSync(dir.path)).not.toContain("wallet.age");
    await copyFile(madeFile, file);
    const locked = await wallet(["backup", "--yes"], { env: { ...env, TILL_WALLET_PASSPHRASE: "another" } });
    expect(locked).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("passphrase is wrong"),
    });
  });
});

describe("till wallet restore", () => {
  test("replaces no wallet without --force; with it asks on a terminal, shows nothing of what is typed, and says at once what cannot be right", async () => {
    await writeFile(file, "what another Till wrote");
    const refused = await wallet(["restore"], { stdin: words });
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--force") });
    expect(await readFile(file, "utf8")).toBe("what another Till wrote");
    const terminal = startTerminal([...program, ...["wallet", "restore", "--force"]], { env });
    await terminal.see("The 12 words");
    terminal.type(`${words.replace("junk", "test")}\r`);
    await terminal.see("the checksum is not");
    terminal.type("\u007f".repeat(4));
    terminal.type("junk\r");
    expect(await terminal.exited).toBe(0);
    expect(terminal.shown()).toContain(gasAddress);
    expect(terminal.shown()).not.toContain("junk");
    expect(terminal.shown()).not.toMatch(/\btest test\b/);
    expect(terminal.shown()).toContain("till recover");
    expect(await openKeystore({ file, passphrase })).toBe(words);
    const aside = readdirSync(dir.path).find((name) => name.endsWith(".old"));
    expect(await readFile(join(dir.path, aside ?? ""), "utf8")).toBe("what another Till wrote");
  });

  test("leaves nothing behind after Ctrl-C", async () => {
    const terminal = startTerminal([...program, ...["wallet", "restore"]], { env: env });
    await terminal.see("The 12 words");
    terminal.type(keys.ctrlC);
    expect(await terminal.exited).toBe(130);
    expect(terminal.shown()).toContain("till wallet: cancelled");
    expect(readdirSync(dir.path)).not.toContain("wallet.age");
  });

  test("refuses words that are not a wallet's, and repeats none of them", async () => {
    for (const [stdin, message] of [
      [words.replace("junk", "junk junk"), "and these are 13"],
      [words.replace("test junk", "wordle junk"), "Word 11"],
      [words.replace("junk", "test"), "the checksum is not"],
    ] as const) {
      const { exitCode, stderr } = await wallet(["restore"], { stdin });
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
      for (const word of ["junk", "wordle"]) expect(stderr).not.toContain(word);
    }
    const argued = await wallet(["restore", ...words.split(" ")]);
    expect(argued).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("do not belong on the command line"),
    });
    expect(readdirSync(dir.path)).not.toContain("wallet.age");
  });

  test("refuses another wallet than the one the database was made with, also with --force, and takes that one from a pipe", async () => {
    const db = openDatabase(dir.path);
    WalletStore.setGasAddress(db, gasAddress as never);
    closeDatabase(db);
    const refused = await wallet(["restore", "--force"], { stdin: otherWords });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(`begins with account ${gasAddress}`);
    expect(readdirSync(dir.path)).not.toContain("wallet.age");
    const piped = ` ${words.toUpperCase().replace(" ", "\n")}\n`;
    const right = await wallet(["restore"], { stdin: piped });
    expect(right).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(gasAddress) });
    expect(right.stderr).not.toContain("till recover");
    expect(`${right.stdout}${right.stderr}`).not.toContain("junk");
    expect(await openKeystore({ file, passphrase })).toBe(words);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("till wallet show", () => {
  const chain = shared(startTestChain);
  const till = shared(() => startTestTill(chain));
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  let show: (changes?: Record<string, string>) => Promise<{ text: string; json: any }>;

  beforeAll(async () => {
    show = async (changes) => {
      const settings = {
        TILL_CHAIN: "anvil",
        TILL_RPC_URL: chain.rpcUrl,
        TILL_DATA_DIR: till.config.dataDir,
        TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
        ...changes,
      };
      const [text, json] = await Promise.all([
        callTill(["wallet", "show"], { env: settings }),
        callTill(["wallet", "show", "--json"], { env: settings }),
      ]);
      expect([text.stderr, json.stderr]).toEqual(["", ""]);
      return { text: text.stdout, json: JSON.parse(json.stdout) };
    };
  });

  test("shows accounts, balances and what waits, beside a running server", async () => {
    const byo = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const managed = await till.createInvoice();
    const own = await till.createInvoice({ wallet_type: "byo", wallet_address: byo });
    await chain.pay(managed["deposit_address"] as never, "750.00");
    await chain.pay(own["deposit_address"] as never, "0.50");
    await untilIs(() => till.api("GET", `/api/invoices/${own["invoice_id"]}/status`), {
      body: { status: "partial" },
    });
    const { body } = await till.api("GET", `/api/invoices/${managed["invoice_id"]}`);
    const { text, json } = await show();
    expect(json).toMatchObject({
      gas_account: { balance_wei: "0" },
      managed_wallets: [
        { merchant_email: "billing@acme.example", account: 1, address: body.wallet_address, usdc: "0.00" },
      ],
      node_problem: null,
    });
    const waiting: unknown[][] = json.unsettled.map(Object.values);
    expect(waiting.sort()).toEqual(
      [
        [byo, "0.50", 1],
        [body.wallet_address, "750.00", 1],
      ].sort(),
    );
    expect(BigInt(json.gas_account.missing_wei)).toBeGreaterThan(0n);
    expect(text).toMatch(new RegExp(`^ {2}0\\.50 +1 {2}${byo}$`, "m"));
    // For the factory and for the one deposit that is worth it; the other has less than TILL_SETTLE_MIN.
    expect(BigInt(json.gas_account.missing_wei) % (950_000n + 195_000n)).toBe(0n);
    expect(text).toContain("send at least 0.00");

    await chain.giveEth(json.gas_account.address, BigInt(json.gas_account.missing_wei) * 2n);
    expect((await show()).json.gas_account.missing_wei).toBe("0");
  });

  test("shows what it knows while no node answers, and says why the rest is unknown", async () => {
    const { text, json } = await show({ TILL_RPC_URL: "http://127.0.0.1:9" });
    expect(json.gas_account.balance_wei).toBeNull();
    expect(json.managed_wallets[0].usdc).toBeNull();
    expect(json.unsettled).toHaveLength(2);
    expect(text).toMatch(/^unknown +1 +0x/m);
    expect(text).toContain(
      "Balances are unknown. No node of TILL_RPC_URL can be used: The node at 127.0.0.1:9",
    );
  });

  test("asks for the same ETH as health, the doctor and till settle", async () => {
    await using settling = await startTestTill(chain, { TILL_SETTLE: "auto" });
    const { invoice_id, deposit_address } = await settling.createInvoice();
    await chain.pay(deposit_address as never, "750.00");
    await untilIs(() => settling.api("GET", `/api/invoices/${invoice_id}/status`), {
      body: { status: "partial" },
    });
    const env = {
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: chain.rpcUrl,
      TILL_BASE_URL: settling.baseUrl,
      TILL_DATA_DIR: settling.config.dataDir,
      TILL_WALLET_PASSPHRASE: settling.config.walletPassphrase,
    };
    const asked = (said: string) => /send at least ([0-9.]+) ETH/.exec(said)?.[1];
    const [shown, settled] = await Promise.all([
      callTill(["wallet", "show"], { env }),
      callTill(["settle", "--yes"], { env }),
    ]);
    const wanted = asked(shown.stdout);
    expect(wanted).toStartWith("0.00");
    expect(asked(settled.stderr)).toBe(wanted);
    await untilIs(
      () => settling.api("GET", "/health/ready").then(({ body }) => asked(String(body.warnings ?? ""))),
      wanted,
    );
    const examined = await callTill(["doctor", "--json"], { env });
    expect(asked(examined.stdout)).toBe(wanted);
  });
});
