import { resolve } from "node:path";
import { readBrand, readPassphrase } from "./config-files.ts";
import { type ConfigReader, createConfigReader, integer, isUrl } from "./config-reader.ts";
import * as Address from "./domain/address.ts";
import type { Brand } from "./domain/brand.ts";
import type { Confirmations } from "./domain/confirmations.ts";
import * as Email from "./domain/email.ts";
import { type Network, type NetworkName, networks } from "./domain/network.ts";
import * as Usdc from "./domain/usdc.ts";
import { counted } from "./lib/english.ts";
import { isEveryAddress, isLoopbackHost } from "./lib/host.ts";
import { type IpRanges, parseIpRanges } from "./lib/ip-range.ts";
import { type LanguageCode, languageCodes } from "./lib/language.ts";
import { type Format, type Level, levels } from "./lib/log.ts";
import { type SettingName, settingNames, settings } from "./settings.ts";

type NameOfLimit<Name> = Name extends `LIMIT_${infer Rest}` ? Rest : never;

export type LimitName = NameOfLimit<SettingName>;

/** Limits on mails are for where anybody may write: who has a key is the merchant, who mails as often as they like. */
const isMailLimit = (name: LimitName) => name.startsWith("MAILS_");

export type Config = Readonly<{
  /** Without a trailing slash; null means: made from the host and the port that was bound. */
  baseUrl: string | null;
  host: string;
  /** 0 lets the system choose. */
  port: number;
  dataDir: string;
  network: Network;
  rpcUrls: readonly string[];
  rpcWsUrl: string | null;
  confirmations: Confirmations;
  /** Whether one node's word counts when no other node answers. */
  secondOpinion: "prefer" | "strict";
  /** The most blocks that one eth_getLogs asks for. */
  logRange: number;
  smtpUrl: string | null;
  mailFrom: string;
  /** Whether the mail that brings an invoice has its PDF with it. */
  mailAttachPdf: boolean;
  /** Whether the customer and the merchant are mailed when an invoice is paid. */
  mailReceipts: boolean;
  /** Who runs this Till, as payers see it. */
  brand: Brand;
  /** Of mails and PDFs, and of pages when the browser names none that Till has. */
  language: LanguageCode;
  /** What the PDF is laid out for. */
  paper: "a4" | "letter";
  walletPassphrase: string;
  /** Whether the running server moves confirmed money to the payout wallets, or somebody does with till settle. */
  settle: "auto" | "manual";
  /** A deposit with less stays where it is. */
  settleMin: Usdc.Usdc;
  /** A payment that is short by no more than this counts as all of it. */
  tolerance: Usdc.Usdc;
  openApi: boolean;
  /** Whether webhooks may only go to the public internet. */
  publicWebhooksOnly: boolean;
  /** The proxies whose X-Forwarded-For is believed. */
  trustProxy: IpRanges | null;
  /** 0 is no limit. */
  limits: Readonly<Record<LimitName, number>>;
  timeZone: string;
  logFormat: Format;
  logLevel: Level;
  /** Whether Till can be reached from elsewhere, as its base URL and the address it binds say. */
  isPublic: boolean;
}>;

export type Environment = Record<string, string | undefined>;

/** Every fault of the environment at once. The values of secrets are not repeated. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${counted(faults.length, "fault")}:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
    );
  }
}

/** Defaults that a command brings along, for example the chain that `till dev` has just started. */
export type Preset = Environment;

const knownNames: readonly string[] = settingNames;

const limitNames = settingNames.flatMap((name) =>
  name.startsWith("LIMIT_") ? [name.slice("LIMIT_".length) as LimitName] : [],
);

/**
 * Reads the `TILL_…` variables. An empty variable counts as not set. Throws a ConfigError that names every
 * variable at fault, what it got and what it wants.
 */
