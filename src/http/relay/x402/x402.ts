import type { Config } from "../../../config/config.ts";
import type { Relay } from "../../../domain/payment/relay.ts";
import { begunBy } from "../../../settle/relay/accept.ts";
import { type RelayRefusal, refusals, refused } from "../../../settle/relay/refusal.ts";
import * as ReusableStore from "../../../store/tables/invoicing/reusable-link.ts";
import * as RelayStore from "../../../store/tables/settle/relay.ts";
import * as TransferStore from "../../../store/tables/watch/transfer.ts";
import type { Limits } from "../../access/limits.ts";
import { wantsJson } from "../../answer/html.ts";
import type { HttpDeps } from "../../deps.ts";
import { X402Payment } from "../../fields/x402-schemas.ts";
import { problem } from "../../problem/problem.ts";
import { type Route, route } from "../../route.ts";
import {
  askPayment,
  preflight,
  refusedFor,
  resultHeader,
  resultOf,
  type SettlementResponse,
  saysPaid,
} from "./answer.ts";
import { mismatch, type Terms } from "./offer.ts";
import { headersOf, type PaymentPayload, readPayment, type Version } from "./payment.ts";
import { failureReason, refusalOf } from "./reason.ts";
import { byInvoiceId, bySlug, type Resource } from "./subject.ts";

/** What is requested: an invoice or link by slug, or an invoice by id. */
type ResourceQuery = { by: "slug" | "id"; name: string; path: string; client: string | null };

export type X402 = (request: Request, wanted: ResourceQuery) => Response | Promise<Response>;

type X402Deps = HttpDeps & {
  limits: Limits;
  /** Aborts when Till stops, so that waiting requests are answered. */
  stopping: AbortSignal;
};

/** A program's request, and its version of x402. */
type Call = { request: Request; subject: Resource; version: Version };

type Answer = Response | Promise<Response>;

/**
 * Answers programs that pay an invoice or a link by x402. Without a payment, it says what is due, or that nothing is.
 * While a payment's outcome is unknown it asks nobody for another.
 */
