import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import { version } from "../config/version.ts";
import { createRenderer, type Renderer } from "../document/worker/renderer.ts";
import type { CreditNote } from "../domain/bill/credit-note.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import type { Address } from "../domain/wallet/address.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import { createProxyWatch } from "../http/access/guard.ts";
import { createLimits } from "../http/access/limits.ts";
import { createAct } from "../http/act.ts";
import type { DevTools } from "../http/deps.ts";
import { createClose } from "../invoicing/close.ts";
import { createCreditNotes } from "../invoicing/credit-notes.ts";
import { createEndpoints } from "../invoicing/endpoints.ts";
import { createInvoices } from "../invoicing/invoices.ts";
import { createLinks } from "../invoicing/links/links.ts";
import { createLinkQuotes, createQuoteAgain } from "../invoicing/links/quote-again.ts";
import { openedWallet } from "../invoicing/next-deposit.ts";
import { createOnce } from "../invoicing/once.ts";
import { createOriginals } from "../invoicing/originals.ts";
import { createPrice } from "../invoicing/price.ts";
import { startMaker } from "../invoicing/recurring/maker.ts";
import { createRecurring } from "../invoicing/recurring/series.ts";
import { createRefunds } from "../invoicing/refunds.ts";
import type { RequestRules } from "../invoicing/request/fields.ts";
import { messageOf } from "../lib/error.ts";
import type { Redact } from "../lib/log.ts";
import { freePort, isLoopbackHost, localUrl } from "../lib/net/host.ts";
import { type Timer, world } from "../lib/world.ts";
import { createLiveTransport } from "../mail/smtp/transport.ts";
import { createMailer } from "../outbox/mailer.ts";
import type { SourceFailure } from "../rates/ask.ts";
import { createEcbRates, createPastRates } from "../rates/past.ts";
import { createRates } from "../rates/rates.ts";
import { createTaxRates } from "../rates/tax.ts";
import { createOwnWallets } from "../settle/treasury.ts";
import { waitMs } from "../settle/wallet-change.ts";
import type { Db } from "../store/database.ts";
import { walletFile } from "../store/files/data-dir.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import * as WalletStore from "../store/tables/installation/wallet.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import { createApp } from "./app.ts";
import { createDocuments } from "./documents.ts";
import { createFindings } from "./findings.ts";
import { openInstallation } from "./installation.ts";
import { listen } from "./listen.ts";
import { watchOpenFiles } from "./open-files.ts";
import { createSettings } from "./settings.ts";
import { createWork } from "./work.ts";

/** So many PDFs are made before anybody asks; of a stream of new invoices the others are made when they are wanted. */
const pdfsAhead = 4;

/** When no other invoice was made for so long: while many are made, their PDFs would take the processor from them. */
const pdfAheadAfterMs = 10;

/** A request that pays with x402 waits so long for its block; one with too low a fee may take minutes. */
const x402WaitMsMax = 20_000;

/** What is being mailed when Till stops has so long to be taken; well within what all of the stopping may take. */
const mailFinishMs = 3_000;

export type Till = {
  baseUrl: string;
  /** Open until `stop`. */
  db: Db;
  /** The account that pays for settlements. */
  gasAddress: Address;
  /** The wallet's file when this start made it: nobody has a copy of it yet. */
  newWalletFile: string | null;
  stop(): Promise<void>;
};

type TillOptions = {
  config: Config;
  log: Log;
  /** Takes secrets out of what /health/ready tells. */
  redact?: Redact;
  /** The wallet's words, when reading them has begun already. */
  words?: Promise<string>;
  /** Ends the start, when it rejects before Till is ready. */
  stopped?: Promise<never>;
  /** The clock, in Unix milliseconds; the system's unless given. */
  now?: () => number;
  /** What only development has. */
  dev?: DevTools;
  /** Writes the PDFs, and is stopped with Till; its own unless given. */
  renderer?: Renderer;
  /** How many PDFs of new invoices may be in the making before anybody asks for them; 4 unless given. */
  pdfsAheadMax?: number;
  /** As in `createApp`. */
  idleSecondsMax?: number;
  /** How long a request that pays with x402 waits for its block; 20 s unless given. */
  x402WaitMs?: number;
  /** As in `createTold`; 8 s unless given. */
  toldHoldMs?: number;
  /** How long the creation of an invoice waits for its mail; 5 s unless given. */
  creationWaitMs?: number;
  /** The clock of the limits on requests, in ms: one that never goes back. */
  limitClock?: () => number;
  /** The data belongs to another chain than the node. Till goes on without crediting anything. */
  onWrongChain?: (message: string) => void;
  /** The database was found damaged while Till ran. Nothing is stored any more; the caller is to stop Till. */
  onUnsound?: (failure: Error) => void;
};

