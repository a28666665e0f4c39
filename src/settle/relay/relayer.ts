import type { Wallet } from "../../chain/account/wallet.ts";
import { type Domain, isUsed, readDomain, typedDataOf } from "../../chain/contract/authorization.ts";
import { mustReadBlock } from "../../chain/node/block.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../config/log-events.ts";
import { type Finding, warning } from "../../domain/finding.ts";
import type { Deposit } from "../../domain/payment/deposit.ts";
import {
  isUnresolved,
  nonceOf,
  type Payable,
  type Relay,
  type State,
  usedNoncesMax,
} from "../../domain/payment/relay.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import { messageOf } from "../../lib/error.ts";
import { backoffMs, createWakeable, sleep } from "../../lib/loop.ts";
import type { Db } from "../../store/database.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import { createGasNodes, type GasAccount } from "../gas-account.ts";
import { obstacleOf } from "../gas-transaction.ts";
import { type AcceptDeps, accept, type RelayAnswer, type RelayRequest } from "./accept.ts";
import { followAll, type RelayStep } from "./follow.ts";
import { type MadePayment, paymentMadeBy, type Shown } from "./made.ts";
import { type RefusalCode, type RelayRefusal, refused } from "./refusal.ts";
import { hourMs, meansRefusal, type RelayQuote, readMeans } from "./terms.ts";

/**
 * How often to check what is on its way: a program waits for the answer, and Base makes a block every 200 ms. Less
 * often once no block has included it for some seconds, and when it only waits for confirmations.
 */
const pollMs = { base: { soon: 100, later: 2_000 }, local: { soon: 25, later: 75 } };
const soonMs = 5_000;
/** How often at least to check the database for what another process began. This does not call the node. */
const idleMsMax = 60_000;
const failureDelayMs = { min: 1_000, max: 30_000 };

/** How long a reading of the gas account serves `glance`. */
const glanceMs = 30_000;

/** Number of clients with failures to remember until Till stops; beyond this all are forgotten. */
const clientsMax = 10_000;

/** How long a payer has to sign on the page. */
const signingSec = 15 * 60;

/** The typed data that a wallet signs, as JSON. */
export type TypedData = ReturnType<typeof typedDataOf>;

/** Why signed payments are not offered; `node`: no node answers, or none has yet. */
type Obstacle = RefusalCode | "node";