export function createX402(deps: X402Deps): X402 {
  const { db, config, limits, stopping, x402WaitMs } = deps;
  const { network } = config;
  const headerOf = ({ version }: Pick<Call, "version">, result: SettlementResponse | null) =>
    resultHeader(result, version, network);

  return async (request, { by, name, path, client }) => {
    if (request.method === "OPTIONS") return preflight();
    const subject = by === "slug" ? bySlug(deps, name) : byInvoiceId(deps, name);
    if (!subject) return problem("not_found", unknown(name));
    await subject.quote();
    if (config.relay.mode === "off" && ["open", "unpriced"].includes(stateOf(deps, subject).kind))
      return cannot(subject, refused("off"));
    // HEAD never pays.
    const sent = request.method === "HEAD" ? null : readPayment(request.headers);
    if (sent === null) return tell({ request, subject, version: 2 }, null);
    const reached = limits.take("RELAYS", client);
    if (reached) return limits.refusal(reached, request, path);
    if (sent.ok) return pay({ request, subject, version: sent.payment.version }, sent.payment, client);
    const detail = "The payment is none of x402, version 1 or 2, of the scheme exact on EVM chains.";
    return problem("invalid_payment", detail, { headers: headerOf(sent, refusedFor(sent.reason, detail)) });
  };

  function unknown(slug: string): string {
    return ReusableStore.bySlug(db, slug)
      ? `This is a reusable link. Begin a payment at ${deps.baseUrl}/pay/${slug}: it gets a link of its own, which is paid here.`
      : "There is no invoice and no payment link of this name.";
  }

  /** Answers with the current state; `result` is the outcome of the payment sent, null without one. */
  function tell(call: Call, result: SettlementResponse | null): Answer {
    const { subject } = call;
    const state = stateOf(deps, subject);
    switch (state.kind) {
      case "open":
        return ask(call, result);
      case "pending":
        return pending(call, state.relay);
      case "paid":
        return saysPaid(subject, state, headerOf(call, result));
      case "void":
        return problem("gone", `It is void. See ${subject.pageUrl}`, { headers: headerOf(call, result) });
      case "closed":
        return problem("gone", `It takes no payment any more. See ${subject.pageUrl}`, {
          headers: headerOf(call, result),
        });
      case "unpriced":
        return cannot(subject, refused("unpriced"), headerOf(call, result));
    }
  }

  /** 402, unless nobody would execute what it asks for. Throws as `offer` does. */
  async function ask(call: Call, result: SettlementResponse | null): Promise<Response> {
    const { subject } = call;
    const headers = headerOf(call, result);
    const offered = await offer(subject);
    if ("payTo" in offered) {
      const error = result?.reason ?? "PAYMENT-SIGNATURE or X-PAYMENT is required";
      return askPayment(offered, subject, error, headers);
    }
    // It may have been paid while the node was asked.
    return offered.code === "closed" ? tell(call, result) : cannot(subject, offered, headers);
  }

  /** What is due, or why a signature cannot pay it now. Throws when the node fails or answers nonsense. */
  async function offer({ payable }: Resource): Promise<Terms | RelayRefusal> {
    const relayer = deps.relayer();
    if (!relayer) return refused("reserve");
    const code = await relayer.check();
    if (code !== null) return refused(code);
    const token = await relayer.domain();
    const due = payable();
    if (due?.demand.kind !== "open") return refused(due?.demand.kind === "unpriced" ? "unpriced" : "closed");
    const { amount } = due.demand;
    if (amount < config.relay.min) return refused("minimum");
    return { network, token, payTo: due.deposit.address, amount };
  }

  /** Accepts a payment and waits for its block. Repeating it gives the same relay, whatever is due by now. */
  async function pay(call: Call, payment: PaymentPayload, client: string | null): Promise<Response> {
    const { subject } = call;
    const { auth, signature, identifier: paymentIdentifier } = payment;
    const { depositIndex } = subject;
    const begun = () =>
      begunBy(db, { chainId: network.chainId, token: network.usdc }, { depositIndex, auth });
    const before = begun();
    if (before) return finish(call, before);
    const isNamed =
      paymentIdentifier !== null && RelayStore.byIdentifier(db, depositIndex, paymentIdentifier) !== null;
    if (isNamed) return refuse(call, refused("identifier"), auth.from);
    const { kind } = stateOf(deps, subject);
    if (kind !== "open") return refuse(call, refused(kind === "unpriced" ? kind : "closed"), auth.from);
    try {
      const offered = await offer(subject);
      if (!("payTo" in offered)) return refuse(call, offered, auth.from);
      const reason = mismatch(payment, offered);
      if (reason) return tell(call, refusedFor(reason, "This is not what is due.", auth.from));
      const { payable } = subject;
      const request = { source: "x402", payable, auth, signature, paymentIdentifier } as const;
      const answer = (await deps.relayer()?.accept(request, client)) ?? refused("reserve");
      return answer.kind === "accepted" ? finish(call, answer.relay) : refuse(call, answer, auth.from);
    } catch (thrown) {
      // It may have been stored and sent nevertheless.
      const stored = begun();
      if (stored) return finish(call, stored);
      throw thrown;
    }
  }

  async function finish(call: Call, { id, payer }: Relay): Promise<Response> {
    const { request, subject } = call;
    const over = AbortSignal.any([AbortSignal.timeout(x402WaitMs), request.signal, stopping]);
    const relay = (await deps.relayer()?.wait(id, over)) ?? null;
    if (relay?.state === "mined" || relay?.state === "confirmed") {
      const state = stateOf(deps, subject);
      const status = state.kind === "paid" ? state.status : "confirming";
      return saysPaid(subject, { status, transaction: relay.txHash }, headerOf(call, resultOf(relay, null)));
    }
    if (relay?.failure) return tell(call, resultOf(relay, failureReason[relay.failure]));
    return pending(call, relay, payer);
  }

  /**
   * The money may still move, or has moved: ask nobody for more. `relay` is on its way, null for a payment not in the
   * books yet; `payer` sent this payment, null for others.
   */
  function pending(call: Call, relay: Relay | null, payer: string | null = null): Response {
    const reason = "settlement_pending";
    const result = relay ? resultOf(relay, reason) : refusedFor(reason, null);
    const headers = headerOf(call, { ...result, payer, message: refusals.busy });
    return cannot(call.subject, refused("busy"), headers);
  }

  /** Nothing was sent to the chain. */
  function refuse(call: Call, refusal: RelayRefusal, payer: string): Answer {
    const { code } = refusal;
    if (code === "busy") return pending(call, refusal.relay);
    const { isDue, reason } = refusalOf[code];
    const result = refusedFor(reason, refusals[code], payer);
    return isDue ? tell(call, result) : cannot(call.subject, refusal, headerOf(call, result));
  }
}

