import { faceOf, type Receivable } from "../../domain/receivable/receivable.ts";
import { unsentReason } from "../../http/invoices/records.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Caller, Trial } from "../../invoicing/once.ts";
import type { Outcome, Refusal } from "../../invoicing/outcome.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import type { Gate } from "../gate.ts";
import { doneAt, pagesOfOne } from "../one.ts";
import type { ConfirmProps } from "../parts/form/confirm-page.tsx";
import { line } from "../parts/form/controls.tsx";
import { typedText } from "../parts/form/form.tsx";
import { formOf } from "../parts/form/rows.ts";
import type { DoneText } from "../parts/page/desk-frame.ts";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { receivableHref } from "../parts/place.ts";
import { redeliver } from "./hooks.tsx";
import type { Feedback } from "./timeline.tsx";

/** These forms may be sent twice: it does no harm, or is intended. */
export const noKey = { key: null };

/** A field of one line with a question. */
const textControl = line({ dir: "auto", autocomplete: "off" });

export const reasonForm = (hint: TextKey) =>
  formOf({ reason: { label: "reason", hint, control: textControl, fault: "faultVoidReason" } });

/** Not named `note`: as a dialog, it opens over a page that already has a field for a note. */
const markForm = formOf({
  how: {
    label: "markNote",
    hint: "markNoteHint",
    optional: true,
    control: textControl,
    fault: "faultMarkNote",
  },
});

type UseCase<R> = (receivable: R, input: unknown, by: Caller & Trial) => Promise<Outcome<unknown>>;

type Noun<R extends Receivable> = {
  /** By its name. */
  path: string;
  kind: R["kind"];
  find(visit: Visit): R | null;
  show(visit: Visit, receivable: R, told?: Feedback): string;
  mark: UseCase<R>;
  comment: UseCase<R>;
  /** The question before it counts as paid. */
  askMark(locale: Locale, receivable: R): Omit<ConfirmProps, "frame" | "action">;
  did: { mark: DoneText; unmark: DoneText };
};

/** Actions common to invoices and links; returns a function to add more for one of them. */
export function receivableActions<R extends Receivable>(deps: HttpDeps, gate: Gate, noun: Noun<R>) {
  const { path, kind, find, show, did } = noun;
  const one = pagesOfOne(gate, find);

  const done = (receivable: R, did: DoneText) =>
    doneAt(receivableHref(receivable), did, faceOf(receivable).name);

  /** For a form from an outdated page. */
  const refused = (visit: Visit, receivable: R, refusal: Refusal): FormOutcome =>
    show(visit, find(visit) ?? receivable, { problem: problemOf(refusal, visit.frame.locale) });

  /** Responds with the outcome; `again` shows the form again if its input is invalid. */
  async function answer(
    visit: Visit,
    receivable: R,
    outcome: Promise<Outcome<unknown>>,
    did: DoneText,
    again?: () => string,
  ): Promise<FormOutcome> {
    const became = await outcome;
    if (became.ok) return done(receivable, did);
    if (again && became.refusal.kind === "invalid") return again();
    return refused(visit, receivable, became.refusal);
  }

  one.confirmed(`${path}/mark`, "close", `${kind}.mark`, {
    form: markForm,
    ask: ({ frame }, receivable) => ({ ...noun.askMark(frame.locale, receivable), isDanger: false }),
    does: (visit, receivable, { typed: { how: note }, again }) =>
      answer(visit, receivable, noun.mark(receivable, { as: "paid", note }, noKey), did.mark, () =>
        again([{ field: "how" }]),
      ),
  });
  one.action(`${path}/unmark`, "close", `${kind}.unmark`, (visit, receivable) =>
    answer(visit, receivable, noun.mark(receivable, { as: "unpaid" }, noKey), did.unmark),
  );
  one.action(`${path}/note`, "issue", `${kind}.note`, (visit, receivable, form) => {
    const note = typedText(form, "note");
    const faults = [{ field: "note", message: visit.frame.locale.say("faultNote") }];
    return answer(visit, receivable, noun.comment(receivable, { text: note }, noKey), "didAddNote", () =>
      show(visit, receivable, { note, faults }),
    );
  });
  one.action(`${path}/redeliver`, "issue", "webhook.redeliver", (_, receivable, form) => {
    redeliver(deps, receivable, form);
    return done(receivable, "didRedeliver");
  });
  return { ...one, done, refused, answer };
}

/** Returns what to say of a mail sent by hand that may not have arrived; null if it was sent. */
export function mailProblem(
  outcome: Parameters<typeof unsentReason>[0],
  { say }: Locale,
  instead?: string,
): string | null {
  if (outcome.kind === "unknown") return say("mailUncertain", { why: `${outcome.reason}.` });
  const why = unsentReason(outcome, instead);
  return why === null ? null : say("mailNotSent", { why });
}

export function problemOf(refusal: Refusal, { say }: Locale): string {
  if (refusal.kind === "too_many_mails") return say("tooManyTries");
  if (refusal.kind === "changed") return say("refundChanged");
  const why = "why" in refusal ? refusal.why : null;
  if (why === "closed") return say("booksAreClosed");
  if (why === "closed_mark") return say("booksAreClosedMark");
  return say(why === "unread" ? "chainUnread" : "notDone");
}
