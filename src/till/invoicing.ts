import type { Wallet } from "../chain/account/wallet.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import type { Renderer } from "../document/worker/renderer.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import type { Limits } from "../http/access/limits.ts";
import { createClose } from "../invoicing/close.ts";
import { createCreditNotes } from "../invoicing/credit/credit-notes.ts";
import type { Documents } from "../invoicing/documents/originals.ts";
import { createEndpoints } from "../invoicing/endpoints.ts";
import { createInvoices } from "../invoicing/invoices.ts";
import { createLinks } from "../invoicing/links/links.ts";
import { createLinkQuotes, createQuoteAgain } from "../invoicing/links/quote-again.ts";
import { createOnce } from "../invoicing/once.ts";
import { createPrice } from "../invoicing/price.ts";
import { startMaker } from "../invoicing/recurring/maker.ts";
import { createRecurring } from "../invoicing/recurring/series.ts";
import { createRefunds } from "../invoicing/refunds/refunds.ts";
import type { RequestRules } from "../invoicing/request/fields.ts";
import { messageOf } from "../lib/error.ts";
import { type Timer, world } from "../lib/world.ts";
import type { Mailer } from "../outbox/mailer.ts";
import type { Rates } from "../rates/rates.ts";
import type { TaxRates } from "../rates/tax.ts";
import { waitMs } from "../settle/wallet-change.ts";
import type { RecordSettings } from "../store/announce.ts";
import type { Db } from "../store/database.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import * as WalletStore from "../store/tables/installation/wallet.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import type { Work } from "./work.ts";

/**
 * Pause after the last new invoice before PDFs are made ahead: while many are created, their PDFs would take CPU time
 * from them.
 */
const pdfAheadAfterMs = 10;

type InvoicingDeps = {
  db: Db;
  recordSettings: RecordSettings;
  config: Config;
  now: () => number;
  log: Log;
  wallet: Promise<Wallet>;
  work: Work;
  /** Resolves once the work has begun. */
  working: Promise<unknown>;
  mailer: Mailer;
  quote: Rates["quote"];
  taxRates: TaxRates;
  takeMail: Limits["takeMail"];
  giveMailBack: Limits["giveMailBack"];
  pdfOf: Documents["pdfOf"];
  renderer: Pick<Renderer, "waiting">;
  /** Maximum PDFs of new invoices made before anybody asks for them. */
  pdfsAheadMax: number;
  /** In development refunds do not wait. */
  isDev: boolean;
};

/** The use cases of one Till for invoices, links, credit notes and refunds, and the maker of recurring invoices. */
export function createInvoicing(deps: InvoicingDeps) {
  const { db, recordSettings, config, now, log, wallet, work, mailer, taxRates, takeMail, giveMailBack } =
    deps;
  const hasParity = (email: string) => PartyStore.hasParity(db, email);
  const price = createPrice({ quote: deps.quote, config, hasParity, now });
  const { isReadBeyond, watchAgain, readNow } = work;
  const reading = { isReadBeyond, watchAgain, readNow };
  const quoteAgain = createQuoteAgain({ db, config, price, now, log, ...reading });
  const quotes = createLinkQuotes({ db, now, log, quoteAgain, ...reading });
  const crediting = {
    db,
    recordSettings,
    config,
    now,
    log,
    onEventDue: work.eventDue,
    onMailDue: work.mailQueued,
    watchAgain,
  };
  const rules = (merchant: string | null = null): RequestRules => ({
    usdc: config.network.usdc,
    factory: DepositAddress.factory,
    // Read late: the first start creates it while requests already come in, and few requests need it.
    get gasAccount() {
      return WalletStore.gasAddress(db);
    },
    isDeposit: (address) => DepositStore.byAddress(db, address) !== null,
    publicWebhooksOnly: config.publicWebhooksOnly,
    get closedThrough() {
      return PreferenceStore.closedThrough(db);
    },
    now,
    merchant,
  });
  const making = {
    db,
    config,
    wallet,
    now,
    log,
    rules,
    price,
    taxRates,
    mailer,
    takeMail,
    giveMailBack,
    once: createOnce(db, now),
    close: createClose(crediting),
    quoteAgain,
    quotes,
    onDeposit: work.depositCreated,
  };

  let pdfAhead: Timer | undefined;
  function makePdfAhead(invoice: Invoice): void {
    if (deps.renderer.waiting() >= deps.pdfsAheadMax) return;
    deps.pdfOf(invoice).catch((thrown) =>
      log.warn("pdf.failed", "a PDF could not be made ahead", {
        reason: messageOf(thrown),
        invoice: invoice.number,
      }),
    );
  }
  const invoices = createInvoices({
    ...making,
    ...crediting,
    sendFirst: mailer.sendFirst,
    onCreated: (invoice) => {
      world.clearTimeout(pdfAhead);
      pdfAhead = world.setTimeout(() => makePdfAhead(invoice), pdfAheadAfterMs);
    },
  });
  const maker = startMaker({ db, config, log, now, make: invoices.make, working: deps.working });

  return {
    useCases: {
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
        // The chain's clock is checked before anything is sent.
        waitMs: (vouchedAt) => {
          if (deps.isDev) return 0;
          const clocks = { now: now(), headAt: now() };
          return waitMs(db, { hasMailServer: config.smtpUrl !== null, vouchedAt }, clocks);
        },
        onApproved: () => work.refunder()?.wake(),
      }),
      endpoints: createEndpoints({ ...making, ...crediting }),
      price,
      rules,
    },
    /** Call it when settings of recurring invoices may have changed. */
    wakeMaker: maker.wake,
    /** Waits for links that are being quoted again. */
    finishQuotes: quotes.finish,
    async stop() {
      await maker.stop();
      world.clearTimeout(pdfAhead);
    },
  };
}
