import { resolve } from "node:path";
import { networks } from "../domain/wallet/network.ts";
import { isEveryAddress, isLoopbackHost } from "../lib/net/host.ts";
import { counted } from "../lib/text/english.ts";
import {
  type DeskConfig,
  deskConfigBy,
  deskConfigOf,
  faultsBetween,
  type Stored,
  variablesOf,
} from "./desk-config.ts";
import { openIdConfigOf } from "./openid-config.ts";
import { settingPages } from "./settings/setting.ts";
import {
  type DeskSettingName,
  deskSettingNames,
  pageOf,
  type SettingName,
  settingNames,
} from "./settings.ts";
import {
  type ConfigReader,
  createConfigReader,
  type Environment,
  otherFault,
  readPassphrase,
  type SettingFault,
} from "./variable.ts";

export type { Environment, SettingFault };

type NameOfLimit<Name> = Name extends `LIMIT_${infer Rest}` ? Rest : never;

export type LimitName = NameOfLimit<SettingName>;

/** Limits on mails apply where anybody may write: whoever has a key is the merchant, who may mail at will. */
const isMailLimit = (name: LimitName) => name.startsWith("MAILS_");

/** The configuration from the environment, read once. */
export type Config = Readonly<ReturnType<typeof configOf>>;

export type RelayRules = Config["relay"];

/** Every fault of the environment at once. Secret values are not repeated. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly isLasting = true;
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${counted(faults.length, "fault")}:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
    );
  }
}

const knownNames: readonly string[] = settingNames;

const limitNames = settingNames.flatMap((name) =>
  name.startsWith("LIMIT_") ? [name.slice("LIMIT_".length) as LimitName] : [],
);

/** The settings that a command needs by default. */
type Need = "RPC_URL" | "WALLET_PASSPHRASE";

export type ConfigOptions = {
  /** Values that a command provides, such as the chain that `till dev` has just started. */
  preset?: Environment;
  /** If not needed, a node may be missing, and the passphrase is not read and stays empty. */
  needs?: readonly Need[];
};

/**
 * Reads the `TILL_…` variables. An empty variable counts as not set. Throws a ConfigError that names every invalid
 * variable, its value and what is expected.
 */
export function parseConfig(
  environment: Environment,
  { preset = {}, needs = ["RPC_URL", "WALLET_PASSPHRASE"] }: ConfigOptions = {},
): Config {
  const reader = createConfigReader(environment, preset);
  const { faults, read: textOf } = reader;
  const wrong = (sentence: string) => faults.push(otherFault(sentence));
  for (const sentence of unknownNames(environment)) wrong(sentence);
  const config = configOf(reader, needs);
  if (needs.includes("RPC_URL") && !textOf("RPC_URL")) {
    wrong(
      "TILL_RPC_URL is missing. It must be the http(s) URL of a node of the chain, or several, separated by commas.",
    );
  }
  if (isEveryAddress(config.host) && !textOf("BASE_URL")) {
    wrong(
      `TILL_BASE_URL is missing. TILL_HOST is ${config.host}, and people cannot open a link to that; it must be the URL ` +
        "under which they reach Till, for example https://pay.example.com.",
    );
  }
  if (config.secondOpinion === "strict" && config.rpcUrls.length === 1) {
    wrong("TILL_SECOND_OPINION is strict, which takes two nodes or more in TILL_RPC_URL.");
  }
  faults.push(...faultsBetween(config, textOf));
  if (faults.length > 0) throw new ConfigError(faults.map(({ sentence }) => sentence));
  return Object.freeze(config);
}

/**
 * The configuration with the settings made at the desk. Stored settings that are invalid, or no longer valid, are left
 * out, with a sentence about each.
 */
export function withStored(config: Config, stored: Stored): { config: Config; faults: SettingFault[] } {
  const names = deskSettingNames.filter(
    (name) => stored[name] !== undefined && config.fixed[name] === undefined,
  );
  if (names.length === 0) return { config, faults: [] };
  const faults: SettingFault[] = [];
  let used: Stored = {};
  let found: Partial<DeskConfig> = {};
  const add = (some: readonly DeskSettingName[]): SettingFault[] => {
    const wanted = { ...used, ...Object.fromEntries(some.map((name) => [name, stored[name]])) };
    const by = deskConfigBy(config.fixed, wanted);
    if ("faults" in by) return by.faults;
    used = wanted;
    found = by.config;
    return [];
  };
  // Settings of one page belong together. They are tried one by one only if they fail together.
  if (add(names).length > 0)
    for (const page of settingPages) {
      const ofPage = names.filter((name) => pageOf(name) === page);
      if (add(ofPage).length > 0) for (const name of ofPage) faults.push(...add([name]));
    }
  return { config: Object.freeze({ ...config, ...found }), faults };
}