/** Cannot be paid like this now, or at all. */
function cannot(
  { pageUrl }: Resource,
  { code, retryAfterSec }: RelayRefusal,
  headers: Record<string, string> = {},
): Response {
  const detail = `${refusals[code]} See ${pageUrl}`;
  return problem(code === "off" ? "not_found" : code, detail, { retryAfterSec, headers });
}

/** The state of an invoice or a link for a program that would pay it. */
type PaymentState =
  | { kind: "open" }
  /** Signed but not known to be in a block: the money may move or not. */
  | { kind: "pending"; relay: Relay }
  /** `transaction` is the latest payment's; null when it was paid in another way. */
  | { kind: "paid"; status: "confirming" | "confirmed"; transaction: string | null }
  | { kind: "void" }
  | { kind: "closed" }
  | { kind: "unpriced" };

function stateOf({ db }: Pick<HttpDeps, "db">, { payable, depositIndex }: Resource): PaymentState {
  const kind = payable()?.demand.kind ?? "closed";
  if (kind === "paid")
    return { kind, status: "confirmed", transaction: TransferStore.lastHash(db, depositIndex) };
  const relay = RelayStore.onItsWay(db, depositIndex);
  if (relay?.state === "accepted" || relay?.state === "sent") return { kind: "pending", relay };
  if (relay) return { kind: "paid", status: "confirming", transaction: relay.txHash };
  if (kind === "confirming")
    return { kind: "paid", status: kind, transaction: TransferStore.lastHash(db, depositIndex) };
  return { kind };
}

/** By slug: of a link or an invoice. */
export const x402Route = { slug: "/x402/:slug", id: "/x402/invoices/:id" } as const;

/** A row for each way to name what is paid, with GET and with POST. */
const paying = (by: ResourceQuery["by"], [get, post]: readonly [string, string]): Route[] =>
  (["get", "post"] as const).map((method) =>
    route({
      method,
      path: x402Route[by],
      scope: "open",
      isPaid: true,
      summary: method === "get" ? get : post,
      gives: X402Payment,
      does:
        ({ x402, clientOf }) =>
        ({ params, request, path }) =>
          x402(request, {
            by,
            name: Object.values<string>(params)[0] ?? "",
            path,
            client: clientOf(request),
          }),
    }),
  );

/** Where programs pay. */
export const x402Routes: readonly Route[] = [
  ...paying("slug", [
    "Pay a link or an invoice by x402; without a payment 402 with what is due",
    "Pay a link or an invoice by x402 with POST, whose body is not read",
  ]),
  ...paying("id", ["Pay an invoice by x402, by its id", "Pay an invoice by x402, by its id, with POST"]),
];

const isPaymentHeader = new RegExp(`${headersOf[1].payment}|${headersOf[2].payment}`, "i");

/**
 * Whether a paying program requests a page: it sends a payment, or wants JSON and no page. Clients that accept anything
 * get the page, as link previews do. A Till without x402 accepts no payment here either, and says so.
 */
export function isForProgram(
  { method, headers }: Pick<Request, "method" | "headers">,
  mode: Config["relay"]["mode"],
): boolean {
  if (headers.has(headersOf[2].payment) || headers.has(headersOf[1].payment)) return true;
  if (mode === "off") return false;
  if (method === "OPTIONS") return isPaymentHeader.test(headers.get("access-control-request-headers") ?? "");
  return (method === "GET" || method === "HEAD") && wantsJson({ headers });
}
