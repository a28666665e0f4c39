import type { Duty } from "../domain/party/person.ts";
import type { FormOutcome, Gate, Visit } from "./gate.ts";

type MaybePromise<T> = T | Promise<T>;

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
