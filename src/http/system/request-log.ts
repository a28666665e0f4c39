import { randomName } from "../../lib/crypto/id.ts";
import type { HttpDeps } from "../deps.ts";

const header = "x-request-id";
const idLength = 12;

/** Gives an answer an id that leads to its line of the log, and returns it. One that has an id keeps it. */
export function identify({ headers }: Response): string {
  const existing = headers.get(header);
  if (existing !== null) return existing;
  const id = randomName(idLength);
  headers.set(header, id);
  return id;
}

/**
 * What to do with every answer: one that refuses or fails gets an id. At the level `debug` all of them do, and a line
 * each, with the route and not the path: what was asked for, with which key and body, is nobody's business.
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
