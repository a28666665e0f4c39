import { type Level, type LogFormat, levels } from "../../lib/log.ts";
import { parseIpRanges } from "../../lib/net/host.ts";
import { flagRow, hostName, integer, isTimeZone, oneOf, originOf } from "../parse.ts";

/** The server's address, and where its data is. */
export const serverSettings = {
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
} as const;

/** The passphrase of the wallet. */
export const passphraseSettings = {
  WALLET_PASSPHRASE: {
    default: null,
    otherwise: "required, or the file",
    meaning: "the passphrase that encrypts the wallet",
  },
  WALLET_PASSPHRASE_FILE: { default: null, meaning: "a file with that passphrase" },
} as const;

/** Access to the server, and to the receivers of its webhooks. */
export const accessSettings = {
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
} as const;

/** The time zone, the log, and the commands' key. */
export const runningSettings = {
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
  UPDATE_CHECK: {
    default: false,
    meaning: "ask daily whether a release fixes a security hole, for Home and `till doctor`",
    ...flagRow,
  },
  API_KEY: {
    default: null,
    meaning: "the API key that commands send to a public Till; the server ignores it",
  },
} as const;
