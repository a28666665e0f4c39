import { type Authorization, type Domain, signedCall } from "../../chain/contract/authorization.ts";
import {
  isOfUndeployed,
  isSignedByCode,
  isSignedByKey,
  keySignature,
  type Readiness,
  readReadiness,
} from "../../chain/contract/signature.ts";
import { isSignedOnceCreated, readUndeployed, together } from "../../chain/contract/undeployed.ts";
import { mustReadBlock } from "../../chain/node/block.ts";
import type { RelayRules } from "../../config/config.ts";
import type { Payable, Source } from "../../domain/payment/relay.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type Hex, quantityHex } from "../../lib/crypto.ts";
import type { Db } from "../../store/database.ts";
import type { StoredRelay } from "../../store/tables/settle/relay.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import type { GasAccount } from "../gas-account.ts";
import { obstacleOf, submit } from "../gas-transaction.ts";
import { type RefusalCode, type RelayRefusal, refused } from "./refusal.ts";
import {
  failuresRefusal,
  keyGas,
  meansRefusal,
  readMeans,
  type TransferTerms,
  termsRefusal,
  timeRefusal,
} from "./terms.ts";
import { estimate, tryAsKey } from "./trial.ts";

/** More than any wallet's signature: a passkey's takes less than a kilobyte. */
const signatureBytesMax = 4_096;

/** Deploying a wallet takes 330,000 gas with one owner, and more with several. */
const creationGasFactor = 2n;
/**
 * Minimum amount for deploying a wallet, as a multiple of the usual one: it takes three times the gas of a key, and
 * others would pay for wallets created for very little.
 */
const creationMinFactor = 4n;

export type RelayRequest = {
  source: Source;
  /** Reads what is due according to the database; null if it has no such invoice or link. Read again before storing. */
  payable: () => Payable | null;
  auth: TransferTerms;
  signature: Hex;
  /** The program's own identifier for its payment; null if it gives none. */
  paymentIdentifier: string | null;
};

export type RelayAnswer =
  /** On its way, from now or from an earlier request. */
  { kind: "accepted"; relay: StoredRelay; isNew: boolean } | RelayRefusal;

export type AcceptDeps = {
  gas: GasAccount;
  token: Authorization["token"];
  rules: RelayRules;
  domain: Domain;
  /** Resumes watching the chain for deposits that are not watched: their money would be seen hours later. */
  watchAgain: (deposits: readonly number[]) => unknown;
  /** Returns why the sender must wait; null if they need not. */
  senderRefusal?: () => RefusalCode | null;
  /** Called at once when a relay is stored. */
  onStored?: (relay: StoredRelay) => void;
};

/**
 * Accepts a payer's authorisation, or returns why not. What needs no node is checked first, and nothing is stored that
 * the token would not execute now. A key's signature costs nine calls of the node, also where its payer has no money:
 * TILL_LIMIT_RELAYS bounds them. Repeating a request gives the same relay, also while the first is being checked. Throws
 * when the node fails or answers nonsense.
 */
export async function accept(deps: AcceptDeps, relayRequest: RelayRequest): Promise<RelayAnswer> {
  const { chainId } = deps.gas;
  // Nonces are compared in lower case.
  const nonce = relayRequest.auth.nonce.toLowerCase() as Hex;
  const request = { ...relayRequest, auth: { ...relayRequest.auth, nonce, chainId, token: deps.token } };
  const before = knownOf(deps, request) ?? refusalInBooks(deps, request);
  if (before) return before;
  const answer = await acceptNew(deps, request);
  return answer.kind === "accepted" ? answer : (storedSince(deps, request) ?? answer);
}

/**
 * Answers what was refused while another request for the deposit was stored, which takes the balance, the reserve or the
 * budget that this one lacks: it may be of this very payment. Null if there is none.
 */
function storedSince(deps: AcceptDeps, request: RelayRequest): RelayAnswer | null {
  const index = request.payable()?.deposit.index;
  const onItsWay = index === undefined ? null : RelayStore.onItsWay(deps.gas.db, index);
  return knownOf(deps, request) ?? (onItsWay && refused("busy", onItsWay));
}

