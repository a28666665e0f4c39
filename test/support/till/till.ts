import { join } from "node:path";
import { type Config, type Environment, parseConfig } from "../../../src/config/config.ts";
import { createRenderer, type Renderer } from "../../../src/document/worker/renderer.ts";
import { createLog } from "../../../src/lib/log.ts";
import { type Catcher, startCatcher } from "../../../src/mail/catcher.ts";
import type { Db } from "../../../src/store/database.ts";
import { lockDataDir } from "../../../src/store/files/lock.ts";
import { startTill, type Till } from "../../../src/till/till.ts";
import type { ReleaseQuery } from "../../../src/update/update.ts";
import { ownPort } from "../http/port.ts";
import { install, makeDataDir, passphrase } from "./data-dir.ts";

export type TestTill = AsyncDisposable & {
  readonly baseUrl: string;
  /** Where it listens, also when TILL_BASE_URL says something else. */
  readonly localUrl: string;
  readonly config: Config;
  /** The database that the running Till uses. */
  readonly db: Db;
  readonly mail: Catcher;
  /** Every line that was logged so far. */
  readonly logged: readonly string[];
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Creates an invoice from the usual request with some fields changed; fails the test unless it is 201. */
  createInvoice(changes?: Record<string, unknown>): Promise<Record<string, string>>;
  /** Stops Till and keeps its data. */
  pause(): Promise<void>;
  /** Starts it again on the same data, with other relay rules if told. */
  resume(rules?: Partial<Config["relay"]>): Promise<void>;
  stop(): Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Answer = { status: number; headers: Headers; body: any };

export const linkRequest = {
  business_name: "Corner Shop",
  expected_amount: "25.00",
  merchant_email: "owner@corner.example",
  wallet_type: "managed",
};

export const invoiceRequest = {
  merchant_email: "billing@acme.example",
  merchant_name: "Acme Ltd",
  merchant_address: "1 Main Street\nSpringfield",
  vendor_email: "ap@globex.example",
  vendor_name: "Globex GmbH",
  line_items: [
    { description: "Design", quantity: 10, unit_price: "120.00" },
    { description: "Hosting", quantity: 1.5, unit_price: "200.00" },
  ],
  due_date: "2030-01-31",
  wallet_type: "managed",
};

const { due_date: _, ...undated } = invoiceRequest;

/** An invoice that repeats, beginning on the next of these days. */
export const recurringRequest = {
  invoice: undated,
  due_days: 14,
  every: { months: 1 },
  starts_on: "2090-01-31",
  send_now: false,
};

/** What makes an invoice one that can be quoted again. */
export const overdueInEuros = {
  currency: "EUR",
  rate: "0.8607",
  issue_date: "2026-01-01",
  due_date: "2026-01-31",
};

/** Between two businesses of the EU, which is an e-invoice too. */
export const businessRequest = {
  ...invoiceRequest,
  currency: "EUR",
  rate: "0.8607",
  merchant_details: {
    city: "Berlin",
    country: "DE",
    vat_id: "DE136695976",
    electronic_address: "9930:DE136695976",
  },
  vendor_details: {
    city: "Paris",
    country: "FR",
    vat_id: "FR40303265045",
    electronic_address: "9957:FR40303265045",
  },
  buyer_reference: "Cost centre 7",
  prices_include_tax: true,
  discount_percent: "10",
  line_items: [
    { description: "Design", quantity: 3, unit_price: "9.99", tax_rate: "19", unit: "h" },
    { description: "Book", quantity: 1, unit_price: "24.90", tax_rate: "7" },
  ],
};

export type TestTillOptions = {
  now?: () => number;
  isDev?: boolean;
  pdfsAheadMax?: number;
  x402WaitMs?: number;
  creationWaitMs?: number;
  longPollHoldMs?: number;
  limitClock?: () => number;
  renderer?: Renderer;
  idleSecondsMax?: number;
  releases?: () => ReleaseQuery;
};

const { gc } = Bun;
/** Elysia asks for it whenever it has put an app together, which takes less than to look through all of this process. */
Bun.gc = (force) => (force ? gc(true) : 0);

/**
 * Of all the Tills in this process: to load what writes PDFs takes 0.7 s of processor, so that it stays, and on a machine
 * that stands still as long as it takes.
 */
const renderer = {
  ...createRenderer({ idleMs: 3_600_000, loadLimitMs: 100_000, timeLimitMs: 100_000 }),
  stop: async () => {},
};

/**
 * All of Till in this process, on a free port and a directory of its own, with a mail server that catches; as `till dev`
 * unless told. A PDF is made only when somebody asks for it.
 */
export async function startTestTill(
  chain: { rpcUrl: string; wsUrl?: string },
  changes: Environment = {},
  { now = Date.now, isDev = true, pdfsAheadMax = 0, ...options }: TestTillOptions = {},
): Promise<TestTill> {
  const dir = makeDataDir();
  const mail = await startCatcher({ port: 0 });
  const logged: string[] = [];
  const config = parseConfig({
    TILL_CHAIN: "anvil",
    TILL_TAX_RATES: "off",
    TILL_RPC_URL: chain.rpcUrl,
    TILL_RPC_WS_URL: chain.wsUrl,
    TILL_DATA_DIR: join(dir.path, "data"),
    TILL_PORT: String(ownPort()),
    TILL_SMTP_URL: mail.smtpUrl,
    TILL_MAIL_FROM: "Till <till@localhost>",
    TILL_WALLET_PASSPHRASE: passphrase,
    TILL_MAIL_ATTACH_PDF: "false",
    // Tests count what the node is asked; those of settlement ask for it.
    TILL_SETTLE: "manual",
    ...changes,
  });
  const log = createLog({ format: "text", level: "debug", write: (line) => logged.push(line) });
  await install(config.dataDir);
  const start = async (rules?: Partial<Config["relay"]>): Promise<{ till: Till; release: () => void }> => {
    const lock = lockDataDir(config.dataDir);
    return {
      till: await startTill({
        config: { ...config, relay: { ...config.relay, ...rules } },
        log,
        now,
        pdfsAheadMax,
        renderer,
        // One that is kept for the next request of a test and ends just then would fail it.
        idleSecondsMax: 255,
        // Tests look at the mail of a new invoice once they have the answer, however slow the machine is.
        creationWaitMs: 100_000,
        ...options,
        ...(isDev ? { dev: { caughtMail: mail.list, payCommand: "till pay" } } : {}),
      }),
      release: lock.release,
    };
  };
  let running: Awaited<ReturnType<typeof start>> | null = await start();
  const current = () => {
    if (!running) throw new Error("Till is paused");
    return running.till;
  };
  const localUrl = () => (config.baseUrl === null ? current().baseUrl : `http://127.0.0.1:${config.port}`);
  const pause = async () => {
    await running?.till.stop();
    running?.release();
    running = null;
  };

  async function stop(): Promise<void> {
    await pause();
    await mail.stop();
    dir.remove();
  }

  async function api(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${localUrl()}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  return {
    get baseUrl() {
      return current().baseUrl;
    },
    get db() {
      return current().db;
    },
    get localUrl() {
      return localUrl();
    },
    config,
    mail,
    logged,
    api,
    async createInvoice(fields = {}) {
      const answer = await api("POST", "/api/invoices", { ...invoiceRequest, send_now: false, ...fields });
      if (answer.status !== 201) throw new Error(`not created: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    pause,
    async resume(rules) {
      running = await start(rules);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The clock of a Till for which no day, month or year ends within an hour: if one would, it has ended already. */
export function dayClock(): () => number {
  const hourMs = 3_600_000;
  const leftMs = 24 * hourMs - (Date.now() % (24 * hourMs));
  const aheadMs = leftMs < hourMs ? leftMs : 0;
  return () => Date.now() + aheadMs;
}

/** The chain is read so far that an overdue invoice can be quoted again: one is made for it. */
export async function untilQuotable(till: TestTill): Promise<void> {
  const { invoice_id } = await till.createInvoice(overdueInEuros);
  const quote = () => till.api("POST", `/api/invoices/${invoice_id}/quote`, { rate: "0.85" });
  await until(quote, ({ status }) => status === 200, 30_000);
}

/** Every mail that is due by now has gone out, or never will. */
export async function untilMailed({ db }: Pick<TestTill, "db">): Promise<void> {
  const waiting = db.query<{ state: string }, []>(
    "SELECT state FROM mail WHERE state IN ('queued', 'sending')",
  );
  await until(
    () => waiting.all(),
    (mails) => mails.length === 0,
  );
}

/** To ask takes the processor that what is waited for may need: the longer it takes, the less often. */
const askAgainMs = { min: 10, max: 50 };

/** Asks until the answer fits, for at most `timeoutMs`; returns it. */
export async function until<T>(
  ask: () => T | Promise<T>,
  fits: (value: T) => boolean,
  timeoutMs = 25_000,
): Promise<T> {
  const begunAt = performance.now();
  for (;;) {
    const value = await ask();
    if (fits(value)) return value;
    const waitedMs = performance.now() - begunAt;
    if (waitedMs > timeoutMs)
      throw new Error(`Not so within ${timeoutMs} ms; last seen: ${Bun.inspect(value)}`);
    await Bun.sleep(Math.min(askAgainMs.max, Math.max(askAgainMs.min, waitedMs / 10)));
  }
}

/** A value itself, or some of its fields and of theirs; of a list, how long it is. */
type Part<T> = T extends readonly unknown[]
  ? { readonly length: number }
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> }
    : T;

/** Asks until the answer is this one, or has these fields; returns it. */
export const untilIs = <T>(ask: () => T | Promise<T>, wanted: Part<T>, timeoutMs?: number) =>
  until(ask, (value) => has(value, wanted), timeoutMs);

function has(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return Object.is(value, wanted);
  const parts = Object.entries(wanted);
  // Every answer would have them.
  if (parts.length === 0) throw new Error("No field is wanted.");
  const fields = value as Record<string, unknown> | null | undefined;
  return parts.every(([name, field]) => has(fields?.[name], field));
}
