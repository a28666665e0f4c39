import { Type } from "@sinclair/typebox";
import type { Fault } from "../outcome.ts";
import * as Field from "./fields.ts";
import { readBody } from "./validation.ts";

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
