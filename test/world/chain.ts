import { createHash } from "node:crypto";
import type { Hex } from "../../src/lib/crypto.ts";
import type { Life, Time } from "./time.ts";

export const blockMs = 200;

/** Blocks that there were before the simulation begins. */
const firstHead = 10_000_000;

/** Addresses are in lower case. */
export type Payment = { from: string; to: string; amount: bigint };

export type Transaction = {
  hash: Hex;
  payments: readonly Payment[];
  /** Of the account that settles; null for all others, whose nonces do not matter. */
  nonce?: number;
  /** Deposits that have code from then on. */
  creates?: readonly string[];
};

/** A transaction of the account that settles, which moves what its deposits hold when it comes into a block. */
export type Settlement = { hash: Hex; nonce: number; deposits: readonly { address: string; to: string }[] };

/** A transaction in a block of one branch, which a reorganisation ends. */
export type Placed = Transaction & {
  block: number;
  /** The index of its first log. */
  logIndex: number;
  /** When it came into the block, and when that block was replaced, in Unix ms. */
  since: number;
  until: number;
  /** The one node that says so: it is a lie. */
  liar: string | null;
};

/** From `since` on, the blocks from `from` on are others than before. */
type Fork = { from: number; since: number; id: number };

/** What becomes of a transaction whose block is gone. */
export type Fate = { kind: "same" } | { kind: "later"; blocks: number } | { kind: "gone" };

export type Chain = ReturnType<typeof createChain>;

/**
 * A chain with a block every 200 ms and USDC in it. Blocks are made when somebody looks: what they hold is known from the
 * transactions, and their hashes from their numbers and the reorganisations so far.
 */
