import * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import type { DeskSettingName } from "./settings.ts";
import {
  type ConfigReader,
  createConfigReader,
  type Environment,
  readBrand,
  type SettingFault,
} from "./variable.ts";

/** Settings that people may make at the desk unless the environment does. */
export function deskConfigOf({ faults, read: textOf, value }: ConfigReader) {
  return {
    smtpUrl: value("SMTP_URL"),
    mailFrom: value("MAIL_FROM"),
    /** Whether mails with an invoice have the PDF attached. */
    mailAttachPdf: value("MAIL_ATTACH_PDF"),
    /** The e-invoice format sent with an invoice's mail. */
    eInvoice: value("E_INVOICE"),
    /** Days from the due date on which customers are reminded, unless an invoice has its own. */
    reminders: value("REMINDERS", []),
    /** Whether to mail the customer and the merchant when an invoice is paid. */
    mailReceipts: value("MAIL_RECEIPTS", textOf("SMTP_URL") !== null),
    /** Name, colour and logo for payers. */
    brand: readBrand(textOf, faults),
    /** The language of mails and PDFs, and of pages if the browser asks for none that Till has. */
    language: value("LANGUAGE"),
    /** The number patterns of documents. */
    invoiceNumber: value("INVOICE_NUMBER"),
    creditNoteNumber: value("CREDIT_NOTE_NUMBER"),
    receiptNumber: value("RECEIPT_NUMBER"),
    /** Months until the page of what has ended closes; null for never. */
    closePages: value("CLOSE_PAGES"),
    /** Paper size of PDFs. */
    paper: value("PAPER"),
    /** The sources of exchange rates; empty to ask nobody. */
    rates: value("RATES"),
    /** The currency in which the value of each payment is stored; null for none. */
    bookkeepingCurrency: value("BOOKKEEPING_CURRENCY"),
    /** Where to ask the central bank for that value; null to ask exchanges. */
    bookkeepingEcb: value("BOOKKEEPING_RATES"),
    /** Whether an invoice's tax belongs to the month of its supply or of its issue. */
    taxPeriod: value("TAX_PERIOD"),
    /** Where to ask the central bank for the rate of a tax; null for nowhere. */
    taxEcb: value("TAX_RATES"),
    /** A payment short by at most this counts as full. */
    tolerance: value("TOLERANCE"),
    timeZone: value("TIMEZONE"),
  };
}

/** Finds desk settings that are valid one by one, but not together. */
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

/** Settings made at the desk, as texts of environment variables. */
export type Stored = Readonly<Partial<Record<DeskSettingName, string>>>;

export const variablesOf = (texts: Stored): Environment =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`TILL_${name}`, text]));

/** The desk settings for these texts, or what is wrong with them. */
export function deskConfigBy(
  fixed: Stored,
  stored: Stored,
): { config: DeskConfig } | { faults: SettingFault[] } {
  const reader = createConfigReader(variablesOf(fixed), variablesOf(stored));
  const config = deskConfigOf(reader);
  const faults = [...reader.faults, ...faultsBetween(config, reader.read)];
  return faults.length > 0 ? { faults } : { config };
}
