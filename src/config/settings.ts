import * as Currency from "../domain/bill/currency.ts";
import * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import * as Reference from "../domain/bill/rate/reference.ts";
import * as RateSource from "../domain/bill/rate/source.ts";
import * as Reminder from "../domain/bill/reminder.ts";
import * as Email from "../domain/party/email.ts";
import type { Confirmations } from "../domain/payment/block.ts";
import * as Usdc from "../domain/usdc.ts";
import * as Address from "../domain/wallet/address.ts";
import { type NetworkName, networks } from "../domain/wallet/network.ts";
import { type LanguageCode, languageCodes } from "../language/languages.ts";
import { type Level, type LogFormat, levels } from "../lib/log.ts";
import { parseIpRanges } from "../lib/net/ip.ts";
import { limitSettings } from "./limit-settings.ts";
import { flag, integer, isTimeZone, oneOf, originOf, url, urls } from "./parse.ts";
import { relaySettings } from "./relay-settings.ts";

/** A variable of the environment, without `TILL_` in front of its name. */
type Setting = Readonly<{
  /** What it is when it is not set, as somebody would write it; null where nothing is, or where other settings decide. */
  default: string | number | boolean | null;
  /** The default in words, where the value alone does not say it. */
  otherwise?: string;
  /** For a person who has to decide whether to set it. */
  meaning: string;
  /** Reads its text; undefined for a text that it does not take. Without it, any text will do. */
  parse?: (text: string) => unknown;
  /** What `parse` takes, as the end of a sentence. */
  wants?: string;
  /** The value may hold a secret and is not repeated. */
  isSecret?: boolean;
}>;

const flagRow = { parse: flag, wants: '"true" or "false"' };

