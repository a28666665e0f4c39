import { randomName } from "../../lib/crypto/id.ts";
import type { HttpDeps } from "../deps.ts";

const header = "x-request-id";
const idLength = 12;

/** Gives an answer an id that leads to its log line, and returns it. Keeps an existing one. */
export function identify({ headers }: Response): string {
  const existing = headers.get(header);
  if (existing !== null) return existing;
  const id = randomName(idLength);
  headers.set(header, id);
  return id;
}

/**
 * Gives an id to every answer that refuses or fails. At level `debug` all answers get one, and a log line each, with
 * the route and not the path: what was requested, with which key and body, is nobody's business.
 */
export function createRequestLog({
  log,
  config,
}: Pick<HttpDeps, "log" | "config">): (
  request: Request,
  route: string,
  answer: Response,
  ms: number,
) => void {
  const isComplete = config.logLevel === "debug";
  return ({ method }, route, answer, ms) => {
    const { status } = answer;
    if (status < 400 && !isComplete) return;
    const request = identify(answer);
    if (isComplete) {
      const fields = { request, method, route, status, ms: Math.round(ms * 10) / 10 };
      log.debug("http.request", "a request was answered", fields);
    }
  };
}
