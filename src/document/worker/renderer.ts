import { workerUrl as urlOf } from "../../lib/file.ts";
import { type Timer, world } from "../../lib/world.ts";
import type { PdfDocument } from "./pdf.ts";

export type RenderRequest = { id: number; document: PdfDocument };
export type RenderAnswer =
  /** The worker is loaded and takes documents. */
  { id: null } | { id: number; bytes: Uint8Array<ArrayBuffer> } | { id: number; error: string };

export type Renderer = {
  /** Writes one PDF. Documents are written one after another. Throws a RenderError. */
  render(document: PdfDocument): Promise<Uint8Array>;
  /** How many documents wait for the one being written. */
  waiting(): number;
  /** Ends the worker; what is still waiting fails with a RenderError. */
  stop(): Promise<void>;
};

type Job = RenderRequest & {
  attempts: number;
  resolve: (bytes: Uint8Array) => void;
  reject: (error: RenderError) => void;
};

/** A document takes about 0.02 s; this leaves room for a slow machine. */
const timeLimitMsDefault = 15_000;
/** A worker takes about 0.3 s to load; a document does not pay for a machine that was busy meanwhile. */
const loadLimitMsDefault = 30_000;
const waitingMax = 256;
const attemptsMax = 2;
/** A worker that has nothing to do is ended: it holds as much memory as all the rest of Till. */
const idleMsDefault = 10_000;

/**
 * Writes PDFs in a worker, so that the server goes on answering meanwhile. The worker starts with the first document
 * and ends `idleMs` after the last. One that crashes, or takes longer than `loadLimitMs` to load or `timeLimitMs` for
 * a document, is replaced, and the document is tried once more.
 */
export function createRenderer({
  timeLimitMs = timeLimitMsDefault,
  loadLimitMs = loadLimitMsDefault,
  idleMs = idleMsDefault,
  workerUrl = urlOf("document/worker/pdf-worker"),
} = {}): Renderer {
  const waiting: Job[] = [];
  let worker: Worker | null = null;
  let isLoaded = false;
  let active: { job: Job; timer: Timer } | null = null;
  let idleTimer: Timer | null = null;
  let lastId = 0;
  let stopped = false;

  function start(): Worker {
    const started = world.thread(workerUrl);
    isLoaded = false;
    started.unref();
    started.addEventListener("message", ({ data }: MessageEvent<RenderAnswer>) => receive(started, data));
    started.addEventListener("error", (event) => {
      event.preventDefault();
      replace(started, { reason: "crashed", detail: event.message });
    });
    started.addEventListener("close", () =>
      replace(started, { reason: "crashed", detail: "it ended by itself" }),
    );
    return started;
  }

  function receive(from: Worker, answer: RenderAnswer): void {
    if (from !== worker) return;
    if (answer.id === null) {
      isLoaded = true;
      if (!active) return;
      world.clearTimeout(active.timer);
      active = write(from, active.job);
      return;
    }
    if (active?.job.id !== answer.id) return;
    const { job, timer } = active;
    world.clearTimeout(timer);
    active = null;
    if ("bytes" in answer) job.resolve(answer.bytes);
    else job.reject(new RenderError({ reason: "failed", detail: answer.error }));
    next();
  }

  function limit(slow: Worker, limitMs: number): Timer {
    return world.setTimeout(() => replace(slow, { reason: "timed out", limitMs }), limitMs);
  }

  function replace(broken: Worker, failure: RenderFailure): void {
    if (broken !== worker) return;
    worker = null;
    broken.terminate();
    if (active) {
      const { job, timer } = active;
      world.clearTimeout(timer);
      active = null;
      if (job.attempts < attemptsMax && !stopped) waiting.unshift(job);
      else job.reject(new RenderError(stopped ? { reason: "stopped" } : failure));
    }
    next();
  }

  function next(): void {
    if (active || stopped) return;
    if (idleTimer) world.clearTimeout(idleTimer);
    const job = waiting.shift();
    if (!job) {
      idleTimer = world.setTimeout(endIdle, idleMs);
      idleTimer.unref();
      return;
    }
    job.attempts += 1;
    const chosen = worker ?? start();
    worker = chosen;
    active = isLoaded ? write(chosen, job) : { job, timer: limit(chosen, loadLimitMs) };
  }

  function write(loaded: Worker, job: Job): { job: Job; timer: Timer } {
    loaded.postMessage({ id: job.id, document: job.document } satisfies RenderRequest);
    return { job, timer: limit(loaded, timeLimitMs) };
  }

  function endIdle(): void {
    const idle = worker;
    worker = null;
    idle?.terminate();
  }

  return {
    render(document) {
      if (stopped) return Promise.reject(new RenderError({ reason: "stopped" }));
      if (waiting.length >= waitingMax) {
        return Promise.reject(new RenderError({ reason: "busy", waiting: waiting.length }));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ id: ++lastId, document, attempts: 0, resolve, reject });
        next();
      });
    },

    waiting: () => waiting.length,

    async stop() {
      stopped = true;
      if (idleTimer) world.clearTimeout(idleTimer);
      for (const job of waiting.splice(0)) job.reject(new RenderError({ reason: "stopped" }));
      const running = worker;
      if (!running) return;
      const closed = new Promise((resolve) => running.addEventListener("close", resolve, { once: true }));
      replace(running, { reason: "stopped" });
      await closed;
    },
  };
}

export type RenderFailure =
  /** The document itself could not be written: trying again is of no use. */
  | { reason: "failed"; detail: string }
  | { reason: "crashed"; detail: string }
  | { reason: "timed out"; limitMs: number }
  | { reason: "busy"; waiting: number }
  | { reason: "stopped" };

function sentence(failure: RenderFailure): string {
  switch (failure.reason) {
    case "failed":
      return `The PDF could not be written: ${failure.detail}`;
    case "crashed":
      return `The PDF worker stopped while it wrote this document: ${failure.detail}`;
    case "timed out":
      return `The PDF was not ready within ${failure.limitMs} ms`;
    case "busy":
      return `${failure.waiting} PDFs are waiting to be written already`;
    case "stopped":
      return "The PDF renderer has been stopped";
  }
}

/** Why there is no PDF. `failure.reason` tells a fault of the document from one of the moment. */
export class RenderError extends Error {
  override readonly name = "RenderError";
  readonly failure: RenderFailure;

  constructor(failure: RenderFailure) {
    super(sentence(failure));
    this.failure = failure;
  }
}
