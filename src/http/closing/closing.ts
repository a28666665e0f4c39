import type * as Event from "../../domain/event/event.ts";
import type { JsonAnswer } from "../access/idempotency.ts";
import type { HttpDeps } from "../deps.ts";
import { validationProblem } from "../problem/problem.ts";
import { type ParsedClosing, parseMarkRequest, parseVoidRequest } from "./closing-request.ts";
import { refusalAnswer } from "./refusal.ts";

type ClosingCall = {
  request: Request;
  body: unknown;
  /** The invoice or link. */
  target: { depositIndex: number; name: string };
};

type Call = (request: ClosingCall) => Promise<Response>;

/** A merchant declares that an invoice or a link is no longer owed. `recordOf` is a deposit's full record. */
export function closingCalls(
  deps: Pick<HttpDeps, "idempotent" | "close">,
  kind: Event.Kind,
  recordOf: (depositIndex: number) => object,
): { void: Call; mark: Call } {
  const answer = (depositIndex: number): JsonAnswer => ({ status: 200, body: recordOf(depositIndex) });
  const call = (parse: (body: unknown) => ParsedClosing): Call =>
    deps.idempotent<ClosingCall>(
      async ({ body, target: { depositIndex, name } }, claim) => {
        const parsed = parse(body);
        if (!parsed.ok) return validationProblem(parsed.faults);
        const refusal = await deps.close({ kind, depositIndex }, parsed.closing, claim);
        return refusal === null ? answer(depositIndex) : refusalAnswer(refusal, name);
      },
      (depositIndex) => answer(Number(depositIndex)),
    );
  return { void: call(parseVoidRequest), mark: call(parseMarkRequest) };
}
