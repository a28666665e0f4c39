import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Kind } from "../../domain/receivable/common.ts";
import { faces } from "../../domain/receivable/faces.ts";
import * as Usdc from "../../domain/usdc.ts";
import { otherChain } from "../../domain/wallet/elsewhere.ts";
import { type Parsed, shapeFaults } from "../../invoicing/request/validation.ts";
import type { Hex } from "../../lib/crypto.ts";
import { localeOf } from "../answer/html.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import type { AppDeps } from "../route/app-deps.ts";
import { smallJsonBody } from "../route/body.ts";
import { payableBySlug } from "./x402/subject.ts";

const steps = ["crossing", "crossed", "delivery"] as const;
const pathsOf = (step: (typeof steps)[number]) =>
  ({ invoice: `/i/:slug/${step}`, link: `/pay/:slug/${step}` }) as const;

/** Paths where a payer's wallet learns what to send from another network, and says what it sent, without a key. */
export const crossingPaths: ReadonlySet<string> = new Set(
  steps.flatMap((step) => Object.values(pathsOf(step))),
);

type Call = { params: { slug: string }; request: Request; body: unknown };

/** Where a page's payer pays from another network. Nothing that is said here pays anything. */
export function crossingRoutesOf(deps: AppDeps) {
  const { config } = deps;
  const unknown = (kind: Kind) => problem("not_found", `There is no ${faces[kind].noun} with this slug.`);

  async function terms(kind: Kind, { params: { slug }, request, body }: Call): Promise<Response> {
    const parsed = read(body);
    if (!parsed.ok) return validationProblem(parsed.faults);
    const payable = payableBySlug(deps, kind, slug)();
    if (!payable) return unknown(kind);
    const { deposit, demand } = payable;
    const locale = localeOf(request, config.language);
    const home = config.network.label;
    const chain = otherChain(config.network.name, parsed.value.chain_id);
    const network = chain?.label ?? String(parsed.value.chain_id);
    if (demand.kind !== "open")
      return problem("closed", "Nothing is due here.", { message: locale.say("signClosed") });
    const found = await deps.crossings()?.terms(parsed.value.chain_id, demand.amount, deposit.address);
    if (!found)
      return problem("node_unreachable", "USDC cannot be brought here from that network just now.", {
        message: locale.say("crossUnavailable", { network, home }),
        retryAfterSec: 60,
      });
    const { amount, fee, approve, burn } = found;
    const figure = (micro: Usdc.Usdc) => locale.figure(Usdc.formatExact(micro));
    return Response.json({
      chain_id: found.chain.chainId,
      network: found.chain.label,
      coin: found.chain.coin,
      usdc: found.chain.usdc,
      due: `${demand.amount}`,
      amount: `${amount}`,
      approve,
      burn,
      sentence: locale.say("crossTerms", { amount: figure(amount), fee: figure(fee), network, home }),
    });
  }

  async function tell(kind: Kind, { params: { slug }, body }: Call): Promise<Response> {
    const parsed = read(body);
    if (!parsed.ok) return validationProblem(parsed.faults);
    const { chain_id: chainId, tx_hash } = parsed.value;
    const payable = payableBySlug(deps, kind, slug)();
    if (!payable) return unknown(kind);
    const crossings = deps.crossings();
    const isKnown = crossings?.chains.some((chain) => chain.chainId === chainId) === true;
    if (!crossings || !isKnown || tx_hash === undefined)
      return problem("not_found", "There is no such transaction.");
    const txHash = tx_hash.toLowerCase() as Hex;
    const isTaken = await crossings.tell({ depositIndex: payable.deposit.index, chainId, txHash });
    return isTaken
      ? Response.json({}, { status: 202 })
      : problem("rate_limited", "Too many transactions were named of which nothing is known.");
  }

  function deliver(kind: Kind, { params: { slug } }: Call): Response {
    const payable = payableBySlug(deps, kind, slug)();
    const call = payable && deps.crossings()?.delivery(payable.deposit.index);
    return call ? Response.json(call) : problem("not_found", "Nothing is there to be delivered.");
  }

  const app = new Elysia();
  for (const [kind, path] of Object.entries(pathsOf("crossing")))
    app.post(path, (context) => terms(kind as Kind, context as Call), smallJsonBody);
  for (const [kind, path] of Object.entries(pathsOf("crossed")))
    app.post(path, (context) => tell(kind as Kind, context as Call), smallJsonBody);
  for (const [kind, path] of Object.entries(pathsOf("delivery")))
    app.post(path, (context) => deliver(kind as Kind, context as Call), smallJsonBody);
  return app.as("scoped");
}

/** The body of these calls. */
const CrossingRequest = Type.Object(
  {
    chain_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, wants: "a chain id" }),
    tx_hash: Type.Optional(
      Type.String({ pattern: "^0x[0-9a-fA-F]{64}$", wants: "32 bytes: 0x and 64 hex digits" }),
    ),
  },
  { additionalProperties: false, wants: "a JSON object" },
);

function read(body: unknown): Parsed<{ chain_id: number; tx_hash?: string }> {
  const faults = shapeFaults(CrossingRequest, body);
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, value: body as { chain_id: number; tx_hash?: string } };
}