/** Like `accept`, for what the database alone does not answer. */
async function acceptNew(
  deps: AcceptDeps,
  request: RelayRequest & { auth: Authorization },
): Promise<RelayAnswer> {
  const { gas, token, rules, domain } = deps;
  const { auth, signature } = request;
  if (!/^0x([0-9a-f]{2})+$/i.test(signature) || signature.length > 2 + 2 * signatureBytesMax)
    return refused("form");

  const ofKey = keySignature(signature);
  const isOfKey = ofKey !== null && (await isSignedByKey({ domain, auth, signature: ofKey }));
  // All at once, where the key has signed: most accounts have no code to be asked first.
  const [readiness, head, triedAsKey] = await Promise.all([
    readReadiness(gas.rpc, auth),
    mustReadBlock(gas.rpc, "latest"),
    isOfKey ? tryAsKey(gas, { to: token, data: signedCall(auth, ofKey) }) : null,
  ]);
  const late = refusalOnChain(deps, request, readiness);
  if (late) return refused(late);
  const { hasCode } = readiness;
  const undeployed = readUndeployed(signature);
  const creation = hasCode ? null : (undeployed?.creation ?? null);
  const bare = undeployed?.signature ?? signature;
  const formed = hasCode || creation ? bare : ofKey;
  if (formed === null) return refused(isOfUndeployed(signature) ? "undeployed" : "form");
  if (creation && auth.amount < creationMinFactor * rules.min) return refused("minimum");
  const usualGas = hasCode ? rules.gasMax : keyGas;
  const gasMax = creation ? creationGasFactor * rules.gasMax : usualGas;
  const signed = { domain, auth, signature: formed };
  let judged: boolean | null = isOfKey;
  if (creation) judged = await isSignedOnceCreated(gas.rpc, { ...signed, creation, gasMax });
  else if (hasCode) judged = await isSignedByCode(gas.rpc, signed);
  if (!judged) return refused(judged === null ? "undeployed" : "signature");

  const transfer = { target: token, callData: signedCall(auth, formed) };
  const { to, data } = creation ? together([creation, transfer]) : { to: token, data: transfer.callData };
  const tried = hasCode || creation ? null : triedAsKey;
  // At the gas limit, its maximum use.
  const means = tried?.means ?? (await readMeans(gas, { gasLimit: gasMax, data }));
  const unaffordable = meansRefusal(gas, rules, means);
  if (unaffordable) return refused(unaffordable);
  const gasPrice = quantityHex(means.cost / gasMax);
  const gasLimit = tried?.gasLimit ?? (await estimate(gas, { to, data, gasMax, gasPrice }));
  if (typeof gasLimit === "string") return refused(gasLimit);

  let stored: StoredRelay | null = null;
  let refusal: RelayAnswer | null = null;
  const submitted = await submit(gas, {
    purpose: "relay",
    to,
    data,
    gasLimit,
    quoted: means,
    nextNonce: tried?.nextNonce,
    // Fees may rise while it waits, but the relay is worth no more than before: cap them.
    feeMax: 2n * rules.feeMax,
    reason: `relay ${Usdc.formatExact(Usdc.fromMicro(auth.amount))} USDC from ${auth.from} to ${auth.to}`,
    // Much may have changed since, so check everything again under the write lock.
    stillWanted() {
      refusal = knownOf(deps, request) ?? refusalInBooks(deps, request);
      return refusal === null && meansRefusal(gas, rules, means) === null;
    },
    write(transaction) {
      stored = RelayStore.insert(gas.db, {
        depositIndex: request.payable()?.deposit.index ?? -1,
        source: request.source,
        chainId: gas.chainId,
        token,
        payer: auth.from,
        to: auth.to,
        amount: Usdc.fromMicro(auth.amount),
        validAfterSec: auth.validAfterSec,
        validBeforeSec: auth.validBeforeSec,
        nonce: auth.nonce,
        signature,
        paymentIdentifier: request.paymentIdentifier,
        begunBlock: head.number,
        transactionId: transaction.id,
        createdAt: gas.now(),
      });
      deps.watchAgain([stored.depositIndex]);
      deps.onStored?.(stored);
    },
  });
  if (stored) return { kind: "accepted", relay: stored, isNew: true };
  return refusal ?? refused(obstacleOf(submitted) === null ? "budget" : "reserve");
}

