import * as Usdc from "../usdc.ts";

/** How the confirmed money of a deposit compares with what was asked for. */
export type Outcome = "none" | "partial" | "full" | "excess";

/** Amounts in micro-USDC. A payment that is short by no more than `tolerance` counts as all of it. */
export type Amounts = { expected: Usdc.Usdc; received: Usdc.Usdc; tolerance: Usdc.Usdc };

/**
 * Compares in micro-USDC: without a tolerance one millionth below is `partial` (SPEC sections 3.1 and 3.3). What shows as
 * 0.00 decides nothing: less than a cent has paid nothing, and less than a cent above is no excess.
 */
export function compare({ expected, received, tolerance }: Amounts): Outcome {
  if (!Usdc.shows(received)) return "none";
  if (Usdc.shows(Usdc.remaining(received, expected))) return "excess";
  return received >= expected - tolerance ? "full" : "partial";
}

/** Whether all of it has come, or more. */
export function isAll(facts: Amounts): boolean {
  const outcome = compare(facts);
  return outcome === "full" || outcome === "excess";
}

/** What is still to be paid; zero when what has arrived counts as all of it. */
export function remaining(facts: Amounts): Usdc.Usdc {
  if (compare(facts) === "full") return Usdc.zero;
  return Usdc.remaining(facts.expected, Usdc.shown(facts.received));
}

/** A tenth: nothing is ever paid with next to nothing, however small the amount that is due. */
const toleranceShare = 10n;

/** The tolerance of a deposit: what the merchant allows, and at most a tenth of what is due. */
export function toleranceOf(expected: Usdc.Usdc, allowed: Usdc.Usdc): Usdc.Usdc {
  const most = expected / toleranceShare;
  return Usdc.fromMicro(allowed < most ? allowed : most);
}
