import type { Config } from "../config.ts";
import { createPdfStore } from "../document/pdf-store.ts";
import { createRenderer } from "../document/renderer.ts";
import type { Address } from "../domain/address.ts";
import * as Invoice from "../domain/invoice.ts";
import { type App, createApp } from "../http/app.ts";
import type { DevTools } from "../http/deps.ts";
import { createOnce } from "../http/idempotency.ts";
import { remarks } from "../http/remark.ts";
import { messageOf } from "../lib/error.ts";
import { isLoopbackHost, localUrl } from "../lib/host.ts";
import { freePort } from "../lib/port.ts";
import type { Redact } from "../lib/redact.ts";
import type { Log } from "../log-events.ts";
import { createTransport } from "../mail/transport.ts";
import { createInvoiceCreator } from "../service/create-invoice.ts";
import { createLinkCreator } from "../service/create-link.ts";
import { documentKey, documentOf } from "../service/invoice-document.ts";
import { createInvoiceMailer } from "../service/invoice-mailer.ts";
import { mailWarnings } from "../service/mail-warnings.ts";
import { paymentWarnings } from "../service/payment-warnings.ts";
import { openedWallet } from "../service/unavailable.ts";
import { sealOldSecrets } from "../service/webhook-secret.ts";
import {
  closeDatabase,
  type Db,
  databaseFiles,
  mustBeWhole,
  openDatabase,
  walletFile,
} from "../store/database.ts";
import { createStorageHealth } from "../store/health.ts";
import { DatabaseReplaced, keepInPlace } from "../store/in-place.ts";
import { finishRestore } from "../store/restore.ts";
import { startChainWatcher } from "../worker/chain-watcher.ts";
import { startMailSender } from "../worker/mail-sender.ts";
import { startSettler } from "../worker/settler.ts";
import { startWebhookSender } from "../worker/webhook-sender.ts";
import { openInstallationWallet } from "./installation-wallet.ts";
import { version } from "./version.ts";

/** So many PDFs are made before anybody asks; of a stream of new invoices the others are made when they are wanted. */
const pdfsAheadMax = 4;

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

export type TillOptions = {
  config: Config;
  log: Log;
  /** Takes secrets out of what /health/ready tells. */
  redact?: Redact;
  /** The wallet's words, when reading them has begun already. */
  words?: Promise<string>;
  /** The clock, in Unix milliseconds; the system's unless given. */
  now?: () => number;
  /** What only development has. */
  dev?: DevTools;
  /** The data belongs to another chain than the node. Till goes on without crediting anything. */
  onWrongChain?: (message: string) => void;
};

/**
 * Builds all of Till and starts it, and stops it in the reverse order: first no more requests, then no more work,
 * then the database. The caller holds the lock of the data directory. Throws when the database cannot be opened
 * or is damaged, the wallet cannot be read with the passphrase, or the port is taken; nothing is left running then.
 */
