import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Payable } from "../../domain/payment/relay.ts";
import type { Kind } from "../../domain/receivable/common.ts";
import { faces } from "../../domain/receivable/faces.ts";
import * as Usdc from "../../domain/usdc.ts";
import { otherChain } from "../../domain/wallet/elsewhere.ts";
import { shapeFaults } from "../../invoicing/request/validation.ts";
import type { Hex } from "../../lib/crypto.ts";
import { deliveryOf } from "../../watch/crossing/crossings.ts";
import { localeOf } from "../answer/html.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import type { AppDeps } from "../route/app-deps.ts";
import { smallJsonBody } from "../route/body.ts";
import { busyWith, refusalProblem } from "./relay.ts";
import { payableBySlug } from "./x402/subject.ts";

const steps = ["crossing", "crossed", "delivery"] as const;
type Step = (typeof steps)[number];
const pathsOf = (step: Step) => ({ invoice: `/i/:slug/${step}`, link: `/pay/:slug/${step}` }) as const;

/** Paths where a payer's wallet learns what to send from another network, and says what it sent, without a key. */
export const crossingPaths: ReadonlySet<string> = new Set(
  steps.flatMap((step) => Object.values(pathsOf(step))),
);

type Call = { params: { slug: string }; request: Request; body: unknown };
type Asked = Payable & { request: Request; chainId: number; txHash: Hex | null };

/** Where a page's payer pays from another network. Nothing that is said here pays anything. */
export function crossingRoutesOf(deps: AppDeps) {
  const { config, db } = deps;
  const { network } = config;
  const { label: home } = network;

  async function terms({ deposit, demand, request, chainId }: Asked): Promise<Response> {
    const locale = localeOf(request, config.language);
    const busy = busyWith(db, { deposit, demand });
    if (busy) return refusalProblem(busy, locale, home);
    if (demand.kind !== "open")
      return problem("closed", "Nothing is due here.", { message: locale.say("signClosed") });
    const chain = otherChain(network.name, chainId);
    const found = chain && (await deps.crossings()?.terms(chain, demand.amount, deposit.address));
    const label = chain?.label ?? String(chainId);
    if (!found)
      return problem("node_unreachable", "USDC cannot be brought here from that network just now.", {
        message: locale.say("crossUnavailable", { network: label, home }),
        retryAfterSec: 60,
      });
    const { amount, fee, approve, burn } = found;
    const figure = (micro: Usdc.Usdc) => locale.figure(Usdc.formatExact(micro));
    const said = { amount: figure(amount), fee: figure(fee), network: label, home };
    return Response.json({
      chain_id: chainId,
      network: label,
      coin: chain.coin,
      usdc: chain.usdc,
      due: `${demand.amount}`,
      amount: `${amount}`,
      approve,
      burn,
      sentence: locale.say("crossTerms", said),
    });
  }

  async function tell({ deposit, chainId, txHash }: Asked): Promise<Response> {
    const crossings = deps.crossings();
    const isKnown = crossings?.chains.some((chain) => chain.chainId === chainId) === true;
    if (!crossings || !isKnown || txHash === null)
      return problem("not_found", "There is no such transaction.");
    return (await crossings.tell({ depositIndex: deposit.index, chainId, txHash }))
      ? Response.json({}, { status: 202 })
      : problem("rate_limited", "Too many transactions were named of which nothing is known.");
  }

  function deliver({ deposit }: Asked): Response {
    const call = deliveryOf(db, network, deposit.index);
    return call ? Response.json(call) : problem("not_found", "Nothing is there to be delivered.");
  }

  const answers = { crossing: terms, crossed: tell, delivery: deliver };

  function answer(step: Step, kind: Kind, { params: { slug }, request, body }: Call) {
    const faults = step === "delivery" ? [] : shapeFaults(CrossingRequest, body);
    if (faults.length > 0) return validationProblem(faults);
    const payable = payableBySlug(deps, kind, slug)();
    if (!payable) return problem("not_found", `There is no ${faces[kind].noun} with this slug.`);
    const { chain_id: chainId = 0, tx_hash } = (body ?? {}) as Partial<Static<typeof CrossingRequest>>;
    const txHash = (tx_hash?.toLowerCase() ?? null) as Hex | null;
    return answers[step]({ ...payable, request, chainId, txHash });
  }

  const app = new Elysia();
  for (const step of steps)
    for (const [kind, path] of Object.entries(pathsOf(step)))
      app.post(path, (context) => answer(step, kind as Kind, context as Call), smallJsonBody);
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
