import * as Currency from "../domain/bill/currency.ts";
import * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import * as Reference from "../domain/bill/rate/reference.ts";
import * as RateSource from "../domain/bill/rate/source.ts";
import * as Reminder from "../domain/bill/reminder.ts";
import * as Email from "../domain/party/email.ts";
import { confirmationsName } from "../domain/payment/block.ts";
import * as Usdc from "../domain/usdc.ts";
import * as Address from "../domain/wallet/address.ts";
import { type NetworkName, networks } from "../domain/wallet/network.ts";
import { type LanguageCode, languageCodes } from "../language/languages.ts";
import { type Level, type LogFormat, levels } from "../lib/log.ts";
import { parseIpRanges } from "../lib/net/host.ts";
import {
  confirmationsOf,
  decimal,
  flag,
  hostName,
  integer,
  isTimeZone,
  numberFrom,
  oneOf,
  originOf,
  smtpUrl,
  url,
  urls,
} from "./parse.ts";

const limitRow = { parse: integer(0, 1_000_000), wants: "a number from 0 (no limit) to 1000000" };
const perMinute = (count: number) => ({ default: count, otherwise: `${count} a minute`, ...limitRow });

/** How much strangers and programs may ask for. */
const limitSettings = {
  LIMIT_READS: {
    ...perMinute(120),
    meaning:
      "status calls and similar from one address, and as many pages, counted separately; not with an API key",
  },
  LIMIT_WRITES: {
    ...perMinute(120),
    meaning: "writes with one API key, or from one address where no key is needed",
  },
  LIMIT_FAILED_KEYS: { ...perMinute(10), meaning: "wrong API keys from one address" },
  LIMIT_SIGN_INS: {
    ...perMinute(10),
    meaning: "failed sign-ins to the desk from one address, and one person's failed proofs of who they are",
  },
  LIMIT_PDFS: { ...perMinute(20), meaning: "PDFs for one address; not with an API key" },
  LIMIT_PDFS_AT_ONCE: { default: 2, meaning: "PDFs in the making at once for one address", ...limitRow },
  LIMIT_RECEIPTS: {
    default: 10,
    otherwise: "10 an hour",
    meaning: "addresses left for a receipt, and refunds asked for, on payers' pages, from one client",
    ...limitRow,
  },
  LIMIT_RELAYS: {
    ...perMinute(30),
    meaning: "authorisations requested and submitted from one address, on pages or by programs",
  },
  LIMIT_MAILS_MERCHANT: {
    default: 100,
    otherwise: "100 an hour",
    meaning: "mails on behalf of one `merchant_email`; only with `TILL_OPEN_API`",
    ...limitRow,
  },
  LIMIT_MAILS_INVOICE: {
    default: 5,
    otherwise: "5 an hour",
    meaning: "mails about one invoice; only with `TILL_OPEN_API`",
    ...limitRow,
  },
  LIMIT_PAYMENTS_HOUR: {
    default: 10,
    otherwise: "10 an hour",
    meaning: "payments started at reusable links from one address",
    ...limitRow,
  },
  LIMIT_PAYMENTS_DAY: { default: 50, otherwise: "50 a day", meaning: "the same in a day", ...limitRow },
  LIMIT_UNPAID: {
    default: 5000,
    otherwise: "5000 in 24 hours",
    meaning: "unpaid payments started at one reusable link",
    ...limitRow,
  },
} as const;

const etherRow = { parse: decimal(18), wants: "an amount of ETH, such as 0.002" };

/** Of payments by a signature: whether Till pays their network fee, and the limits of that. */
const relaySettings = {
  RELAY: {
    default: "auto",
    meaning:
      "let customers pay by a signature, without ETH: the gas account pays the network fee; `off`: never",
    ...oneOf(["auto", "off"]),
  },
  RELAY_MIN: {
    default: "0.05",
    meaning: "the smallest amount of USDC that can be paid by a signature",
    parse: (text: string) => Usdc.parse(text) || undefined,
    wants: "an amount of USDC from 0.01, such as 0.05",
  },
  RELAY_FEE_MAX: {
    default: "0.1",
    otherwise: "0.1; on anvil 20",
    meaning:
      "the base fee in gwei above which nobody can pay by a signature; payments already on their way offer at most twice this, unless a settlement or a withdrawal waits behind them",
    parse: decimal(9),
    wants: "a number of gwei, such as 0.1",
  },
  RELAY_GAS_MAX: {
    default: 400_000,
    meaning:
      "the most gas for a payment by a smart wallet's signature; twice as much for one that is yet to be put on the chain",
    ...numberFrom(160_000, 5_000_000),
  },
  RELAY_BUDGET: {
    default: "0.002",
    otherwise: "0.002; on anvil 1",
    meaning: "the most ETH to spend on customers' fees in 24 hours",
    ...etherRow,
  },
  RELAY_RESERVE: {
    default: "0.0001",
    meaning: "ETH in the gas account to keep for settlements",
    ...etherRow,
  },
  RELAY_FAILURES: {
    default: 3,
    meaning:
      "after this many failed payments by a signature, that payer, deposit address or client waits for an hour; also the most that one payer or client can have on their way at once",
    ...numberFrom(1, 1000),
  },
} as const;

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
  /** The page of the desk's settings where people set it, if the environment does not. */
  page?: SettingPage;
}>;

