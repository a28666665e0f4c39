import * as Address from "../../../src/domain/wallet/address.ts";
import { startBeat } from "../chain/beat.ts";
import { startTestChain, type TestChain } from "../chain/chain.ts";
import { createForger } from "../chain/forger.ts";
import { type Branch, lies, remember, tell } from "../chain/lying-node.ts";
import { createPayer } from "../chain/payer.ts";
import { startRpcProxy, startTcpProxy } from "../chain/rpc-proxy.ts";
import { startReceiver } from "../http/receiver.ts";
import { createRandom } from "../random.ts";
import { startServedTill } from "../till/process.ts";
import { startTestTill, type TestTill, until } from "../till/till.ts";
import { audit } from "./audit.ts";
import { ask, type Claim, createClaim, judge } from "./claim.ts";
import { createLedger, type Sent } from "./ledger.ts";

export type AttackOptions = {
  seed: number;
  confirmations: number;
  /** How often there is a block; null: one for each transaction. */
  blockMs: number | null;
  steps: number;
  /** How soon after the last fault everything has to be right. */
  settleMsMax: number;
  /** With two, one of them invents payments besides; the other one is honest, and is asked first or second. */
  nodes: "one" | "liar first" | "liar second";
  /** Till in this process, or one of its own, which can also be killed. */
  till: "inside" | "process";
};

const sampleEveryMs = 40;
const claimsMax = 6;
const forgeryHeardMs = 2_000;

