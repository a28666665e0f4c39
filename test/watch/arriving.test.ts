import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Address } from "../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { type FlashblocksNode, pendingLog, startFlashblocksNode } from "../support/chain/flashblocks-node.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { linkRequest, startTestTill, type TestTill, until } from "../support/till/till.ts";

let chain: TestChain;
let node: FlashblocksNode;
let till: TestTill;
let receiver: Receiver;
let link: { slug: string; to: Address };
let next: number;

beforeAll(async () => {
  chain = await startTestChain();
  node = startFlashblocksNode(chain);
  receiver = await startReceiver();
  till = await startTestTill({ rpcUrl: chain.rpcUrl, wsUrl: node.wsUrl });
});
afterAll(async () => {
  await till.stop();
  await node.stop();
  await receiver.stop();
  await chain.stop();
});

async function newLink(of: TestTill) {
  const { body } = await of.api("POST", "/api/links", { ...linkRequest, webhook_url: receiver.url });
  return { slug: String(body.slug), to: body.deposit_address as Address };
}

const so = (is: () => unknown, timeoutMs?: number) => until(is, Boolean, timeoutMs);

const stillToSend =
  "SELECT 1 FROM webhook_event WHERE state = 'pending' UNION SELECT 1 FROM mail WHERE ended_at IS NULL";

beforeEach(async () => {
  link = await newLink(till);
  await so(() => `${node.asked.at(-1)}`.includes(link.to.slice(2).toLowerCase()) && node.early() === 1);
  await so(() => till.db.query(stillToSend).get() === null);
  // The address is read up to the head.
  await Bun.sleep(100);
  next = (await chain.blockAt("latest")).number + 1;
});

const told = (amount: bigint, changes = {}) => ({ ...pendingLog(chain, link.to, amount, next), ...changes });
const ask = (shown: string | null = null) =>
  till.api("GET", `/pay/${link.slug}/arriving${shown === null ? "" : `?shown=${shown}`}`);
const arriving = async () => String((await ask()).body.arriving);
const pageOf = async (of: TestTill, slug: string) =>
  String((await of.api("GET", `/pay/${slug}`, undefined, { accept: "text/html" })).body);

/** Everything that a program could take for a payment: the API's answers, and every row. */
async function known() {
  const paths = [`links/${link.slug}`, `payments/status/${link.slug}`, `links/${link.slug}/payments`];
  const answers = [];
  for (const path of paths) answers.push((await till.api("GET", `/api/${path}`)).body);
  const tables = ["transfer", "deposit", "event", "webhook_event", "mail"];
  const rows = tables.map((name) => Bun.inspect(till.db.query(`SELECT * FROM ${name}`).all()));
  return { answers, rows, webhooks: receiver.received.length };
}

/** Lets Anvil make blocks when it is told to, so that there is a time before the block. */
async function withoutBlocks(work: () => Promise<void>): Promise<void> {
  await chain.rpc("evm_setAutomine", [false]);
  try {
    await work();
  } finally {
    await chain.rpc("evm_setAutomine", [true]);
  }
}