export function parseConfig(environment: Environment, preset: Preset = {}): Config {
  const reader = createConfigReader(environment, preset);
  const { faults, read, take, choose, flag } = reader;
  faults.push(...unknownNames(environment));
  const chain = take<NetworkName>(
    "CHAIN",
    settings.CHAIN.default,
    '"base", "base-sepolia" or "anvil"',
    (text) => (Object.hasOwn(networks, text) ? (text as NetworkName) : undefined),
  );
  const usdc = take("USDC_ADDRESS", networks[chain].usdc, "an address in checksum form", (text) => {
    const parsed = Address.parse(text);
    return parsed.ok ? parsed.address : undefined;
  });
  const host = take<string>(
    "HOST",
    settings.HOST.default,
    "an IP address or a host name without a port",
    (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  );
  const baseUrl = take<string | null>(
    "BASE_URL",
    null,
    "an http or https URL without a path, for example https://pay.example.com",
    originOf,
  );
  const isPublic = !isLoopbackHost(host) || (baseUrl !== null && !isLoopbackHost(new URL(baseUrl).hostname));
  const openApi = flag("OPEN_API");
  const config: Config = {
    baseUrl,
    host,
    port: reader.integer("PORT", settings.PORT.default, "a port, 0 to 65535", 0, 65_535),
    dataDir: resolve(read("DATA_DIR") ?? settings.DATA_DIR.default),
    network: { ...networks[chain], usdc },
    rpcUrls: readRpcUrls(reader),
    rpcWsUrl: reader.url("RPC_WS_URL", ["ws:", "wss:"]),
    confirmations: take<Confirmations>(
      "CONFIRMATIONS",
      chain === "anvil" ? 1 : settings.CONFIRMATIONS.default,
      'a number of blocks from 1 to 1000, "safe" or "finalized"',
      (text) => (text === "safe" || text === "finalized" ? text : integer(text, 1, 1000)),
    ),
    secondOpinion: choose("SECOND_OPINION", settings.SECOND_OPINION.default, '"prefer" or "strict"', [
      "prefer",
      "strict",
    ]),
    logRange: reader.integer(
      "LOG_RANGE",
      settings.LOG_RANGE.default,
      "a number of blocks from 1 to 100000",
      1,
      100_000,
    ),
    smtpUrl: reader.url("SMTP_URL", ["smtp:", "smtps:"]),
    mailFrom: take<string>(
      "MAIL_FROM",
      settings.MAIL_FROM.default,
      "a mailbox such as Till <till@example.com>",
      (text) => (Email.isMailbox(text) ? text : undefined),
    ),
    mailAttachPdf: flag("MAIL_ATTACH_PDF"),
    mailReceipts: flag("MAIL_RECEIPTS", read("SMTP_URL") !== null),
    brand: readBrand(read, faults),
    language: choose<LanguageCode>(
      "LANGUAGE",
      settings.LANGUAGE.default,
      `one of ${languageCodes.join(", ")}`,
      languageCodes,
    ),
    paper: choose("PAPER", settings.PAPER.default, '"a4" or "letter"', ["a4", "letter"]),
    walletPassphrase: readPassphrase(read, faults),
    settle: choose("SETTLE", settings.SETTLE.default, '"auto" or "manual"', ["auto", "manual"]),
    settleMin: take(
      "SETTLE_MIN",
      settleMin(settings.SETTLE_MIN.default) ?? Usdc.zero,
      "an amount of USDC from 0.01, such as 1.00",
      settleMin,
    ),
    tolerance: take(
      "TOLERANCE",
      Usdc.zero,
      "an amount of USDC, such as 0.50",
      (text) => Usdc.parse(text) ?? undefined,
    ),
    openApi,
    publicWebhooksOnly: !flag("ALLOW_PRIVATE_WEBHOOKS") && isPublic,
    trustProxy: take<IpRanges | null>(
      "TRUST_PROXY",
      null,
      "IP addresses or ranges, separated by commas, such as 127.0.0.1,10.0.0.0/8",
      parseIpRanges,
    ),
    limits: readLimits(reader, (name) => isPublic && (openApi || !isMailLimit(name))),
    timeZone: take<string>(
      "TIMEZONE",
      settings.TIMEZONE.default,
      "a time zone such as Europe/Paris",
      (text) => (isTimeZone(text) ? text : undefined),
    ),
    logFormat: choose<Format>("LOG_FORMAT", settings.LOG_FORMAT.default, '"text" or "json"', [
      "text",
      "json",
    ]),
    logLevel: choose<Level>("LOG_LEVEL", settings.LOG_LEVEL.default, `one of ${levels.join(", ")}`, levels),
    isPublic,
  };
  if (isEveryAddress(host) && !read("BASE_URL")) {
    faults.push(
      `TILL_BASE_URL is missing. TILL_HOST is ${host}, and people cannot open a link to that; it must be the URL ` +
        "under which they reach Till, for example https://pay.example.com.",
    );
  }
  if (config.secondOpinion === "strict" && config.rpcUrls.length === 1) {
    faults.push("TILL_SECOND_OPINION is strict, which takes two nodes or more in TILL_RPC_URL.");
  }
  if (config.smtpUrl && !read("MAIL_FROM")) {
    faults.push("TILL_MAIL_FROM is missing. It must be the mailbox that TILL_SMTP_URL may send from.");
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

function unknownNames(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("TILL_") && !knownNames.includes(name.slice("TILL_".length)))
    .map((name) => `${name} is not a setting of Till. till serve --help lists the settings.`);
}

function readRpcUrls({ read, faults }: ConfigReader): string[] {
  const urls = (read("RPC_URL") ?? "")
    .split(",")
    .map((url) => url.trim())
    .filter((url) => url !== "");
  if (urls.length === 0) {
    faults.push(
      "TILL_RPC_URL is missing. It must be the http(s) URL of a node of the chain, or several, separated by commas.",
    );
  } else if (!urls.every((url) => isUrl(url, ["http:", "https:"]))) {
    faults.push("TILL_RPC_URL has an entry that is not an http(s) URL.");
    return urls;
  }
  // A node that is given twice cannot vouch for itself.
  return [...new Map(urls.map((url) => [new URL(url).href, url])).values()];
}

/** A limit that does not apply by itself holds when it is set all the same. */
function readLimits(reader: ConfigReader, applies: (name: LimitName) => boolean): Config["limits"] {
  const limit = (name: LimitName) =>
    reader.integer(
      `LIMIT_${name}`,
      applies(name) ? settings[`LIMIT_${name}`].default : 0,
      "a number from 0 (no limit) to 1000000",
      0,
      1_000_000,
    );
  return Object.fromEntries(limitNames.map((name) => [name, limit(name)])) as Config["limits"];
}

function originOf(text: string): string | undefined {
  if (!isUrl(text, ["http:", "https:"])) return undefined;
  const url = new URL(text);
  return url.pathname === "/" && !url.search && !url.hash && !url.username ? url.origin : undefined;
}

function settleMin(text: string): Usdc.Usdc | undefined {
  const amount = Usdc.parse(text);
  return amount === null || amount === Usdc.zero ? undefined : amount;
}

export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
