import {
  burnCalls,
  mintCall,
  type WalletCall,
  wasMinted,
  wouldMint,
} from "../../chain/contract/crossing-call.ts";
import { readConfirmed } from "../../chain/node/confirmations.ts";
import { createNodes } from "../../chain/node/nodes.ts";
import { checkIdentity } from "../../chain/node/probe.ts";
import type { Rpc } from "../../chain/node/rpc.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../config/log-events.ts";
import * as Crossing from "../../domain/payment/crossing.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import { type OtherChain, otherChain, otherChains } from "../../domain/wallet/elsewhere.ts";
import { messageOf } from "../../lib/error.ts";
import { startLooking } from "../../lib/loop.ts";
import { msUntil } from "../../lib/time.ts";
import { type Db, transact } from "../../store/database.ts";
import { stored } from "../../store/group-commit.ts";
import { receivableAt } from "../../store/reports/receivable.ts";
import * as ChainStore from "../../store/tables/installation/chain.ts";
import * as CrossingStore from "../../store/tables/watch/crossing.ts";
import { createCircle } from "./circle.ts";

/** A crossing is looked at again after a tenth of its age, within these bounds. */
const lookMs = { min: 4_000, max: 3_600_000 };
const againMs = 15_000;
const lookedAtOnce = 20;
/** Circle may sign a day late; after this long, nothing was burnt, or nobody can have it minted here. */
const unsignedMsMax = 7 * 86_400_000;
/** For so long it is expected; its address is watched as long. What arrives later counts as any payment does. */
const undeliveredMsMax = 30 * 86_400_000;
/** Of which nothing is known, of one invoice or link. */
const unprovedMax = 5;
/** Circle's limit for one burn. */
const amountMax = 10n ** 13n;

/** What a payer's wallet does on another chain, and what that costs. */
export type Terms = {
  amount: Usdc.Usdc;
  fee: Usdc.Usdc;
  approve: WalletCall;
  burn: WalletCall;
};

/** The transaction on Till's chain that mints what is attested, also without Circle's service; null if nothing is. */
export function deliveryOf(db: Db, { chainId }: Config["network"], depositIndex: number): WalletCall | null {
  const [{ message, attestation } = {}] = CrossingStore.listAttested(db, depositIndex);
  return message && attestation ? mintCall(chainId, { message, attestation }) : null;
}

/** USDC that crosses from other chains. */
export type Crossings = ReturnType<typeof startCrossings>;

type CrossingsDeps = {
  config: Config & { cctpUrl: string };
  db: Db;
  log: Log;
  now: () => number;
  /** Resumes watching the chain for deposits that are not watched: their money would be seen hours later. */
  watchAgain: (deposits: readonly number[]) => unknown;
  /** Called when something new is known of a deposit's crossings. */
  onChanged: (depositIndex: number) => void;
};

/**
 * Tells payers how to bring USDC here from other chains, and follows what they say they sent, until it was minted. None of
 * it is a payment: what arrives is a transfer that the watcher sees. A claim counts as attested only once the contract
 * on Till's own chain would mint it.
 */
