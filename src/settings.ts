/** A variable of the environment, without `TILL_` in front of its name. */
type Setting = Readonly<{
  /** What it is when it is not set; null where nothing is, or where other settings decide. */
  default: string | number | boolean | null;
  /** The default in words, where the value alone does not say it. */
  otherwise?: string;
  /** For a person who has to decide whether to set it. */
  meaning: string;
}>;

const perMinute = (count: number) => ({ default: count, otherwise: `${count} a minute` });

/** Every variable that Till reads, in the order in which people need them. The README's table is made from this. */
export const settings = {
  BASE_URL: {
    default: null,
    otherwise: "`http://HOST:PORT`",
    meaning: "the URL at which people reach Till: links begin with it, and commands connect to it",
  },
  HOST: { default: "127.0.0.1", meaning: "the address that Till listens on" },
  PORT: { default: 3000, meaning: "the port that Till listens on" },
  DATA_DIR: {
    default: "data",
    otherwise: "`./data`",
    meaning: "database and wallet; for one server at a time",
  },
  CHAIN: { default: "base", meaning: "`base`, `base-sepolia` or `anvil`" },
  RPC_URL: {
    default: null,
    otherwise: "required",
    meaning: "a node of the chain (http or https), or several, separated by commas, in order of preference",
  },
  RPC_WS_URL: {
    default: null,
    meaning: "a node's WebSocket; with it payments show within a second instead of a quarter of a minute",
  },
  USDC_ADDRESS: { default: null, otherwise: "Circle's", meaning: "another token contract, in checksum form" },
  CONFIRMATIONS: {
    default: 5,
    otherwise: "5; on anvil 1",
    meaning: "how many blocks deep a payment counts, or `safe`, or `finalized`",
  },
  SECOND_OPINION: {
    default: "prefer",
    meaning:
      "with several nodes another one has to know a payment before it counts; `strict`: also when none answers for a minute",
  },
  LOG_RANGE: { default: 2000, meaning: "the most blocks in one `eth_getLogs`; 10 for Alchemy's free tier" },
  SMTP_URL: {
    default: null,
    meaning:
      "the mail server, `smtp://…` or `smtps://…`; without one, mails wait for two days, then are given up",
  },
  MAIL_FROM: { default: "Till <till@localhost>", meaning: "the sender; required with `TILL_SMTP_URL`" },
  MAIL_ATTACH_PDF: { default: true, meaning: "the mail that brings an invoice has its PDF attached" },
  MAIL_RECEIPTS: {
    default: false,
    otherwise: "`true` with a mail server",
    meaning: "a receipt to the customer and a notice to the merchant when an invoice is paid",
  },
  BRAND_NAME: { default: null, meaning: "who runs this Till, on `/` and in the foot of pages and mails" },
  BRAND_COLOR: { default: null, meaning: "the colour of buttons and accents, `#rrggbb`" },
  BRAND_LOGO: { default: null, meaning: "a file with your logo: PNG, JPEG, WebP or SVG, at most 100 KB" },
  LANGUAGE: {
    default: "en",
    meaning:
      "`en`, `de`, `es`, `fr`, `pt`, `ja`, `zh` or `ar`: for mails and PDFs, and for pages when the browser asks for none of these",
  },
  PAPER: { default: "a4", meaning: "`a4` or `letter`: the paper of PDFs" },
  WALLET_PASSPHRASE: {
    default: null,
    otherwise: "required, or the file",
    meaning: "the passphrase that encrypts the wallet",
  },
  WALLET_PASSPHRASE_FILE: { default: null, meaning: "a file that holds that passphrase" },
  SETTLE: { default: "auto", meaning: "`manual`: the server moves no money, `till settle` does" },
  // Settling costs a cent or less on most days of Base, and much more on a few.
  SETTLE_MIN: { default: "1.00", meaning: "a deposit with less USDC stays where it is" },
  TOLERANCE: {
    default: "0.00",
    meaning:
      "a payment that is short by at most so much USDC, and at most by a tenth of what is due, counts as paid (exchanges take their fee out of it); for what is made from then on",
  },
  OPEN_API: {
    default: false,
    meaning: "lets a public Till do without keys, when something in front of it asks for a login",
  },
  ALLOW_PRIVATE_WEBHOOKS: { default: false, meaning: "lets a public Till post to private addresses" },
  TRUST_PROXY: {
    default: null,
    meaning:
      "the reverse proxies whose `X-Forwarded-For` is believed: addresses or ranges, separated by commas",
  },
  LIMIT_READS: {
    ...perMinute(120),
    meaning: "status calls and the like from one address, and separately as many pages; not with an API key",
  },
  LIMIT_WRITES: {
    ...perMinute(120),
    meaning: "writes with one API key, or from one address where no key is needed",
  },
  LIMIT_FAILED_KEYS: { ...perMinute(10), meaning: "wrong API keys from one address" },
  LIMIT_PDFS: { ...perMinute(20), meaning: "PDFs for one address; not with an API key" },
  LIMIT_PDFS_AT_ONCE: { default: 2, meaning: "PDFs that are being made for one address" },
  LIMIT_MAILS_MERCHANT: {
    default: 100,
    otherwise: "100 an hour",
    meaning: "mails for one `merchant_email`; only with `TILL_OPEN_API`",
  },
  LIMIT_MAILS_INVOICE: {
    default: 5,
    otherwise: "5 an hour",
    meaning: "mails of one invoice; only with `TILL_OPEN_API`",
  },
  TIMEZONE: { default: "UTC", meaning: "the time zone that decides what today is, such as `Europe/Paris`" },
  LOG_FORMAT: { default: "text", meaning: "`json` for machines" },
  LOG_LEVEL: { default: "info", meaning: "`debug`, `info`, `warn` or `error`" },
  API_KEY: {
    default: null,
    meaning: "the key that commands send to a public Till; the server does not read it",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings) as SettingName[];

/** What a setting is when nobody sets it, in words. */
export function defaultOf(name: SettingName): string {
  const setting: Setting = settings[name];
  return setting.otherwise ?? (setting.default === null ? "none" : `\`${setting.default}\``);
}
