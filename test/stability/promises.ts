/**
 * What docs/stability.md promises beside the API and its webhooks, as one table of names, so that a later version can be
 * compared with each that was released. `bun test/stability/promises.ts` keeps those of a version that is not released.
 */
import { join } from "node:path";
import manifest from "../../package.json";
import { entryOf } from "../../scripts/release/changelog.ts";
import { tables } from "../../src/books/tables.ts";
import { commands } from "../../src/cli/run.ts";
import { logEvents, logFields } from "../../src/config/log-events.ts";
import { settingNames, settings } from "../../src/config/settings.ts";
import { project } from "../support/till/handbook.ts";
import { callTill } from "../support/till/run-till.ts";
import { type KeptTill, startKept } from "../upgrade/expected.ts";

export type Promises = {
  /** The default of each setting. */
  settings: Record<string, string | number | boolean | null>;
  /** The flags and the literal words of each command. */
  commands: Record<string, string[]>;
  /** The fields that each command prints with `--json`, with their types. */
  output: Record<string, string[]>;
  /** The columns of each export, in their order. */
  exports: Record<string, string[]>;
  metrics: string[];
  logEvents: string[];
  logFields: string[];
};

/** Those of this version. It runs on the data that is kept of the first one, which has a row of every kind. */
export async function promisesNow(): Promise<Promises> {
  const kept = await startKept("1");
  try {
    return {
      settings: Object.fromEntries(settingNames.map((name) => [name, settings[name].default])),
      commands: await commandsNow(),
      output: await outputNow(kept),
      exports: await exportsNow(kept),
      metrics: await metricsNow(kept),
      logEvents: Object.keys(logEvents),
      logFields: Object.keys(logFields),
    };
  } finally {
    await kept.stop();
  }
}

async function commandsNow(): Promise<Promises["commands"]> {
  const found: Promises["commands"] = {};
  for (const [name, { load }] of Object.entries(commands)) {
    const loaded = await load();
    const parts =
      "actions" in loaded
        ? Object.entries(loaded.actions).map(([action, part]) => [`${name} ${action}`, part.command] as const)
        : [[name, loaded] as const];
    for (const [call, { flags, words = [] }] of parts) {
      const literal = words.flatMap(([word]) => (word === word.toLowerCase() ? [word] : []));
      const named = Object.entries(flags).map(([flag, { value, many }]) =>
        [`--${flag}`, value === undefined ? "" : " VALUE", many ? " …" : ""].join(""),
      );
      found[call] = [...literal, ...named];
    }
  }
  return found;
}

/** Its ids differ each time the data is made anew; what happened does not. */
const mostPaidLink = `SELECT slug FROM link JOIN transfer USING (deposit_index)
  GROUP BY deposit_index ORDER BY count(*) DESC, deposit_index LIMIT 1`;

/** What reads, and changes nothing. */
async function outputNow({ till, about }: KeptTill): Promise<Promises["output"]> {
  const first = (sql: string) => Object.values(till.db.query<Record<string, string>, []>(sql).get() ?? {})[0];
  const paid = first("SELECT number FROM invoice WHERE status = 'paid' ORDER BY number LIMIT 1");
  const calls = {
    "list invoices": ["--all"],
    "list links": ["--all"],
    "list reusable": ["--all"],
    "show INVOICE": [paid],
    "show LINK": [first(mostPaidLink)],
    "show CREDIT-NOTE": [first("SELECT number FROM credit_note ORDER BY number LIMIT 1")],
    "receipt INVOICE": [paid],
    "refund list": ["--all"],
    "refund owed": [],
    "recurring list": ["--all"],
    "recurring show": [first("SELECT id FROM recurring ORDER BY made DESC, number LIMIT 1")],
    "webhook list": [paid],
    "endpoint list": [],
    "wallet show": [],
    health: [till.localUrl],
    settings: [],
    doctor: [],
    "key list": [],
  };
  const env = {
    TILL_DATA_DIR: till.config.dataDir,
    TILL_BASE_URL: till.localUrl,
    TILL_API_KEY: about.key,
    TILL_WALLET_PASSPHRASE: about.passphrase,
    TILL_RPC_URL: "http://127.0.0.1:9",
  };
  const found: Promises["output"] = {};
  for (const [call, words] of Object.entries(calls)) {
    const literal = call.split(" ").filter((word) => word === word.toLowerCase());
    const { stdout, stderr } = await callTill([...literal, ...words.map(String), "--json"], { env });
    if (stdout === "") throw new Error(`till ${call}: ${stderr}`);
    found[call] = [...new Set(fieldsOf(JSON.parse(stdout), ""))].sort();
  }
  return found;
}

