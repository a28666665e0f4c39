import { may } from "../../domain/party/person.ts";
import * as Closing from "../../domain/receivable/closing.ts";
import type { Receivable } from "../../domain/receivable/receivable.ts";
import type { Visit } from "./page/visit.ts";

/** Returns what this visitor can declare now: that it is void, paid elsewhere, or not paid after all. */
export function closingsOf(receivable: Receivable, { role }: Visit["who"]) {
  const { deposit } = receivable;
  const facts = { ...receivable, ...deposit, given: deposit.refunded + deposit.refunding };
  const isPossible = (closing: Closing.Closing) =>
    may(role, "close") && Closing.refusal(closing, facts) === null;
  return {
    void: receivable.voidedAt === null && isPossible({ kind: "void", reason: "" }),
    mark: isPossible({ kind: "mark", as: "paid", note: null }),
    unmark: isPossible({ kind: "mark", as: "unpaid", note: null }),
  };
}
