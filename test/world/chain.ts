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
  /** The authorisation that it uses up. */
  uses?: Authorization;
  isReverted?: boolean;
};

/** What a wallet signed, for anybody to bring to the chain, once (EIP-3009). */
export type Authorization = Payment & { nonce: string; validBeforeSec: number };

/** A transaction of the account that settles: what it moves is known when it comes into a block. */
export type Sent = { hash: Hex; nonce: number; data: Hex; feeMax: bigint } & (
  | { deposits: readonly { address: string; to: string }[] }
  | { authorization: Authorization }
);

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
  const users = new Map<string, Placed[]>();
  /** What was sent and is in no block yet, by its nonce. */
  const pool = new Map<number, Sent>();
  const allSent = new Map<string, Sent>();
  const listeners: ((placed: Placed) => void)[] = [];
  const sentListeners: ((sent: Sent) => void)[] = [];
  /** Blocks have no room for what the account sends. */
  let isCrowded = false;
  let reorganisedAt = Number.NEGATIVE_INFINITY;

  const add = <Key>(to: Map<Key, Placed[]>, key: Key, placed: Placed) => {
    const list = to.get(key);
    if (list) list.push(placed);
    else to.set(key, [placed]);
  };

  const timeOf = (block: number) => genesisAt + block * blockMs;
  const headAt = (at: number) => Math.floor((at - genesisAt) / blockMs);

  function place(transaction: Transaction, block: number, since: number, liar: string | null): Placed {
    const { payments, hash, creates = [], uses, nonce } = transaction;
    const there = (byBlock.get(block) ?? []).filter(({ until }) => until === Number.POSITIVE_INFINITY);
    const logIndex = Math.max(
      0,
      ...there.map((one) => one.logIndex + one.payments.length + (one.uses ? 1 : 0)),
    );
    const until = Number.POSITIVE_INFINITY;
    const placed = { ...transaction, block, logIndex, since, until, liar };
    if (nonce !== undefined) ofAccount.push(placed);
    for (const address of creates) add(creators, address, placed);
    if (uses) add(users, uses.nonce, placed);
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

  /** What a party has in a block, once all that is on its way into it is there. */
  function heldIn(party: string, block: number): bigint {
    let amount = 0n;
    for (const placed of byParty.get(party) ?? [])
      if (isKept(placed) && placed.block <= block)
        for (const payment of placed.payments) {
          if (payment.to === party) amount += payment.amount;
          if (payment.from === party) amount -= payment.amount;
        }
    return amount;
  }

  /** What it does in that block. */
  function doneIn(sent: Sent, block: number): Omit<Transaction, "hash" | "nonce"> {
    if ("deposits" in sent) {
      const payments = sent.deposits.flatMap(({ address, to }) => {
        const amount = heldIn(address, block);
        return amount > 0n ? [{ from: address, to, amount }] : [];
      });
      return { payments, creates: sent.deposits.map(({ address }) => address) };
    }
    const { nonce, validBeforeSec, ...payment } = sent.authorization;
    const isOver = Math.floor(timeOf(block) / 1_000) >= validBeforeSec;
    const isUsed = users.get(nonce)?.some(isKept) ?? false;
    if (isOver || isUsed || heldIn(payment.from, block) < payment.amount)
      return { payments: [], isReverted: true };
    return { payments: [payment], uses: sent.authorization };
  }

  /** Brings into a block whatever has its turn. */
  function settleNext(block: number): void {
    for (let next = isCrowded ? undefined : pool.get(nextNonce()); next; next = pool.get(nextNonce())) {
      pool.delete(next.nonce);
      const { hash, nonce } = next;
      place({ hash, nonce, ...doneIn(next, block) }, block, Math.max(time.now(), timeOf(block)), null);
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
      /** Those that used up an authorisation. */
      usersOf: (nonce: string, block: number): Placed[] =>
        (users.get(nonce) ?? []).filter((placed) => placed.block <= block && isSeen(placed)),
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
    /** Told of each transaction that the account sends. */
    onSent: (tell: (sent: Sent) => void) => void sentListeners.push(tell),
    reorganisedAt: () => reorganisedAt,
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
    /** Takes a transaction of the account as a node does; in words, why it does not. */
    take(sent: Sent): string | null {
      const { hash, nonce } = sent;
      if (byHash.get(hash)?.some(isKept) || pool.get(nonce)?.hash === hash) return "already known";
      for (const tell of sentListeners) tell(sent);
      if (nonce < nextNonce()) return "nonce too low";
      const waiting = pool.get(nonce);
      if (waiting && sent.feeMax * 10n < waiting.feeMax * 11n) return "replacement transaction underpriced";
      allSent.set(hash, sent);
      pool.set(nonce, sent);
      settleNext(headAt(time.now()) + 1);
      return null;
    },
    crowd(crowded: boolean): void {
      isCrowded = crowded;
      settleNext(headAt(time.now()) + 1);
    },
    /** The transactions of the account that settles, as they are now. */
    settled: () => ofAccount.filter(isKept),
    /** All that moves from or to somebody, as it is now. */
    movesOf: (party: string): Payment[] =>
      (byParty.get(party) ?? [])
        .filter((placed) => isKept(placed) && placed.block <= headAt(time.now()))
        .flatMap(({ payments }) => payments.filter(({ from, to }) => from === party || to === party)),
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
      reorganisedAt = now;
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
        const sent = allSent.get(hash);
        if (nonce !== undefined && sent && !forgets) pool.set(nonce, sent);
      }
      settleNext(head + 2);
      return moved;
    },
  };
}

export type View = ReturnType<Chain["view"]>;
