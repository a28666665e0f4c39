import type { Wallet } from "../../chain/account/wallet.ts";
import { readBalances } from "../../chain/contract/balance.ts";
import { createOtherNodes, type OtherNode, readChain } from "../../chain/node/other-nodes.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../config/log-events.ts";
import { type Finding, warning } from "../../domain/finding.ts";
import type { Deposit } from "../../domain/payment/deposit.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type OtherChain, otherChain, otherChains } from "../../domain/wallet/elsewhere.ts";
import { messageOf } from "../../lib/error.ts";
import { startLooking, turn } from "../../lib/loop.ts";
import { world } from "../../lib/world.ts";
import { type Db, transact } from "../../store/database.ts";
import { receivableAt } from "../../store/reports/receivable.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import type { Found } from "../../store/tables/settle/elsewhere.ts";
import * as ElsewhereStore from "../../store/tables/settle/elsewhere.ts";
import * as GasTransactionStore from "../../store/tables/settle/gas-transaction.ts";
import * as WatchedStore from "../../store/tables/watch/watched.ts";
import { createGasAccount, type GasAccount, type GasNodes } from "../gas-account.ts";
import { finish } from "../run.ts";
import { conclude, NothingThere, planRescue, type Rescue, rescue } from "./rescue.ts";

/** How often to look at all deposits, and how soon again after a node failed. */
const lookEveryMs = 3_600_000;
const lookAgainMs = 300_000;
/** How long a deposit is looked at after it last changed, when it is open no more. */
const lookedMs = 90 * 86_400_000;
/** Of one look: a node that lies could cause one for each deposit. The desk shows the others, too. */
const mailsMax = 20;
/** For one deposit somebody waits: how often at most, and for how many at most that is remembered. */
const askEveryMs = 15_000;
const askedMax = 1_000;
/** How often to carry on with what is to be moved, for how long at a time, and how often to check the database for more. */
const moveEveryMs = 10_000;
const turnMs = 60_000;
const idleMsMax = 60_000;

type Deps = {
  config: Config;
  db: Db;
  log: Log;
  now: () => number;
  wallet: Promise<Wallet>;
  /** The gas account on Till's own chain. */
  withHome: GasNodes["withNode"];
  onMailDue: () => void;
};

/** The latest look at one deposit: the chains that answered, and the number of nodes that did not. */
export type Asked = { at: number; chains: readonly OtherChain[]; silent: number };

/** What moving something takes, and where it is. */
export type RescuePlan = { chain: OtherChain; gasAddress: Wallet["gasAddress"]; rescue: Rescue };

export type Elsewhere = ReturnType<typeof startElsewhere>;

/**
 * Finds USDC that was sent to deposit addresses on other chains, and moves it to the payout wallets there when an owner
 * says so. It counts as paid nowhere. Everything that Till knows of it is in the database, so it carries on after a kill.
 */
