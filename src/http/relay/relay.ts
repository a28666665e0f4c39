import { Elysia } from "elysia";
import { isNonceOf, type Payable, type Relay } from "../../domain/payment/relay.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import { begunBy } from "../../settle/relay/accept.ts";
import { type RefusalCode, type RelayRefusal, refusals, refused } from "../../settle/relay/refusal.ts";
import { failuresRefusal, type TransferTerms } from "../../settle/relay/terms.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import type { AppDeps, HttpDeps } from "../deps.ts";
import { smallJsonBody } from "../fields/body.ts";
import { localeOf } from "../pages/locale.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import { payableOf } from "./payable.ts";
import { parseAuthorizationRequest, parseRelayRequest } from "./relay-request.ts";

const asking = { invoice: "/i/:slug/authorization", link: "/pay/:slug/authorization" } as const;
const bringing = { invoice: "/i/:slug/relay", link: "/pay/:slug/relay" } as const;
/** Where a payer asks what to sign, and submits the signature, without a key. */
export const signaturePaths: ReadonlySet<string> = new Set(
  [asking, bringing].flatMap(({ invoice, link }) => [invoice, link]),
);

type Kind = "invoice" | "link";
type Call = { params: { slug: string }; request: Request; body: unknown };

/** A relay as its payer sees it. */
const relayRecord = ({ state, txHash }: Relay) => ({ state, tx_hash: txHash });

/**
 * Where a page's payer asks what to sign, and submits the signature. Public like the page: a signature pays this
 * invoice or link and nothing else, whoever sends it.
 */
export function relayRoutesOf(deps: AppDeps) {
  const { db, now, config, clientOf } = deps;

  const refuse = (request: Request, refusal: RelayRefusal) =>
    refusalProblem(refusal, localeOf(request, config.language), config.network.label);

  function unknown(kind: Kind): Response {
    return problem(
      "not_found",
      `There is no ${kind === "invoice" ? "invoice" : "payment link"} with this slug.`,
    );
  }

  /** Why nobody should sign for this, before asking a node. */
  function refusalNow(
    { deposit, demand }: Payable,
    payer: TransferTerms["from"],
    shown: bigint | null,
  ): RelayRefusal | null {
    if (demand.kind !== "open" && demand.kind !== "confirming") return refused("closed");
    const onItsWay = RelayStore.onItsWay(db, deposit.index);
    if (onItsWay) return refused("busy", onItsWay);
    if (demand.kind !== "open") return refused("closed");
    if (shown !== null && shown !== demand.amount) return refused("amount");
    if (demand.amount < config.relay.min) return refused("minimum");
    const code = failuresRefusal({ db, now }, config.relay, { payer, depositIndex: deposit.index });
    return code && refused(code);
  }

  async function authorize(kind: Kind, { params: { slug }, request, body }: Call): Promise<Response> {
    const parsed = parseAuthorizationRequest(body);
    if (!parsed.ok) return validationProblem(parsed.faults);
    const { payer, value } = parsed.value;
    const payable = payableOf(deps, kind, slug)();
    if (!payable) return unknown(kind);
    const early = refusalNow(payable, payer, value);
    if (early) return refuse(request, early);
    const { deposit, demand } = payable;
    const relayer = deps.relayer();
    const code = relayer === null ? "reserve" : await relayer.check();
    if (relayer === null || code !== null) return refuse(request, refused(code ?? "reserve"));
    if (demand.kind !== "open") return refuse(request, refused("closed"));
    return Response.json(await relayer.typedData({ deposit, demand }, payer));
  }

  async function relay(kind: Kind, { params: { slug }, request, body }: Call): Promise<Response> {
    const parsed = parseRelayRequest(body);
    if (!parsed.ok) return validationProblem(parsed.faults);
    const { auth, signature } = parsed.value;
    const read = payableOf(deps, kind, slug);
    const payable = read();
    if (!payable) return unknown(kind);
    if (!isGiven(deps, payable, auth)) {
      const message =
        "must be the one that POST …/authorization gives, so that two signatures are one payment";
      return validationProblem([{ field: "authorization.nonce", message }]);
    }
    // Regardless of how Till would answer a new request: somebody told no may pay in another way.
    const { chainId, usdc: token } = config.network;
    const begun = begunBy(db, { chainId, token }, { depositIndex: payable.deposit.index, auth });
    if (begun) return Response.json(relayRecord(begun), { status: 202 });
    const relayer = deps.relayer();
    if (!relayer) return refuse(request, refused("reserve"));
    const answer = await relayer.accept(
      { source: "page", payable: read, auth, signature, paymentIdentifier: null },
      clientOf(request),
    );
    if (answer.kind === "refused") return refuse(request, answer);
    return Response.json(relayRecord(answer.relay), { status: 202 });
  }

  return new Elysia()
    .post(asking.invoice, (context) => authorize("invoice", context), smallJsonBody)
    .post(asking.link, (context) => authorize("link", context), smallJsonBody)
    .post(bringing.invoice, (context) => relay("invoice", context), smallJsonBody)
    .post(bringing.link, (context) => relay("link", context), smallJsonBody);
}

/** Whether this payer was ever given this nonce for this deposit. */
function isGiven(
  { db }: Pick<HttpDeps, "db">,
  { deposit }: Payable,
  { from, nonce }: TransferTerms,
): boolean {
  const attempts = RelayStore.attempts(db, deposit.index, from, Number.MAX_SAFE_INTEGER);
  return isNonceOf(nonce, deposit.salt, from, attempts);
}

/** The page's sentence for its payer. */
const sentences = {
  off: "signPlain",
  closed: "signClosed",
  busy: "signBusy",
  queue: "signPlain",
  receiver: "signInvalid",
  amount: "signAmount",
  early: "signInvalid",
  late: "signLate",
  long: "signInvalid",
  used: "signInvalid",
  identifier: "signInvalid",
  form: "signInvalid",
  undeployed: "signUndeployed",
  signature: "signInvalid",
  balance: "tooLittle",
  blocked: "signBlocked",
  paused: "signPaused",
  rejected: "signInvalid",
  gas: "signPlain",
  minimum: "signPlain",
  fees: "signPlain",
  reserve: "signPlain",
  budget: "signPlain",
  failures: "signPlain",
} as const satisfies Record<RefusalCode, TextKey>;

/** The answer to a rejected authorisation; its `message` is for the payer on this network's page. */
function refusalProblem({ code, retryAfterSec }: RelayRefusal, locale: Locale, network: string): Response {
  const message = locale.say(sentences[code], { network });
  return problem(code, refusals[code], { message, retryAfterSec });
}
