import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import { version } from "../config/version.ts";
import { createRenderer, type Renderer } from "../document/worker/renderer.ts";
import type { Address } from "../domain/wallet/address.ts";
import { createProxyWatch } from "../http/access/guard.ts";
import { createLimits } from "../http/access/limits.ts";
import { createAct } from "../http/route/act.ts";
import type { DevTools } from "../http/route/deps.ts";
import { createOriginals } from "../invoicing/documents/originals.ts";
import { openedWallet } from "../invoicing/next-deposit.ts";
import type { Redact } from "../lib/log.ts";
import { freePort, isLoopbackHost, localUrl } from "../lib/net/host.ts";
import { world } from "../lib/world.ts";
import { createLiveTransport } from "../mail/smtp/transport.ts";
import { createOwnWallets } from "../settle/treasury.ts";
import type { Db } from "../store/database.ts";
import { walletFile } from "../store/files/data-dir.ts";
import type { ReleaseQuery } from "../update/update.ts";
import { watchReleases } from "../update/watch.ts";
import { createApp } from "./app.ts";
import { createDocuments } from "./documents.ts";
import { createFindings } from "./findings.ts";
import { openInstallation } from "./installation.ts";
import { createInvoicing } from "./invoicing.ts";
import { listen } from "./listen.ts";
import { createMails } from "./mails.ts";
import { watchOpenFiles } from "./open-files.ts";
import { createTillRates } from "./rates.ts";
import { createSettings } from "./settings.ts";
import { createWork } from "./work.ts";

/** Maximum PDFs made before anybody asks; in a stream of new invoices the others are made on demand. */
const pdfsAhead = 4;

/** How long an x402 payment request waits for its block; one with too low a fee may take minutes. */
const x402WaitMsMax = 20_000;

/** How long a mail in progress may take when Till stops; well within the limit of the whole stop. */
const mailFinishMs = 3_000;

export type Till = {
  baseUrl: string;
  /** Open until `stop`. */
  db: Db;
  /** The account that pays for settlements. */
  gasAddress: Address;
  /** The wallet's file if this start created it, so that nobody has a copy yet; otherwise null. */
  newWalletFile: string | null;
  stop(): Promise<void>;
};

type TillOptions = {
  config: Config;
  log: Log;
  /** Removes secrets from the report of /health/ready. */
  redact?: Redact;
  /** The wallet's words, if reading them has already begun. */
  words?: Promise<string>;
  /** Aborts the start if it rejects before Till is ready. */
  stopped?: Promise<never>;
  /** The clock, in Unix milliseconds; by default the system's. */
  now?: () => number;
  /** Development tools. */
  dev?: DevTools;
  /** Writes the PDFs, and is stopped with Till; by default its own. */
  renderer?: Renderer;
  /** Maximum PDFs of new invoices made before anybody asks for them; by default 4. */
  pdfsAheadMax?: number;
  /** See `createApp`; by default 10 s. */
  idleSecondsMax?: number;
  /** How long an x402 payment request waits for its block; by default 20 s. */
  x402WaitMs?: number;
  /** See `createLongPoll`; by default 8 s. */
  longPollHoldMs?: number;
  /** How long creating an invoice waits for its mail; by default 5 s. */
  creationWaitMs?: number;
  /** Where TILL_UPDATE_CHECK looks, and with which keys; by default those of this build. */
  releases?: () => ReleaseQuery;
  /** The clock for limits on requests, in ms: monotonic. */
  limitClock?: () => number;
  /** Called when the data belongs to another chain than the node. Till continues without crediting anything. */
  onWrongChain?: (message: string) => void;
  /**
   * Called when the database was found damaged while Till ran. Nothing is stored any more; the caller must stop Till.
   */
  onUnsound?: (failure: Error) => void;
};

/**
 * Builds and starts all of Till, and stops it in reverse order: first requests, then work, then the database. Reads are
 * served at once; nothing is written and no work begins before the database has passed its check. The caller holds the
 * lock of the data directory. Throws if the database cannot be opened or is damaged, the wallet cannot be read with the
 * passphrase, or the port is in use, and what `stopped` rejects with; nothing is left running then.
 */
