import { Database } from "bun:sqlite";
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkDataDir } from "../../../src/doctor/check-data.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import { startScriptedServer } from "../../mail/scripted-server.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { makeCertificates } from "../../support/http/certificates.ts";
import { shared } from "../../support/per-file.ts";
import { makeDataDir, makeWallet } from "../../support/till/data-dir.ts";
import { callTill } from "../../support/till/run-till.ts";
import { linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";

type Finding = { check: string; level: string; message: string; advice: string | null };
type Diagnosis = { exitCode: number; ok: boolean; findings: Finding[] };

const chain = shared(startTestChain);
const node = shared(() => startRpcProxy(chain.rpcUrl));
const till = shared(() => startTestTill(chain));
let baseUrl: string;
let paid: Record<string, string>;

beforeAll(async () => {
  baseUrl = till.baseUrl;
  paid = await till.createInvoice();
  const { blockNumber } = await chain.pay(Address.checksum(paid["deposit_address"] ?? ""), "1500.00");
  await untilIs(
    async () => (await till.api("GET", `/api/invoices/${paid["invoice_id"]}/status`)).body.status,
    "paid",
  );
  // The newest block is not compared with the books: others follow.
  await chain.mine(1);
  await till.createInvoice({
    wallet_type: "byo",
    wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  });
  await until(
    () => CheckpointStore.latest(till.db)?.number ?? 0,
    (number) => number >= blockNumber,
  );
});
beforeEach(() => {
  node.answer = null;
});

/** Where no Till is. */
const elsewhere = { TILL_BASE_URL: "http://127.0.0.1:9" };

function environment(): Record<string, string> {
  return {
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: node.url,
    TILL_RPC_WS_URL: chain.wsUrl,
    TILL_DATA_DIR: till.config.dataDir,
    TILL_BASE_URL: baseUrl,
    TILL_SMTP_URL: till.mail.smtpUrl,
    TILL_MAIL_FROM: "Till <till@localhost>",
    TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
  };
}

async function run(changes: Record<string, string>, ...args: string[]) {
  const env = { ...environment(), ...changes };
  const { exitCode, stdout, stderr } = await callTill(["doctor", ...args], { env });
  return { exitCode, output: stdout + stderr };
}

async function diagnose(changes: Record<string, string> = {}, ...args: string[]): Promise<Diagnosis> {
  const { exitCode, output } = await run(changes, "--json", ...args);
  return { exitCode, ...JSON.parse(output) };
}

/** What is wrong, and nothing else is. */
async function onlyWrong(changes: Record<string, string>, ...args: string[]): Promise<Finding[]> {
  const { exitCode, ok, findings } = await diagnose(changes, ...args);
  expect([exitCode, ok]).toEqual([1, false]);
  const wrong = findings.filter((finding) => finding.level === "wrong");
  for (const finding of wrong) expect(finding.advice).not.toBeNull();
  return wrong;
}

/** Changes the database behind the running server's back, and puts it right again. */
async function tampered<T>(sql: string, undo: string, work: () => Promise<T>): Promise<T> {
  const change = (text: string) => {
    const db = openDatabase(till.config.dataDir);
    db.run(text);
    closeDatabase(db);
  };
  change(sql);
  try {
    return await work();
  } finally {
    change(undo);
  }
}

describe("till doctor", () => {
  test("finds everything well beside a running server", async () => {
    const { exitCode, ok, findings } = await diagnose();
    expect(findings.filter((finding) => finding.level !== "ok")).toEqual([]);
    expect([exitCode, ok]).toEqual([0, true]);
    const checks = new Set(findings.map((finding) => finding.check.split(" ")[0]));
    for (const check of [
      "configuration",
      "data",
      "database",
      "wallet",
      "access",
      "node",
      "clock",
      "websocket",
      "mail",
      "base",
      "replay",
    ])
      expect(checks).toContain(check);
    expect(findings.at(-1)?.message).toMatch(/^All transfers in blocks 0 to \d+ are recorded, and no others/);
    // What is there was sent when the invoice was paid.
    expect(till.mail.list().filter((mail) => !mail.subject.includes("INV-0001"))).toEqual([]);
  });

  test("names the nodes of other chains, and those that are none", async () => {
    const { ok, findings } = await diagnose({ TILL_ELSEWHERE_RPC_URL: `${chain.rpcUrl},http://127.0.0.1:9` });
    const remarks = findings.filter(({ level }) => level !== "ok").map(({ message }) => message);
    expect(ok).toBe(true);
    expect(remarks).toEqual([
      expect.stringContaining("Till's own chain: it belongs in TILL_RPC_URL"),
      expect.stringContaining("127.0.0.1:9 did not answer eth_chainId"),
    ]);
  });

  test("tells a person, in words and signs, without colours where there is no terminal", async () => {
    const { exitCode, output } = await run({ TILL_SMTP_URL: "" });
    expect(exitCode).toBe(0);
    expect(output).toContain("✓ ok     wallet: It opens with the passphrase");
    expect(output).toContain("! remark mail: No mail server is configured");
    expect(output).toContain("→ Set TILL_SMTP_URL");
    expect(output).toEndWith("\nNothing is wrong. See the remarks (!) above.\n");
    expect(output).not.toContain("\u001b");
  });

  test("finds a wrong passphrase, and repeats none", async () => {
    const secret = "not the passphrase";
    const { exitCode, output } = await run({ TILL_WALLET_PASSPHRASE: secret });
    expect(exitCode).toBe(1);
    expect(output).toContain("✗ wrong  wallet:");
    expect(output).toContain("does not open");
    expect(output).toContain("One thing is wrong.");
    expect(output).not.toContain(secret);
  });

  test("finds every fault of the configuration, and looks at the data all the same", async () => {
    const { exitCode, findings } = await diagnose({ TILL_RPC_URL: "", TILL_TIMEZONE: "Mars" });
    expect(exitCode).toBe(1);
    const wrong = findings.filter(({ level }) => level === "wrong").map(({ check }) => check);
    expect(wrong).toEqual(["configuration", "configuration"]);
    expect(findings.map(({ check }) => check)).toContain("database");
  });

  test("finds that invoices were numbered by another pattern", async () => {
    const [finding, ...others] = await onlyWrong({ TILL_INVOICE_NUMBER: "2026-{0000}" });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      check: "configuration",
      message: "TILL_INVOICE_NUMBER would make 2026-0001 of invoice INV-0001.",
      advice: expect.stringContaining("set it to what it was then"),
    });
  });

  test("finds a node of another chain", async () => {
    const [chainId, ...more] = await onlyWrong({ TILL_CHAIN: "base-sepolia" });
    expect(chainId).toMatchObject({
      check: `node ${new URL(node.url).host}`,
      message: expect.stringContaining("chain 31337"),
    });
    expect(more.map((finding) => finding.check)).toEqual(["websocket"]);
    await using younger = await startTestChain();
    const wrong = await onlyWrong({ TILL_RPC_URL: younger.rpcUrl, TILL_RPC_WS_URL: younger.wsUrl });
    expect(wrong.map((finding) => finding.message)).toEqual([expect.stringContaining("begins with")]);
  });

  test("finds a node that is down", async () => {
    const { exitCode, findings } = await diagnose({
      TILL_RPC_URL: "http://127.0.0.1:9",
      TILL_RPC_WS_URL: "ws://127.0.0.1:9",
    });
    expect(exitCode).toBe(1);
    const wrong = findings.filter((finding) => finding.level === "wrong");
    expect(wrong.map((finding) => finding.check)).toEqual(["node 127.0.0.1:9", "websocket"]);
    // Nodes that nobody reached agree about nothing.
    expect(findings.filter((finding) => finding.check === "payments")).toEqual([
      {
        check: "payments",
        level: "ok",
        message: "No node is known to contradict a payment, and no balance to differ from the books.",
        advice: null,
      },
    ]);
  });

  test("finds what a node lacks: blocks, tags, contracts, and a right clock", async () => {
    const real = async (method: string, params: unknown[]) => ({ result: await chain.rpc(method, params) });
    node.answer = async ({ method, params }) => {
      const [first] = params as [{ fromBlock: string; toBlock: string } & string];
      if (method === "eth_getLogs" && Number(first.toBlock) - Number(first.fromBlock) >= 1)
        return { error: { code: -32000, message: "1 block at most" } };
      if (method === "eth_getBlockByNumber" && first === "safe") return { result: null };
      if (method === "eth_getBlockByNumber" && first === "latest") {
        const { result } = await real(method, params);
        return {
          result: {
            ...(result as object),
            timestamp: `0x${Math.floor(Date.now() / 1000 + 3_600).toString(16)}`,
          },
        };
      }
      if (method === "eth_getCode" || method === "eth_call") return { result: "0x" };
      return undefined;
    };
    const { findings } = await diagnose({ TILL_CONFIRMATIONS: "safe" });
    const bad = findings.filter((finding) => finding.level !== "ok").map((finding) => finding.message);
    expect(bad).toEqual([
      expect.stringContaining("1 block at a time"),
      expect.stringContaining("no safe block"),
      expect.stringContaining("no token at"),
      expect.stringContaining("Multicall3"),
      expect.stringContaining("behind the newest block"),
      expect.stringContaining("Balances cannot be compared"),
    ]);
  });

  test("finds a node that refuses the tag, says what to set, and goes on to the other checks", async () => {
    node.answer = ({ method, params }) =>
      method === "eth_getBlockByNumber" && params[0] === "finalized"
        ? { error: { code: -39001, message: "Unknown block" } }
        : undefined;
    const { findings } = await diagnose({ TILL_CONFIRMATIONS: "finalized" });
    expect(findings.filter((finding) => finding.level !== "ok")).toMatchObject([
      {
        level: "wrong",
        message: expect.stringContaining("no finalized block"),
        advice: expect.stringContaining("Set TILL_CONFIRMATIONS"),
      },
    ]);
    const checks = findings.map((finding) => finding.check);
    for (const check of ["clock", "replay from the chain"]) expect(checks).toContain(check);
  });

  test("finds a mail server that refuses the login, and repeats no password", async () => {
    const server = await startScriptedServer({ AUTH: { say: "535 5.7.8 no hunter2\r\n" } });
    try {
      const wrong = await onlyWrong({ TILL_SMTP_URL: `smtp://till:hunter2@127.0.0.1:${server.port}` });
      expect(wrong).toEqual([
        expect.objectContaining({
          check: "mail",
          message: expect.stringContaining("refused the login: 535"),
          advice: expect.stringContaining("Use smtps:// for a port with TLS from the start"),
        }),
      ]);
      expect(JSON.stringify(wrong)).not.toContain("hunter2");
      expect(server.contents).toEqual([]);
    } finally {
      await server.stop();
    }
  });

  test("says of a mail server only that it answers when there is no login", async () => {
    const { findings } = await diagnose({ TILL_SMTP_URL: till.mail.smtpUrl.replace(/\/\/.*@/, "//") });
    expect(findings.find(({ check }) => check === "mail")?.message).toContain("TILL_SMTP_URL has no login");
  });

  test("remarks on a proxy that is everybody, and on pages that anybody on the way can change", async () => {
    const remarks = async (changes: Record<string, string>) => {
      const { findings } = await diagnose(changes);
      const found = findings.filter(({ advice }) => /TLS|reverse prox(y|ies), such as/.test(advice ?? ""));
      return found.map(({ check, level, message }) => `${level} ${check}: ${message.split(":")[0]}`);
    };
    const everybody = "warning access: TILL_TRUST_PROXY names more than proxies";
    const plain = "warning access: TILL_BASE_URL begins with http";
    const [http, https] = ["http://pay.example.invalid", "https://pay.example.invalid"];
    for (const [range, url, found] of [
      ["127.0.0.1, ::/0", https, [everybody]],
      ["0.0.0.0/1", https, [everybody]],
      ["203.0.0.0/8", https, [everybody]],
      ["2000::/3", http, [everybody, plain]],
      ["127.0.0.1,::1,10.0.0.0/8,fc00::/7", https, []],
    ] as const)
      expect((await remarks({ TILL_TRUST_PROXY: range, TILL_BASE_URL: url })).sort()).toEqual(
        [...found].sort(),
      );
  });

  test("says of a certificate what is to be done, at the base URL as at a node", async () => {
    const certificates = makeCertificates();
    const tls = certificates.issue("localhost");
    const stranger = Bun.serve({ hostname: "127.0.0.1", port: 0, tls, fetch: () => new Response("hello") });
    const url = `https://localhost:${stranger.port}`;
    try {
      const { findings } = await diagnose({ TILL_BASE_URL: url, TILL_RPC_URL: url });
      const said = (check: string) => findings.find((finding) => finding.check.startsWith(check))?.message;
      expect(said("base URL")).toMatch(/^The certificate of https.* is not valid: .*NODE_EXTRA_CA_CERTS/);
      expect(said("node")).toContain("name the file of its certificate in NODE_EXTRA_CA_CERTS");
    } finally {
      await stranger.stop(true);
      certificates.remove();
    }
  });

  test("does not make the server think that its proxy hides the clients", async () => {
    await using proxied = await startTestTill(chain, { TILL_TRUST_PROXY: "127.0.0.1" });
    await proxied.api("POST", "/api/links", linkRequest, { "x-forwarded-for": "203.0.113.9" });
    const { findings } = await diagnose({
      TILL_BASE_URL: proxied.baseUrl,
      TILL_DATA_DIR: proxied.config.dataDir,
    });
    expect(findings.find(({ check }) => check === "base URL")?.message).toContain("serves this data");
    expect(proxied.logged.join("\n")).not.toContain("proxy.client_unknown");
  });

  test("finds a base URL that leads elsewhere", async () => {
    const other = await startTestTill(chain);
    const stranger = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("hello") });
    try {
      const [another] = await onlyWrong({ TILL_BASE_URL: other.baseUrl });
      expect(another?.message).toContain("does not know the newest invoice");
      const [noTill] = await onlyWrong({ TILL_BASE_URL: `http://127.0.0.1:${stranger.port}` });
      expect(noTill?.message).toContain("is not Till");
      const { findings, exitCode } = await diagnose(elsewhere);
      expect(exitCode).toBe(0);
      expect(findings.find((finding) => finding.check === "base URL")?.level).toBe("warning");
    } finally {
      await other.stop();
      await stranger.stop(true);
    }
  });

  test("passes on what the running server wants somebody to look at, and says once what both find", async () => {
    const server = await startScriptedServer({ RCPT: { say: "550 5.1.1 nobody of that name\r\n" } });
    const busy = await startTestTill(chain, {
      TILL_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      TILL_SETTLE: "auto",
    });
    try {
      const { invoice_id, deposit_address } = await busy.createInvoice({ send_now: true });
      expect((await busy.api("POST", `/api/invoices/${invoice_id}/void`, { reason: "Wrong" })).status).toBe(
        200,
      );
      await chain.pay(Address.checksum(deposit_address ?? ""), "1500.00");
      const warned = await until(
        async (): Promise<string[]> => (await busy.api("GET", "/health/ready")).body.warnings ?? [],
        (warnings) =>
          ["settlement", "money came", "mail"].every((topic) => warnings.join("\n").includes(topic)),
      );
      const { findings, exitCode } = await diagnose({
        TILL_BASE_URL: busy.baseUrl,
        TILL_DATA_DIR: busy.config.dataDir,
        TILL_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      });
      expect(warned).toHaveLength(3);
      const told = findings.filter(({ level }) => level === "warning").map(({ check }) => check);
      expect(told.sort()).toEqual(["mail", "payments", "running Till"]);
      expect(
        findings.find(({ check, level }) => check === "running Till" && level === "warning")?.message,
      ).toMatch(/^It says: settlement waits: .+ETH.+[^.]\.$/);
      expect(exitCode).toBe(0);
    } finally {
      await busy.stop();
      await server.stop();
    }
  });

  test("finds files that others can read", async () => {
    const file = join(till.config.dataDir, "wallet.age");
    chmodSync(file, 0o644);
    const wrong = await onlyWrong({});
    chmodSync(file, 0o600);
    expect(wrong).toEqual([expect.objectContaining({ advice: `chmod 600 ${file}` })]);
  });

  test("finds that nothing can be written where the data is, whatever the permissions say", () => {
    const wrong: string[] = [];
    // Root may write there, by them; nobody can.
    checkDataDir("/proc", ({ level, message }) => level === "wrong" && wrong.push(message));
    expect(wrong[0]).toMatch(/^(Nothing can be written to \/proc: E|\/proc may not be read and written)/);
  });

  test("finds a status, an amount and an address that were tampered with", async () => {
    const mine = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    const { wallet_address } = (await till.api("GET", `/api/invoices/${paid["invoice_id"]}`)).body;
    await tampered(
      `UPDATE invoice SET status = 'paid' WHERE sequence = 2;
       UPDATE receivable SET received_amount = 1 WHERE deposit_index = 1;
       UPDATE receivable SET payout_wallet = '${mine}' WHERE deposit_index = 0`,
      `UPDATE invoice SET status = 'draft' WHERE sequence = 2;
       UPDATE receivable SET received_amount = 0 WHERE deposit_index = 1;
       UPDATE receivable SET payout_wallet = '${wallet_address}' WHERE deposit_index = 0`,
      async () =>
        expect((await onlyWrong({})).map((finding) => finding.message)).toEqual([
          expect.stringMatching(/^INV-0001: the deposit address 0x\w+ does not come from this wallet/),
          "INV-0002: the received amount is stored as 0.000001, but according to the records it is 0.00.",
          "INV-0002: the status is stored as paid, but according to the records it is draft.",
        ]),
    );
  });

  test("takes what the merchant said of an invoice into account", async () => {
    await tampered(
      `UPDATE invoice SET status = 'void' WHERE sequence = 2;
       UPDATE receivable SET voided_at = 1, void_reason = 'x' WHERE deposit_index = 1`,
      `UPDATE invoice SET status = 'draft' WHERE sequence = 2;
       UPDATE receivable SET voided_at = NULL, void_reason = NULL WHERE deposit_index = 1`,
      async () => expect((await diagnose()).ok).toBe(true),
    );
    await tampered(
      "UPDATE receivable SET marked_paid_at = 1 WHERE deposit_index = 1",
      "UPDATE receivable SET marked_paid_at = NULL WHERE deposit_index = 1",
      async () =>
        expect((await onlyWrong({})).map((finding) => finding.message)).toEqual([
          "INV-0002: the status is stored as draft, but according to the records it is paid.",
        ]),
    );
  });

  test("finds on the chain what the database no longer knows, and in it what was never on the chain", async () => {
    const row =
      "block_hash, log_index, block_number, tx_hash, deposit_index, payer, amount, confirmed, seen_at, opinion, made_at";
    await tampered(
      `CREATE TABLE aside AS SELECT * FROM transfer; DELETE FROM transfer;
       INSERT INTO transfer (${row}) SELECT '0x${"ab".repeat(32)}', 7, block_number, '0x${"cd".repeat(32)}', 1, payer, 5000000, 1, 1, 'none', 1 FROM aside;
       UPDATE receivable SET received_amount = 5000000 WHERE deposit_index = 1;
       UPDATE invoice SET status = 'partial' WHERE sequence = 2;
       UPDATE receivable SET received_amount = 0 WHERE deposit_index = 0;
       UPDATE invoice SET status = 'draft' WHERE sequence = 1`,
      `DELETE FROM transfer; UPDATE receivable SET received_amount = 0 WHERE deposit_index = 1;
       UPDATE invoice SET status = 'draft' WHERE sequence = 2;
       INSERT INTO transfer (${row}) SELECT ${row} FROM aside; DROP TABLE aside;
       UPDATE receivable SET received_amount = 1500000000 WHERE deposit_index = 0;
       UPDATE invoice SET status = 'paid' WHERE sequence = 1`,
      async () => {
        const [missing, extra, sum, ...more] = await onlyWrong({});
        expect(missing?.message).toMatch(
          /^On the chain and not recorded: 1500.00 USDC to INV-0001 in block \d+ \(0x/,
        );
        expect(missing?.advice).toMatch(/till rescan --from \d+$/);
        expect(extra?.message).toContain("Recorded and not on the chain: 5.00 USDC to INV-0002");
        expect(sum?.message).toContain("1 are missing, 1 too many");
        expect(more).toEqual([]);
        // Without the blocks in which it was, all is well.
        const head = Number(await chain.rpc("eth_blockNumber"));
        expect((await diagnose({}, "--from", String(head + 1))).exitCode).toBe(0);
      },
    );
  });

  test("is called wrongly with exit code 2", async () => {
    expect((await run({}, "--from", "x")).exitCode).toBe(2);
    expect((await run({}, "--frmo", "1")).exitCode).toBe(2);
  });

  test("finds a damaged database and one of a later version, and leaves both as they are", async () => {
    await till.pause();
    const file = join(till.config.dataDir, "till.db");
    const before = readFileSync(file);
    const write = async (change: (bytes: Uint8Array) => void) => {
      const bytes = new Uint8Array(before);
      change(bytes);
      await Bun.write(file, bytes);
      return bytes;
    };
    // The user_version of SQLite's file format.
    await write((bytes) => bytes.set([0, 0, 39, 15], 60));
    expect((await onlyWrong(elsewhere)).map((finding) => finding.message)).toEqual([
      expect.stringContaining("schema 9999"),
    ]);
    const broken = await write((bytes) => bytes.fill(0x55, 4_096, 20_000));
    const [damaged] = await onlyWrong(elsewhere);
    expect(damaged?.check).toBe("database");
    expect(damaged?.advice).toContain("till restore");
    expect(readFileSync(file).equals(broken)).toBe(true);
    await Bun.write(file, before);
    await till.resume();
  });

  test("finds that the database is lost, empty, new, or without its log, and says what to do", async () => {
    const dir = makeDataDir();
    const file = join(dir.path, "till.db");
    const wallet = join(dir.path, "wallet.age");
    const diagnosed = async () => {
      const { exitCode, findings } = await diagnose({ ...elsewhere, TILL_DATA_DIR: dir.path });
      const about = findings.filter(({ check }) => ["database", "wallet"].includes(check));
      return { exitCode, said: about.map(({ level, message }) => `${level}: ${message}`), about };
    };
    try {
      chmodSync(dir.path, 0o700);
      expect(await diagnosed()).toMatchObject({
        exitCode: 0,
        said: [expect.stringContaining("There is no database yet"), expect.stringContaining("no wallet yet")],
      });
      await makeWallet({ file: wallet, passphrase: till.config.walletPassphrase });
      const lost = await diagnosed();
      expect(lost.said).toEqual([
        `wrong: ${file} is not there, but ${wallet} is: the database was moved or lost.`,
        "ok: It opens with the passphrase.",
      ]);
      expect(lost.exitCode).toBe(1);
      expect(lost.about[0]?.advice).toContain("till restore FILE");
      writeFileSync(file, "", { mode: 0o600 });
      expect((await diagnosed()).said[0]).toBe(
        `wrong: ${file} is empty, but ${wallet} is there: the database was moved or lost.`,
      );
      rmSync(file);
      closeDatabase(openDatabase(dir.path));
      expect(await diagnosed()).toMatchObject({
        exitCode: 1,
        said: [
          expect.stringMatching(/^ok: .*is whole/),
          "wrong: The database knows nothing of this wallet: it was made after another was lost.",
        ],
      });
      rmSync(wallet);
      rmSync(file);
      closeDatabase(openDatabase(dir.path));
      writeFileSync(`${file}-shm`, "", { mode: 0o600 });
      expect(
        (await onlyWrong({ ...elsewhere, TILL_DATA_DIR: dir.path })).map(({ message }) => message),
      ).toEqual([`${file}-wal, which holds the last changes, is missing.`]);
    } finally {
      dir.remove();
    }
  });

  test.each([
    [
      "whose schema is not what its number says",
      (dataDir: string) => {
        const db = openDatabase(dataDir);
        db.run("DROP TABLE recurring_made");
        closeDatabase(db);
      },
      "recurring_made is missing",
      "Use the build that wrote it, or restore a backup that a release made.",
    ],
    [
      "from before the first release",
      (dataDir: string) => {
        using db = new Database(join(dataDir, "till.db"));
        db.run("PRAGMA application_id = 0x54690000");
      },
      "from before its first release, and this one cannot read it.",
      "begin with an empty data directory",
    ],
  ])("says of a database %s what to do", async (_, make, message, advice) => {
    const dir = makeDataDir();
    make(dir.path);
    const { exitCode, findings } = await diagnose({ ...elsewhere, TILL_DATA_DIR: dir.path });
    dir.remove();
    expect(exitCode).toBe(1);
    expect(findings.find(({ check }) => check === "database")).toMatchObject({
      level: "wrong",
      message: expect.stringContaining(message),
      advice: expect.stringContaining(advice),
    });
  });
});
