import type { Db } from "../../../store/database.ts";
import * as DraftStore from "../../../store/tables/desk/draft.ts";
import * as IdempotencyStore from "../../../store/tables/installation/idempotency.ts";
import { seenOf } from "../../parts/form/form-key.ts";
import type { Visit } from "../../parts/page/visit.ts";
import { type KeptForm, keptForm, savedForm } from "./typed.ts";

/** The drafts behind forms, which several people may have open. */

type Drafted = { draft: DraftStore.Draft | null };

/** Returns the draft behind a form. Once deleted, its id may be another's. */
export function draftOf(db: Db, { frame }: Visit, form: URLSearchParams): DraftStore.Draft | null {
  const draft = DraftStore.find(db, form.get("draft"));
  return draft !== null && keptForm(draft, frame.locale).key === form.get("key") ? draft : null;
}

/** Returns the key of the request that a form makes. */
export const requestKey = ({ key }: Pick<KeptForm, "key">) => `desk-${key}`;

/** Identifies what a draft holds. */
export const seenIn = ({ form }: DraftStore.Draft) => seenOf({ form });

export const isGone = ({ draft }: Drafted, form: URLSearchParams) => draft === null && form.has("draft");

/** Returns what became of the draft since its form was shown; null if nothing, or what the form asks for. */
export function outdated(
  db: Db,
  { frame, now }: Visit,
  form: URLSearchParams,
  shown: KeptForm & Drafted,
): "gone" | "changed" | null {
  const { draft } = shown;
  if (draft !== null) {
    const isSeen = form.get("seen") === seenIn(draft);
    return isSeen || savedForm(shown, frame.locale.decimalMark) === draft.form ? null : "changed";
  }
  const as = form.get("as") ?? "";
  // Dropped twice, it is gone already; sent twice, its key leads to the invoice.
  if (!isGone(shown, form) || as === "drop") return null;
  const isMade = IdempotencyStore.find(db, requestKey(shown), now) !== null;
  return isMade && as !== "draft" && as !== "repeat" ? null : "gone";
}

export function drop(db: Db, { draft }: Drafted): void {
  if (draft !== null) DraftStore.remove(db, draft.id);
}