/**
 * Builds all of Till and starts it, and stops it in the reverse order: first no more requests, then no more work,
 * then the database. Reads are answered at once; nothing is written and no work begins before the database has passed
 * its check. The caller holds the lock of the data directory. Throws when the database cannot be opened or is damaged,
 * the wallet cannot be read with the passphrase, or the port is taken, and what `stopped` rejects with; nothing is left
 * running then.
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
      ...{ config: base, log, now, words, onUnsound },
      numbers: () => config,
    });
    closers.push(close);
    const { config, settings, load } = createSettings(db, base, () => {
      work.settingsChanged();
      maker.wake();
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
    const ifAttached = <T>(make: T): T | null => (config.mailAttachPdf ? make : null);
    const mailer = createMailer({
      db,
      creationWaitMs: options.creationWaitMs,
      transport: transport.current,
      baseUrl,
      network: config.network,
      get timeZone() {
        return config.timeZone;
      },
      get brand() {
        return config.brand;
      },
      get language() {
        return config.language;
      },
      get pdfOf() {
        return ifAttached(pdfOf);
      },
      get creditNotePdfOf() {
        return ifAttached(creditNotePdfOf);
      },
      get receiptPdfOf() {
        return ifAttached(receiptPdfOf);
      },
      stateTax: (depositIndex) => work.stateTax(depositIndex),
      get refundPdfOf() {
        return ifAttached(refundPdfOf);
      },
      get eInvoiceOf() {
        const { eInvoice } = config;
        return eInvoice === "off" ? null : (invoice: Invoice) => eInvoices.write(invoice, eInvoice);
      },
      get creditEInvoiceOf() {
        const { eInvoice } = config;
        return eInvoice === "off" ? null : (note: CreditNote) => eInvoices.writeCredit(note, eInvoice);
      },
      vault,
      now,
      log,
      onQueued: () => work.mailQueued(),
      isChainCurrent: () => work.isChainCurrent(),
    });

    const site = {
      baseUrl,
      get timeZone() {
        return config.timeZone;
      },
      get receiptNumber() {
        return config.receiptNumber;
      },
    };
    const stoppingRates = new AbortController();
    const { signal } = stoppingRates;
    const asking = {
      get sources() {
        return config.rates;
      },
      publicOnly: config.publicWebhooksOnly,
      now,
      signal,
      onFailure: ({ name, code, reason }: SourceFailure) =>
        log.warn("rate.unusable", "a source gave no exchange rate that can be used", {
          source: name,
          currency: code,
          reason,
        }),
    };
    const rates = createRates(asking);
    const { quote } = rates;
    const ofExchanges = { quote, past: createPastRates(asking) };
    const values = () => {
      const { bookkeepingEcb: ecb } = config;
      const usdc = ecb ? { quote: null, past: createEcbRates({ ...asking, ...ecb }) } : ofExchanges;
      return { ...usdc, ether: ofExchanges };
    };
    const taxRates = createTaxRates({ ...asking, ecb: () => config.taxEcb, quote });
    const work = createWork({
      config,
      site,
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
    closers.push(() => quotes.finish(), work.stop);
    closers.push(rates.stop, () => stoppingRates.abort());

    let pdfAhead: Timer | undefined;
    closers.push(() => world.clearTimeout(pdfAhead));
    const hasParity = (email: string) => PartyStore.hasParity(db, email);
    const price = createPrice({ quote, config, hasParity, now });
    const { isReadBeyond, watchAgain, readNow } = work;
    const reading = { isReadBeyond, watchAgain, readNow };
    const quoteAgain = createQuoteAgain({ db, config, price, now, log, ...reading });
    const quotes = createLinkQuotes({ db, now, log, quoteAgain, ...reading });
    const limits = createLimits(config, options.limitClock);
    const crediting = {
      db,
      site,
      config,
      now,
      log,
      onEventDue: work.eventDue,
      onMailDue: work.mailQueued,
      watchAgain,
    };
    const rules = (): RequestRules => ({
      usdc: config.network.usdc,
      factory: DepositAddress.factory,
      // Read late: the first start creates it while requests already come in.
      get gasAccount() {
        return WalletStore.gasAddress(db);
      },
      isDeposit: (address) => DepositStore.byAddress(db, address) !== null,
      publicWebhooksOnly: config.publicWebhooksOnly,
      closedThrough: PreferenceStore.closedThrough(db),
      now,
    });
    const { takeMail } = limits;
    const making = {
      ...{ db, config, wallet, now, log, rules, price, taxRates, mailer, takeMail },
      once: createOnce(db, now),
      close: createClose(crediting),
      quoteAgain,
      quotes,
      onDeposit: work.depositCreated,
    };
    const invoices = createInvoices({
      ...making,
      ...crediting,
      sendFirst: mailer.sendFirst,
      onCreated: (invoice) => {
        world.clearTimeout(pdfAhead);
        pdfAhead = world.setTimeout(() => {
          if (renderer.waiting() >= pdfsAheadMax) return;
          documents.pdfOf(invoice).catch((thrown) =>
            log.warn("pdf.failed", "a PDF could not be made ahead", {
              reason: messageOf(thrown),
              invoice: invoice.number,
            }),
          );
        }, pdfAheadAfterMs);
      },
    });
    const maker = startMaker({ db, config, log, now, make: invoices.make, working });
    closers.push(maker.stop);
    const proxyWatch = createProxyWatch(config);
    const openFiles = watchOpenFiles({ log, now, closeIdle: () => app.closeIdle() });
    closers.push(openFiles.stop);
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
        invoices,
        recurring: createRecurring({
          ...making,
          check: invoices.check,
          onChanged: maker.wake,
        }),
        links: createLinks(making),
        creditNotes: createCreditNotes({ ...making, ...crediting }),
        refunds: createRefunds({
          ...making,
          ...crediting,
          // The chain's clock is asked before anything is sent.
          waitMs: (vouchedAt) => {
            const clocks = { now: now(), headAt: now() };
            return dev === null
              ? waitMs(db, { hasMailServer: config.smtpUrl !== null, vouchedAt }, clocks)
              : 0;
          },
          onApproved: () => work.refunder()?.wake(),
        }),
        endpoints: createEndpoints({ ...making, ...crediting }),
        price,
        rules,
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
        x402WaitMs,
        toldHoldMs: options.toldHoldMs,
        ownWallets: createOwnWallets(db, wallet),
        treasury: work.treasury,
        refunder: work.refunder,
        settleNow: work.settleNow,
        redact,
        settings,
        ...createFindings({
          ...{ config, db, now, redact, work, rates, settings, proxyWatch, openFiles },
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
    // Before all else: requests and the outbox wait for what the mail server says.
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

/** Names the settings without which Till runs, but not as somebody may think. */
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
