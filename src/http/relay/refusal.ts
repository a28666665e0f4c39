import type { Locale, TextKey } from "../../language/locale.ts";
import { type RefusalCode, type RelayRefusal, refusals } from "../../settle/relay/refusal.ts";
import { problem } from "../problem/problem.ts";

/** What a payer of a page is told. */
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

/** The answer to an authorisation that is not taken; its `message` is for the payer of a page on this network. */
export function refusalProblem(
  { code, retryAfterSec }: RelayRefusal,
  locale: Locale,
  network: string,
): Response {
  const headers = retryAfterSec === null ? {} : { "retry-after": String(retryAfterSec) };
  return problem(code, refusals[code], { message: locale.say(sentences[code], { network }), headers });
}
