import {
  type Static,
  type TArray,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import { type Fault, type Why, why } from "../../language/faults.ts";

/** Maximum faults listed per answer; a body has room for many more. */
const faultsMax = 100;
const fieldLengthMax = 200;

/** The schema of one of these texts; `wants` describes it to callers. */
export const oneOf = <T extends string>(values: readonly T[], wants: string) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { wants },
    ),
  );

/** A schema that /openapi.json writes once, under this name. */
export const called = <T extends TSchema>(noun: string, schema: T): T => ({ ...schema, noun });

/** The body of a request, a JSON object with these fields. */
export const bodyOf = <T extends TProperties>(noun: string, properties: T) =>
  Type.Object(properties, { additionalProperties: false, wants: "a JSON object", noun });

/** A body without optional fields that are null, at every level: null means absent. */
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

/** The faults in a body's shape, one per field. A schema's `wants` says what it expects ("must be …"). */
export function shapeFaults(schema: TSchema, body: unknown): Fault[] {
  // Listing faults takes three times as long, and most bodies have none.
  if (Value.Check(schema, body)) return [];
  const faults = new Map<string, Fault>();
  for (const error of Value.Errors(schema, body)) {
    const field = fieldName(error.path);
    if (!faults.has(field)) faults.set(field, { field, ...whyOf(error) });
    if (faults.size >= faultsMax) break;
  }
  return [...faults.values()];
}

function whyOf({ type, schema }: ValueError): Why {
  if (type === ValueErrorType.ObjectRequiredProperty) return why("required");
  if (type === ValueErrorType.ObjectAdditionalProperties) return why("unknown_field");
  return why("shape", { wants: String(schema["wants"]) });
}

/** `/line_items/0/quantity` → `line_items[0].quantity`. The whole body is called `body`. */
export function fieldName(path: string): string {
  const name = path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("")
    .replace(/^\./, "");
  return (name || "body").slice(0, fieldLengthMax);
}

/** A field's value, or why it is rejected. */
export type Reading<T> = { ok: true; value: T } | { ok: false; why: Why };

export const reading = <T>(value: T | null, why: Why): Reading<T> =>
  value === null ? { ok: false, why } : { ok: true, value };

export type FieldReader = {
  /** Every fault so far. */
  readonly faults: readonly Fault[];
  /**
   * Parses a field of the right shape; skips one that already has a fault, on itself or around it. Returns undefined
   * after a fault, and for an absent optional field.
   */
  read<In, Out>(
    field: string,
    value: In | undefined | null,
    parse: (value: In) => Reading<Out>,
  ): Out | undefined;
  add(field: string, why: Why): void;
  /** The result for a request with faults. */
  refused(): Extract<Parsed<never>, { ok: false }>;
};

/** A parsed request, or all its faults. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

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
      faults.push({ field, ...reading.why });
      return undefined;
    },
    add(field, why) {
      if (!isFaulty(field)) faults.push({ field, ...why });
    },
    refused: () => ({ ok: false, faults: [...faults] }),
  };
}

/** Reads a body's fields by `schema`, with a reader that knows all faults in its shape, and earlier ones. */
export function readBody<S extends TObject>(
  schema: S,
  body: unknown,
  before: readonly Fault[] = [],
): { reader: FieldReader; fields: Partial<Static<S>> } {
  const present = withoutNulls(schema, body);
  const reader = createFieldReader([...before, ...shapeFaults(schema, present)]);
  // The reader skips fields of the wrong shape, so the rest has the schema's type.
  const fields = typeof present === "object" && present !== null ? present : {};
  return { reader, fields };
}

/**
 * Like `readBody`, for a change, where omitted fields stay. `cleared`: the optional fields that are null; any other
 * null is a fault.
 */
export function readChanged<S extends TObject, Name extends keyof Static<S> & string>(
  schema: S,
  body: unknown,
  clearable: readonly Name[],
): { reader: FieldReader; fields: Partial<Static<S>>; cleared: Name[] } {
  const { reader, fields } = readBody(schema, body);
  const isNull = (name: string) => (body as Record<string, unknown> | null)?.[name] === null;
  const cleared = clearable.filter(isNull);
  for (const name of Object.keys(schema.properties))
    if (isNull(name) && !cleared.some((field) => field === name)) reader.add(name, why("lasting"));
  return { reader, fields, cleared };
}

function isInside(field: string, container: string): boolean {
  return field.startsWith(`${container}.`) || field.startsWith(`${container}[`);
}
