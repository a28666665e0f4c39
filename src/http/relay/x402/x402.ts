import type { Relay } from "../../../domain/payment/relay.ts";
import { world } from "../../../lib/world.ts";
import { begunBy, isOf, type RelayAnswer } from "../../../settle/relay/accept.ts";
import type { Shown } from "../../../settle/relay/made.ts";
import { type RelayRefusal, refusals, refused } from "../../../settle/relay/refusal.ts";
import type { Relayer } from "../../../settle/relay/relayer.ts";
import * as ReusableStore from "../../../store/tables/invoicing/reusable-link.ts";
import type { StoredRelay } from "../../../store/tables/settle/relay.ts";
import * as RelayStore from "../../../store/tables/settle/relay.ts";
import type { Limits } from "../../access/limits.ts";
import { problem } from "../../problem/problem.ts";
import type { HttpDeps } from "../../route/deps.ts";
import {
  type Asker,
  type Challenge,
  challengeNonce,
  isOurs,
  newChallenge,
  requestOf,
} from "../mpp/challenge.ts";
import { type Credential, readCredential } from "../mpp/credential.ts";
import { mppProblem, receiptHeader } from "../mpp/problem.ts";
import { askPayment, cannot, preflight, resultHeader, saysPaid, saysProblem } from "./answer.ts";
import { mismatch, type Terms } from "./offer.ts";
import { type PaymentPayload, readPayment, type Version } from "./payment.ts";
import { failureReason, type MppProblem, refusalOf } from "./reason.ts";
import { refusedFor, resultOf, type SettlementResponse } from "./result.ts";
import { type Paid, paidBy, stateOf } from "./state.ts";
import { byInvoiceId, bySlug, type Resource } from "./subject.ts";

/** The requested subject: an invoice or link by slug, or an invoice by id. */
export type ResourceQuery = { by: "slug" | "id"; name: string; path: string; client: string | null };

export type X402 = (request: Request, wanted: ResourceQuery) => Response | Promise<Response>;

type X402Deps = HttpDeps & {
  limits: Limits;
  /** Aborts when Till stops, so that waiting requests get a response. */
  stopping: AbortSignal;
};

/** A program's request, and how it pays: by a version of x402, or by MPP with the challenge it answers. */
type Call = {
  request: Request;
  subject: Resource;
  version: Version | "mpp";
  challenge: Challenge | null;
};

type Answer = Response | Promise<Response>;

/** Why a payment does not match the amount due, in the protocol's own terms. */
type Mismatch = { kind: "mismatch"; result: SettlementResponse };

/** In characters: it goes into a header. */
const urlLengthMax = 200;

/**
 * Serves programs that pay an invoice or a link by x402 or MPP. Without a payment, it states the amount due, or that
 * nothing is. While a payment's outcome is unknown, it asks for no other.
 */