export type Relayer = {
  /** Returns why signed payments are not offered now; null if they are. From memory, reread in the background. */
  glance(): Obstacle | null;
  /** Like `glance`, but rereads first if the reading is old. Throws when the node fails or answers nonsense. */
  check(): Promise<RefusalCode | null>;
  /** Reads the token's EIP-712 domain. Throws when the node fails or answers nonsense. */
  domain(): Promise<Domain>;
  /** The wallet's `mark`. */
  mark(text: string): Promise<string>;
  /** Returns what a payer signs on the page to pay what is due. Throws when the node fails or answers nonsense. */
  typedData(payable: Payable & { demand: { kind: "open" } }, payer: Address): Promise<TypedData>;
  /** Submits an authorisation, or returns why not; failures count against `client`. Throws when the node fails. */
  accept(request: RelayRequest, client: string | null): Promise<RelayAnswer>;
  /** Finds the payment that a refused authorisation made anyway; see `paymentMadeBy`. Throws when the node fails. */
  madeBy(shown: Shown, refusal: RelayRefusal | null): Promise<MadePayment | null>;
  /** Resolves once a relay is in a block, has failed, or the signal aborts, with the relay as it is then. */
  wait(id: number, signal: AbortSignal): Promise<Relay>;
  /** Findings about what holds up relays; empty if nothing does. */
  warnings(): Finding[];
  /** Calls to the nodes since the start, by method. */
  requests(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
};

type RelayerDeps = Pick<AcceptDeps, "watchAgain"> & {
  config: Config;
  db: Db;
  log: Log;
  now: () => number;
  wallet: Promise<Wallet>;
  /** Called when a relay has ended; its transaction may still need finishing. */
  onEnded: () => void;
};

/** Executes what payers signed, including relays that an earlier run began. */
export function startRelayer({ config, db, log, now, wallet, watchAgain, onEnded }: RelayerDeps): Relayer {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { usdc: token, chainId, isLocal } = config.network;
  const rules = config.relay;
  const lookMs = isLocal ? pollMs.local : pollMs.base;
  const { withNode, requests } = createGasNodes({ config, db, now, wallet, signal });
  const bell = createWakeable();
  /** Callers waiting for a relay, by its id. */
  const waiting = new Map<number, Set<() => void>>();
  const obstacles = new Map<number, string>();
  /** Why the latest look at them failed; null if it did not. */
  let problem: string | null = null;
  const clientOf = new Map<number, string>();
  const failuresOfClient = new Map<string, number[]>();
  let domainRead: Domain | null = null;
  let means: RelayQuote | null = null;
  let reading: Promise<void> | null = null;
  let isNodeAway = false;

  async function domainOf(gas: GasAccount): Promise<Domain> {
    domainRead ??= await readDomain(gas.rpc, { chainId, token });
    return domainRead;
  }

  /** Skips nonces used outside of Till, or by relays from before a restore that this database does not know. */
  async function freeNonce({ rpc }: GasAccount, { index, salt }: Deposit, payer: Address, nowSec: number) {
    const first = RelayStore.attempts(db, index, payer, nowSec);
    for (let attempt = first; ; attempt++) {
      const nonce = nonceOf(salt, payer, attempt);
      const isLast = attempt === first + usedNoncesMax;
      if (isLast || !(await isUsed(rpc, { token, from: payer, nonce }))) return nonce;
    }
  }

  const isFresh = () => means !== null && Math.abs(now() - means.readAt) < glanceMs;

  function read(): Promise<void> {
    reading ??= withNode(async (gas) => {
      await domainOf(gas);
      means = await readMeans(gas);
    })
      .then(
        () => {
          isNodeAway = false;
        },
        (thrown: unknown) => {
          isNodeAway = true;
          throw thrown;
        },
      )
      .finally(() => {
        reading = null;
      });
    return reading;
  }

  function refusalNow(): RefusalCode | null {
    if (rules.mode === "off") return "off";
    return means === null ? "reserve" : meansRefusal({ db, chainId, now }, rules, means);
  }

  /** Logs a relay's outcome, and resumes its waiting callers. */
  function took({ relay, progress }: RelayStep, before: State | undefined): void {
    const { id } = relay;
    const reason = progress && obstacleOf(progress);
    if (reason) obstacles.set(id, reason);
    else obstacles.delete(id);
    if (relay.state === before) return;
    if (relay.state === "accepted" || relay.state === "sent") return;
    const fields = { payer: relay.payer, amount: Usdc.formatExact(relay.amount), tx: relay.txHash };
    if (relay.state === "mined" || (relay.state === "confirmed" && before !== "mined"))
      log.info("relay.mined", "a payment by a signature is in a block", fields);
    if (!isUnresolved(relay)) onEnded();
    if (relay.state === "confirmed") clientOf.delete(id);
    if (relay.state === "failed") {
      countFailure(id);
      log.warn("relay.failed", "a payment by a signature failed", { reason: relay.failure, ...fields });
    }
    tell(id);
  }

  function tell(id: number): void {
    for (const resume of waiting.get(id) ?? []) resume();
  }

  function countFailure(id: number): void {
    const client = clientOf.get(id);
    clientOf.delete(id);
    if (client === undefined) return;
    if (failuresOfClient.size >= clientsMax) failuresOfClient.clear();
    failuresOfClient.set(client, [...recentFailures(client), now()]);
  }

  const recentFailures = (client: string) =>
    (failuresOfClient.get(client) ?? []).filter((at) => Math.abs(now() - at) < hourMs);

  /** A client has to wait like a payer: everything in no block yet may fail. */
  const senderOf = (client: string): Pick<AcceptDeps, "senderRefusal" | "onStored"> => ({
    senderRefusal() {
      const failed = recentFailures(client).length;
      if (failed >= rules.failuresMax) return "failures";
      const states = [...clientOf].map(([id, of]) => of === client && RelayStore.byId(db, id)?.state);
      const pending = states.filter((state) => state === "accepted" || state === "sent").length;
      return failed + pending >= rules.failuresMax ? "queue" : null;
    },
    onStored: ({ id }) => clientOf.set(id, client),
  });

  async function run(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const open = RelayStore.listUnresolved(db, chainId);
        const before = new Map(open.map(({ id, state }) => [id, state]));
        if (open.length > 0)
          await withNode((gas) =>
            followAll(gas, (followed) => {
              took(followed, before.get(followed.relay.id));
              before.set(followed.relay.id, followed.relay.state);
            }),
          );
        else obstacles.clear();
        failures = 0;
        problem = null;
        const isAwaited = open.some(
          ({ state, createdAt }) => state !== "mined" && now() - createdAt < soonMs,
        );
        const pauseMs = isAwaited ? lookMs.soon : lookMs.later;
        await bell.wait(open.length === 0 ? idleMsMax : pauseMs, signal);
      } catch (thrown) {
        if (signal.aborted) return;
        failures += 1;
        problem = messageOf(thrown);
        await sleep(backoffMs(failures, failureDelayMs), signal);
      }
    }
  }

  const running = run().catch((thrown) =>
    log.error("relay.stopped", "payments by a signature do not go on: restart Till", {
      reason: messageOf(thrown),
    }),
  );

  return {
    glance() {
      if (rules.mode === "auto" && !isFresh()) read().catch(() => {});
      return rules.mode === "auto" && (means === null || isNodeAway) ? "node" : refusalNow();
    },
    async check() {
      if (rules.mode === "auto" && !isFresh()) await read();
      return refusalNow();
    },
    domain: () => withNode(domainOf),
    mark: async (text) => (await wallet).mark(text),
    async typedData({ deposit, demand }, payer) {
      return withNode(async (gas) => {
        const [domain, head] = await Promise.all([domainOf(gas), mustReadBlock(gas.rpc, "latest")]);
        const nowSec = Math.max(Math.floor(now() / 1_000), head.timestampSec);
        const nonce = await freeNonce(gas, deposit, payer, nowSec);
        return typedDataOf(domain, {
          chainId,
          token,
          from: payer,
          to: deposit.address,
          amount: demand.amount,
          nonce,
          validAfterSec: 0,
          validBeforeSec: nowSec + signingSec,
        });
      });
    },
    async accept(request, client) {
      if (rules.mode === "off") return refused("off");
      const sender = client === null ? {} : senderOf(client);
      const answer = await withNode(async (gas) => {
        const domain = await domainOf(gas);
        return accept({ gas, token, rules, domain, watchAgain, ...sender }, request);
      });
      if (answer.kind === "accepted") bell.wake();
      return answer;
    },
    madeBy: (shown, refusal) => paymentMadeBy({ db, now, token, withNode }, shown, refusal),
    async wait(id, until) {
      const over = AbortSignal.any([until, signal]);
      for (;;) {
        const relay = RelayStore.byId(db, id);
        if (!relay) throw new Error(`There is no relay ${id}`);
        if (!isUnresolved(relay) || relay.state === "mined" || over.aborted) return relay;
        const resumed = new AbortController();
        const resume = () => resumed.abort();
        const others = waiting.get(id) ?? new Set();
        waiting.set(id, others.add(resume));
        await sleep(idleMsMax, AbortSignal.any([over, resumed.signal]));
        others.delete(resume);
        if (others.size === 0) waiting.delete(id);
      }
    },
    warnings: () =>
      [...new Set([...obstacles.values(), ...(problem === null ? [] : [problem])])].map((reason) =>
        warning("signed payments", `a payment by a signature waits: ${reason}`),
      ),
    requests,
    async stop() {
      stopping.abort();
      await running;
      await reading?.catch(() => {});
    },
  };
}
