import { pbkdf2Sync, scryptSync } from "node:crypto";
import { EventEmitter } from "node:events";
import { type Config, parseConfig } from "../../src/config/config.ts";
import { createLog } from "../../src/lib/log.ts";
import { enter, type World, world } from "../../src/lib/world.ts";
import type { Db } from "../../src/store/database.ts";
import { createThreadWork } from "../../src/store/files/thread-work.ts";
import { closeLog } from "../../src/store/log.ts";
import { startTill, type Till } from "../../src/till/till.ts";
import { passphrase } from "../support/till/data-dir.ts";
import { bytesOf, type Chance } from "./chance.ts";
import type { Disk } from "./disk.ts";
import { enterLibraries } from "./libraries.ts";
import type { MailHost } from "./mail-host.ts";
import type { Net } from "./net.ts";
import type { Time } from "./time.ts";

/** Till looks every second whether its files are in place: here nobody moves them, and looking takes real time. */
const intervalMsMin = 60_000;

const port = 3_000;
export const baseUrl = `http://127.0.0.1:${port}`;

export type Surroundings = { time: Time; chance: Chance; net: Net; mailHost: MailHost };

export type Response = { status: number; text: string };

/** Whoever waited for an answer of a Till that was killed. */
export class HungUp extends Error {}

export type TillLife = ReturnType<typeof startLife>;

/** One life of a Till, from its start to when it is stopped or killed. */
export function startLife(
  { time, chance, net, mailHost }: Surroundings,
  disk: Disk,
  settings: Record<string, string>,
  onLog: (line: string) => void,
) {
  const life = { isAlive: true };
  const died = Promise.withResolvers<never>();
  died.promise.catch(() => {});
  const threads: { close(): void }[] = [];
  let served: Bun.Serve.Options<undefined> | null = null;
  let db: Db | null = null;
  let till: Till | null = null;

  const random = chance("till");
  const network = net.of(life);
  const setTimeout: World["setTimeout"] = (run, ms) => time.after(ms, run, life);
  const clear: World["clearTimeout"] = (timer) => (timer as { cancel?(): void } | undefined)?.cancel?.();
  const never = () => {
    throw new Error("Till wanted something of the world that the simulation does not have");
  };
  const simulated: World = {
    now: time.now,
    uptime: () => time.now() - time.startMs,
    setTimeout,
    clearTimeout: clear,
    setInterval(run, ms) {
      const every = Math.max(ms, intervalMsMin);
      let timer = time.after(every, again, life);
      function again() {
        timer = time.after(every, again, life);
        run();
      }
      const interval = { unref: () => interval, cancel: () => timer.cancel() };
      return interval;
    },
    clearInterval: clear,
    setImmediate: (run) => time.soon(run, life),
    timeout(ms) {
      const over = new AbortController();
      setTimeout(() => over.abort(new DOMException("The operation timed out.", "TimeoutError")), ms);
      return over.signal;
    },
    random: () => random.between(0, 2 ** 30 - 1) / 2 ** 30,
    randomBytes: (count) => bytesOf(random, count),
    randomUUID() {
      const bytes = bytesOf(random, 16);
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    },
    fetch: network.fetch,
    request: network.request,
    webSocket: network.webSocket,
    connect: () => mailHost.connect(life),
    lookup: (_, done) => time.after(1, () => done(null, [{ address: "198.51.100.1", family: 4 }]), life),
    serve: ((options: Bun.Serve.Options<undefined>) => {
      served = options;
      return server;
    }) as unknown as World["serve"],
    listen: never,
    sync: (_, done) => disk.sync(life, done),
    thread: () => thread(),
    scrypt: (from, salt, bytes, options, done) =>
      setTimeout(() => done(null, scryptSync(from, salt, bytes, options)), 1),
    pbkdf2: (from, salt, rounds, bytes, digest, done) =>
      setTimeout(() => done(null, pbkdf2Sync(from, salt, rounds, bytes, digest)), 1),
  };

  const server = {
    requestIP: () => ({ address: "127.0.0.1", port: 1, family: "IPv4" }),
    timeout() {},
    closeIdleConnections() {},
    stop: async () => {},
  } as unknown as Bun.Server<undefined>;

  /** The thread of the database, which works in this one here, a little later. */
  function thread(): Worker {
    const work = createThreadWork();
    threads.push(work);
    const events = new EventEmitter();
    const emit = (event: string, data?: unknown) => events.emit(event, { data });
    return {
      addEventListener: (event: string, hear: () => void) => events.on(event, hear),
      postMessage(task: Parameters<typeof work.answerTo>[0] | "end") {
        setTimeout(
          () => {
            if (task !== "end") {
              // In a thread of its own that one takes its time.
              const isInUse = typeof task === "object" && "checkInUse" in task;
              emit("message", isInUse ? { fault: null } : work.answerTo(task));
              return;
            }
            work.close();
            emit("close");
          },
          random.between(1, 40),
        );
      },
      unref() {},
      terminate: () => work.close(),
    } as unknown as Worker;
  }

  const config: Config = parseConfig({
    TILL_CHAIN: "base",
    TILL_DATA_DIR: disk.dir,
    TILL_PORT: `${port}`,
    TILL_WALLET_PASSPHRASE: passphrase,
    TILL_TAX_RATES: "off",
    TILL_SMTP_URL: "smtp://mail.example:25",
    TILL_MAIL_FROM: "Till <till@first.example>",
    // PDFs are made in a process of their own.
    TILL_MAIL_ATTACH_PDF: "false",
    ...settings,
  });
  enter(simulated);
  enterLibraries(simulated);
  const ready = startTill({
    config,
    log: createLog({ format: "text", level: "debug", write: onLog }),
    pdfsAheadMax: 0,
  }).then((started) => {
    till = started;
    db = started.db;
  });

  /** Routes that Bun itself finds: of a path with one name in it. */
  function handlerOf(request: Request): () => unknown {
    type Handler = (request: Request, bound: typeof server) => unknown;
    const options = served as { fetch: Handler; routes: Record<string, { GET: Handler }> } | null;
    if (options === null) throw new HungUp("nobody listens");
    const { pathname } = new URL(request.url);
    for (const [route, { GET }] of Object.entries(options.routes)) {
      const [before = ""] = route.split(":");
      const name = pathname.slice(before.length);
      if (request.method !== "GET" || !pathname.startsWith(before) || name === "" || name.includes("/"))
        continue;
      return () => GET(Object.assign(request, { params: { slug: name } }), server);
    }
    return () => options.fetch(request, server);
  }

  async function answer(method: string, path: string, body: unknown, headers: Record<string, string>) {
    const isForm = body instanceof URLSearchParams;
    const request = new Request(`${baseUrl}${path}`, {
      method,
      headers: {
        host: new URL(baseUrl).host,
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const answered = (await handlerOf(request)()) as globalThis.Response;
    return { status: answered.status, text: await answered.text() };
  }

  /** Ends all of it without a word; what it had opened is closed, which tells nobody. */
  function end(): void {
    life.isAlive = false;
    died.reject(new HungUp("killed"));
    for (const work of threads) work.close();
    if (!db) return;
    closeLog(db);
    db.close();
  }

  return {
    ready,
    config,
    world,
    db: () => db,
    /** Asks Till; rejects with a HungUp when it is killed before it answers. */
    ask: (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Response> => Promise.race([died.promise, answer(method, path, body, headers)]),
    stop: () => till?.stop(),
    kill: end,
  };
}
