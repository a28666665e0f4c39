import { Type } from "@sinclair/typebox";
import { type Closing, marks } from "../../domain/closing.ts";
import type { Fault } from "../outcome.ts";
import * as Field from "./fields.ts";
import { type FieldReader, oneOf, readBody } from "./validation.ts";

const noteLengthMax = 500;

/** The body of POST …/void. */
export const VoidRequest = Type.Object(
  { reason: Field.reason },
  { additionalProperties: false, wants: "a JSON object" },
);

/** The body of POST …/mark. */
export const MarkRequest = Type.Object(
  {
    as: Field.meaning(
      "paid: by bank or in cash, for example; unpaid: takes that back",
      oneOf(marks, '"paid" or "unpaid"'),
    ),
    note: Type.Optional(Field.meaning("for you alone, in the events", Field.text(0, noteLengthMax))),
  },
  { additionalProperties: false, wants: "a JSON object" },
);

type ParsedClosing<Kind = Closing> = { ok: true; closing: Kind } | { ok: false; faults: Fault[] };

export function parseVoidRequest(body: unknown): ParsedClosing<Extract<Closing, { kind: "void" }>> {
  const { reader, fields } = readBody(VoidRequest, body);
  const reason = reader.read("reason", fields.reason, Field.plainLines);
  if (reader.faults.length > 0 || reason === undefined) return refused(reader);
  return { ok: true, closing: { kind: "void", reason } };
}

export function parseMarkRequest(body: unknown): ParsedClosing {
  const { reader, fields } = readBody(MarkRequest, body);
  const note = reader.read("note", fields.note || undefined, Field.plainLines) ?? null;
  if (reader.faults.length > 0 || fields.as === undefined) return refused(reader);
  return { ok: true, closing: { kind: "mark", as: fields.as, note } };
}

const refused = ({ faults }: FieldReader): Extract<ParsedClosing, { ok: false }> => ({
  ok: false,
  faults: [...faults],
});

/** The body of POST …/comments. */
export const CommentRequest = Type.Object(
  { text: Field.meaning("for the merchant alone", Field.text(1, 2000)) },
  { additionalProperties: false, wants: "a JSON object" },
);

type ParsedComment = { ok: true; text: string } | { ok: false; faults: readonly Fault[] };

export function parseComment(body: unknown): ParsedComment {
  const { reader, fields } = readBody(CommentRequest, body);
  const text = reader.read("text", fields.text, Field.plainLines);
  return text === undefined ? { ok: false, faults: [...reader.faults] } : { ok: true, text };
}
