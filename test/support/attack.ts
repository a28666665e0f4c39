import { payers } from "../../src/chain/dev-chain.ts";
import * as Address from "../../src/domain/address.ts";
import { startTestChain } from "./chain.ts";
import { ask, type Claim, createClaim, differences, judge, repeatedEvents } from "./claim.ts";
import { createLedger } from "./ledger.ts";
import { type Branch, lies, remember, tell } from "./lying-node.ts";
import { createRandom } from "./random.ts";
import { startReceiver } from "./receiver.ts";
import { startRpcProxy, startTcpProxy } from "./rpc-proxy.ts";
import { startTestTill, until } from "./till.ts";

export type AttackOptions = {
  seed: number;
  confirmations: number;
  steps: number;
  /** How soon after the last fault everything has to be right. */
  settleMsMax: number;
};

const sampleEveryMs = 25;
const claimsMax = 6;

/**
 * Attacks the watcher with what chains, nodes and networks do, in an order that the seed decides, and returns
 * what went wrong, one sentence each: money invented while it lasted, or anything that differs from the chain
 * once it is over.
 */
export async function attack({ seed, confirmations, steps, settleMsMax }: AttackOptions): Promise<string[]> {
  const random = createRandom(seed);
  const chain = await startTestChain();
  const ledger = createLedger(chain);
  const proxy = startRpcProxy(chain.rpcUrl);
  const wire = startTcpProxy(Number(new URL(chain.wsUrl).port));
  const receiver = await startReceiver();
  const till = await startTestTill(
    { rpcUrl: proxy.url, wsUrl: `ws://127.0.0.1:${wire.port}` },
    { TILL_CONFIRMATIONS: String(confirmations), TILL_LOG_RANGE: String(random.pick([3, 10, 2000])) },
  );
  const faults = new Set<string>();
  const claims: Claim[] = [];
  const story: string[] = [];
  let branch: Branch | null = null;
  let endLie = () => {};
  let paused = false;
  let over = false;

  await chain.mine(20);
  await ledger.note();

  const sampling = (async () => {
    while (!over) {
      for (const claim of [...claims]) {
        if (paused || over) break;
        const told = await ask(till, claim).catch((thrown: unknown) => {
          if (!paused && !over) throw thrown;
          return null;
        });
        // What was asked while a block came is judged once the ledger has that block.
        if (told) await judge(ledger, claim, told, faults, () => story.join(", "));
      }
      await Bun.sleep(sampleEveryMs);
    }
  })();
  sampling.catch((thrown) => faults.add(`sampling failed: ${thrown}`));

  async function pay(to: Address.Address, amount: bigint): Promise<void> {
    const data = `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, "0")}${amount.toString(16).padStart(64, "0")}`;
    const from = random.pick(payers);
    await chain.rpc("eth_sendTransaction", [{ from, to: chain.usdc, data, gas: "0x30d40" }]);
  }
  const amountFor = (claim: Claim) =>
    random.pick([claim.expected, claim.expected / 2n, claim.expected / 3n, claim.expected * 2n, 1n]);

  const create = async () => void claims.push(await createClaim(till, random, receiver.url));

  async function reorg(): Promise<void> {
    // A transaction is answered before its block is mined: what came since the last note would go unseen.
    await ledger.note();
    branch = await remember(chain);
    const depth = random.between(1, 6);
    const again: [unknown, number][] = [];
    // Some of what the old branch held is mined again in the new one, in another block.
    for (let number = branch.head; number > branch.head - depth; number--) {
      const block = (await chain.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false])) as {
        transactions: string[];
      };
      for (const hash of block.transactions.reverse()) {
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

  const actions: Record<string, () => Promise<void> | void> = {
    async create() {
      if (!paused && claims.length < claimsMax) await create();
    },
    async pay() {
      if (claims.length === 0) return;
      const claim = random.pick(claims);
      await pay(claim.to, amountFor(claim));
    },
    async "pay several in a block"() {
      if (claims.length === 0) return;
      await chain.rpc("evm_setAutomine", [false]);
      for (let i = random.between(2, 4); i > 0; i--) {
        const claim = random.pick(claims);
        await pay(claim.to, amountFor(claim));
      }
      await chain.rpc("evm_setAutomine", [true]);
      await chain.mine(1);
    },
    "pay a stranger": () => pay(Address.checksum("0x2222222222222222222222222222222222222222"), 5n),
    mine: () => chain.mine(random.between(1, 2)),
    reorg,
    lie() {
      endLie();
      const lie = random.pick(lies);
      story.push(lie);
      endLie = tell(lie, { proxy, chain, random, branch });
    },
    truth() {
      endLie();
    },
    cut: () => wire.cut(),
    freeze: () => wire.freeze(),
    restore() {
      wire.thaw();
      wire.restore();
    },
    async pause() {
      if (paused) {
        await till.resume();
        paused = false;
      } else if (random.chance(0.4)) {
        paused = true;
        await till.pause();
      }
    },
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
    wire.thaw();
    wire.restore();
    if (paused) await till.resume();
    paused = false;
    await create();
    const last = claims.at(-1);
    // The feed says nothing of a reorg, so one more payment makes Till look.
    if (last) await pay(last.to, last.expected);
    await chain.mine(confirmations);
    await ledger.note();
    const deadline = performance.now() + settleMsMax;
    for (const claim of claims) {
      const leftMs = Math.max(200, deadline - performance.now());
      const wrong = () => ask(till, claim).then((told) => differences(claim, told, ledger));
      await until(wrong, (found) => found.length === 0, leftMs).catch(async () => {
        for (const difference of await wrong()) faults.add(difference);
      });
      for (const status of await repeatedEvents(till, claim)) {
        faults.add(`${claim.path} has several events for ${status}`);
      }
    }
  } catch (thrown) {
    faults.add(`the attack itself failed: ${thrown instanceof Error ? thrown.stack : thrown}`);
  } finally {
    over = true;
    await sampling.catch(() => {});
    await till.stop();
    await receiver.stop();
    wire.stop();
    await proxy.stop();
    await chain.stop();
  }
  return [...faults];
}
