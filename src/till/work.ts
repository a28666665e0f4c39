import { EventEmitter, once } from "node:events";
import { startValues, type ValuesDeps } from "../books/values.ts";
import type { Wallet } from "../chain/account/wallet.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import type { Finding } from "../domain/finding.ts";
import type { Counting } from "../domain/payment/block.ts";
import type { Deposit } from "../domain/payment/deposit.ts";
import { speak } from "../language/locale.ts";
import { startExpiry } from "../outbox/expiry.ts";
import { startMailSender } from "../outbox/mail-sender.ts";
import type { Mailer } from "../outbox/mailer.ts";
import { startReceiptTax } from "../outbox/receipt-tax.ts";
import { startReminders } from "../outbox/reminders.ts";
import { startWebhookSender } from "../outbox/webhook-sender.ts";
import type { TaxRates } from "../rates/tax.ts";
import { startElsewhere } from "../settle/elsewhere/elsewhere.ts";
import { startRefunder } from "../settle/refunder.ts";
import { startRelayer } from "../settle/relay/relayer.ts";
import { startSettler } from "../settle/settler.ts";
import { createOwnWallets, startTreasury } from "../settle/treasury.ts";
import { startUnknownDeposits } from "../settle/unknown-deposits.ts";
import type { RecordSettings } from "../store/announce.ts";
import type { Db } from "../store/database.ts";
import { startCrossings } from "../watch/crossing/crossings.ts";
import { startWatcher, type WatcherState } from "../watch/watcher.ts";

type WorkDeps = {
  config: Config;
  recordSettings: RecordSettings;
  db: Db;
  log: Log;
  now: () => number;
  wallet: Promise<Wallet>;
  mailer: Mailer;
  taxRates: TaxRates;
  /** The sources for the value of payments, by the current settings. */
  values: () => Pick<ValuesDeps, "quote" | "past" | "ether">;
  /** Called when the node is on another chain than the data. */
  onWrongChain: (message: string) => void;
};

/** Till's own work: watching the chain, settling, and sending webhooks and mails. */
export type Work = ReturnType<typeof createWork>;

/** The chain's state while nobody follows it. */
const unwatched: WatcherState = {
  head: null,
  headAt: null,
  lagMs: 0,
  isDelayed: false,
  problems: [],
  isUnknown: true,
  warnings: [],
};