/** The relay that an earlier request with this nonce began; refused if that was for another payment. */
function knownOf(
  { gas: { db, chainId }, token }: AcceptDeps,
  { auth, payable }: RelayRequest,
): RelayAnswer | null {
  const relay = begunBy(db, { chainId, token }, { depositIndex: payable()?.deposit.index, auth });
  if (relay) return { kind: "accepted", relay, isNew: false };
  const isTaken = RelayStore.byNonce(db, { chainId, token, payer: auth.from, nonce: auth.nonce }) !== null;
  return isTaken ? refused("used") : null;
}

/** The relay begun by an authorisation to a deposit, unless it failed; null if there is none. */
export function begunBy(
  db: Db,
  chain: Pick<StoredRelay, "chainId" | "token">,
  { depositIndex, auth }: { depositIndex: number | undefined; auth: TransferTerms },
): StoredRelay | null {
  const relay = RelayStore.byNonce(db, { ...chain, payer: auth.from, nonce: auth.nonce });
  return relay && isOf(relay, { depositIndex, auth }) ? relay : null;
}

/** Returns whether a relay belongs to an authorisation to a deposit. */
export function isOf(
  relay: StoredRelay,
  { depositIndex, auth }: { depositIndex: number | undefined; auth: TransferTerms },
): boolean {
  return (
    relay.depositIndex === depositIndex &&
    relay.payer === auth.from &&
    relay.nonce === auth.nonce &&
    relay.to === auth.to &&
    relay.amount === auth.amount &&
    relay.validAfterSec === auth.validAfterSec &&
    relay.validBeforeSec === auth.validBeforeSec
  );
}

/** Returns why the database alone rejects it; null if it does not. */
function refusalInBooks(
  { gas, rules, senderRefusal }: AcceptDeps,
  { auth, payable: read, paymentIdentifier }: RelayRequest,
): RelayRefusal | null {
  const payable = read();
  if (!payable) return refused("closed");
  const { index } = payable.deposit;
  const named = paymentIdentifier === null ? null : RelayStore.byIdentifier(gas.db, index, paymentIdentifier);
  if (named && named.state !== "failed") return refused("identifier");
  const onItsWay = RelayStore.onItsWay(gas.db, index);
  if (onItsWay) return refused("busy", onItsWay);
  // An unexpired authorisation can still be used by anybody: a new one from this payer might pay twice.
  const usable = RelayStore.usableFailed(gas.db, { depositIndex: index, ...auth }, gas.now());
  if (usable) return refused("busy", usable);
  const code =
    termsRefusal(payable, auth, rules.min) ??
    failuresRefusal(gas, rules, { payer: auth.from, depositIndex: index }) ??
    senderRefusal?.();
  return code ? refused(code) : null;
}

/** Returns why the chain rejects it, null if it does not; the chain's clock counts if it is ahead of ours. */
function refusalOnChain(
  { gas: { db, now }, watchAgain }: AcceptDeps,
  { auth, payable }: RelayRequest,
  { isUsed, isPaused, isBlocked, balance, held, timestampSec }: Readiness,
): RefusalCode | null {
  const index = payable()?.deposit.index;
  if (index === undefined) return "closed";
  // A payment may have arrived that the books do not have yet, and may cover everything due.
  const { told, settled } = BalanceStore.books(db, index);
  if (held + settled > told) {
    watchAgain([index]);
    return "busy";
  }
  if (isUsed) return "used";
  if (isPaused) return "paused";
  if (isBlocked) return "blocked";
  if (balance < auth.amount + RelayStore.onTheWay(db, auth.from).amount) return "balance";
  return timeRefusal(auth, Math.max(Math.floor(now() / 1_000), timestampSec ?? 0));
}