export async function startTill(options: TillOptions): Promise<Till> {
  const { config, log, redact = (text) => text, words, now = Date.now, dev, onWrongChain } = options;
  const closers: (() => void | Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const db = openDatabase(config.dataDir);
    let leave = () => {};
    closers.push(() => leave());
    closers.push(() => closeDatabase(db));
    mustBeWhole(db);
    const walletReplaced = finishRestore(db, config.dataDir, now());
    const place = keepInPlace(db, databaseFiles(config.dataDir), () =>
      log.error("database.replaced", "the database was moved, removed or overwritten", {
        reason: new DatabaseReplaced().message,
      }),
    );
    leave = place.stop;
    const storageProblems = createStorageHealth(db, config.dataDir, now);

    // Deriving the key from the passphrase takes a while on purpose; the rest starts meanwhile.
    const wallet = openInstallationWallet(db, config, walletReplaced ? undefined : words).then((opened) => {
      if (!sealOldSecrets(db, opened.vault)) {
        log.warn(
          "database.unsealed",
          "free pages of the database may still hold webhook secrets in plain; the next start tries again",
        );
      }
      return opened;
    });
    // It uses the database, so that is closed only after it. What it throws is thrown below.
    closers.push(async () => void (await Promise.allSettled([wallet])));

    const port = config.port === 0 ? freePort(config.host) : config.port;
    const baseUrl = config.baseUrl ?? localUrl(config.host, port);

    if (config.isPublic && config.trustProxy === null && isLoopbackHost(config.host)) {
      log.warn(
        "proxy.not_configured",
        "TILL_TRUST_PROXY is not set: the addresses of clients are not known, so no limit per address applies",
      );
    }

    const webhooks = startWebhookSender({
      db,
      log,
      now,
      publicOnly: config.publicWebhooksOnly,
      vault: wallet.then(({ vault }) => vault),
    });
    closers.push(webhooks.stop);

    const renderer = createRenderer();
    closers.push(renderer.stop);
    const pdfs = createPdfStore(renderer);

    const pdfOf = (invoice: Invoice.Invoice) =>
      pdfs.get(documentKey(invoice), () =>
        documentOf(invoice, { baseUrl, network: config.network, look: config }),
      );

    const transport = config.smtpUrl
      ? createTransport({ smtpUrl: config.smtpUrl, from: config.mailFrom })
      : null;
    if (!transport) {
      log.warn(
        "mail.not_configured",
        "no mail server is configured: mails wait for TILL_SMTP_URL for two days, then are given up",
      );
    }
    const outbox = { wake: () => {} };
    const mailer = createInvoiceMailer({
      db,
      transport,
      baseUrl,
      timeZone: config.timeZone,
      network: config.network,
      brand: config.brand,
      language: config.language,
      pdfOf: config.mailAttachPdf ? pdfOf : null,
      now,
      log,
      onQueued: () => outbox.wake(),
    });
    const mails = startMailSender({ db, mailer, log, now });
    outbox.wake = mails.wake;
    closers.push(mails.stop);

    const settler = startSettler({ config, db, log, now, wallet });
    closers.push(settler.stop);

    const watcher = startChainWatcher({
      config,
      db,
      log,
      now,
      onApplied: ({ changes, confirmed }) => {
        if (confirmed > 0) settler.wake();
        if (changes.some((change) => change.eventWritten)) webhooks.wake();
        if (changes.some((change) => change.mailWritten)) mails.wake();
      },
      onWrongChain: (message) => onWrongChain?.(message),
    });
    closers.push(watcher.stop);

    const createInvoice = createInvoiceCreator({
      tolerance: config.tolerance,
      db,
      wallet,
      mailer,
      timeZone: config.timeZone,
      now,
      onDeposit: watcher.depositCreated,
      onCreated: (invoice) => {
        if (renderer.waiting() >= pdfsAheadMax) return;
        pdfOf(invoice).catch((thrown) =>
          log.warn("pdf.failed", "a PDF could not be made ahead", {
            reason: messageOf(thrown),
            invoice: Invoice.number(invoice.sequence),
          }),
        );
      },
    });
    const createLink = createLinkCreator({
      db,
      wallet,
      now,
      tolerance: config.tolerance,
      onDeposit: watcher.depositCreated,
    });
    const vault = async () => (await openedWallet(wallet)).vault;
    const app = createApp(
      {
        config,
        version,
        baseUrl,
        db,
        log,
        now,
        vault,
        createInvoice,
        createLink,
        once: createOnce(db, now, vault),
        mailer,
        pdfOf,
        chainHead: () => watcher.state().head,
        chainLagMs: () => watcher.state().lagMs,
        transfers: watcher.transfers,
        rpcRequests: () => sumOf(watcher.requests(), settler.requests()),
        gasBalance: settler.gasBalance,
        isDelayed: () => watcher.state().isDelayed,
        problems: () => [
          ...remarks("storage", storageProblems().map(redact)),
          ...remarks("chain", watcher.state().problems.map(redact)),
        ],
        warnings: () => [
          ...remarks("payment", paymentWarnings(db, now()).map(redact)),
          ...remarks("flood", watcher.state().warnings),
          ...remarks("settlement", settler.warnings().map(redact)),
          ...remarks(
            "mail",
            mailWarnings(db, now()).map(({ message, advice }) => redact(`${message}; ${advice}`)),
          ),
        ],
        onEventDue: webhooks.wake,
        dev: dev ?? null,
      },
      { host: config.host, port },
    );
    listen(app, config.host, port);
    closers.push(app.stop);
    // Before all else: requests and the outbox wait for what the mail server says.
    closers.push(() => transport?.close(mailFinishMs));

    const { created, gasAddress } = await wallet;
    return { baseUrl, db, gasAddress, newWalletFile: created ? walletFile(config.dataDir) : null, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

function sumOf(...counts: ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts.flatMap((each) => [...each]))
    sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

function listen(app: App, host: string, port: number): void {
  try {
    app.listen();
  } catch (thrown) {
    throw new AddressUnavailable(host, port, { cause: thrown });
  }
}

class AddressUnavailable extends Error {
  override readonly name = "AddressUnavailable";
  constructor(host: string, port: number, options: ErrorOptions) {
    super(
      `Port ${port} of ${host} cannot be used. Choose another with TILL_PORT, or with till dev --port`,
      options,
    );
  }
}
