import type { Usdc } from "./usdc.ts";

/** How the confirmed money of a deposit compares with what was asked for. */
export type Outcome = "none" | "partial" | "exact" | "excess";

/** Compares exactly, in micro-USDC: one millionth below is `partial` (SPEC sections 3.1 and 3.3). */
export function compare(expected: Usdc, received: Usdc): Outcome {
  if (received === 0n) return "none";
  if (received === expected) return "exact";
  return received < expected ? "partial" : "excess";
}
