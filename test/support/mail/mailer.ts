import { plainBrand } from "../../../src/domain/brand.ts";
import { networks } from "../../../src/domain/wallet/network.ts";
import { createVault } from "../../../src/lib/crypto.ts";
import { createLog } from "../../../src/lib/log.ts";
import type { Lookup } from "../../../src/mail/smtp/connection.ts";
import { createTransport, type Transport } from "../../../src/mail/smtp/transport.ts";
import { createMailer, type MailerDeps } from "../../../src/outbox/mailer.ts";
import { type Db, transact } from "../../../src/store/database.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as MailStore from "../../../src/store/tables/outbox/mail.ts";
import { storeInvoice } from "../till/records.ts";

/** The outbox of `db` with a clock of its own, and what it logs. */
export function openOutbox(
  db: Db,
  server: Transport | { smtpUrl: string; resolve?: Lookup },
  changes: Partial<MailerDeps> = {},
) {
  const logged: string[] = [];
  let clockMs = Date.now();
  const transport = "send" in server ? server : createTransport({ ...server, from: "till@example.com" });
  const mailer = createMailer({
    db,
    transport: () => transport,
    baseUrl: "http://127.0.0.1",
    timeZone: "UTC",
    network: networks.base,
    brand: plainBrand,
    language: "en",
    pdfOf: null,
    creditNotePdfOf: null,
    receiptPdfOf: null,
    stateTax: async () => {},
    refundPdfOf: null,
    eInvoiceOf: null,
    creditEInvoiceOf: null,
    vault: async () => createVault(new Uint8Array(32)),
    now: () => clockMs,
    clock: () => clockMs,
    log: createLog({ format: "text", level: "debug", write: (line) => logged.push(line) }),
    onQueued: () => {},
    isChainCurrent: () => true,
    ...changes,
  });
  return {
    mailer,
    logged,
    now: () => clockMs,
    close: () => transport.close(),
    /** Sends the first mail of a new invoice, as its creation does; returns the mail's id and how long that took. */
    async create() {
      const invoice = storeInvoice(db);
      const id = transact(db, () => MailStore.insertFirst(db, invoice.deposit.index, clockMs));
      const startedAt = performance.now();
      await mailer.sendFirst(id, invoice);
      return { id, invoice, tookMs: performance.now() - startedAt };
    },
    state: (id: string) => MailStore.byId(db, id)?.state,
    sentAt: (sequence: number) => InvoiceStore.bySequence(db, sequence)?.sentAt ?? null,
    /** What is due after so long. */
    async sendLater(ms: number) {
      clockMs += ms;
      await mailer.sendDue(new AbortController().signal);
    },
  };
}