describe("a payment that no block has yet", () => {
  test("shows as arriving within 300 ms, then as paid; nothing is stored or sent before its block", async () => {
    expect(await pageOf(till, link.slug)).toContain('data-payment="open"');
    const before = await known();
    await withoutBlocks(async () => {
      const paying = chain.pay(link.to, "25.00");
      type Block = { transactions: { hash: string }[] };
      const pending = await until(
        async () => (await chain.rpc("eth_getBlockByNumber", ["pending", true])) as Block,
        ({ transactions }) => transactions.length > 0,
      );
      const waiting = ask("0.00");
      await Bun.sleep(100);
      const startedAt = performance.now();
      node.tell(told(25_000_000n, { transactionHash: pending.transactions[0]?.hash }));
      const shown = String((await waiting).body);
      const tookMs = performance.now() - startedAt;
      expect(shown).toContain('data-payment="arriving"');
      expect(shown).toContain("Your payment is arriving: it is not in a block yet.");
      expect(shown).not.toMatch(/received|#check|copy-address/);
      expect(tookMs).toBeLessThan(300);
      console.log(`from the log to the page's section in ${tookMs.toFixed(1)} ms`);
      const cached = await pageOf(till, link.slug);
      expect(cached).toContain('data-payment="arriving"');
      // What programs read in it says what is due, as before.
      expect(cached).toContain('"totalPaymentDue"');
      expect(await known()).toEqual(before);

      const gone = ask("25.00");
      await chain.mine(1);
      await paying;
      expect((await gone).body).toContain('data-payment="paid"');
    });
    await so(() => receiver.received.length === before.webhooks + 1);
    // Told of again once its block was read, it is nothing new.
    node.tell(told(25_000_000n));
    await Bun.sleep(50);
    expect(await arriving()).toBe("0.00");
  });

  test("is gone as soon as its block is there without it, and when it is withdrawn", async () => {
    const log = told(1_500_000n);
    node.tell(log, told(2_000_000n));
    await until(arriving, (amount) => amount === "3.50");
    node.tell({ ...log, removed: true });
    await until(arriving, (amount) => amount === "2.00");
    const gone = ask("2.00");
    // A block in which something else was paid.
    await chain.pay((await newLink(till)).to, "1.00");
    expect((await gone).body).toContain('data-payment="open"');
  });

  test("is gone after some seconds when no block comes", async () => {
    expect(await pageOf(till, link.slug)).toContain('data-part="how"');
    const before = await known();
    node.tell(told(25_000_000n, { blockNumber: null }));
    await until(arriving, (amount) => amount === "25.00");
    const startedAt = performance.now();
    await until(arriving, (amount) => amount === "0.00", 12_000);
    expect(performance.now() - startedAt).toBeGreaterThan(6_000);
    // A node that goes on and on hides the way to pay for no longer than that.
    const page = await until(
      () => {
        node.tell(told(25_000_000n, { blockNumber: null }));
        return pageOf(till, link.slug);
      },
      (html) => html.includes('data-payment="arriving"') && html.includes('data-part="how"'),
    );
    expect(page).toContain("it is not in a block yet");
    expect(performance.now() - startedAt).toBeGreaterThan(14_000);
    expect(await known()).toEqual(before);
  });

  test("is none of another token, to another address, of nothing, of more than there is, or in garbage", async () => {
    const before = await known();
    node.tell(
      told(25_000_000n, { address: "0x2222222222222222222222222222222222222222" }),
      told(25_000_000n, { topics: [told(1n).topics[0], told(1n).topics[1], `0x${"7".padStart(64, "0")}`] }),
      told(25_000_000n, { topics: [`0x${"ab".repeat(32)}`, ...told(1n).topics.slice(1)] }),
      told(25_000_000n, { transactionHash: "0x1" }),
      told(0n),
      told(2n ** 256n - 1n),
      told(10n ** 16n),
      told(1n, { data: "0x" }),
      told(1n, { topics: "0x" }),
      ...[null, 7, "log", [], {}, { topics: [null, null, { toString: 1 }] }],
      told(1n, { address: { toString: 1, valueOf: 1 } }),
      told(1n, { blockNumber: { toString: 1, valueOf: 1 } }),
    );
    node.tell(told(3_000_000n));
    await until(arriving, (amount) => amount === "3.00");
    expect(await known()).toEqual(before);
    await chain.mine(1);
  });
});

describe("those who wait", () => {
  test("are twenty for each address at most, and give their places back when they go", async () => {
    const leaving = new AbortController();
    const url = `${till.localUrl}/pay/${link.slug}/arriving?shown=0.00`;
    const waits = Array.from({ length: 20 }, () =>
      fetch(url, { signal: leaving.signal }).then(
        () => "answered",
        () => "left",
      ),
    );
    await Bun.sleep(200);
    const refused = await fetch(url);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    leaving.abort();
    expect(new Set(await Promise.all(waits))).toEqual(new Set(["left"]));
    await Bun.sleep(200);
    const held = fetch(url);
    await Bun.sleep(600);
    expect(Bun.peek.status(held)).toBe("pending");
    node.tell(told(1_000_000n));
    expect(await (await held).text()).toContain('data-arriving="1.00"');
  });

  test("are counted in all alone where Till cannot tell them apart", async () => {
    const own = await startTestTill(
      { rpcUrl: chain.rpcUrl, wsUrl: node.wsUrl },
      { TILL_TRUST_PROXY: "127.0.0.0/8" },
    );
    const { slug, to } = await newLink(own);
    await so(() => `${node.asked.at(-1)}`.includes(to.slice(2).toLowerCase()) && node.early() === 2);
    const url = `${own.localUrl}/pay/${slug}/arriving?shown=0.00`;
    const waits = Array.from({ length: 30 }, () => fetch(url).then(({ status }) => status));
    await Bun.sleep(500);
    node.tell(pendingLog(chain, to, 1_000_000n, next));
    expect(new Set(await Promise.all(waits))).toEqual(new Set([200]));
    await own.stop();
    await so(() => node.early() === 1);
  });

  test("do not hold up the end of Till", async () => {
    const own = await startTestTill({ rpcUrl: chain.rpcUrl, wsUrl: node.wsUrl });
    const { slug } = await newLink(own);
    const waiting = fetch(`${own.localUrl}/pay/${slug}/arriving?shown=0.00`).then((answer) => answer.text());
    await Bun.sleep(200);
    const startedAt = performance.now();
    await own.stop();
    expect(await waiting).toContain('data-payment="open"');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe("a node that", () => {
  const lines = (of: TestTill, name: string) => of.logged.filter((line) => line.includes(`[${name}`)).length;

  /** A Till on a node of its own, where a payment shows as paid as soon as ever: the watching's connection stood all the time. */
  async function onNode(
    how: Parameters<typeof startFlashblocksNode>[1],
    flood: (own: FlashblocksNode, to: Address) => void,
    then: (alone: TestTill, own: FlashblocksNode, tookMs: number) => Promise<void>,
  ): Promise<void> {
    const own = startFlashblocksNode(chain, how);
    const alone = await startTestTill({ rpcUrl: chain.rpcUrl, wsUrl: own.wsUrl });
    try {
      const { slug, to } = await newLink(alone);
      await so(() => own.late() > 0 && own.asked.length > 0);
      flood(own, to);
      await Bun.sleep(300);
      const startedAt = performance.now();
      await chain.pay(to, "25.00");
      const status = async () => (await alone.api("GET", `/api/payments/status/${slug}`)).body.status;
      await until(status, (now) => now === "confirmed", 3_000);
      await then(alone, own, performance.now() - startedAt);
      expect(lines(alone, "chain.disconnected")).toBe(0);
      expect(own.late()).toBe(1);
    } finally {
      await alone.stop();
      await own.stop();
    }
  }

  const nothing = () => {};
  test.each(["refused", "mute"] as const)("leaves it %s changes nothing", (how) =>
    onNode(how, nothing, async (alone, own) => {
      expect(await pageOf(alone, (await newLink(alone)).slug)).not.toContain("data-arriving");
      await Bun.sleep(4_000);
      expect(own.asked.length).toBeLessThan(3);
      expect(alone.logged.filter((line) => /flashblocks|\b(WARN|ERROR)\b/i.test(line))).toEqual([]);
    }),
  );

  test("names no subscription takes none: Till looks regularly, as without one", () => {
    const own = startFlashblocksNode(chain, "nameless");
    return withTill(own, async (alone) => {
      const { slug, to } = await newLink(alone);
      await so(() => lines(alone, "chain.disconnected") === 1);
      expect(alone.logged.join()).toContain("the node refused: null");
      await chain.pay(to, "25.00");
      const status = async () => (await alone.api("GET", `/api/payments/status/${slug}`)).body.status;
      // Without any subscription 12 s pass at most, and a minute with one.
      await until(status, (now) => now === "confirmed", 20_000);
      expect(lines(alone, "flashblocks.heard") + lines(alone, "chain.connected")).toBe(0);
    });
  });

  test("was away is asked as soon as it is back, however often it had refused", () => {
    const own = startFlashblocksNode(chain, "refused");
    return withTill(own, async (alone) => {
      await newLink(alone);
      await so(() => own.asked.length === 2, 15_000);
      // The next time would be in 5 to 10 s.
      own.drop(null);
      await so(() => own.early() === 1, 4_000);
    });
  });

  async function withTill(own: FlashblocksNode, work: (alone: TestTill) => Promise<void>): Promise<void> {
    const alone = await startTestTill({ rpcUrl: chain.rpcUrl, wsUrl: own.wsUrl });
    try {
      await work(alone);
    } finally {
      await alone.stop();
      await own.stop();
    }
  }

  test("closes it each second is asked ever more rarely, and the watching goes on", () =>
    onNode("closing", nothing, async (alone, own) => {
      await so(() => own.asked.length >= 2, 12_000);
      await Bun.sleep(2_000);
      expect(own.asked.length).toBe(2);
      expect(lines(alone, "flashblocks.heard")).toBe(2);
      expect(lines(alone, "flashblocks.ended")).toBe(2);
    }));

  test("tells of 100,000 at once is given up; payments show as ever, and memory stays", () => {
    const before = process.memoryUsage().rss;
    const flood = (own: FlashblocksNode, to: Address) => {
      const log = pendingLog(chain, to, 1_000_000n, next + 1_000);
      for (let i = 0; i < 100_000; i++) own.tell({ ...log, logIndex: `0x${i.toString(16)}` });
    };
    return onNode(null, flood, async (alone, own, tookMs) => {
      await so(() => own.early() === 0);
      expect(lines(alone, "flashblocks.ended")).toBe(1);
      const mb = (process.memoryUsage().rss - before) / 1e6;
      console.log(`paid ${tookMs.toFixed(0)} ms into the flood; ${mb.toFixed(0)} MB more, with all of it`);
      expect(mb).toBeLessThan(300);
    });
  });
});