export function startElsewhere({ config, db, log, now, wallet, withHome, onMailDue }: Deps) {
  const { network } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  const requests = new Map<string, number>();
  const nodes = createOtherNodes(config, signal, (method) =>
    requests.set(method, (requests.get(method) ?? 0) + 1),
  );
  const isOn = nodes.count > 0;

  let mailsLeft = mailsMax;

  async function lookAt({ chain, rpc }: OtherNode, deposits: readonly WatchedStore.WatchedDeposit[]) {
    const addresses = deposits.map(({ address }) => address);
    const balances = await readBalances(rpc, chain.usdc, addresses, "latest");
    const held = deposits.map(({ index }, at) => ({ index, balance: balances[at] ?? Usdc.zero }));
    const found = transact(db, () => {
      const isNew = ElsewhereStore.note(db, chain.chainId, held, now());
      // Anybody can send cents to many addresses, which are no mail's worth.
      const worthwhile = isNew.filter(({ balance }) => balance >= config.settleMin).slice(0, mailsLeft);
      for (const { index } of worthwhile) MailStore.insertOnce(db, mailAbout(index, chain));
      mailsLeft -= worthwhile.length;
      return isNew;
    });
    if (found.length > 0) onMailDue();
    for (const { index, balance } of found)
      log.warn("elsewhere.found", "USDC came to a deposit address on another chain", {
        deposit: deposits.find((deposit) => deposit.index === index)?.address ?? null,
        amount: Usdc.formatExact(balance),
        chain: chain.label,
      });
  }

  const mailAbout = (depositIndex: number, chain: OtherChain) => ({
    depositIndex,
    kind: "notice" as const,
    occasion: ElsewhereStore.occasionOf(chain),
    createdAt: now(),
  });

  async function lookAtAll(): Promise<number> {
    const since = now() - lookedMs;
    mailsLeft = mailsMax;
    const isDone = await nodes.each(async (node) => {
      for (const page of WatchedStore.openOrChangedSince(db, since)) {
        await turn();
        if (page.length === 0) continue;
        // Whatever answers behind a URL may become another chain between two calls.
        if ((await readChain(node.rpc, network)) !== node.chain)
          throw new Error(`${node.rpc.host} became a node of another chain`);
        await lookAt(node, page);
      }
    });
    return isDone ? lookEveryMs : lookAgainMs;
  }

  const asked = new Map<number, Asked>();
  const asking = new Map<number, Promise<unknown>>();

  async function ask(deposit: Pick<Deposit, "index" | "address">): Promise<void> {
    const answered = new Set<OtherChain>();
    await nodes.each(async (node) => {
      await lookAt(node, [deposit]);
      answered.add(node.chain);
    });
    const chains = otherChains(network.name).filter((chain) => answered.has(chain));
    if (asked.size >= askedMax) asked.clear();
    asked.set(deposit.index, { at: now(), chains, silent: nodes.count - chains.length });
  }

  /** Why what is to be moved is not, by its id. */
  const obstacles = new Map<number, string>();

  async function gasOn(chainId: number): Promise<GasAccount> {
    const { rpc } = await nodes.of(chainId);
    return createGasAccount({ config, db, wallet: await wallet, now }, rpc, chainId);
  }

  /** Takes one as far as it gets. Throws when a node fails or answers nonsense. */
  async function move(found: Found): Promise<void> {
    const turnEnd = AbortSignal.any([signal, world.timeout(turnMs)]);
    const gas = await gasOn(found.chainId);
    const { deposit } = receivableAt(db, found.depositIndex);
    const token = chainOf(found).usdc;
    const sent = found.transactionId === null ? null : GasTransactionStore.byId(db, found.transactionId);
    if (sent === null) {
      const plan = await withHome((home) => planRescue(gas, deposit, token, home));
      const { obstacle } = await rescue(gas, plan, turnEnd);
      return setObstacle(found, obstacle ?? refusalOf(found));
    }
    const obstacle = await finish(gas, sent.id, turnEnd);
    const ended = GasTransactionStore.byId(db, sent.id);
    if (obstacle === null && ended !== null) await conclude(gas, deposit, token, ended);
    setObstacle(found, obstacle ?? refusalOf(found));
  }

  /** A transaction that moved nothing is not paid for again, unless an owner says so. */
  const refusalOf = ({ id }: Found): string | null =>
    ElsewhereStore.byId(db, id)?.movedAt === null
      ? "the token or the payout wallet refused the transfer"
      : null;

  /** Logged once while it lasts. */
  function setObstacle({ id, amount, chainId }: Found, reason: string | null): void {
    const facts = { amount: Usdc.formatExact(amount), chain: chainOf({ chainId }).label };
    if (reason === null)
      log.info("elsewhere.moved", "USDC on another chain was moved to the payout wallet", facts);
    else if (obstacles.get(id) !== reason)
      log.warn("elsewhere.waiting", "USDC on another chain is not moved yet", { ...facts, reason });
    if (reason === null) obstacles.delete(id);
    else obstacles.set(id, reason);
  }

  async function moveAll(): Promise<number> {
    const wanted = ElsewhereStore.listWanted(db);
    for (const found of wanted) {
      if (signal.aborted) break;
      await move(found).catch((thrown) => {
        if (signal.aborted) return;
        // Somebody else moved it, or its block has left the chain: the next look finds it again if it comes back.
        if (thrown instanceof NothingThere) ElsewhereStore.remove(db, found.id);
        else setObstacle(found, messageOf(thrown));
      });
    }
    return wanted.length > 0 ? moveEveryMs : idleMsMax;
  }

  function chainOf({ chainId }: Pick<Found, "chainId">): OtherChain {
    const chain = otherChain(network.name, chainId);
    if (chain === null) throw new Error(`Chain ${chainId} is not known beside ${network.label}`);
    return chain;
  }

  const failed = (thrown: unknown) =>
    log.error("elsewhere.failed", "what is on other chains cannot be looked after", {
      reason: messageOf(thrown),
    });
  const looking = isOn ? startLooking({ look: lookAtAll, failed, againMs: lookAgainMs }) : null;
  // Also without nodes: people are to know why what they wanted moved is not.
  const moving = startLooking({ look: moveAll, failed, againMs: moveEveryMs });

  return {
    /** Whether there is any node to ask. */
    isOn,
    chainOf,
    /**
     * Looks at one deposit, and at Till's own chain with `lookHome`, unless that was just done: anybody may ask. Resolves
     * whether nodes answer or not.
     */
    async lookNow(
      deposit: Pick<Deposit, "index" | "address">,
      lookHome: () => Promise<unknown>,
    ): Promise<void> {
      const { index } = deposit;
      const last = asked.get(index);
      if (!isOn || (last && Math.abs(now() - last.at) < askEveryMs)) return;
      const begin = () => Promise.all([ask(deposit), lookHome()]).finally(() => asking.delete(index));
      const look = asking.get(index) ?? begin();
      asking.set(index, look);
      await look;
    },
    /** The latest look that somebody asked for, perhaps with no answer yet; null if that is long ago. */
    lastLook: (index: number): Asked | null =>
      asking.has(index) ? { at: now(), chains: [], silent: nodes.count } : (asked.get(index) ?? null),
    /** Finds out what moving it takes. Throws as `planRescue` does. */
    async plan(found: Found): Promise<RescuePlan> {
      const gas = await gasOn(found.chainId);
      const chain = chainOf(found);
      const { deposit } = receivableAt(db, found.depositIndex);
      const plan = await withHome((home) => planRescue(gas, deposit, chain.usdc, home));
      return { chain, gasAddress: gas.wallet.gasAddress, rescue: plan };
    },
    /** Has it moved. Asked twice, it is moved once. */
    begin({ id }: Pick<Found, "id">): boolean {
      const isBegun = transact(db, () => ElsewhereStore.want(db, id, now()));
      obstacles.delete(id);
      moving.wake();
      return isBegun;
    },
    obstacleOf: (id: number): string | null => obstacles.get(id) ?? null,
    warnings: (): Finding[] => [
      ...nodes
        .problems()
        .map((problem) =>
          warning(
            "node",
            `on other chains nothing is found just now: ${problem}`,
            "look after TILL_ELSEWHERE_RPC_URL",
          ),
        ),
      ...[...obstacles].flatMap(([id, reason]) =>
        ElsewhereStore.byId(db, id)?.movedAt === null
          ? [warning("wallet", `USDC on another chain is not moved: ${reason}`)]
          : [],
      ),
    ],
    requests: (): ReadonlyMap<string, number> => requests,
    async stop() {
      stopping.abort();
      await Promise.all([looking?.stop(), moving.stop(), ...asking.values()]);
    },
  };
}