export function startCrossings({ config, db, log, now, watchAgain, onChanged }: CrossingsDeps) {
  const { network, confirmations } = config;
  const home = network.chainId;
  const domain = Crossing.domainOf(home) ?? 0;
  const stopping = new AbortController();
  const { signal } = stopping;
  const circle = createCircle({ url: config.cctpUrl, domain, now, signal });
  const requests = new Map<string, number>();
  const nodes = createNodes({
    ...config,
    usdc: network.usdc,
    signal,
    onRequest: (method) => requests.set(method, (requests.get(method) ?? 0) + 1),
    check: ({ rpc }) => checkIdentity(rpc, config, ChainStore.record(db)),
  });
  const onNode = <T>(work: (rpc: Rpc) => Promise<T>) => nodes.ask(({ rpc }) => work(rpc));
  /** Whether the silence of Circle, or of the node, was logged already. */
  let isAway = false;

  function record(
    crossing: Crossing.Crossing,
    change: Omit<Parameters<typeof CrossingStore.update>[2], "nextAt" | "attestedAt">,
  ) {
    const at = now();
    const ageMs = Math.abs(at - crossing.createdAt);
    const waitMs = Math.min(lookMs.max, Math.max(lookMs.min, ageMs / 10));
    const attestedAt = change.amount ? (crossing.attestedAt ?? at) : crossing.attestedAt;
    transact(db, () => {
      CrossingStore.update(db, crossing, { ...change, attestedAt, nextAt: Math.ceil(at + waitMs) }, at);
      if (change.state === "attested" || change.state === "arrived") watchAgain([crossing.depositIndex]);
    });
    if (change.state === undefined) return;
    const { depositIndex, chainId, txHash } = crossing;
    log.info("crossing", "something is known of USDC from another network", {
      deposit: receivableAt(db, depositIndex).deposit.address,
      chain: otherChain(network.name, chainId)?.label ?? String(chainId),
      tx: txHash,
      to: change.state,
    });
    onChanged(depositIndex);
  }

  /** Records one of which nothing new is known. However long Till was stopped, it is looked at before its end. */
  function recordSame(crossing: Crossing.Crossing): void {
    const { attestedAt, nextAt } = crossing;
    // The next look may have been planned by a clock that was ahead.
    const isOver = attestedAt !== null && Math.min(nextAt, now()) - attestedAt > undeliveredMsMax;
    record(crossing, isOver ? { state: "unknown" } : {});
  }

  const isMinted = (nonce: Crossing.Message["nonce"]) =>
    onNode(async (rpc) => wasMinted(rpc, home, nonce, (await readConfirmed(rpc, confirmations)).stateBlock));

  async function lookAt(crossing: Crossing.Crossing): Promise<void> {
    const { message, attestation, createdAt, chainId, depositIndex } = crossing;
    const { usdc } = otherChain(network.name, chainId) ?? network;
    const route = { chainId, usdc, home, to: receivableAt(db, depositIndex).deposit.address };
    const known = message && Crossing.readMessage(message, route);
    if (known && (await isMinted(known.nonce))) return record(crossing, { state: "arrived" });
    const isGood =
      message && attestation && (await onNode((rpc) => wouldMint(rpc, home, { message, attestation })));
    if (isGood) return recordSame(crossing);
    const signed = await circle.signed(crossing.txHash, route);
    if (typeof signed === "string") {
      // Until it has seen a burn, Circle has no page for it.
      const isNone = signed === "nothing signed" || signed === "HTTP 404";
      noteAnswer(isNone ? null : signed);
      const isOver = isNone && known === null && now() - createdAt > unsignedMsMax;
      return isOver ? record(crossing, { state: "unknown" }) : recordSame(crossing);
    }
    noteAnswer(null);
    const { nonce, message: said, attestation: by } = signed;
    const proof = { amount: Usdc.fromMicro<Usdc.Usdc>(signed.amount), message: said, attestation: by };
    if (await onNode((rpc) => wouldMint(rpc, home, signed)))
      return record(crossing, { ...(crossing.state === "told" ? { state: "attested" } : {}), ...proof });
    if (await isMinted(nonce)) return record(crossing, { state: "arrived", ...proof });
    // Minted just now, or its signature is too old, or none of Circle's, or only somebody else may have it minted.
    await circle.signAnew(nonce);
    // It was asked for anew before, however long Till was stopped meanwhile.
    const isOver = known === null && crossing.nextAt - createdAt > unsignedMsMax;
    if (isOver) record(crossing, { state: "unknown" });
    else recordSame(crossing);
  }

  function noteAnswer(reason: string | null): void {
    if (reason !== null && !isAway)
      log.warn("crossing.unanswered", "Nobody said what became of USDC from another network", {
        reason,
      });
    isAway = reason !== null;
  }

  function failed(thrown: unknown): void {
    if (!signal.aborted) noteAnswer(messageOf(thrown));
  }

  const looking = startLooking({
    async look() {
      for (const crossing of CrossingStore.listDue(db, now(), now() + lookMs.max, lookedAtOnce)) {
        if (signal.aborted) break;
        try {
          await lookAt(crossing);
        } catch (thrown) {
          failed(thrown);
          // One that always fails would keep the others waiting.
          if (!signal.aborted) record(crossing, {});
        }
      }
      const next = CrossingStore.nextDueAt(db);
      return next === null ? lookMs.max : msUntil(next, now(), lookMs.max);
    },
    failed,
    againMs,
    idleMsMax: lookMs.max,
  });

  return {
    chains: otherChains(network.name).filter(({ chainId }) => Crossing.domainOf(chainId) !== null),

    /** What to send from a chain, so that all that is due arrives; null if Circle has no price for that now. */
    async terms({ chainId, usdc }: OtherChain, due: Usdc.Usdc, to: Address): Promise<Terms | null> {
      const source = Crossing.domainOf(chainId);
      const price = source === null ? "no such chain" : await circle.price(source);
      noteAnswer(typeof price === "string" ? price : null);
      if (typeof price === "string") return null;
      const { amount, fee } = Crossing.burnFor(due, price);
      if (amount > amountMax) return null;
      const { finality } = price;
      return { amount, fee, ...burnCalls({ usdc, amount, fee, finality, to, domain, home }) };
    },

    /** Stores what a payer says they burnt. Returns false if there is too much of it to believe. */
    async tell(told: CrossingStore.Told): Promise<boolean> {
      const isTaken = await stored(db, () => {
        if (CrossingStore.countUnproved(db, told) >= unprovedMax) return false;
        CrossingStore.insert(db, told, now());
        return true;
      });
      onChanged(told.depositIndex);
      looking.wake();
      return isTaken;
    },

    requests: () => requests,
    async stop() {
      stopping.abort();
      await looking.stop();
    },
  };
}