type Victim = {
  dataDir: string;
  api: TestTill["api"];
  pause(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
};

async function startVictim(
  kind: AttackOptions["till"],
  urls: { rpcUrl: string; wsUrl: string },
  changes: Record<string, string>,
): Promise<Victim> {
  if (kind === "process") return startServedTill(urls, changes);
  const till = await startTestTill(urls, changes);
  return { ...till, api: till.api, dataDir: till.config.dataDir, pause: () => till.pause() };
}

/**
 * Attacks the watcher with what chains, nodes and networks do, in an order that the seed decides, and returns
 * what went wrong, one sentence each: money invented while it lasted, or anything that differs from the chain
 * once it is over.
 */
export async function attack(options: AttackOptions): Promise<string[]> {
  const { seed, confirmations, blockMs, steps, settleMsMax, nodes } = options;
  const random = createRandom(seed);
  const chain = await startTestChain();
  const ledger = createLedger(chain);
  const inventing = startRpcProxy(chain.rpcUrl);
  const forger = createForger(chain, inventing);
  const proxy = startRpcProxy(inventing.url);
  const honest = startRpcProxy(chain.rpcUrl);
  const rpcWire = startTcpProxy(Number(new URL(proxy.url).port));
  const wire = startTcpProxy(Number(new URL(chain.wsUrl).port));
  const receiver = await startReceiver();
  const liar = `http://127.0.0.1:${rpcWire.port}`;
  const rpcUrl = {
    one: liar,
    "liar first": `${liar},${honest.url}`,
    "liar second": `${honest.url},${liar}`,
  };
  const urls = { rpcUrl: rpcUrl[nodes], wsUrl: `ws://127.0.0.1:${wire.port}` };
  const till = await startVictim(options.till, urls, {
    TILL_CONFIRMATIONS: String(confirmations),
    TILL_LOG_RANGE: String(random.pick([3, 10, 2000])),
  });
  const faults = new Set<string>();
  const claims: Claim[] = [];
  const story: string[] = [];
  let branch: Branch | null = null;
  let endLie = () => {};
  let paused = false;
  let over = false;

  await chain.mine(20);
  await ledger.note();
  const beat = blockMs === null ? null : await startBeat(chain.rpc, blockMs);

  const sampling = (async () => {
    while (!over) {
      for (const claim of [...claims]) {
        if (paused || over) break;
        const told = await ask(till, claim).catch((thrown: unknown) => {
          if (!paused && !over) throw thrown;
          return null;
        });
        // What was asked while a block came is judged once the ledger has that block.
        // What only one of two nodes tells of is shown, and never counts.
        if (told && nodes === "one") await judge(ledger, claim, told, faults);
        else if (told) await judge(ledger, claim, { ...told, lines: told.confirmed }, faults);
      }
      await Bun.sleep(sampleEveryMs);
    }
  })();
  sampling.catch((thrown) => faults.add(`sampling failed: ${thrown}`));

  const amountFor = (claim: Claim) =>
    random.pick([claim.expected, claim.expected / 2n, claim.expected / 3n, claim.expected * 2n, 1n]);
  const somePayment = (): Sent => {
    const claim = random.pick(claims);
    return { to: claim.to, amount: amountFor(claim) };
  };
  const { pay, payTogether } = createPayer(chain, ledger, random);

  const create = async () => void claims.push(await createClaim(till, random, receiver.url));

  const reorg = (depth: number) => (beat ? beat.between(() => reorgNow(depth)) : reorgNow(depth));

  async function reorgNow(depth: number): Promise<void> {
    // A transaction is answered before its block is mined: what came since the last note would go unseen.
    await ledger.note();
    branch = await remember(chain);
    // Some of what the old branch held is mined again in the new one, in another block.
    const again: [unknown, number][] = [];
    for (let number = branch.head; number > branch.head - depth; number--) {
      for (const hash of (await transactionsOf(chain, number)).reverse()) {
        if (!random.chance(0.6)) continue;
        again.unshift([await chain.rpc("debug_getRawTransaction", [hash]), random.between(0, depth - 1)]);
      }
    }
    // Not every choice can be mined, a nonce may be missing: then the blocks stay empty.
    again.sort(([, a], [, b]) => a - b);
    try {
      await chain.rpc("anvil_reorg", [depth, again]);
    } catch {
      story.push("half a reorg");
      await ledger.note();
      await chain.reorg(depth);
    }
    await chain.mine(random.between(0, 2));
  }

  function beginLie(lie: (typeof lies)[number], probability?: number) {
    endLie();
    // The calls come as they come: they draw from a row of their own, so that the story stays the seed's.
    const own = createRandom(seed * 1_000 + story.length);
    endLie = tell(lie, {
      proxy,
      chain,
      random: own,
      branch,
      ...(probability === undefined ? {} : { probability }),
    });
  }

  // Lies that the liar's own headers show to be lies have it asked less: most seeds do without them.
  const isCrude = nodes !== "one" && random.chance(0.25);
  /** The liar tells of payments that never were, whatever else it does, until the end. */
  async function forge() {
    for (let i = random.between(1, 3); i > 0; i--) {
      const claim = random.pick(claims);
      const head = Number(await chain.rpc("eth_blockNumber"));
      const back = random.pick([0, 0, 0, 1, isCrude ? -random.between(1, 5) : random.between(2, 10)]);
      const block = Math.max(1, head - back);
      const [real] = random.chance(0.3) ? await transactionsOf(chain, Math.min(block, head)) : [];
      await forger.forge({
        to: claim.to,
        amount: amountFor(claim),
        block,
        ...(block > head || (isCrude && random.chance(0.3)) ? { blockHash: `0x${"cd".repeat(32)}` } : {}),
        ...(real === undefined ? {} : { txHash: real }),
      });
    }
    // The liar that is asked second is scanned when the first fails.
    const down = () => new Response("busy", { status: 503 });
    if (nodes === "liar second")
      honest.answer = ({ method }) => (method === "eth_getLogs" && random.chance(0.5) ? down() : undefined);
    // It is heard: nothing else stands in the way for a moment.
    endLie();
    actions["restore"]?.();
    const before = forger.told();
    await pay(somePayment());
    if (!paused) await until(forger.told, (times) => times > before, forgeryHeardMs).catch(() => {});
    await Bun.sleep(3 * sampleEveryMs);
  }

  const actions: Record<string, () => Promise<void> | void> = {
    async create() {
      if (!paused && claims.length < claimsMax) await create();
    },
    pay: () => pay(somePayment()),
    async "pay several in a block"() {
      const some = async () => {
        for (let i = random.between(2, 4); i > 0; i--) await pay(somePayment());
      };
      if (beat) return await beat.between(some);
      await chain.rpc("evm_setAutomine", [false]);
      await some();
      await chain.rpc("evm_setAutomine", [true]);
      await chain.mine(1);
    },
    "pay a stranger": () =>
      pay({ to: Address.checksum("0x2222222222222222222222222222222222222222"), amount: 5n }),
    mine: () => chain.mine(random.between(1, 2)),
    reorg: () => reorg(random.between(1, 6)),
    lie() {
      const lie = random.pick(lies);
      story.push(lie);
      beginLie(lie);
    },
    truth: () => endLie(),
    cut: () => wire.cut(),
    freeze: () => wire.freeze(),
    restore() {
      for (const each of [wire, rpcWire]) {
        each.thaw();
        each.restore();
        each.delay(0);
      }
    },
    async pause() {
      if (paused) {
        await till.resume();
        paused = false;
      } else if (random.chance(0.4)) {
        paused = true;
        await till.pause(random.pick(["SIGTERM", "SIGKILL"]));
      }
    },
    async "pay several in a transaction"() {
      const payments = Array.from({ length: random.between(2, 5) }, somePayment);
      // Twice the same is two payments, not one that was read twice.
      if (random.chance(0.5)) payments.push(...payments.slice(0, 1));
      await payTogether(payments);
    },
    "a deep reorg": () => reorg(random.between(7, 20)),
    async "to another branch and back"() {
      await reorg(random.between(1, 8));
      beginLie("other branch", 1);
    },
    "mine many": () => chain.mine(random.between(5, 20)),
    "cut all"() {
      wire.cut();
      rpcWire.cut();
    },
    "freeze all"() {
      wire.freeze();
      rpcWire.freeze();
    },
    tear() {
      wire.tear();
      rpcWire.tear();
    },
    delay() {
      wire.delay(random.between(50, 400));
      rpcWire.delay(random.between(50, 400));
    },
    "a busy receiver": () => receiver.answerWith(503, 200),
  };
  // More of what moves money than of what breaks things.
  const often = [
    "pay",
    "pay",
    "pay",
    "pay several in a block",
    "reorg",
    "lie",
    "lie",
    "truth",
    "truth",
    "restore",
  ];

  if (nodes !== "one") {
    actions["forge"] = forge;
    often.push("forge", "forge", "forge");
  }

  try {
    await create();
    await create();
    for (let step = 0; step < steps; step++) {
      const name = random.pick([...often, ...Object.keys(actions)]);
      story.push(name);
      await actions[name]?.();
      await ledger.note();
      await Bun.sleep(random.pick([0, 5, 30, 100, 250]));
    }

    endLie();
    forger.repent();
    honest.answer = null;
    await actions["restore"]?.();
    if (paused) await till.resume();
    paused = false;
    await create();
    const last = claims.at(-1);
    // The feed says nothing of a reorg, so one more payment makes Till look.
    if (last) await pay({ to: last.to, amount: last.expected });
    await chain.mine(confirmations);
    const books = { till, chain, ledger, claims, receiver };
    for (const fault of await audit(books, settleMsMax)) faults.add(fault);
  } catch (thrown) {
    faults.add(`the attack itself failed: ${thrown instanceof Error ? thrown.stack : thrown}`);
  } finally {
    over = true;
    await sampling.catch(() => {});
    await beat?.stop();
    await till.stop();
    await receiver.stop();
    wire.stop();
    rpcWire.stop();
    for (const each of [proxy, inventing, honest]) await each.stop();
    await chain.stop();
  }
  return faults.size === 0 ? [] : [...faults, `seed ${seed}: ${story.join(", ")}`];
}

async function transactionsOf(chain: TestChain, number: number): Promise<string[]> {
  const block = await chain.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
  return (block as { transactions: string[] }).transactions;
}
