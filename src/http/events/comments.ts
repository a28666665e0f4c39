import { Type } from "@sinclair/typebox";
import type * as Event from "../../domain/event/event.ts";
import { newId } from "../../lib/crypto/id.ts";
import { note } from "../../store/announce.ts";
import { stored, transactTogether } from "../../store/group-commit.ts";
import * as IdempotencyStore from "../../store/tables/installation/idempotency.ts";
import * as EventStore from "../../store/tables/outbox/event.ts";
import { existing, type JsonAnswer } from "../access/idempotency.ts";
import type { HttpDeps } from "../deps.ts";
import * as Field from "../fields/request-fields.ts";
import { readBody } from "../fields/validation.ts";
import { validationProblem } from "../problem/problem.ts";
import { eventRecord } from "./events.ts";

/** The body of POST …/comments. */
export const CommentRequest = Type.Object(
  { text: Field.meaning("for the merchant alone", Field.text(1, 2000)) },
  { additionalProperties: false, wants: "a JSON object" },
);

type Context = { request: Request; body: unknown; kind: Event.Kind; depositIndex: number };

/** Stores a merchant's note on an invoice or a link, as an event that only the merchant can read. */
export function createCommenter({ db, now, idempotent }: Pick<HttpDeps, "db" | "now" | "idempotent">) {
  const created = (id: string): JsonAnswer => ({
    status: 201,
    body: eventRecord(existing(EventStore.byId(db, id))),
  });
  return idempotent<Context>(async ({ body, ...subject }, claim) => {
    const { reader, fields } = readBody(CommentRequest, body);
    const comment = reader.read("text", fields.text, Field.plainLines);
    if (comment === undefined) return validationProblem([...reader.faults]);
    const at = now();
    const id = await stored(() =>
      transactTogether(db, () => {
        const happening = {
          type: "commented",
          occasion: newId("comment"),
          data: { text: comment },
          at,
        } as const;
        const id = existing(note(db, subject, happening));
        if (claim) IdempotencyStore.insert(db, claim, id, at);
        return id;
      }),
    );
    return created(id);
  }, created);
}
