import type { ScryptOptions } from "node:crypto";
import type { LookupAddress } from "node:dns";
import { fdatasync } from "node:fs";
import type { ClientRequest } from "node:http";
import type { RequestOptions } from "node:https";
import type { Socket, TcpNetConnectOpts } from "node:net";

export type Timer = { unref(): unknown };

type Derived = (error: Error | null, key: Buffer) => void;

/** All that Till has from outside itself: time, chance, the network, the disk's word, and other threads. */
export type World = {
  /** The clock, in Unix milliseconds: people set it. */
  now(): number;
  /** A clock that nobody sets, in milliseconds since the process started. */
  uptime(): number;
  setTimeout(run: () => void, ms: number): Timer;
  clearTimeout(timer: Timer | undefined): void;
  setInterval(run: () => void, ms: number): Timer;
  clearInterval(timer: Timer | undefined): void;
  /** Runs in the next turn of the event loop. */
  setImmediate(run: () => void): void;
  /** Aborts after `ms`. */
  timeout(ms: number): AbortSignal;
  /** From 0 to 1, for delays: it can be guessed. */
  random(): number;
  /** Nobody can guess these. */
  randomBytes(count: number): Buffer;
  randomUUID(): string;
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** A request of which more can be said than of `fetch`, such as what it may connect to. */
  request(url: URL, options: RequestOptions): ClientRequest;
  webSocket(url: string, options: Bun.WebSocketOptions): WebSocket;
  connect(options: TcpNetConnectOpts): Socket;
  /** Every address of a host. */
  lookup(host: string, done: (error: Error | null, addresses: LookupAddress[]) => void): void;
  serve: typeof Bun.serve;
  listen: typeof Bun.listen;
  /** Waits, in another thread, until what was written to a file is on the disk. */
  sync(handle: number, done: (error: Error | null) => void): void;
  thread(url: string): Worker;
  /** Keys from what people know, made in another thread, as that takes long on purpose. */
  scrypt(from: string, salt: Buffer, bytes: number, options: ScryptOptions, done: Derived): void;
  pbkdf2(from: string, salt: string, rounds: number, bytes: number, digest: string, done: Derived): void;
};

/** A module of the runtime once it is used: each thread would load all of them, and a database's needs none. */
const builtin = process.getBuiltinModule;

/** The resources of the process. */
const system: World = {
  now: () => Date.now(),
  uptime: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
  setInterval: (run, ms) => setInterval(run, ms),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout | undefined),
  setImmediate: (run) => void setImmediate(run),
  timeout: (ms) => AbortSignal.timeout(ms),
  random: () => Math.random(),
  randomBytes: (count) => builtin("node:crypto").randomBytes(count),
  randomUUID: () => crypto.randomUUID(),
  fetch: (url, init) => fetch(url, init),
  request: (url, options) =>
    (url.protocol === "https:" ? builtin("node:https") : builtin("node:http")).request(url, options),
  // The types of browsers, by which scripts of pages are checked, know no options.
  webSocket: (url, options) => new WebSocket(url, options as object as string[]),
  connect: (options) => builtin("node:net").connect(options),
  lookup: (host, done) => builtin("node:dns").lookup(host, { all: true }, done),
  serve: Bun.serve,
  listen: Bun.listen,
  sync: (handle, done) => fdatasync(handle, done),
  thread: (url) => new Worker(url),
  scrypt: (...given) => builtin("node:crypto").scrypt(...given),
  pbkdf2: (...given) => builtin("node:crypto").pbkdf2(...given),
};

/** The world that Till is in. There is one for the process, as docs/house.md explains. */
export const world: World = { ...system };

/** From now on Till is in this world. To be called before Till is put together. */
export function enter(other: World): void {
  Object.assign(world, other);
}
