import type { Duty } from "../domain/party/person.ts";
import type { Gate, MaybePromise } from "./gate.ts";
import type { DeedText } from "./parts/page/desk-frame.ts";
import type { FormOutcome, Visit } from "./parts/page/visit.ts";

/** What a form did with one thing, which its page says. */
export const doneAt = (to: string, did: DeedText, subject: string): FormOutcome => ({
  kind: "done",
  to,
  did,
  subject,
});

/** The pages and forms of one thing, which `find` finds by the path; without it there is no page. */
export const pagesOfOne = <T extends object>(gate: Gate, find: (visit: Visit) => T | null) => ({
  page(
    path: string,
    duty: Duty,
    show: (visit: Visit, found: T) => MaybePromise<string | Response | null>,
  ): void {
    gate.page(path, duty, (visit) => {
      const found = find(visit);
      return found && show(visit, found);
    });
  },

  action(
    path: string,
    duty: Duty,
    deed: string,
    does: (visit: Visit, found: T, form: URLSearchParams) => MaybePromise<FormOutcome | null>,
  ): void {
    gate.action(path, duty, deed, async (visit, form) => {
      const found = find(visit);
      return found && does(visit, found, form);
    });
  },
});