export function createX402(deps: X402Deps): X402 {
  const { db, config, limits, stopping, x402WaitMs } = deps;
  const { network } = config;
  const headerOf = ({ version, challenge }: Call, result: SettlementResponse | null) =>
    version === "mpp"
      ? receiptHeader(challenge, result, network.chainId)
      : resultHeader(result, version, network);
  const askerOf = (relayer: Pick<Relayer, "mark">): Asker => ({ ...deps, mark: relayer.mark });

  return async (request, { by, name, path, client }) => {
    if (request.method === "OPTIONS") return preflight();
    const subject = by === "slug" ? bySlug(deps, name) : byInvoiceId(deps, name);
    if (!subject) return problem("not_found", unknown(name));
    await subject.quote();
    // HEAD never pays.
    const { headers } = request;
    const sent = request.method === "HEAD" ? null : (readPayment(headers) ?? readCredential(headers));
    const isOff = config.relay.mode === "off" && ["open", "unpriced"].includes(stateOf(deps, subject).kind);
    if (isOff && !sent?.ok) return cannot(subject, refused("off"));
    const call: Call = { request, subject, version: 2, challenge: null };
    if (sent === null) return tell(call, null);
    const reached = limits.take("RELAYS", client);
    if (reached) return limits.refusal(reached, request, path);
    if (sent.ok) {
      const { payment } = sent;
      const challenge = payment.version === "mpp" ? payment.challenge : null;
      return pay({ ...call, version: payment.version, challenge }, payment, client);
    }
    const { version, reason } = sent;
    if (version === "mpp") return unreadable({ ...call, version }, reason);
    const { detail } = sent;
    const of = headerOf({ ...call, version }, refusedFor(reason, detail));
    return problem("invalid_payment", detail, { headers: of });
  };

  function unreadable(call: Call, reason: MppProblem): Answer {
    const result = refusedFor(
      reason,
      "The credential is no authorisation that answers a challenge evm/charge.",
    );
    return reason === "method-unsupported" ? saysProblem(mppProblem(result, 400)) : tell(call, result);
  }

  function unknown(slug: string): string {
    return ReusableStore.bySlug(db, slug)
      ? `This is a reusable link. Begin a payment at ${deps.baseUrl}/pay/${slug}: it gets a link of its own, which is paid here.`
      : "There is no invoice and no payment link of this name.";
  }

  /** Responds with the current state; `result` is the outcome of the payment sent, null without one. */
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

  /** Responds 402, unless nobody would execute what it asks for. Throws like `offer`. */
  async function ask(call: Call, result: SettlementResponse | null): Promise<Response> {
    const { request, subject, version } = call;
    const headers = headerOf(call, result);
    const relayer = deps.relayer();
    if (!relayer) return cannot(subject, refused("reserve"), headers);
    const offered = await offer(subject, relayer);
    if ("payTo" in offered) {
      const challenge = await newChallenge(askerOf(relayer), offered, subject);
      // Programs compare it with the URL they requested: a page's own URL, or one with a query.
      const url = `${deps.baseUrl}${request.url.slice(request.url.indexOf("/", "http://".length))}`;
      const resource = {
        url: url.length > urlLengthMax ? subject.url : url,
        description: subject.description,
      };
      return askPayment(offered, resource, challenge, result, { isMpp: version === "mpp", headers });
    }
    // It may have been paid while the node was asked.
    return offered.code === "closed" ? tell(call, result) : cannot(subject, offered, headers);
  }

  /** Returns the amount due, or why a signature cannot pay it now. Throws if the node fails or sends nonsense. */
  async function offer({ payable }: Resource, relayer: Relayer): Promise<Terms | RelayRefusal> {
    const code = await relayer.check();
    if (code !== null) return refused(code);
    const token = await relayer.domain();
    const due = payable();
    if (due?.demand.kind !== "open") return refused(due?.demand.kind === "unpriced" ? "unpriced" : "closed");
    const { amount } = due.demand;
    if (amount < config.relay.min) return refused("minimum");
    return { network, token, payTo: due.deposit.address, amount };
  }

  /** Accepts a payment and waits for its block. Repeating it returns the same relay, whatever is due by now. */
  async function pay(
    call: Call,
    payment: PaymentPayload | Credential,
    client: string | null,
  ): Promise<Response> {
    const { subject } = call;
    const relayer = deps.relayer();
    const other = payment.version === "mpp" && relayer && (await otherChallenge(payment, subject, relayer));
    if (other) return tell(call, other);
    const { auth, signature, identifier: paymentIdentifier } = payment;
    const { depositIndex } = subject;
    const begun = () =>
      begunBy(db, { chainId: network.chainId, token: network.usdc }, { depositIndex, auth });
    const named =
      paymentIdentifier === null ? null : RelayStore.byIdentifier(db, depositIndex, paymentIdentifier);
    const isOfName = named !== null && isOf(named, { depositIndex, auth });
    const isNamedSo = isOfName && named.signature === signature;
    const isNameTaken = named !== null && !isNamedSo && named.state !== "failed";
    if (isNameTaken && isOfName) return refuse(call, refused("identifier"), auth.from);
    // A reverted payment can still pay, and continues as if unnamed. It may also have paid later, in another relay.
    const canPay = named?.failure === "reverted" && named.validBeforeSec > deps.now() / 1_000;
    const isOpen = stateOf(deps, subject).kind === "open";
    const before = begun() ?? (isNamedSo && !(canPay && isOpen) ? named : null);
    if (before) return finish(call, before, auth);
    if (!relayer) return refuse(call, refused("reserve"), auth.from);
    const taken = isNameTaken ? refused("identifier") : await take(call, payment, relayer, client, begun);
    if (taken.kind === "accepted") return finish(call, taken.relay, auth);
    // The same payment may have been sent twice, and stored meanwhile.
    const twin = begun();
    if (twin) return finish(call, twin, auth);
    const made = await paidBy(relayer, subject, auth, taken.kind === "refused" ? taken : null);
    if (made) return saysMade(call, made, auth);
    return taken.kind === "refused" ? refuse(call, taken, auth.from) : tell(call, taken.result);
  }

  /** Hands a payment to the relayer, or returns why not. */
  async function take(
    { subject }: Call,
    payment: PaymentPayload | Credential,
    relayer: Relayer,
    client: string | null,
    begun: () => StoredRelay | null,
  ): Promise<RelayAnswer | Mismatch> {
    const { auth, signature, identifier: paymentIdentifier } = payment;
    const { kind } = stateOf(deps, subject);
    if (kind !== "open") return refused(kind === "unpriced" ? kind : "closed");
    try {
      const offered = await offer(subject, relayer);
      if (!("payTo" in offered)) return offered;
      const isMpp = payment.version === "mpp";
      const reason = isMpp ? outdated(payment, offered, subject) : mismatch(payment, offered);
      if (reason) {
        const result = refusedFor(reason, "This is not what is due now.", auth.from);
        return { kind: "mismatch", result };
      }
      const { payable } = subject;
      const source = isMpp ? "mpp" : "x402";
      return await relayer.accept({ source, payable, auth, signature, paymentIdentifier }, client);
    } catch (thrown) {
      // It may have been stored and sent nevertheless.
      const relay = begun();
      if (relay) return { kind: "accepted", relay, isNew: false };
      throw thrown;
    }
  }

  function saysMade(call: Call, { txHash, minedAt, isConfirmed }: Paid, auth: Shown["auth"]): Answer {
    const { subject } = call;
    const state = stateOf(deps, subject);
    const progress = isConfirmed ? "confirmed" : "confirming";
    const status = state.kind === "paid" ? state.status : progress;
    const { from: payer, amount } = auth;
    const result = { reason: null, message: null, payer, transaction: txHash, amount, minedAt };
    return saysPaid(subject, { status, transaction: txHash }, headerOf(call, result));
  }

  /** Returns the fault of a challenge, or of an authorisation for another one; null if there is none. */
  async function otherChallenge({ challenge, auth }: Credential, subject: Resource, relayer: Relayer) {
    if (!(await isOurs(askerOf(relayer), challenge, subject)))
      return refusedFor("invalid-challenge", "This was not asked for here.", auth.from);
    const isBound = auth.nonce === challengeNonce(challenge);
    return isBound ? null : refusedFor("verification-failed", "The nonce is not the challenge's.", auth.from);
  }

  function outdated({ challenge }: Credential, terms: Terms, subject: Resource): MppProblem | null {
    if (Date.parse(challenge.expires) <= deps.now()) return "payment-expired";
    return challenge.request === requestOf(terms, subject) ? null : "invalid-challenge";
  }

  async function finish(call: Call, { id, payer }: Relay, auth: Shown["auth"]): Promise<Response> {
    const { request, subject } = call;
    const over = AbortSignal.any([world.timeout(x402WaitMs), request.signal, stopping]);
    const relay = (await deps.relayer()?.wait(id, over)) ?? null;
    if (relay?.txHash && (relay.state === "mined" || relay.state === "confirmed")) {
      const { txHash, minedAt, state } = relay;
      return saysMade(call, { txHash, minedAt, isConfirmed: state === "confirmed" }, auth);
    }
    if (!relay?.failure) return pending(call, relay, payer);
    // If it failed, anybody may have submitted the authorisation to the token since.
    const made = await paidBy(deps.relayer(), subject, auth, null);
    return made ? saysMade(call, made, auth) : tell(call, resultOf(relay, failureReason[relay.failure]));
  }

  /**
   * The money may still move, or has moved, so no more is asked for. `relay` is on its way, null for a payment not in
   * the books yet, or from another network; `payer` sent this payment, null for others.
   */
  function pending(call: Call, relay: Relay | null, payer: string | null = null): Response {
    const reason = "settlement_pending";
    const result = relay ? resultOf(relay, reason) : refusedFor(reason, null);
    const headers = headerOf(call, { ...result, payer, message: refusals.busy });
    return cannot(call.subject, refused("busy"), headers);
  }

  /** Refuses a payment; nothing was sent to the chain. */
  function refuse(call: Call, refusal: RelayRefusal, payer: string): Answer {
    const { code } = refusal;
    if (code === "busy") return pending(call, refusal.relay);
    const { isDue, reason } = refusalOf[code];
    const result = refusedFor(reason, refusals[code], payer);
    return isDue ? tell(call, result) : cannot(call.subject, refusal, headerOf(call, result));
  }
}
