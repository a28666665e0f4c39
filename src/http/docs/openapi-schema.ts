import type { TObject, TSchema } from "@sinclair/typebox";

/** What a value must be, and what its field is for. */
export function describeSchema({ wants, means }: Record<string, unknown>): string | null {
  if (typeof wants !== "string") return null;
  return typeof means === "string" ? `${wants}; ${means}` : wants;
}

/** A schema as JSON: `wants` and `means` become its description. */
export function plain(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (typeof value !== "object" || value === null || !("wants" in value)) return value;
    const { wants, means, ...rest } = value;
    const description = describeSchema({ wants, means });
    return description === null ? value : { ...rest, description };
  });
}

/** A request's schema: optional fields may also be null. */
export function plainRequest(schema: TObject): unknown {
  const { properties, required = [] } = schema;
  const withNull = Object.entries(properties).map(([name, found]) => {
    if (required.includes(name)) return [name, found];
    const { type, anyOf } = found;
    return [
      name,
      anyOf ? { ...found, anyOf: [...anyOf, { type: "null" }] } : { ...found, type: [type, "null"] },
    ];
  });
  return plain({ ...schema, properties: Object.fromEntries(withNull) });
}