export function createChain(time: Time, life: Life) {
  const genesisAt = time.startMs - firstHead * blockMs;
  const forks: Fork[] = [{ from: 0, since: Number.NEGATIVE_INFINITY, id: 0 }];
  const byBlock = new Map<number, Placed[]>();
  const byHash = new Map<string, Placed[]>();
  const byParty = new Map<string, Placed[]>();
  const creators = new Map<string, Placed[]>();
  const ofAccount: Placed[] = [];
  /** Settlements that were sent and are in no block yet, by their nonces. */
  const pool = new Map<number, Settlement>();
  const settlements = new Map<string, Settlement>();
  const listeners: ((placed: Placed) => void)[] = [];
  const settlementListeners: (() => void)[] = [];

  const add = <Key>(to: Map<Key, Placed[]>, key: Key, placed: Placed) => {
    const list = to.get(key);
    if (list) list.push(placed);
    else to.set(key, [placed]);
  };

  const timeOf = (block: number) => genesisAt + block * blockMs;
  const headAt = (at: number) => Math.floor((at - genesisAt) / blockMs);

  function place(transaction: Transaction, block: number, since: number, liar: string | null): Placed {
    const { payments, hash, creates = [], nonce } = transaction;
    const there = (byBlock.get(block) ?? []).filter(({ until }) => until === Number.POSITIVE_INFINITY);
    const logIndex = Math.max(0, ...there.map((one) => one.logIndex + one.payments.length));
    const until = Number.POSITIVE_INFINITY;
    const placed = { ...transaction, block, logIndex, since, until, liar };
    if (nonce !== undefined) ofAccount.push(placed);
    for (const address of creates) add(creators, address, placed);
    add(byBlock, block, placed);
    add(byHash, hash, placed);
    for (const party of new Set(payments.flatMap(({ from, to }) => [from, to]))) add(byParty, party, placed);
    const tellAll = () => {
      for (const tell of listeners) tell(placed);
    };
    time.after(since - time.now(), tellAll, life);
    return placed;
  }

  function forkOf(block: number, at: number): number {
    for (let n = forks.length - 1; n >= 0; n--) {
      const fork = forks[n] as Fork;
      if (fork.since <= at && fork.from <= block) return fork.id;
    }
    return 0;
  }

  const isKept = ({ until, liar }: Placed) => until === Number.POSITIVE_INFINITY && liar === null;

  /** The next nonce, once all that is on its way into a block is there. */
  const nextNonce = () => ofAccount.filter(isKept).length;

  /** Moves what the deposits hold in that block. */
  function settle({ hash, nonce, deposits }: Settlement, block: number): void {
    const payments = deposits.flatMap(({ address, to }) => {
      let amount = 0n;
      for (const placed of byParty.get(address) ?? [])
        if (isKept(placed) && placed.block <= block)
          for (const payment of placed.payments) {
            if (payment.to === address) amount += payment.amount;
            if (payment.from === address) amount -= payment.amount;
          }
      return amount > 0n ? [{ from: address, to, amount }] : [];
    });
    const creates = deposits.map(({ address }) => address);
    place({ hash, nonce, payments, creates }, block, Math.max(time.now(), timeOf(block)), null);
  }

  /** Brings into a block whatever has its turn. */
  function settleNext(block: number): void {
    for (let next = pool.get(nextNonce()); next; next = pool.get(nextNonce())) {
      pool.delete(next.nonce);
      settle(next, block);
    }
  }

  /** The chain as it was at a time, and as one node tells it. */
  function view(at: number, teller: string | null = null) {
    const head = headAt(at);
    const isSeen = (placed: Placed) =>
      placed.block <= head &&
      placed.since <= at &&
      at < placed.until &&
      (placed.liar === null || placed.liar === teller);
    return {
      head,
      timeOf,
      hashOf: (block: number): Hex =>
        `0x${createHash("sha256")
          .update(`block ${block} ${forkOf(block, at)}`)
          .digest("hex")}`,
      inBlock: (block: number): Placed[] => (byBlock.get(block) ?? []).filter(isSeen),
      /** Those that pay an address, or are paid by it, in some blocks. */
      of: (party: string, from: number, to: number): Placed[] =>
        (byParty.get(party) ?? []).filter(
          (placed) => placed.block >= from && placed.block <= to && isSeen(placed),
        ),
      hasCode: (address: string, block: number): boolean =>
        creators.get(address)?.some((placed) => placed.block <= block && isSeen(placed)) ?? false,
      nonceAt: (block: number): number =>
        ofAccount.filter((placed) => placed.block <= block && isSeen(placed)).length,
      find: (hash: string): Placed | null => byHash.get(hash)?.find(isSeen) ?? null,
      balanceOf(party: string, block: number): bigint {
        let balance = 0n;
        const all = byParty.get(party);
        if (all === undefined) return balance;
        for (const placed of all)
          if (placed.block <= block && isSeen(placed))
            for (const { from, to, amount } of placed.payments) {
              if (to === party) balance += amount;
              if (from === party) balance -= amount;
            }
        return balance;
      },
    };
  }

  return {
    view,
    /** Told of each settlement that somebody sends. */
    onSettlement: (tell: () => void) => void settlementListeners.push(tell),
    onPlaced: (tell: (placed: Placed) => void) => void listeners.push(tell),
    /** What ever came to an address in blocks that got so old before they were replaced, if they were. */
    matured(party: string, ageMs: number): bigint {
      const sums = new Map<string, bigint>();
      for (const { block, until, liar, hash, payments } of byParty.get(party) ?? []) {
        if (liar !== null || timeOf(block) + ageMs > Math.min(time.now(), until)) continue;
        sums.set(
          hash,
          payments.reduce((sum, { to, amount }) => (to === party ? sum + amount : sum), 0n),
        );
      }
      return [...sums.values()].reduce((sum, amount) => sum + amount, 0n);
    },
    /** Takes a settlement as a node does; in words, why it does not. */
    settle(settlement: Settlement): string | null {
      const { hash, nonce } = settlement;
      if (byHash.get(hash)?.some(isKept) || pool.get(nonce)?.hash === hash) return "already known";
      if (nonce < nextNonce()) return "nonce too low";
      if (pool.has(nonce)) return "replacement transaction underpriced";
      settlements.set(hash, settlement);
      for (const tell of settlementListeners) tell();
      pool.set(nonce, settlement);
      settleNext(headAt(time.now()) + 1);
      return null;
    },
    /** The transactions of the account that settles, as they are now. */
    settled: () => ofAccount.filter(isKept),
    /** What was on the chain at some moment since then, of an address, each as it last was. */
    since(party: string, since: number): { placed: Placed; seen: ReturnType<typeof view> }[] {
      const was = (byParty.get(party) ?? []).filter((one) => one.liar === null && one.until > since);
      return was.map((placed) => ({ placed, seen: view(Math.min(time.now(), placed.until - 1)) }));
    },
    /** Sends a transaction, which is in the next block. */
    send(transaction: Transaction): Placed {
      const block = headAt(time.now()) + 1;
      return place(transaction, block, timeOf(block), null);
    },
    /** Has one node tell of a transaction that there never was. */
    invent(transaction: Transaction, liar: string, block: number): void {
      place(transaction, block, Math.max(time.now(), timeOf(block)), liar);
    },
    /** Takes back what a node invented. */
    admit(liar: string): void {
      for (const all of byBlock.values())
        for (const placed of all) if (placed.liar === liar) placed.until = Math.min(placed.until, time.now());
    },
    /** Replaces so many blocks by others. Returns what was in them. */
    reorganise(depth: number, fateOf: (transaction: Placed) => Fate, forgets = false): Placed[] {
      const now = time.now();
      const head = headAt(now);
      const from = head - depth + 1;
      forks.push({ from, since: now, id: forks.length });
      const moved: Placed[] = [];
      for (let block = from; block <= head + 1; block++)
        for (const placed of byBlock.get(block) ?? [])
          if (placed.until > now && placed.since <= timeOf(head + 1) && placed.liar === null)
            moved.push(placed);
      for (const placed of moved) placed.until = now;
      const others = moved.filter(({ nonce }) => nonce === undefined);
      for (const placed of others) {
        const fate = fateOf(placed);
        if (fate.kind === "gone") continue;
        const block = fate.kind === "same" ? placed.block : head + fate.blocks;
        place(placed, block, Math.max(now, timeOf(block)), null);
      }
      // A node that forgot one is sent it again.
      for (const { hash, nonce } of moved) {
        const settlement = settlements.get(hash);
        if (nonce !== undefined && settlement && !forgets) pool.set(nonce, settlement);
      }
      settleNext(head + 2);
      return moved;
    },
  };
}

export type View = ReturnType<Chain["view"]>;