/** `items[].amount: string` for each value in some JSON. */
function fieldsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null)
    return [`${path}: ${value === null ? null : typeof value}`];
  return Object.entries(value).flatMap(([name, item]) =>
    fieldsOf(item, path === "" ? name : `${path}.${name}`),
  );
}

async function exportsNow({ till, about }: KeptTill): Promise<Promises["exports"]> {
  const headers = { authorization: `Bearer ${about.key}` };
  const year = new Date(about.now).getUTCFullYear();
  const found: Promises["exports"] = {};
  for (const { name } of tables) {
    const days = name === "datev" ? `?from=${year}-01-01&to=${year}-12-31` : "";
    const response = await fetch(`${till.localUrl}/api/exports/${name}${days}`, { headers });
    const lines = (await response.text()).replace(/^\uFEFF/, "").split("\r\n");
    // DATEV has a line about the file before that of its columns.
    const head = lines[name === "datev" ? 1 : 0] ?? "";
    found[name] = head.split(name === "datev" ? ";" : ",");
  }
  return found;
}

async function metricsNow({ till, about }: KeptTill): Promise<string[]> {
  const response = await fetch(`${till.localUrl}/metrics`, {
    headers: { authorization: `Bearer ${about.key}` },
  });
  return [...(await response.text()).matchAll(/^# TYPE (\S+ \S+)$/gm)].flatMap(([, metric]) => metric ?? []);
}

/** What somebody who built on the kept promises would miss now. */
export function broken(kept: Promises, now: Promises): string[] {
  const gone = (of: string, before: readonly string[], after: readonly string[] = []) =>
    before.filter((name) => !after.includes(name)).map((name) => `${of}: ${name} is gone`);
  const eachGone = (part: "commands" | "output") =>
    Object.entries(kept[part]).flatMap(([name, names]) => gone(`${part} ${name}`, names, now[part][name]));
  const defaults = Object.entries(kept.settings).filter(([name, value]) => now.settings[name] !== value);
  const orders = Object.entries(kept.exports).filter(
    ([name, columns]) => columns.join() !== now.exports[name]?.slice(0, columns.length).join(),
  );
  return [
    ...gone("settings", Object.keys(kept.settings), Object.keys(now.settings)),
    ...defaults.map(([name]) => `settings: ${name} has another default`),
    ...gone("commands", Object.keys(kept.commands), Object.keys(now.commands)),
    ...eachGone("commands"),
    ...eachGone("output"),
    ...orders.map(([name]) => `exports: ${name} does not begin with the columns it had`),
    ...(["metrics", "logEvents", "logFields"] as const).flatMap((part) => gone(part, kept[part], now[part])),
  ];
}

export const minorVersion = manifest.version.split(".").slice(0, 2).join(".");
export const keptDirectory = join(import.meta.dir, "kept");

if (import.meta.main) {
  const entry = entryOf(await Bun.file(join(project, "CHANGELOG.md")).text(), manifest.version);
  if (entry?.date) throw new Error(`${manifest.version} is released: what it promised stays as it is.`);
  const text = JSON.stringify(await promisesNow(), null, 1);
  await Bun.write(join(keptDirectory, `${minorVersion}.json`), `${text}\n`);
  process.exit(0);
}