export async function startTill(options: TillOptions): Promise<Till> {
  const { config: base, log, redact = (text) => text, words, now = () => world.now(), dev = null } = options;
  const {
    onWrongChain = () => {},
    onUnsound = () => {},
    pdfsAheadMax = pdfsAhead,
    x402WaitMs = x402WaitMsMax,
    stopped,
  } = options;
  const { renderer = createRenderer() } = options;
  const closers: (() => void | Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const { db, whole, wallet, close } = openInstallation({
      config: base,
      log,
      now,
      words,
      onUnsound,
      numbers: () => config,
    });
    closers.push(close);
    const { config, settings, load } = createSettings(db, base, () => {
      work.settingsChanged();
      invoicing.wakeMaker();
    });
    load(null);

    const port = config.port === 0 ? freePort(config.host) : config.port;
    const baseUrl = config.baseUrl ?? localUrl(config.host, port);

    closers.push(renderer.stop);
    const documents = createDocuments({ db, config, baseUrl, renderer });
    const { refundPdfOf } = documents;
    const leaving = createOriginals({ db, log, now, documents });
    const { pdfOf, creditNotePdfOf, receiptPdfOf, eInvoices } = leaving;
    const vault = async () => (await openedWallet(wallet)).vault;
    const transport = createLiveTransport(() => config);
    const mailer = createMails({
      db,
      config,
      baseUrl,
      transport: transport.current,
      documents: leaving,
      refundPdfOf,
      vault,
      work: () => work,
      creationWaitMs: options.creationWaitMs,
      now,
      log,
    });

    const recordSettings = {
      baseUrl,
      get timeZone() {
        return config.timeZone;
      },
      get receiptNumber() {
        return config.receiptNumber;
      },
    };
    const { rates, taxRates, values, stop: stopRates } = createTillRates({ config, now, log });
    const work = createWork({
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
    });
    const working = whole.then(work.start);
    closers.push(() => invoicing.finishQuotes(), work.stop);
    closers.push(stopRates);

    const limits = createLimits(config, options.limitClock);
    const invoicing = createInvoicing({
      db,
      recordSettings,
      config,
      now,
      log,
      wallet,
      work,
      working,
      mailer,
      quote: rates.quote,
      taxRates,
      takeMail: limits.takeMail,
      giveMailBack: limits.giveMailBack,
      pdfOf: documents.pdfOf,
      renderer,
      pdfsAheadMax,
      isDev: dev !== null,
    });
    closers.push(invoicing.stop);
    const proxyWatch = createProxyWatch(config);
    const openFiles = watchOpenFiles({ log, now, closeIdle: () => app.closeIdle() });
    closers.push(openFiles.stop);
    const releases = watchReleases(config, log, options.releases);
    closers.push(releases.stop);
    const app = createApp(
      {
        config,
        version,
        baseUrl,
        db,
        log,
        now,
        vault,
        words: async () => (await openedWallet(wallet)).mnemonic().split(" "),
        ...invoicing.useCases,
        limits,
        act: createAct({ db, now, vault, limits }),
        mailer,
        pdfOf,
        eInvoices,
        receiptPdfOf,
        stateTax: work.stateTax,
        refundPdfOf,
        creditNotePdfOf,
        working,
        chainHead: () => work.chain().head,
        countsIn: work.countsIn,
        chainLagMs: () => work.chain().lagMs,
        isDelayed: () => work.chain().isDelayed,
        transfers: work.transfers,
        paymentTo: work.paymentTo,
        rpcRequests: work.rpcRequests,
        gasBalance: work.gasBalance,
        relayer: work.relayer,
        crossings: work.crossings,
        x402WaitMs,
        longPollHoldMs: options.longPollHoldMs,
        ownWallets: createOwnWallets(db, wallet),
        treasury: work.treasury,
        refunder: work.refunder,
        elsewhere: work.elsewhere,
        lookFor: work.lookFor,
        settleNow: work.settleNow,
        redact,
        settings,
        ...createFindings({
          config,
          db,
          now,
          redact,
          work,
          rates,
          settings,
          proxyWatch,
          openFiles,
          releases,
          transport: transport.current,
        }),
        proxyWatch,
        onEventDue: work.eventDue,
        onMailDue: work.mailQueued,
        dev,
      },
      { host: config.host, port, idleSecondsMax: options.idleSecondsMax },
    );
    listen(app, config.host, port);
    closers.push(app.stop);
    // First of all, as requests and the outbox wait for the mail server.
    closers.push(() => transport.close(mailFinishMs));

    const opened = wallet.then(({ vault }) => {
      load(vault);
      warnOfGaps(config, log);
      work.mailQueued();
    });
    const ready = Promise.all([wallet, working, opened]);
    const [{ created, gasAddress }] = await Promise.race([ready, ...(stopped ? [stopped] : [])]);
    return { baseUrl, db, gasAddress, newWalletFile: created ? walletFile(config.dataDir) : null, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** Logs missing settings without which Till runs, but perhaps not as expected. */
function warnOfGaps({ isPublic, trustProxy, host, smtpUrl }: Config, log: Log): void {
  if (isPublic && trustProxy === null && isLoopbackHost(host)) {
    log.warn(
      "proxy.not_configured",
      "TILL_TRUST_PROXY is not set: the addresses of clients are not known, so no limit per address applies",
    );
  }
  if (!smtpUrl) {
    log.warn(
      "mail.not_configured",
      "no mail server is set, here or at the desk: mails wait for one for two days, then are given up",
    );
  }
}
