import { type Static, type TArray, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import type { Fault } from "../problem/problem.ts";

/** Faults named in an answer; a body has room for many more wrong fields. */
const faultsMax = 100;
const fieldLengthMax = 200;

/** The schema of a text that is one of these; `wants` says so to a caller. */
export const oneOf = <T extends string>(values: readonly T[], wants: string) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { wants },
    ),
  );

/** A body without the optional fields of `schema` that are null, in its parts too: null means absent. */
export function withoutNulls(schema: TSchema, body: unknown): unknown {
  if (Array.isArray(body))
    return isArray(schema) ? body.map((item) => withoutNulls(schema.items, item)) : body;
  if (typeof body !== "object" || body === null || !isObject(schema)) return body;
  const { properties, required } = schema;
  const present = Object.entries(body).flatMap(([name, value]) => {
    const part = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (part === undefined) return [[name, value]];
    return value === null && !required?.includes(name) ? [] : [[name, withoutNulls(part, value)]];
  });
  return Object.fromEntries(present);
}

const isArray = (schema: TSchema): schema is TArray => schema["type"] === "array";
const isObject = (schema: TSchema): schema is TObject => "properties" in schema;

/**
 * Compares a body with a schema and names every field at fault, each once. A schema says what it wants in its
 * `wants` ("must be …").
 */
export function shapeFaults(schema: TSchema, body: unknown): Fault[] {
  // Naming what is wrong takes three times as long, and most bodies are right.
  if (Value.Check(schema, body)) return [];
  const faults = new Map<string, string>();
  for (const error of Value.Errors(schema, body)) {
    const field = fieldName(error.path);
    if (!faults.has(field)) faults.set(field, messageOf(error));
    if (faults.size >= faultsMax) break;
  }
  return [...faults].map(([field, message]) => ({ field, message }));
}

function messageOf(error: ValueError): string {
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return "is required";
    case ValueErrorType.ObjectAdditionalProperties:
      return "is not a known field";
    default:
      return typeof error.schema["wants"] === "string" ? `must be ${error.schema["wants"]}` : error.message;
  }
}

/** `/line_items/0/quantity` → `line_items[0].quantity`. The body itself is called `body`. */
export function fieldName(path: string): string {
  const name = path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join("");
  return (name || "body").slice(0, fieldLengthMax);
}

/** What is read from one field: its value, or why it cannot be taken, as the end of a sentence. */
export type Reading<T> = { ok: true; value: T } | { ok: false; message: string };

export type FieldReader = {
  /** Every fault so far. */
  readonly faults: readonly Fault[];
  /**
   * Parses one field that has the right shape. A field with a fault already, or inside of one, is not looked at.
   * Undefined means that there is a fault, or that an optional field is absent.
   */
  read<In, Out>(
    field: string,
    value: In | undefined | null,
    parse: (value: In) => Reading<Out>,
  ): Out | undefined;
  add(field: string, message: string): void;
};

export function createFieldReader(shape: Fault[]): FieldReader {
  const faults = [...shape];
  const isFaulty = (field: string) =>
    faults.some((fault) => fault.field === field || isInside(field, fault.field));
  return {
    faults,
    read(field, value, parse) {
      if (isFaulty(field) || value === undefined || value === null) return undefined;
      const reading = parse(value);
      if (reading.ok) return reading.value;
      faults.push({ field, message: reading.message });
      return undefined;
    },
    add(field, message) {
      if (!isFaulty(field)) faults.push({ field, message });
    },
  };
}

/**
 * What a body has of `schema`, with a reader of its fields that knows of every fault in its shape, and of those that were
 * found before.
 */
export function readBody<S extends TObject>(
  schema: S,
  body: unknown,
  before: readonly Fault[] = [],
): { reader: FieldReader; fields: Partial<Static<S>> } {
  const present = withoutNulls(schema, body);
  const reader = createFieldReader([...before, ...shapeFaults(schema, present)]);
  // Where the shape is wrong the reader does not look, so the rest has the schema's type.
  const fields = typeof present === "object" && present !== null ? present : {};
  return { reader, fields };
}

function isInside(field: string, container: string): boolean {
  return field.startsWith(`${container}.`) || field.startsWith(`${container}[`);
}