/** Everything can be called before `start`; what is stored until then becomes work at the start. */
export function createWork({
  config,
  recordSettings,
  db,
  log,
  now,
  wallet,
  mailer,
  taxRates,
  values,
  onWrongChain,
}: WorkDeps) {
  const stops: (() => Promise<void>)[] = [];
  let parts: ReturnType<typeof startParts> | null = null;
  let isStopped = false;
  /** Emits an event named by the index of each deposit whose transfers changed. */
  const payments = new EventEmitter().setMaxListeners(0);

  function started<T extends { stop(): Promise<void> }>(part: T): T {
    stops.push(part.stop);
    return part;
  }

  function startParts() {
    const vault = wallet.then((opened) => opened.vault);
    const publicOnly = config.publicWebhooksOnly;
    const words = () => ({ locale: speak(config.language), baseUrl: recordSettings.baseUrl });
    const webhooks = started(startWebhookSender({ db, log, now, publicOnly, vault, words }));
    const mails = started(startMailSender({ db, mailer, log, now }));
    const receiptTax = started(startReceiptTax({ db, log, now, config, taxRates }));
    const settler = started(startSettler({ config, db, log, now, wallet }));
    const watchAgain = (deposits: readonly number[]) => watcher.watchAgain(deposits);
    const relayer = started(
      startRelayer({ config, db, log, now, wallet, watchAgain, onEnded: settler.wake }),
    );
    const unknown = started(startUnknownDeposits({ config, db, log, now, wallet }));
    const treasury = started(
      startTreasury({ config, db, log, now, wallet, onRead: () => void watcher.readNow() }),
    );
    const elsewhere = started(
      startElsewhere({ config, db, log, now, wallet, withHome: treasury.withNode, onMailDue: mails.wake }),
    );
    const refunder = started(
      startRefunder({
        config,
        db,
        recordSettings,
        log,
        now,
        treasury,
        ownWallets: createOwnWallets(db, wallet),
        onTold() {
          webhooks.wake();
          mails.wake();
        },
      }),
    );
    // It waits for the watcher, which therefore stops before it.
    const reading = {
      readNow: () => watcher.readNow(),
      isReadBeyond: (at: number) => isReadBeyond(watcher.state(), at),
      watchAgain,
    };
    started(startExpiry({ db, recordSettings, log, now, ...reading, onQueued: webhooks.wake }));
    const watcher = started(
      startWatcher({
        config,
        recordSettings,
        db,
        log,
        now,
        onApplied: ({ changes, confirmed, touched }) => {
          for (const depositIndex of touched) payments.emit(`${depositIndex}`);
          if (confirmed > 0) settler.wake();
          if (changes.some((change) => change.webhookWritten)) webhooks.wake();
          if (changes.some((change) => change.mailWritten)) mails.wake();
        },
        onReorg() {
          treasury.lookAgain();
          refunder.wake();
        },
        onSettlementLeft: settler.wake,
        onWrongChain,
      }),
    );
    const { cctpUrl } = config;
    const crossings =
      cctpUrl === null
        ? null
        : started(
            startCrossings({
              config: { ...config, cctpUrl },
              db,
              log,
              now,
              watchAgain,
              onChanged: (depositIndex) => payments.emit(`${depositIndex}`),
            }),
          );
    /** Work that depends on settings that people may change while Till runs. */
    const startBySettings = () => {
      const { timeZone, reminders: days, bookkeepingCurrency: currency } = config;
      const reminders = startReminders({
        db,
        log,
        now,
        timeZone,
        days,
        isChainCurrent: () => isCurrent(watcher.state()),
        watchAgain,
        onQueued: mails.wake,
      });
      return [
        reminders,
        ...(currency === null ? [] : [startValues({ db, log, now, currency, ...values() })]),
      ];
    };
    let bySettings = startBySettings();
    let ended: Promise<unknown> = Promise.resolve();
    const stopBySettings = () => {
      ended = Promise.all([ended, ...bySettings.map((part) => part.stop())]);
      return ended;
    };
    started({ stop: async () => void (await stopBySettings()) });
    const settingsChanged = () => {
      stopBySettings();
      bySettings = startBySettings();
      mails.wake();
    };
    return {
      webhooks,
      mails,
      receiptTax,
      settler,
      relayer,
      unknown,
      treasury,
      elsewhere,
      refunder,
      watcher,
      crossings,
      settingsChanged,
    };
  }

  /** Returns whether all payments on the chain are known, and it was read beyond a time. */
  function isReadBeyond(state: WatcherState, at: number): boolean {
    // The local chain has a new block only when something is sent.
    return isCurrent(state) && (config.network.isLocal || (state.headAt !== null && state.headAt > at));
  }

  return {
    /** Needs a database that has passed its check. Does nothing after `stop`. */
    start(): void {
      if (!isStopped) parts = startParts();
    },
    /** Stops everything that was started, in reverse order. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const stop of stops.splice(0).reverse()) await stop();
    },
    hasStarted: () => parts !== null,
    /** Call it in the same turn in which a deposit is committed. */
    depositCreated: (deposit: Deposit) => parts?.watcher.depositCreated(deposit),
    isChainCurrent: () => parts !== null && isCurrent(parts.watcher.state()),
    /** Returns whether all payments on the chain are known, and it was read beyond a time. */
    isReadBeyond: (at: number) => isReadBeyond(parts?.watcher.state() ?? unwatched, at),
    /** Reads the chain up to its head as of now. Returns whether that succeeded. */
    readNow: async () => (parts ? await parts.watcher.readNow() : false),
    watchAgain: (deposits: readonly number[]) => parts?.watcher.watchAgain(deposits) ?? false,
    mailQueued: () => parts?.mails.wake(),
    /** Waits until a receipt's tax is stated in the legally required currency, if its rate is known. */
    stateTax: async (depositIndex: number) => await parts?.receiptTax.state(depositIndex),
    settingsChanged: () => parts?.settingsChanged(),
    eventDue: () => parts?.webhooks.wake(),
    chain: (): WatcherState => parts?.watcher.state() ?? unwatched,
    countsIn: (blockNumber: number): Counting =>
      parts?.watcher.countsIn(blockNumber) ?? { inMs: null, ofMs: null },
    transfers: () => parts?.watcher.transfers() ?? {},
    /** Waits until the chain reports money to a deposit, or the signal aborts. */
    async paymentTo(depositIndex: number, signal: AbortSignal): Promise<void> {
      await once(payments, `${depositIndex}`, { signal }).catch((thrown: unknown) => {
        if (!signal.aborted) throw thrown;
      });
    },
    /** Calls to the nodes since the start, by method. */
    rpcRequests: () =>
      parts
        ? sumOf(
            parts.watcher.requests(),
            parts.settler.requests(),
            parts.relayer.requests(),
            parts.treasury.requests(),
            parts.unknown.requests(),
            parts.crossings?.requests() ?? new Map(),
            parts.elsewhere.requests(),
          )
        : new Map(),
    /** Wei; null until the gas account is first read. */
    gasBalance: () => parts?.settler.gasBalance() ?? null,
    /** Null before `start`. */
    relayer: () => parts?.relayer ?? null,
    crossings: () => parts?.crossings ?? null,
    /** Null before `start`. */
    treasury: () => parts?.treasury ?? null,
    refunder: () => parts?.refunder ?? null,
    /** Null before `start`. */
    elsewhere: () => parts?.elsewhere ?? null,
    /** Looks for a payment on every chain, as somebody says that there is one. */
    async lookFor(deposit: Pick<Deposit, "index" | "address">): Promise<void> {
      if (parts === null) return;
      const { watcher, elsewhere } = parts;
      await elsewhere.lookNow(deposit, () => {
        watcher.watchAgain([deposit.index]);
        return watcher.readNow();
      });
    },
    settleNow: async (retry: boolean) => (parts ? await parts.settler.settleNow(retry) : null),
    warnings(): Finding[] {
      if (parts === null) return [];
      const { watcher, settler, treasury, elsewhere, refunder, relayer } = parts;
      return [
        ...watcher.state().warnings,
        ...settler.warnings(),
        ...treasury.warnings(),
        ...elsewhere.warnings(),
        ...refunder.warnings(),
        ...relayer.warnings(),
      ];
    },
  };
}

/** Returns whether all payments on the chain are known. */
const isCurrent = ({ head, isDelayed, problems }: WatcherState) =>
  head !== null && !isDelayed && problems.length === 0;

function sumOf(...counts: ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts.flatMap((each) => [...each]))
    sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}
