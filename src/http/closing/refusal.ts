import type * as Closing from "../../domain/closing.ts";
import { type ProblemCode, problem } from "../problem/problem.ts";

/** Why an invoice or a link cannot be voided, marked or mailed, and what to do instead. */

const reasons = {
  received: [
    "void_refused",
    "has received money, so it cannot be voided. Settle the difference with the payer, then mark it as paid if nothing more is owed.",
  ],
  marked: ["void_refused", "is marked as paid. If it was not paid, mark it as unpaid first, then void it."],
  void: ["is_void", "is void, which is final. Create a new one if something is owed after all."],
  paid: ["mark_refused", "is paid: all of the money has arrived. There is nothing to mark."],
  credited: ["mark_refused", "is credited in full: nothing is left to pay, so it stays as it is."],
  unchanged: ["mark_refused", "is marked so already. There is nothing to do."],
} as const satisfies Record<Closing.ClosingRefusal, readonly [ProblemCode, string]>;

export function refusalText(refusal: Closing.ClosingRefusal, name: string): string {
  return `${name} ${reasons[refusal][1]}`;
}

/** The 409 answer; `name` is what people call it. */
export function refusalAnswer(refusal: Closing.ClosingRefusal, name: string): Response {
  return problem(reasons[refusal][0], refusalText(refusal, name));
}
