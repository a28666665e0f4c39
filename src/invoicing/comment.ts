import type { Kind } from "../domain/receivable/common.ts";
import { newId } from "../lib/crypto.ts";
import { note } from "../store/announce.ts";
import type { Db } from "../store/database.ts";
import { stored } from "../store/group-commit.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as EventStore from "../store/tables/outbox/event.ts";
import type { Caller, Once } from "./once.ts";
import { done, existing, invalid, type Outcome } from "./outcome.ts";
import { parseComment } from "./request/closing.ts";

export type Comment = (
  subject: { kind: Kind; depositIndex: number },
  input: unknown,
  by: Caller,
) => Promise<Outcome<EventStore.ListedEvent>>;

/** Stores a merchant's note on an invoice or a link, as an event that only the merchant can read. */
export function createCommenting({ once, db, now }: { once: Once; db: Db; now: () => number }): Comment {
  const read = (id: string) => existing(EventStore.byId(db, id));
  return (subject, input, { key }) =>
    once(
      key,
      ["comment", subject, input],
      async (claim) => {
        const parsed = parseComment(input);
        if (!parsed.ok) return invalid(parsed.faults);
        const at = now();
        const id = await stored(db, () => {
          const data = { text: parsed.value };
          const id = note(db, subject, { type: "commented", occasion: newId("comment"), data, at });
          if (claim) IdempotencyStore.insert(db, claim, existing(id), at);
          return existing(id);
        });
        return done(read(id));
      },
      read,
    );
}
