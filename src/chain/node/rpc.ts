import { messageOf } from "../../lib/error.ts";
import { createRedact, type Redact, secretsOfUrl } from "../../lib/log.ts";
import { NotJson, readJson } from "../../lib/net/json-reader.ts";
import { world } from "../../lib/world.ts";

/** Time limit of one JSON-RPC call, from the request to the last byte of the answer. */
const callTimeoutMs = 15_000;

/**
 * Maximum length of an answer, by method; anything longer is an attack on the memory. Logs take some 600 bytes each,
 * and where they are too many, fewer blocks or single receipts are requested; the largest receipt has 45,000 empty logs
 * (EIP-7825); 4 MiB hold the hashes of 60,000 transactions, and 500 balances take 160 KiB.
 */
const answerBytesMax: Readonly<Record<string, number>> = {
  eth_getLogs: 16 * 1024 * 1024,
  eth_getBlockReceipts: 16 * 1024 * 1024,
  eth_getTransactionReceipt: 32 * 1024 * 1024,
  eth_getBlockByNumber: 4 * 1024 * 1024,
  eth_getBlockByHash: 4 * 1024 * 1024,
  eth_call: 512 * 1024,
  eth_getCode: 512 * 1024,
};

/** A number, a hash, or an error. */
const shortBytesMax = 16 * 1024;

/** RFC 9110 section 15.5.14; some nodes return it when the answer would be too long. */
const contentTooLarge = 413;

/** RFC 6585 section 4. */
const tooManyRequests = 429;

/** Maximum length of a node's reason. Cut only after redacting: half a secret is still a secret. */
const reasonCharsMax = 300;

/** Phrases for a rate limit without HTTP 429. It says nothing about the call itself. */
const tooManyCalls = /rate.?limit|too many requests|request limit reached|(requests|calls|units) per second/i;

export type Rpc = {
  /** The node's host name, for logs: its URL may contain a key. */
  readonly host: string;
  /**
   * Makes one JSON-RPC call. Throws an RpcError if the node answers with an error, and an RpcUnreachable if it does not
   * answer, or not with JSON-RPC.
   */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
};

type RpcOptions = {
  url: string;
  timeoutMs?: number;
  /** Aborts every call in progress. */
  signal?: AbortSignal;
  /** Called before every call, to count them. */
  onRequest?: (method: string) => void;
  /** Called when the node answered: with a result, an error, or a rate limit. */
  onAnswer?: () => void;
};

/** JSON-RPC 2.0 over HTTP to one node. */
export function createRpc({ url, timeoutMs = callTimeoutMs, signal, onRequest, onAnswer }: RpcOptions): Rpc {
  const host = new URL(url).host;
  // The URL may contain a key, and nodes quote it in refusals.
  const redact = createRedact(secretsOfUrl(url));
  let lastId = 0;
  return {
    host,
    async request(method, params) {
      onRequest?.(method);
      lastId += 1;
      const id = lastId;
      const deadline = world.timeout(timeoutMs);
      let answer: unknown;
      let httpStatus = 0;
      let httpOk = false;
      try {
        const response = await world.fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
          redirect: "error",
        });
        httpStatus = response.status;
        httpOk = response.ok;
        // A rate limit says nothing about this call, whatever the body says.
        if (httpStatus === tooManyRequests) throw new TypeError(`HTTP ${tooManyRequests}`);
        answer = await readJson(response, answerBytesMax[method] ?? shortBytesMax);
      } catch (thrown) {
        if (thrown instanceof NotJson) {
          const reason = `HTTP ${httpStatus}, and ${thrown.message}`;
          const isCutOff = httpOk && thrown.isCutOff;
          throw new RpcUnreachable(host, method, reason, isCutOff ? "surely" : tooMuchOf(httpStatus));
        }
        if (deadline.aborted)
          throw new RpcUnreachable(host, method, `no answer within ${timeoutMs} ms`, "perhaps");
        if (httpStatus === tooManyRequests) onAnswer?.();
        // With a success status, the answer itself was too long or broke off.
        const tooMuch = httpOk ? "surely" : "no";
        throw new RpcUnreachable(
          host,
          method,
          redact(messageOf(thrown)),
          tooMuch,
          httpStatus === tooManyRequests,
        );
      }
      if (typeof answer !== "object" || answer === null)
        throw new RpcUnreachable(host, method, `HTTP ${httpStatus}`);
      if ("error" in answer && answer.error) {
        onAnswer?.();
        const error = RpcError.from(host, method, answer.error, redact);
        if (error.code === tooManyRequests || tooManyCalls.test(error.reason))
          throw new RpcUnreachable(host, method, error.reason, "no", true);
        throw error;
      }
      if (!httpOk || !("result" in answer))
        throw new RpcUnreachable(host, method, `HTTP ${httpStatus} without a result`, tooMuchOf(httpStatus));
      if (!("id" in answer) || answer.id !== id)
        throw new RpcUnreachable(host, method, "the answer to another call");
      onAnswer?.();
      return answer.result;
    },
  };
}

function tooMuchOf(httpStatus: number): SizeDoubt {
  return httpStatus === contentTooLarge ? "surely" : "no";
}

/** The node answered that it cannot or will not do this. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  constructor(
    host: string,
    readonly method: string,
    readonly code: number | null,
    readonly reason: string,
  ) {
    super(`The node at ${host} refused ${method}: ${reason}${code === null ? "" : ` (code ${code})`}`);
  }

  static from(host: string, method: string, error: unknown, redact: Redact): RpcError {
    if (typeof error !== "object" || error === null)
      return new RpcError(host, method, null, redact(String(error)).slice(0, reasonCharsMax));
    const code = "code" in error && typeof error.code === "number" ? error.code : null;
    const reason =
      "message" in error && typeof error.message === "string" ? error.message : "no reason given";
    return new RpcError(host, method, code, redact(reason).slice(0, reasonCharsMax));
  }
}

/** Returns whether asking for less may help after this error. */
export function mayBeTooMuch(thrown: unknown): boolean {
  return thrown instanceof RpcError || (thrown instanceof RpcUnreachable && thrown.tooMuch !== "no");
}

/** Whether a smaller request helps: perhaps after a timeout, surely if the answer was too long or broke off. */
type SizeDoubt = "no" | "perhaps" | "surely";

/** No usable answer came: the node is down or slow, or something else answers in its place. */
export class RpcUnreachable extends Error {
  override readonly name = "RpcUnreachable";
  constructor(
    host: string,
    method: string,
    reason: string,
    readonly tooMuch: SizeDoubt = "no",
    /** The node is up, but asked too often. */
    readonly isBusy = false,
  ) {
    super(`The node at ${host} did not answer ${method}: ${reason}`);
  }
}
