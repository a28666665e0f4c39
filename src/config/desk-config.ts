import * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import type { DeskSettingName } from "./settings.ts";
import {
  type ConfigReader,
  createConfigReader,
  type Environment,
  readBrand,
  type SettingFault,
} from "./variable.ts";

/** The settings that people may make at the desk where the environment does not. */
export function deskConfigOf({ faults, read: textOf, value }: ConfigReader) {
  return {
    smtpUrl: value("SMTP_URL"),
    mailFrom: value("MAIL_FROM"),
    /** Attach the PDF to a mail that brings an invoice. */
    mailAttachPdf: value("MAIL_ATTACH_PDF"),
    /** The e-invoice that goes with the mail of an invoice. */
    eInvoice: value("E_INVOICE"),
    /** Days from the due date on which customers are reminded, unless an invoice has its own. */
    reminders: value("REMINDERS", []),
    /** Mail the customer and the merchant when an invoice is paid. */
    mailReceipts: value("MAIL_RECEIPTS", textOf("SMTP_URL") !== null),
    /** The name, colour and logo that payers see. */
    brand: readBrand(textOf, faults),
    /** The language of mails and PDFs, and of pages when the browser names none that Till has. */
    language: value("LANGUAGE"),
    /** How invoices are numbered. */
    invoiceNumber: value("INVOICE_NUMBER"),
    creditNoteNumber: value("CREDIT_NOTE_NUMBER"),
    receiptNumber: value("RECEIPT_NUMBER"),
    /** The paper that PDFs are laid out for. */
    paper: value("PAPER"),
    /** The sources of exchange rates; nobody is asked when it is empty. */
    rates: value("RATES"),
    /** The currency in which the value of each payment is kept; null when nobody wants it. */
    bookkeepingCurrency: value("BOOKKEEPING_CURRENCY"),
    /** Where to ask the central bank for that value; null when exchanges are asked. */
    bookkeepingEcb: value("BOOKKEEPING_RATES"),
    /** The month that the tax of an invoice belongs to: of its supply, or of its issue. */
    taxPeriod: value("TAX_PERIOD"),
    /** Where to ask the central bank for the rate of a tax; null: nowhere. */
    taxEcb: value("TAX_RATES"),
    /** A payment that is short by no more than this counts as all of it. */
    tolerance: value("TOLERANCE"),
    timeZone: value("TIMEZONE"),
  };
}

/** Finds settings of the desk that are right one by one, and wrong together. */
export function faultsBetween(config: DeskConfig, textOf: ConfigReader["read"]): SettingFault[] {
  const faults: SettingFault[] = [];
  const books = config.bookkeepingCurrency;
  const ofBooks = { name: "BOOKKEEPING_CURRENCY", code: "books", beside: "BOOKKEEPING_RATES" } as const;
  if (books !== null && config.bookkeepingEcb === null && books !== "EUR" && books !== "USD") {
    faults.push({
      ...ofBooks,
      sentence: `TILL_BOOKKEEPING_CURRENCY is ${books}, of which no exchange has a rate of USDC. It must be EUR or USD, or TILL_BOOKKEEPING_RATES must be ecb.`,
    });
  }
  if (books === null && config.bookkeepingEcb !== null) {
    faults.push({
      ...ofBooks,
      sentence:
        "TILL_BOOKKEEPING_CURRENCY is missing. TILL_BOOKKEEPING_RATES is ecb, so it must be the currency of your books, for example EUR.",
    });
  }
  if (InvoiceNumber.mayMeet(config.invoiceNumber, config.creditNoteNumber)) {
    faults.push({
      name: "CREDIT_NOTE_NUMBER",
      code: "numbers",
      beside: "INVOICE_NUMBER",
      sentence:
        "TILL_CREDIT_NOTE_NUMBER must differ from TILL_INVOICE_NUMBER around its braces: no credit note may have the number of an invoice.",
    });
  }
  for (const [beside, other] of [
    ["INVOICE_NUMBER", config.invoiceNumber],
    ["CREDIT_NOTE_NUMBER", config.creditNoteNumber],
  ] as const)
    if (InvoiceNumber.mayMeet(other, config.receiptNumber))
      faults.push({
        name: "RECEIPT_NUMBER",
        code: "numbers",
        beside,
        sentence: `TILL_RECEIPT_NUMBER must differ from TILL_${beside} around its braces: no receipt may have the number of another document.`,
      });
  if (config.smtpUrl && !textOf("MAIL_FROM")) {
    faults.push({
      name: "MAIL_FROM",
      code: "missing",
      sentence: "TILL_MAIL_FROM is missing. It must be the mailbox that TILL_SMTP_URL may send from.",
    });
  }
  return faults;
}

export type DeskConfig = ReturnType<typeof deskConfigOf>;

/** Settings made at the desk, each as a variable of the environment would say it. */
export type Stored = Readonly<Partial<Record<DeskSettingName, string>>>;

export const variablesOf = (texts: Stored): Environment =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`TILL_${name}`, text]));

/** The settings of the desk by these texts, or what is wrong with them. */
export function deskConfigBy(
  fixed: Stored,
  stored: Stored,
): { config: DeskConfig } | { faults: SettingFault[] } {
  const reader = createConfigReader(variablesOf(fixed), variablesOf(stored));
  const config = deskConfigOf(reader);
  const faults = [...reader.faults, ...faultsBetween(config, reader.read)];
  return faults.length > 0 ? { faults } : { config };
}