function configOf(reader: ConfigReader, needs: readonly Need[]) {
  const { faults, read: textOf, value } = reader;
  const desk = deskConfigOf(reader);
  const network = networks[value("CHAIN")];
  const host = value("HOST");
  const baseUrl = value("BASE_URL");
  const isPublic = !isLoopbackHost(host) || (baseUrl !== null && !isLoopbackHost(new URL(baseUrl).hostname));
  const openApi = value("OPEN_API");
  return {
    /** Without a trailing slash; null to derive it from the bound host and port. */
    baseUrl,
    host,
    /** 0 lets the system choose. */
    port: value("PORT"),
    dataDir: resolve(value("DATA_DIR")),
    network: { ...network, usdc: value("USDC_ADDRESS", network.usdc) },
    rpcUrls: value("RPC_URL", []),
    rpcWsUrl: value("RPC_WS_URL"),
    /** Nodes of the chains where a deposit address is the same. */
    elsewhereRpcUrls: value("ELSEWHERE_RPC_URL", []),
    confirmations: value("CONFIRMATIONS", network.confirmations),
    /** `strict`: one node's word does not count when no other node answers. */
    secondOpinion: value("SECOND_OPINION"),
    /** Maximum blocks per eth_getLogs. */
    logRange: value("LOG_RANGE"),
    walletPassphrase: needs.includes("WALLET_PASSPHRASE") ? readPassphrase(textOf, faults) : "",
    /** Whose accounts may sign in at the desk; null for those of the desk alone. */
    openId: openIdConfigOf(reader, needs.includes("WALLET_PASSPHRASE")),
    /**
     * `auto`: the running server moves confirmed money to the payout wallets; `manual`: somebody does so with till
     * settle.
     */
    settle: value("SETTLE"),
    /** Smaller deposits stay where they are. */
    settleMin: value("SETTLE_MIN"),
    /** Signed payments, whose network fee Till pays. */
    relay: {
      mode: value("RELAY"),
      /** Minimum amount. */
      min: value("RELAY_MIN"),
      /** Maximum base fee, in wei. */
      feeMax: network.isLocal ? value("RELAY_FEE_MAX", 20n * 10n ** 9n) : value("RELAY_FEE_MAX"),
      /** Maximum gas for a smart wallet's signature. */
      gasMax: BigInt(value("RELAY_GAS_MAX")),
      /** Maximum spending in 24 hours, in wei. On the local chain fees are a hundred times those of Base. */
      budget: network.isLocal ? value("RELAY_BUDGET", 10n ** 18n) : value("RELAY_BUDGET"),
      /** The ETH to reserve for settlements, in wei. */
      reserve: value("RELAY_RESERVE"),
      /** Maximum failures per hour of one payer, at one deposit or by one client. */
      failuresMax: value("RELAY_FAILURES"),
    },
    /** Circle's service, which payments from other chains need, without a trailing slash; null for none of them. */
    cctpUrl: value("CCTP_URL")?.replace(/\/$/, "") ?? null,
    openApi,
    /** Whether webhooks may only go to the public Internet. */
    publicWebhooksOnly: !value("ALLOW_PRIVATE_WEBHOOKS") && isPublic,
    /** The proxies whose X-Forwarded-For is trusted. */
    trustProxy: value("TRUST_PROXY"),
    /** 0 for no limit. */
    limits: readLimits(value, (name) => isPublic && (openApi || !isMailLimit(name))),
    updateCheck: value("UPDATE_CHECK"),
    logFormat: value("LOG_FORMAT"),
    logLevel: value("LOG_LEVEL"),
    /** Whether Till can be reached from elsewhere, by its base URL or its bound address. */
    isPublic,
    ...desk,
    /** Desk settings fixed by the environment, which people at the desk cannot change. */
    fixed: Object.fromEntries(
      deskSettingNames.flatMap((name) => {
        // The file may be gone when the rest is read again.
        const text = name === "BRAND_LOGO" ? desk.brand.logo : textOf(name);
        return text === null ? [] : [[name, text]];
      }),
    ) as Stored,
  };
}

/**
 * Reads some variables only. `stored` are settings made at the desk, which count unless one of them is invalid. Throws
 * a ConfigError that names the invalid variables.
 */
export function readSettings<T>(
  environment: Environment,
  read: (value: ConfigReader["value"]) => T,
  stored: Stored = {},
): T {
  const { faults, value } = createConfigReader(environment, variablesOf(stored));
  const result = read(value);
  if (faults.length > 0 && Object.keys(stored).length > 0) return readSettings(environment, read);
  if (faults.length > 0) throw new ConfigError(faults.map(({ sentence }) => sentence));
  return result;
}

function unknownNames(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("TILL_") && !knownNames.includes(name.slice("TILL_".length)))
    .map((name) => `${name} is not a setting of Till. till serve --help lists the settings.`);
}

/** A limit that does not apply by default still does if it is set. */
function readLimits(value: ConfigReader["value"], applies: (name: LimitName) => boolean) {
  const limit = (name: LimitName) => (applies(name) ? value(`LIMIT_${name}`) : value(`LIMIT_${name}`, 0));
  return Object.fromEntries(limitNames.map((name) => [name, limit(name)])) as Record<LimitName, number>;
}
