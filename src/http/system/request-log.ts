import { randomName } from "../../lib/crypto.ts";
import { messageOf } from "../../lib/error.ts";
import { isStorageFailure } from "../../store/database.ts";
import { DatabaseReplaced, isLost } from "../../store/files/in-place.ts";
import { StorageFailed } from "../../store/group-commit.ts";
import { SyncFailed } from "../../store/log.ts";
import { htmlMessage, wantsHtml } from "../answer/html.ts";
import { problemOf, wasLocked } from "../problem/problem.ts";
import type { HttpDeps } from "../route/deps.ts";

/** A metric in Prometheus' text format, version 0.0.4. */
export type Metric = {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  /** `suffix` is appended to a histogram's name: `_bucket`, `_sum`, `_count`. */
  samples: readonly { suffix?: string; labels?: Readonly<Record<string, string>>; value: number }[];
};

const header = "x-request-id";
const idLength = 12;

/** Sets an id on a response that leads to its log line, and returns it. Keeps an existing one. */
export function identify({ headers }: Response): string {
  const existing = headers.get(header);
  if (existing !== null) return existing;
  const id = randomName(idLength);
  headers.set(header, id);
  return id;
}

/**
 * Sets an id on every response that refuses or fails. At level `debug` all responses get one, and a log line each, with
 * the route instead of the path: the path, key and body of a request are private.
 */
export function createRequestLog({ log, config }: Pick<HttpDeps, "log" | "config">) {
  const isComplete = config.logLevel === "debug";
  return ({ method }: Request, route: string, answer: Response, ms: number): void => {
    const { status } = answer;
    if (status < 400 && !isComplete) return;
    const request = identify(answer);
    if (isComplete) {
      const fields = { request, method, route, status, ms: Math.round(ms * 10) / 10 };
      log.debug("http.request", "a request was answered", fields);
    }
  };
}

/** Responds to an error on this side with what failed, and the id of the log line with the cause. */
export function failureAnswer(
  thrown: unknown,
  { log, config, db }: Pick<HttpDeps, "log" | "config" | "db">,
  request: Request,
  path: string,
): Response {
  const isUnstored = thrown instanceof StorageFailed || isStorageFailure(thrown);
  const isLasting = isUnstored && !(thrown instanceof SyncFailed) && !wasLocked(thrown);
  const answer = wantsHtml(request)
    ? htmlMessage(isLasting ? "notSaved" : "somethingWrong", request, config)
    : problemOf(isUnstored && isLost(db) ? new DatabaseReplaced() : thrown);
  log.error("http.failed", "a request failed", {
    reason: messageOf(thrown),
    request: identify(answer),
    method: request.method,
    path: withoutToken(path),
  });
  return answer;
}

/** Hides the token in the path of an entry link, a link to stop a change, or a refund's page. */
const withoutToken = (path: string) => path.replace(/^(\/desk\/(?:enter|stop)\/|\/refund\/).*/, "$1…");

/** Anybody can invent methods, and each would become a series. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const bucketsMs = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 5000];

export type HttpMetrics = ReturnType<typeof createHttpMetrics>;

type Counter = { value: number };
type Route = { answers: Map<number, Map<string, Counter>>; buckets: number[]; count: number; sumMs: number };

/** Counts responses by route, method and status, and their durations by route. */
export function createHttpMetrics() {
  const routes = new Map<string, Route>();
  return {
    /** Counts a response. `route` is a known route, not a path. */
    observe(route: string, method: string, status: number, durationMs: number): void {
      let figures = routes.get(route);
      if (!figures) {
        figures = { answers: new Map(), buckets: bucketsMs.map(() => 0), count: 0, sumMs: 0 };
        routes.set(route, figures);
      }
      const name = methods.includes(method) ? method : "other";
      counterOf(figures, status, name).value += 1;
      const bucket = bucketsMs.findIndex((limit) => durationMs <= limit);
      if (bucket !== -1) figures.buckets[bucket] = (figures.buckets[bucket] ?? 0) + 1;
      figures.count += 1;
      figures.sumMs += durationMs;
    },

    metrics: (): Metric[] => [
      {
        name: "till_http_requests_total",
        help: "Answers by route, method and status since the start.",
        type: "counter",
        samples: [...routes].flatMap(([route, { answers }]) =>
          [...answers].flatMap(([status, byMethod]) =>
            [...byMethod].map(([method, { value }]) => ({
              labels: { route, method, status: String(status) },
              value,
            })),
          ),
        ),
      },
      {
        name: "till_http_request_duration_seconds",
        help: "How long answers took, by route.",
        type: "histogram",
        samples: [...routes].flatMap(([route, figures]) => samplesOf(route, figures)),
      },
    ],
  };
}

function counterOf({ answers }: Route, status: number, method: string): Counter {
  const byMethod = answers.get(status) ?? new Map<string, Counter>();
  const counter = byMethod.get(method) ?? { value: 0 };
  if (counter.value === 0) answers.set(status, byMethod.set(method, counter));
  return counter;
}

function samplesOf(route: string, { buckets, count, sumMs }: Route): Metric["samples"] {
  let below = 0;
  return [
    ...bucketsMs.map((limit, i) => {
      below += buckets[i] ?? 0;
      return { suffix: "_bucket", labels: { route, le: String(limit / 1000) }, value: below };
    }),
    { suffix: "_bucket", labels: { route, le: "+Inf" }, value: count },
    { suffix: "_sum", labels: { route }, value: sumMs / 1000 },
    { suffix: "_count", labels: { route }, value: count },
  ];
}
