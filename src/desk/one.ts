import type { Duty } from "../domain/party/person.ts";
import type { Gate, MaybePromise } from "./gate.ts";
import { type ConfirmProps, confirmPage } from "./parts/form/confirm-page.tsx";
import type { FormFault } from "./parts/form/form.tsx";
import type { Form, Found } from "./parts/form/rows.ts";
import type { DoneText } from "./parts/page/desk-frame.ts";
import type { FormOutcome, Visit } from "./parts/page/visit.ts";

/** Returns the result of a form about one thing, which the thing's page then reports. */
export const doneAt = (to: string, did: DoneText, subject: string): FormOutcome => ({
  kind: "done",
  to,
  did,
  subject,
});

/** An action that follows a question. */
type ConfirmedAction<T, Name extends string> = {
  ask(visit: Visit, thing: T): Omit<ConfirmProps, "frame" | "faults" | "proof" | "action">;
  /** Fields to fill in with it. */
  form?: Form<Name>;
  /** The purpose of a proof, if one is required. */
  purpose?(thing: T): string;
  does(visit: Visit, thing: T, sent: Submission<Name>): MaybePromise<FormOutcome | null>;
};

type Submission<Name extends string> = {
  typed: Record<Name, string>;
  /** Asks again, because of a field. */
  again(found: readonly Found[]): string;
  /** Asks again, because it cannot be done. */
  refuse(message: string): string;
};

/** Adds pages and forms about one thing, which `find` finds by the path; not found without it. */
export const pagesOfOne = <T extends object>(gate: Gate, find: (visit: Visit) => T | null) => {
  const page = (
    path: string,
    duty: Duty,
    show: (visit: Visit, found: T) => MaybePromise<string | Response | null>,
  ): void =>
    gate.page(path, duty, (visit) => {
      const found = find(visit);
      return found && show(visit, found);
    });

  const action = (
    path: string,
    duty: Duty,
    actionName: string,
    does: (visit: Visit, found: T, form: URLSearchParams) => MaybePromise<FormOutcome | null>,
  ): void =>
    gate.action(path, duty, actionName, async (visit, form) => {
      const found = find(visit);
      return found && does(visit, found, form);
    });

  /** Adds a question at a path, and what its form does. */
  function confirmed<Name extends string = never>(
    path: string,
    duty: Duty,
    actionName: string,
    { ask, form, purpose, does }: ConfirmedAction<T, Name>,
  ): void {
    const nothing = {} as Record<Name, string>;
    function show(
      visit: Visit,
      thing: T,
      typed = form?.empty ?? nothing,
      faults: readonly FormFault[] = [],
    ): string {
      const { frame, request } = visit;
      const field = form?.names.map((name) => form.fields({ frame, typed, faults })(name));
      return confirmPage({
        ...(field && { field }),
        ...ask(visit, thing),
        frame,
        faults,
        proof: purpose === undefined ? { kind: "none" } : gate.proving.ask(visit, purpose(thing)),
        action: new URL(request.url).pathname,
      });
    }
    page(path, duty, (visit, thing) => show(visit, thing));
    action(path, duty, actionName, async (visit, thing, sent) => {
      const { locale } = visit.frame;
      const typed = form?.read(sent, locale) ?? nothing;
      const fault = purpose === undefined ? null : await gate.proving.check(visit, purpose(thing), sent);
      if (fault !== null) return show(visit, thing, typed, [fault]);
      return does(visit, thing, {
        typed,
        again: (found) => show(visit, thing, typed, form?.faults(found, locale)),
        refuse: (message) => show(visit, thing, typed, [{ field: "confirm", message }]),
      });
    });
  }

  return { page, action, confirmed };
};