/** Every variable that Till reads, in the order in which people need them. The table of docs/settings.md is made from this. */
export const settings = {
  BASE_URL: {
    default: null,
    otherwise: "`http://HOST:PORT`",
    meaning: "the URL at which people reach Till: links begin with it, and commands connect to it",
    parse: originOf,
    wants: "an http or https URL without a path, for example https://pay.example.com",
  },
  HOST: {
    default: "127.0.0.1",
    meaning: "the address that Till listens on",
    parse: (text: string) => (/^[\w.:-]+$/.test(text) ? text : undefined),
    wants: "an IP address or a host name without a port",
  },
  PORT: {
    default: 3000,
    meaning: "the port that Till listens on",
    parse: integer(0, 65_535),
    wants: "a port, 0 to 65535",
  },
  DATA_DIR: {
    default: "data",
    otherwise: "`./data`",
    meaning: "database and wallet; for one server at a time",
  },
  CHAIN: {
    default: "base",
    meaning: "`base`, `base-sepolia` or `anvil`",
    parse: oneOf(Object.keys(networks) as NetworkName[]),
    wants: '"base", "base-sepolia" or "anvil"',
  },
  RPC_URL: {
    default: null,
    otherwise: "required",
    meaning: "a node of the chain (http or https), or several, separated by commas, in order of preference",
    parse: urls(["http:", "https:"]),
    wants: "http(s) URLs, separated by commas",
    isSecret: true,
  },
  RPC_WS_URL: {
    default: null,
    meaning: "a node's WebSocket; with it payments show within a second instead of a quarter of a minute",
    parse: url(["ws:", "wss:"]),
    wants: "a URL that starts with ws:// or wss://",
    isSecret: true,
  },
  USDC_ADDRESS: {
    default: null,
    otherwise: "Circle's",
    meaning: "another token contract, in checksum form",
    parse: checkedAddress,
    wants: "an address in checksum form",
  },
  CONFIRMATIONS: {
    default: 5,
    otherwise: "5; on anvil 1",
    meaning: "how many blocks deep a payment counts, or `safe`, or `finalized`",
    parse: (text: string): Confirmations | undefined =>
      text === "safe" || text === "finalized" ? text : integer(1, 1000)(text),
    wants: 'a number of blocks from 1 to 1000, "safe" or "finalized"',
  },
  SECOND_OPINION: {
    default: "prefer",
    meaning:
      "with several nodes another one has to know a payment before it counts; `strict`: also when none answers for a minute",
    parse: oneOf(["prefer", "strict"]),
    wants: '"prefer" or "strict"',
  },
  LOG_RANGE: {
    default: 2000,
    meaning: "the most blocks in one `eth_getLogs`; 10 for Alchemy's free tier",
    parse: integer(1, 100_000),
    wants: "a number of blocks from 1 to 100000",
  },
  SMTP_URL: {
    default: null,
    meaning:
      "the mail server, `smtp://…` or `smtps://…`; without one, mails wait for two days, then are given up",
    parse: url(["smtp:", "smtps:"]),
    wants: "a URL that starts with smtp:// or smtps://",
    isSecret: true,
  },
  MAIL_FROM: {
    default: "Till <till@localhost>",
    meaning: "the sender; required with `TILL_SMTP_URL`",
    parse: (text: string) => (Email.isMailbox(text) ? text : undefined),
    wants: "a mailbox such as Till <till@example.com>",
  },
  MAIL_ATTACH_PDF: {
    default: true,
    meaning: "mails that bring an invoice or a receipt have its PDF attached",
    ...flagRow,
  },
  E_INVOICE: {
    default: "off",
    meaning:
      "what the mail that brings an invoice or a credit note has with it for programs: `factur-x`, the e-invoice inside the PDF (ZUGFeRD), or `ubl`, an XML file beside it; one that says too little for it goes without",
    parse: oneOf(["off", "factur-x", "ubl"]),
    wants: '"off", "factur-x" or "ubl"',
  },
  MAIL_RECEIPTS: {
    default: false,
    otherwise: "`true` with a mail server",
    meaning:
      "mails about payments: receipts to who pays an invoice, notices to the merchant of an invoice or a link, and receipts that payers of links ask for",
    ...flagRow,
  },
  REMINDERS: {
    default: null,
    meaning:
      "when customers are mailed again about an invoice that is not paid: days from its due date, such as `-3,0,7`, at 9 o'clock; an invoice can have others",
    parse: Reminder.parseDays,
    wants: `up to ${Reminder.countMax} days from ${Reminder.daysMin} to ${Reminder.daysMax}, separated by commas, such as -3,0,7`,
  },
  BRAND_NAME: { default: null, meaning: "who runs this Till, on `/` and in the foot of pages and mails" },
  BRAND_COLOR: { default: null, meaning: "the colour of buttons and accents, `#rrggbb`" },
  BRAND_LOGO: { default: null, meaning: "a file with your logo: PNG, JPEG, WebP or SVG, at most 100 KB" },
  LANGUAGE: {
    default: "en",
    meaning:
      "`en`, `de`, `es`, `fr`, `pt`, `ja`, `zh` or `ar`: for mails and PDFs, and for pages when the browser asks for none of these",
    parse: oneOf<LanguageCode>(languageCodes),
    wants: `one of ${languageCodes.join(", ")}`,
  },
  INVOICE_NUMBER: {
    default: "INV-{0000}",
    meaning:
      "how invoices are numbered, such as `2026-{0000}` or `ACME-{000000}`: the zeros in braces count up, without gaps; decided before the first invoice, and never changed",
    parse: (text: string) => InvoiceNumber.parse(text) ?? undefined,
    wants: InvoiceNumber.patternWanted("INV-{0000}"),
  },
  CREDIT_NOTE_NUMBER: {
    default: "CN-{0000}",
    meaning:
      "how credit notes are numbered, as invoices are by `TILL_INVOICE_NUMBER` but with other text around the zeros; decided before the first one, and never changed",
    parse: (text: string) => InvoiceNumber.parse(text) ?? undefined,
    wants: InvoiceNumber.patternWanted("CN-{0000}"),
  },
  PAPER: {
    default: "a4",
    meaning: "`a4` or `letter`: the paper of PDFs",
    parse: oneOf(["a4", "letter"]),
    wants: '"a4" or "letter"',
  },
  WALLET_PASSPHRASE: {
    default: null,
    otherwise: "required, or the file",
    meaning: "the passphrase that encrypts the wallet",
  },
  WALLET_PASSPHRASE_FILE: { default: null, meaning: "a file that holds that passphrase" },
  RATES: {
    default: RateSource.names.join(","),
    meaning:
      "who is asked what 1 USDC costs when an invoice is in EUR or USD, at most once a minute: of `kraken`, `coinbase` and `bitstamp`, each perhaps with another address, `kraken=https://…`; `off`: nobody, such invoices need a `rate`",
    parse: RateSource.parseChosen,
    wants: '"off", or names of kraken, coinbase and bitstamp, separated by commas, each once',
  },
  BOOKKEEPING_CURRENCY: {
    default: null,
    meaning:
      "`EUR` or `USD`, or another one that the ECB has rates of: what 1 USDC was worth in it is kept for each payment, for exports",
    parse: (text: string) => (Currency.isCode(text) ? text : undefined),
    wants: "a currency of ISO 4217 with two decimals, for example EUR",
  },
  BOOKKEEPING_RATES: {
    default: "exchanges",
    meaning:
      "who says so: `exchanges`, those in `TILL_RATES`; or `ecb`, the European Central Bank's reference rate of the day, 1 USDC as 1 USD, perhaps from another address, `ecb=https://…`",
    parse: Reference.parseSource,
    wants: '"exchanges" or "ecb"',
  },
  SETTLE: {
    default: "auto",
    meaning: "`manual`: the server moves no money, `till settle` does",
    parse: oneOf(["auto", "manual"]),
    wants: '"auto" or "manual"',
  },
  // Settling costs a cent or less on most days of Base, and much more on a few.
  SETTLE_MIN: {
    default: "1.00",
    meaning: "a deposit with less USDC stays where it is",
    parse: (text: string) => Usdc.parse(text) || undefined,
    wants: "an amount of USDC from 0.01, such as 1.00",
  },
  TOLERANCE: {
    default: "0.00",
    meaning:
      "a payment that is short by at most so much USDC, and at most by a tenth of what is due, counts as paid (exchanges take their fee out of it); for what is made from then on",
    parse: (text: string) => Usdc.parse(text) ?? undefined,
    wants: "an amount of USDC, such as 0.50",
  },
  ...relaySettings,
  OPEN_API: {
    default: false,
    meaning: "lets a public Till do without keys, when something in front of it asks for a login",
    ...flagRow,
  },
  ALLOW_PRIVATE_WEBHOOKS: {
    default: false,
    meaning: "lets a public Till post to private addresses",
    ...flagRow,
  },
  TRUST_PROXY: {
    default: null,
    meaning:
      "the reverse proxies whose `X-Forwarded-For` is believed: addresses or ranges, separated by commas",
    parse: parseIpRanges,
    wants: "IP addresses or ranges, separated by commas, such as 127.0.0.1,10.0.0.0/8",
  },
  ...limitSettings,
  TIMEZONE: {
    default: "UTC",
    meaning:
      "the time zone that decides what today is, and in which commands show times, such as `Europe/Paris`",
    parse: (text: string) => (isTimeZone(text) ? text : undefined),
    wants: "a time zone such as Europe/Paris",
  },
  LOG_FORMAT: {
    default: "text",
    meaning: "`json` for machines",
    parse: oneOf<LogFormat>(["text", "json"]),
    wants: '"text" or "json"',
  },
  LOG_LEVEL: {
    default: "info",
    meaning: "`debug`, `info`, `warn` or `error`",
    parse: oneOf<Level>(levels),
    wants: `one of ${levels.join(", ")}`,
  },
  API_KEY: {
    default: null,
    meaning: "the key that commands send to a public Till; the server does not read it",
  },
} as const satisfies Record<string, Setting>;

function checkedAddress(text: string): Address.Address | undefined {
  const parsed = Address.parse(text);
  return parsed.ok ? parsed.address : undefined;
}

export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings) as SettingName[];

/** What a setting is when nobody sets it, in words. */
export function defaultOf(name: SettingName): string {
  const setting: Setting = settings[name];
  return setting.otherwise ?? (setting.default === null ? "none" : `\`${setting.default}\``);
}
