import { Type } from "@sinclair/typebox";
import { type Closing, marks } from "../../domain/receivable/closing.ts";
import * as Field from "./fields.ts";
import { bodyOf, oneOf, type Parsed, readBody } from "./validation.ts";

const noteLengthMax = 500;

/** The body of POST …/void. */
export const VoidRequest = bodyOf("VoidRequest", { reason: Field.reason });

/** The body of POST …/mark. */
export const MarkRequest = bodyOf("MarkRequest", {
  as: Field.meaning(
    "paid: by bank or in cash, for example; unpaid: takes that back",
    oneOf(marks, '"paid" or "unpaid"'),
  ),
  note: Type.Optional(Field.meaning("for you alone, in the events", Field.text(0, noteLengthMax))),
});

export function parseVoidRequest(body: unknown): Parsed<Extract<Closing, { kind: "void" }>> {
  const { reader, fields } = readBody(VoidRequest, body);
  const reason = reader.read("reason", fields.reason, Field.plainLines);
  if (reader.faults.length > 0 || reason === undefined) return reader.refused();
  return { ok: true, value: { kind: "void", reason } };
}

export function parseMarkRequest(body: unknown): Parsed<Closing> {
  const { reader, fields } = readBody(MarkRequest, body);
  const note = reader.read("note", fields.note || undefined, Field.plainLines) ?? null;
  if (reader.faults.length > 0 || fields.as === undefined) return reader.refused();
  return { ok: true, value: { kind: "mark", as: fields.as, note } };
}

/** The body of POST …/comments. */
export const CommentRequest = bodyOf("CommentRequest", {
  text: Field.meaning("for the merchant alone", Field.text(1, 2000)),
});

export function parseComment(body: unknown): Parsed<string> {
  const { reader, fields } = readBody(CommentRequest, body);
  const text = reader.read("text", fields.text, Field.plainLines);
  if (reader.faults.length > 0 || text === undefined) return reader.refused();
  return { ok: true, value: text };
}
