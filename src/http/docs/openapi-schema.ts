import type { TSchema } from "@sinclair/typebox";

type Json = Record<string, unknown>;
type Example = { summary?: string; value: unknown };

/** Describes a schema in words; null if there is nothing to say. */
type Describe = (found: Record<string, unknown>) => string | null;

/** Describes what a value must be, and what its field is for. */
export function describeSchema({ wants, means }: Record<string, unknown>): string | null {
  if (typeof wants !== "string") return null;
  return typeof means === "string" ? `${wants}; ${means}` : wants;
}

/**
 * Components that the document defines once, by name, and references everywhere. In a schema, `wants` and `means`
 * become the description; `openapi` is added for programs, and replaces the checked schema if it has a type.
 */
export function createComponents(describe: Describe = describeSchema) {
  const schemas: Record<string, Json> = {};
  const examples: Record<string, Example> = {};
  const others = { parameters: {} as Record<string, object>, responses: {} as Record<string, object> };
  const exampleNames = new Map<string, string>();

  /** With `mayBeNull`, null stands for an optional field that is left out. */
  function schema(found: TSchema, mayBeNull = false): Json {
    const { noun, wants, means, ...own } = found;
    const text = describe(found);
    const description = text === null ? {} : { description: text };
    const whole = parts(own, mayBeNull);
    if (typeof noun !== "string") return { ...whole, ...description };
    if (JSON.stringify(schemas[noun] ?? whole) !== JSON.stringify(whole))
      throw new Error(`Two schemas are called ${noun}`);
    schemas[noun] = whole;
    return { $ref: `#/components/schemas/${noun}`, ...description };
  }

  function parts({ openapi, anyOf, properties, items, patternProperties, ...own }: Json, mayBeNull: boolean) {
    const override = openapi as Json | undefined;
    if (override?.["type"] !== undefined) return override;
    const required = (own["required"] ?? []) as string[];
    const fields = Object.entries((properties ?? {}) as Record<string, TSchema>).map(([name, field]) => {
      const written = schema(field, mayBeNull);
      return [name, mayBeNull && !required.includes(name) ? orNull(written) : written];
    });
    return {
      ...own,
      ...override,
      ...(properties !== undefined && { properties: Object.fromEntries(fields) }),
      ...(items !== undefined && { items: schema(items as TSchema, mayBeNull) }),
      // Only for records, whose only pattern matches any name.
      ...(patternProperties !== undefined && {
        additionalProperties: schema(Object.values(patternProperties as TSchema)[0], mayBeNull),
      }),
      ...(anyOf !== undefined && choice(anyOf as TSchema[], mayBeNull)),
    };
  }

  function choice(all: TSchema[], mayBeNull: boolean): Json {
    const some = all.filter(({ type }) => type !== "null");
    const values = some.map((each) => each["const"]);
    const [first = {}, ...more] = some.map((each) => schema(each, mayBeNull));
    const several = more.length === 0 ? first : { anyOf: [first, ...more] };
    const isText = values.every((value) => typeof value === "string");
    const written: Json = isText ? { type: "string", enum: values } : several;
    return some.length < all.length ? orNull(written) : written;
  }

  /** Returns a reference to an example by this name, or by that of an equal one. */
  function example(name: string, said: Example): Json {
    const text = JSON.stringify(said);
    const known = exampleNames.get(text) ?? name;
    exampleNames.set(text, known);
    examples[known] = said;
    return { $ref: `#/components/examples/${known}` };
  }

  /** Returns a body with its examples, which belong to `whom`. */
  const content = (type: string, written: Json, whom: string, said: Record<string, Example>) => {
    const refs = Object.entries(said).map(([name, each]) => [name, example(`${whom}-${name}`, each)]);
    return { [type]: { schema: written, examples: Object.fromEntries(refs) } };
  };

  /** Returns a reference by this name, or with a number appended if the name is already taken by something else. */
  function shared(kind: keyof typeof others, name: string, said: object): Json {
    const all = others[kind];
    const isOther = (known: object | undefined) => known !== undefined && !Bun.deepEquals(known, said);
    let found = name;
    let nth = 1;
    while (isOther(all[found])) {
      nth += 1;
      found = `${name}${nth}`;
    }
    all[found] = said;
    return { $ref: `#/components/${kind}/${found}` };
  }

  return { all: { schemas, examples, ...others }, schema, content, shared };
}

export type Components = ReturnType<typeof createComponents>;

function orNull({ $ref, anyOf, description, ...own }: Json): Json {
  const text = description === undefined ? {} : { description };
  const choices = $ref === undefined ? (anyOf as Json[] | undefined) : [{ $ref }];
  if (choices) return { anyOf: [...choices, { type: "null" }], ...text };
  const values = own["enum"] as unknown[] | undefined;
  return { ...own, type: [own["type"], "null"], ...(values && { enum: [...values, null] }), ...text };
}

/** `credit-notes` → `CreditNotes` */
export const pascal = (text: string): string =>
  text
    .split(/[^a-z0-9]+/i)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
