import { RenderError } from "../../document/worker/renderer.ts";
import { WalletUnavailable } from "../../invoicing/make-deposit.ts";
import { RateUnavailable } from "../../invoicing/price.ts";
import { messageOf } from "../../lib/error.ts";
import { isNodeFault } from "../../settle/relay/relayer.ts";
import { isLocked, isStorageFault } from "../../store/database.ts";
import { DatabaseReplaced, isLost } from "../../store/files/in-place.ts";
import { StorageFailed } from "../../store/group-commit.ts";
import { SyncFailed } from "../../store/log-sync.ts";
import { htmlMessage, wantsHtml } from "../answer/html.ts";
import type { HttpDeps } from "../deps.ts";
import { identify } from "../system/request-log.ts";
import { problem } from "./problem.ts";

/** The answer to a fault on this side: what failed, with the id of the log line that says why. */
export function failureAnswer(
  thrown: unknown,
  { log, config, db }: Pick<HttpDeps, "log" | "config" | "db">,
  request: Request,
  path: string,
): Response {
  const isUnstored = thrown instanceof StorageFailed || isStorageFault(thrown);
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

const wasLocked = (thrown: unknown) => isLocked(thrown instanceof StorageFailed ? thrown.cause : thrown);

/** The path of an entry link contains its token. */
const withoutToken = (path: string) => path.replace(/^(\/desk\/enter\/).*/, "$1…");

function problemOf(thrown: unknown): Response {
  if (thrown instanceof WalletUnavailable) return problem("wallet_unavailable", thrown.message);
  if (wasLocked(thrown))
    return problem("storage_failed", "Nothing was saved: the database is locked. Try again in a minute.", {
      retryAfterSec: 60,
    });
  if (thrown instanceof StorageFailed || thrown instanceof SyncFailed || thrown instanceof DatabaseReplaced)
    return problem("storage_failed", thrown.message);
  if (isStorageFault(thrown)) {
    return problem("storage_failed", "The database could not be read or written. See the server log.");
  }
  if (thrown instanceof RateUnavailable)
    return problem("rate_unavailable", thrown.message, { retryAfterSec: 60 });
  if (isNodeFault(thrown))
    return problem("node_unreachable", "The network cannot be asked just now. Try again in a minute.", {
      retryAfterSec: 60,
    });
  if (thrown instanceof RenderError) {
    return problem(
      "pdf_failed",
      "The PDF could not be created. See the server log, or try again in a minute.",
    );
  }
  return problem("internal_error", "The server could not complete the request. See the server log.");
}