export const settingPages = ["look", "documents", "rates", "mail"] as const;
export type SettingPage = (typeof settingPages)[number];

/** More than any exchange deducts: nobody is to be asked for less by a slip. */
const toleranceMax = Usdc.fromMicro(10_000_000n);

const flagRow = { parse: flag, wants: '"true" or "false"' };

/** Every variable that Till reads, in the order in which people need them. The table of docs/settings.md is made from this. */
export const settings = {
  BASE_URL: {
    default: null,
    otherwise: "`http://HOST:PORT`",
    meaning: "the URL where people reach Till: links start with it, and commands connect to it",
    parse: originOf,
    wants: "an http or https URL without a path, for example https://pay.example.com",
  },
  HOST: {
    default: "127.0.0.1",
    meaning: "the address Till listens on",
    parse: hostName,
    wants: "an IP address or a host name without a port",
  },
  PORT: {
    default: 3000,
    meaning: "the port Till listens on",
    parse: integer(0, 65_535),
    wants: "a port, 0 to 65535",
  },
  DATA_DIR: {
    default: "data",
    otherwise: "`./data`",
    meaning: "where the database and wallet are; only one server at a time can use it",
  },
  CHAIN: {
    default: "base",
    meaning: "`base`, `base-sepolia` or `anvil`",
    ...oneOf(Object.keys(networks) as NetworkName[]),
  },
  RPC_URL: {
    default: null,
    otherwise: "required",
    meaning: "a node of the chain (http or https), or several in order of preference, separated by commas",
    parse: urls(["http:", "https:"]),
    wants: "http(s) URLs, separated by commas",
    isSecret: true,
  },
  RPC_WS_URL: {
    default: null,
    meaning: "a node's WebSocket; with it, payments show within a second instead of about 15",
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
    default: null,
    otherwise: `${confirmationsName(networks.base.confirmations)}; on anvil ${confirmationsName(networks.anvil.confirmations)}`,
    meaning:
      "how old a payment must be to count (`10s`), or how many blocks deep (`50`: also ten seconds on Base), or `safe`, or `finalized`",
    parse: confirmationsOf,
    wants:
      'a time in seconds such as 10s, from 1s to 3600s, a number of blocks from 1 to 10000, "safe" or "finalized"',
  },
  SECOND_OPINION: {
    default: "prefer",
    meaning:
      "with several nodes, a second one must know a payment before it counts; `strict`: even if no other answers for a minute",
    ...oneOf(["prefer", "strict"]),
  },
  LOG_RANGE: {
    default: 2000,
    meaning: "the most blocks in one `eth_getLogs` call; use 10 for Alchemy's free tier",
    parse: integer(1, 100_000),
    wants: "a number of blocks from 1 to 100000",
  },
  SMTP_URL: {
    page: "mail",
    default: null,
    meaning:
      "the mail server, `smtp://…` or `smtps://…`; with `?requireTLS=true` mails never go out unencrypted; without a mail server they wait two days, then Till gives them up",
    parse: smtpUrl,
    wants:
      "a URL that starts with smtp:// or smtps://, with nothing after ? but requireTLS, ignoreTLS and tls.rejectUnauthorized, each =true or =false, and name=",
    isSecret: true,
  },
  MAIL_FROM: {
    page: "mail",
    default: "Till <till@localhost>",
    meaning: "the sender; required with `TILL_SMTP_URL`",
    parse: (text: string) => (Email.isMailbox(text) ? text : undefined),
    wants: "a mailbox such as Till <till@example.com>",
  },
  MAIL_ATTACH_PDF: {
    page: "mail",
    default: true,
    meaning: "attach the PDF to mails that bring an invoice or a receipt",
    ...flagRow,
  },
  E_INVOICE: {
    page: "mail",
    default: "off",
    meaning:
      "the e-invoice in mails that bring an invoice or a credit note: `factur-x`, inside the PDF (ZUGFeRD), or `ubl`, a separate XML file; the mail goes without it if something is missing",
    ...oneOf(["off", "factur-x", "ubl"]),
  },
  MAIL_RECEIPTS: {
    page: "mail",
    default: false,
    otherwise: "`true` with a mail server",
    meaning:
      "send mails about payments: receipts to customers who paid an invoice or asked for one at a link, and notices to the merchant",
    ...flagRow,
  },
  REMINDERS: {
    page: "documents",
    default: null,
    meaning:
      "when to remind customers of an unpaid invoice: days from its due date, such as `-3,0,7`, at 9 o'clock; an invoice can set its own",
    parse: Reminder.parseDays,
    wants: `up to ${Reminder.countMax} days from ${Reminder.daysMin} to ${Reminder.daysMax}, separated by commas, such as -3,0,7`,
  },
  BRAND_NAME: {
    page: "look",
    default: null,
    meaning: "who runs this Till, shown on `/` and at the foot of pages and mails",
  },
  BRAND_COLOR: { page: "look", default: null, meaning: "the colour of buttons and accents, `#rrggbb`" },
  BRAND_LOGO: {
    page: "look",
    default: null,
    meaning: "a file with your logo: PNG, JPEG, WebP or SVG, at most 100 KB and 25 megapixels",
  },
  LANGUAGE: {
    page: "look",
    default: "en",
    meaning:
      "`en`, `de`, `es`, `fr`, `pt`, `ja`, `zh` or `ar`: for mails and PDFs, and for pages if the browser asks for none of these",
    parse: oneOf<LanguageCode>(languageCodes).parse,
    wants: `one of ${languageCodes.join(", ")}`,
  },
  INVOICE_NUMBER: {
    page: "documents",
    default: "INV-{0000}",
    meaning:
      "the pattern of invoice numbers, such as `ACME-{000000}`: the zeros in braces count up, without gaps or a new start in a new year; decide before the first invoice, and never change it",
    parse: (text: string) => InvoiceNumber.parse(text) ?? undefined,
    wants: InvoiceNumber.patternWanted("INV-{0000}"),
  },
  CREDIT_NOTE_NUMBER: {
    page: "documents",
    default: "CN-{0000}",
    meaning:
      "the pattern of credit note numbers, like `TILL_INVOICE_NUMBER` but with other text around the zeros; decide before the first one, and never change it",
    parse: (text: string) => InvoiceNumber.parse(text) ?? undefined,
    wants: InvoiceNumber.patternWanted("CN-{0000}"),
  },
  RECEIPT_NUMBER: {
    page: "documents",
    default: "R-{0000}",
    meaning:
      "the pattern of the numbers of receipts for payment links with tax, as above; decide before the first one, and never change it",
    parse: (text: string) => InvoiceNumber.parse(text) ?? undefined,
    wants: InvoiceNumber.patternWanted("R-{0000}"),
  },
  PAPER: {
    page: "documents",
    default: "a4",
    meaning: "the paper size of PDFs: `a4` or `letter`",
    ...oneOf(["a4", "letter"]),
  },
  WALLET_PASSPHRASE: {
    default: null,
    otherwise: "required, or the file",
    meaning: "the passphrase that encrypts the wallet",
  },
  WALLET_PASSPHRASE_FILE: { default: null, meaning: "a file with that passphrase" },
  RATES: {
    page: "rates",
    default: RateSource.names.join(","),
    meaning:
      "whom to ask, at most once a minute, what 1 USDC costs for an invoice or a link in EUR or USD: any of `kraken`, `coinbase` and `bitstamp`, or one at another address, `kraken=https://…`, which on a public Till must be a public one; `off`: nobody, and such invoices and links need a `rate`",
    parse: RateSource.parseChosen,
    wants: '"off", or names of kraken, coinbase and bitstamp, separated by commas, each once',
  },
  BOOKKEEPING_CURRENCY: {
    page: "rates",
    default: null,
    meaning:
      "record what 1 USDC was worth at each payment, for exports, in `EUR`, `USD` or another currency with an ECB rate",
    parse: (text: string) => (Currency.isCode(text) ? text : undefined),
    wants: "a currency of ISO 4217, for example EUR",
  },
  BOOKKEEPING_RATES: {
    page: "rates",
    default: "exchanges",
    meaning:
      "where those rates come from: `exchanges`, those in `TILL_RATES`; or `ecb`, the European Central Bank's reference rate of the day with 1 USDC as 1 USD, or from another address, `ecb=https://…`",
    parse: Reference.parseSource,
    wants: '"exchanges" or "ecb"',
  },
  TAX_PERIOD: {
    page: "rates",
    default: "supply",
    meaning:
      "the month that the tax of an invoice belongs to, in exports: `supply`, of the delivery, or of the issue where the invoice names no delivery; or `issue`",
    ...oneOf(["supply", "issue"]),
  },
  TAX_RATES: {
    default: "ecb",
    meaning:
      "whom to ask for the tax in the currency of the seller's country, which its law wants on an invoice in another: `ecb`, the European Central Bank, or from another address, `ecb=https://…`; `off`: nobody; such invoices need a `tax_exchange_rate`, and receipts of links state none",
    parse: (text: string) => (text === "off" ? null : (Reference.parseSource(text) ?? undefined)),
    wants: '"ecb" or "off"',
  },
  SETTLE: {
    default: "auto",
    meaning: "`manual`: the server does not settle; run `till settle`",
    ...oneOf(["auto", "manual"]),
  },
  // Settling costs a cent or less on most days of Base, and much more on a few.
  SETTLE_MIN: {
    default: "1.00",
    meaning: "do not settle deposits with less USDC than this",
    parse: (text: string) => Usdc.parse(text) || undefined,
    wants: "an amount of USDC from 0.01, such as 1.00",
  },
  TOLERANCE: {
    page: "rates",
    default: "0.00",
    meaning:
      "accept a payment that is short by at most this much USDC, and at most a tenth of what is due (exchanges deduct their fee); applies to new invoices and links",
    parse: (text: string) => {
      const amount = Usdc.parse(text);
      return amount !== null && amount <= toleranceMax ? amount : undefined;
    },
    wants: `an amount of USDC up to ${Usdc.format(toleranceMax)}, such as 0.50`,
  },
  ...relaySettings,
  OPEN_API: {
    default: false,
    meaning: "let a public Till work without keys, because something in front of it asks for a login",
    ...flagRow,
  },
  ALLOW_PRIVATE_WEBHOOKS: {
    default: false,
    meaning: "let a public Till send webhooks to private addresses",
    ...flagRow,
  },
  TRUST_PROXY: {
    default: null,
    meaning:
      "the reverse proxies whose `X-Forwarded-For` Till trusts: addresses or ranges, separated by commas",
    parse: parseIpRanges,
    wants: "IP addresses or ranges, separated by commas, such as 127.0.0.1,10.0.0.0/8",
  },
  ...limitSettings,
  TIMEZONE: {
    page: "documents",
    default: "UTC",
    meaning:
      "the time zone that decides what day it is and in which commands show times, such as `Europe/Paris`",
    parse: (text: string) => (isTimeZone(text) ? text : undefined),
    wants: "a time zone such as Europe/Paris",
  },
  LOG_FORMAT: {
    default: "text",
    meaning: "`text`, or `json` for programs",
    ...oneOf<LogFormat>(["text", "json"]),
  },
  LOG_LEVEL: {
    default: "info",
    meaning: "`debug`, `info`, `warn` or `error`",
    parse: oneOf<Level>(levels).parse,
    wants: `one of ${levels.join(", ")}`,
  },
  API_KEY: {
    default: null,
    meaning: "the API key that commands send to a public Till; the server ignores it",
  },
} as const satisfies Record<string, Setting>;

function checkedAddress(text: string): Address.Address | undefined {
  const parsed = Address.parse(text);
  return parsed.ok ? parsed.address : undefined;
}

export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings) as SettingName[];

/** A setting that people at the desk may make. */
export type DeskSettingName = {
  [Name in SettingName]: (typeof settings)[Name] extends { page: string } ? Name : never;
}[SettingName];

export const pageOf = (name: SettingName): SettingPage | null => (settings[name] as Setting).page ?? null;

export const deskSettingNames = settingNames.filter((name): name is DeskSettingName => pageOf(name) !== null);

export const isSecret = (name: SettingName): boolean => (settings[name] as Setting).isSecret === true;

/** What a setting is when nobody sets it, in words. */
export function defaultOf(name: SettingName): string {
  const setting: Setting = settings[name];
  return setting.otherwise ?? (setting.default === null ? "none" : `\`${setting.default}\``);
}
