import { type Static, type TObject, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { isNonceOf, type Payable, type Relay } from "../../domain/payment/relay.ts";
import type { Kind } from "../../domain/receivable/common.ts";
import { faces } from "../../domain/receivable/faces.ts";
import * as Address from "../../domain/wallet/address.ts";
import { meaning } from "../../invoicing/request/fields.ts";
import { type Parsed, shapeFaults, withoutNulls } from "../../invoicing/request/validation.ts";
import { why } from "../../language/faults.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import type { Hex } from "../../lib/crypto.ts";
import { begunBy } from "../../settle/relay/accept.ts";
import { type RefusalCode, type RelayRefusal, refusals, refused } from "../../settle/relay/refusal.ts";
import { failuresRefusal, type TransferTerms } from "../../settle/relay/terms.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import { localeOf } from "../answer/html.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import type { AppDeps } from "../route/app-deps.ts";
import { smallJsonBody } from "../route/body.ts";
import type { HttpDeps } from "../route/deps.ts";
import { payableBySlug } from "./x402/subject.ts";

const asking = { invoice: "/i/:slug/authorization", link: "/pay/:slug/authorization" } as const;
const bringing = { invoice: "/i/:slug/relay", link: "/pay/:slug/relay" } as const;
/** Paths where a payer asks what to sign, and submits the signature, without a key. */
export const signaturePaths: ReadonlySet<string> = new Set(
  [asking, bringing].flatMap(({ invoice, link }) => [invoice, link]),
);

type Call = { params: { slug: string }; request: Request; body: unknown };

/** Returns a relay as its payer sees it. */
const relayRecord = ({ state, txHash }: Pick<Relay, "state" | "txHash">) => ({ state, tx_hash: txHash });

/**
 * Where a page's payer asks what to sign, and submits the signature. Public like the page: a signature pays this
 * invoice or link and nothing else, whoever sends it.
 */
export function relayRoutesOf(deps: AppDeps) {
  const { db, now, config, clientOf } = deps;

  const refuse = (request: Request, refusal: RelayRefusal) =>
    refusalProblem(refusal, localeOf(request, config.language), config.network.label);

  const unknown = (kind: Kind): Response =>
    problem("not_found", `There is no ${faces[kind].noun} with this slug.`);

  /** Returns why nobody should sign for this, before asking a node. */
  function refusalNow(
    { deposit, demand }: Payable,
    payer: TransferTerms["from"],
    shown: bigint | null,
  ): RelayRefusal | null {
    if (demand.kind === "unpriced") return refused(config.relay.mode === "off" ? "off" : "unpriced");
    const busy = busyWith(db, { deposit, demand });
    if (busy) return busy;
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
    const payable = payableBySlug(deps, kind, slug)();
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
    const read = payableBySlug(deps, kind, slug);
    const payable = read();
    if (!payable) return unknown(kind);
    if (!isGiven(deps, payable, auth))
      return validationProblem([{ field: "authorization.nonce", ...why("other_nonce") }]);
    // Regardless of the response to a new request: somebody who was refused may pay in another way.
    const { chainId, usdc: token } = config.network;
    const begun = begunBy(db, { chainId, token }, { depositIndex: payable.deposit.index, auth });
    if (begun) return Response.json(relayRecord(begun), { status: 202 });
    const relayer = deps.relayer();
    if (!relayer) return refuse(request, refused("reserve"));
    const answer = await relayer.accept(
      { source: "page", payable: read, auth, signature, paymentIdentifier: null },
      clientOf(request),
    );
    if (answer.kind === "accepted") return Response.json(relayRecord(answer.relay), { status: 202 });
    // Somebody else may have sent it to the chain.
    const made = await relayer.madeBy({ deposit: payable.deposit, auth }, answer);
    if (!made) return refuse(request, answer);
    const { txHash, isConfirmed } = made;
    return Response.json(relayRecord({ state: isConfirmed ? "confirmed" : "mined", txHash }), {
      status: 202,
    });
  }

  return new Elysia()
    .post(asking.invoice, (context) => authorize("invoice", context), smallJsonBody)
    .post(asking.link, (context) => authorize("link", context), smallJsonBody)
    .post(bringing.invoice, (context) => relay("invoice", context), smallJsonBody)
    .post(bringing.link, (context) => relay("link", context), smallJsonBody);
}

/** True if this payer was ever given this nonce for this deposit. */
function isGiven(
  { db }: Pick<HttpDeps, "db">,
  { deposit }: Payable,
  { from, nonce }: TransferTerms,
): boolean {
  const attempts = RelayStore.attempts(db, deposit.index, from, Number.MAX_SAFE_INTEGER);
  return isNonceOf(nonce, deposit.salt, from, attempts);
}

/** Returns the refusal while what is due may be on its way; null if nothing is due, or nothing on its way. */
export function busyWith(db: HttpDeps["db"], { deposit, demand }: Payable): RelayRefusal | null {
  if (demand.kind === "void" || demand.kind === "paid" || demand.kind === "closed") return null;
  const onItsWay = RelayStore.onItsWay(db, deposit.index);
  return onItsWay || demand.kind === "crossing" ? refused("busy", onItsWay) : null;
}

/** The page's sentence for its payer. */
const sentences = {
  off: "signPlain",
  closed: "signClosed",
  unpriced: "signUnpriced",
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

/** Responds to a rejected authorisation; its `message` is for the payer on this network's page. */
export function refusalProblem(
  { code, retryAfterSec }: RelayRefusal,
  locale: Locale,
  network: string,
): Response {
  const message = locale.say(sentences[code], { network });
  return problem(code, refusals[code], { message, retryAfterSec });
}

const closed = { additionalProperties: false, wants: "a JSON object" } as const;
const address = Type.String({ pattern: Address.pattern, wants: Address.wanted });
const hex = (digits: string, wants: string) => Type.String({ pattern: `^0x[0-9a-fA-F]${digits}$`, wants });
/** Whole numbers as EIP-712 writes them in JSON, at most 256 bits. */
const whole = Type.String({ pattern: "^[0-9]{1,78}$", wants: "a whole number as text" });
const seconds = Type.String({ pattern: "^[0-9]{1,15}$", wants: "Unix seconds as text" });

/** The body of POST …/authorization. */
const AuthorizationRequest = Type.Object(
  {
    payer: meaning("whose USDC pays", address),
    value: Type.Optional(
      meaning("what the payer was shown, in micro-USDC; refused when another amount is due", whole),
    ),
  },
  closed,
);

/** The body of POST …/relay. */
const RelayRequest = Type.Object(
  {
    authorization: Type.Object(
      {
        from: address,
        to: address,
        value: meaning("in micro-USDC", whole),
        validAfter: seconds,
        validBefore: seconds,
        nonce: hex("{64}", "32 bytes: 0x and 64 hex digits"),
      },
      { ...closed, means: "the message of the typed data" },
    ),
    // A contract's signature is the longest: the relayer rejects longer ones.
    signature: meaning("of the typed data", hex("{2,16000}", "0x and hex digits")),
  },
  closed,
);

function parseAuthorizationRequest(body: unknown): Parsed<{ payer: Address.Address; value: bigint | null }> {
  const parsed = parse(AuthorizationRequest, body);
  if (!parsed.ok) return parsed;
  const { payer, value } = parsed.value;
  return {
    ok: true,
    value: { payer: Address.checksum(payer), value: value === undefined ? null : BigInt(value) },
  };
}

function parseRelayRequest(body: unknown): Parsed<{ auth: TransferTerms; signature: Hex }> {
  const parsed = parse(RelayRequest, body);
  if (!parsed.ok) return parsed;
  const { authorization, signature } = parsed.value;
  const auth: TransferTerms = {
    from: Address.checksum(authorization.from),
    to: Address.checksum(authorization.to),
    amount: BigInt(authorization.value),
    validAfterSec: Number(authorization.validAfter),
    validBeforeSec: Number(authorization.validBefore),
    nonce: authorization.nonce.toLowerCase() as Hex,
  };
  return { ok: true, value: { auth, signature: signature as Hex } };
}

function parse<S extends TObject>(schema: S, body: unknown): Parsed<Static<S>> {
  const present = withoutNulls(schema, body);
  const faults = shapeFaults(schema, present);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: present as Static<S> };
}
