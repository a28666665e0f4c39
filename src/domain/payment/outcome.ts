import * as Usdc from "../usdc.ts";

/** How the confirmed money of a deposit compares with the expected amount. */
export type Outcome = "none" | "partial" | "full" | "excess";

/** Amounts in micro-USDC. A payment short by at most `tolerance` counts as full. */
export type Amounts = { expected: Usdc.Usdc; received: Usdc.Usdc; tolerance: Usdc.Usdc };

/**
 * Compares in micro-USDC: without a tolerance one millionth less is `partial` (SPEC sections 3.1 and 3.3). Less than a
 * cent, which shows as 0.00, makes no difference: it neither counts as a payment nor as an excess.
 */
export function compare({ expected, received, tolerance }: Amounts): Outcome {
  if (!Usdc.shows(received)) return "none";
  if (Usdc.shows(Usdc.remaining(received, expected))) return "excess";
  return received >= expected - tolerance ? "full" : "partial";
}

/** Returns whether it is fully paid, or overpaid. */
export function isAll(facts: Amounts): boolean {
  const outcome = compare(facts);
  return outcome === "full" || outcome === "excess";
}

/** The amount still to be paid; zero when what arrived counts as full payment. */
export function remaining(facts: Amounts): Usdc.Usdc {
  if (compare(facts) === "full") return Usdc.zero;
  return Usdc.remaining(facts.expected, Usdc.shown(facts.received));
}

/** One tenth, so that a tiny payment never settles even a small amount. */
const toleranceShare = 10n;

/** The tolerance of a deposit: what the merchant allows, but at most a tenth of the amount due. */
export function toleranceOf(expected: Usdc.Usdc, allowed: Usdc.Usdc): Usdc.Usdc {
  const most = expected / toleranceShare;
  return Usdc.fromMicro(allowed < most ? allowed : most);
}
