import type { JSONObject } from "@modelcontextprotocol/server";
import type { TSchema } from "@sinclair/typebox";
import { keyForm } from "../../invoicing/once.ts";
import { nameMeaning } from "../docs/openapi.ts";
import { createComponents, describeSchema } from "../docs/openapi-schema.ts";
import type { Route } from "../route/route.ts";
import { type Arguments, asksAlways, type Tool } from "./tool.ts";

/** A tool's name and input, from the row of its call, and the request it makes. */

export type ToolRow = Route & { tool: Tool };

export const isTool = (row: Route): row is ToolRow => row.tool !== undefined;

const namesIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);

/** Leaves out what a value's schema says already: a model has less room than a person. */
function describe(found: Record<string, unknown>): string | null {
  const { type, means, openapi = {} } = found;
  const own = { ...found, ...(openapi as object) };
  const says = ["format", "anyOf", "minLength", "minItems", "properties"].some((name) => name in own);
  const isSaid = says || type === "boolean" || type === "integer";
  if (!isSaid) return describeSchema(found);
  return typeof means === "string" ? means : null;
}

/** Tools have everything inline: many clients follow no references. */
const { schema: written } = createComponents(describe);
const inPlace = (schema: TSchema) =>
  written(JSON.parse(JSON.stringify(schema, (name, value) => (name === "noun" ? undefined : value))));

type ObjectSchema = {
  properties?: Record<string, JSONObject>;
  required?: string[];
  allOf?: { anyOf: { required: [string] }[] }[];
};

/** Returns the call's path parameters, query and body as one object. */
function inputOf(row: ToolRow): {
  type: "object";
  properties: Record<string, JSONObject>;
  required: string[];
} {
  const { path, names, query, body, once, tool } = row;
  const inPath = namesIn(path).map((name) => [
    name,
    { type: "string", description: nameMeaning({ ...row, path: path.replaceAll(/:(\w+)/g, "{$1}") }) },
  ]);
  const properties: Record<string, JSONObject> = Object.fromEntries(inPath);
  const required = namesIn(path);
  if (names) Object.assign(properties[required[0] ?? ""] ?? {}, { enum: names });
  for (const part of [query, body]) {
    if (part === undefined) continue;
    const taken = inPlace(part) as ObjectSchema;
    Object.assign(properties, taken.properties);
    // If a field has two names, the first stands for both: no client supports a choice at this level.
    const either = taken.allOf?.map(({ anyOf }) => anyOf[0]?.required[0] ?? "") ?? [];
    required.push(...(taken.required ?? []), ...either);
  }
  if (once)
    properties["idempotency_key"] = {
      type: "string",
      description: "of your choice: the same call with the same key happens once, however often it is made",
    };
  for (const name of tool.without ?? []) delete properties[name];
  for (const name of tool.namesOnly ?? []) {
    const { properties: parts = {}, description } = properties[name] ?? {};
    const text = `an object with ${Object.keys(parts as object).join(", ")}; ${description}`;
    properties[name] = { type: "object", description: text };
  }
  const { preset = {} } = tool;
  for (const [name, value] of Object.entries(preset)) {
    const { description, ...more } = properties[name] ?? {};
    const meaning = `${description ?? ""}`.replace(/(^|; )\w+ when left out(; )?/, "");
    const text = [meaning, `${value} when left out`].filter((part) => part !== "").join("; ");
    properties[name] = { ...more, description: text, default: value };
  }
  return { type: "object", properties, required: required.filter((name) => !(name in preset)) };
}

/** Returns the tool's entry in tools/list. */
export function described(row: ToolRow) {
  const { tool, method } = row;
  const isRead = method === "get";
  const asks = `${asksAlways(tool) ? "A" : "If it mails, or names a wallet, a"} person is asked first.`;
  return {
    name: tool.name,
    description: `${tool.about ?? row.summary}.${tool.asks ? ` ${asks}` : ""}`,
    inputSchema: { ...inputOf(row), additionalProperties: false },
    annotations: {
      title: row.summary,
      readOnlyHint: isRead,
      destructiveHint: tool.isDestructive === true,
      idempotentHint: isRead || tool.isIdempotent === true,
      openWorldHint: tool.isOpen === true,
    },
  };
}

export type Described = ReturnType<typeof described>;

/** The API request that a call makes. */
export type ToolCall = { method: string; path: string; body: object | null; key: string | null };

/** True for a segment that a URL can have without reading it as a relative step. */
export const isSegment = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 200 && value.isWellFormed() && !/^\.{0,2}$/.test(value);

/**
 * Returns the request for `args`, and these completed by presets (`given`); or a sentence on their fault. Leaves the
 * call's own checks to it.
 */
export function callOf(
  { method, path, query, body, once, tool }: ToolRow,
  args: Arguments,
  { inputSchema: { properties } }: Described,
): (ToolCall & { given: Arguments }) | string {
  // In a change, null resets a field.
  const present = Object.entries(args).filter(([, value]) => value !== null || method === "patch");
  const given: Arguments = { ...tool.preset, ...Object.fromEntries(present) };
  const names = Object.keys(properties);
  const unknown = Object.keys(given).find((name) => ![...names, ...(tool.takesUntold ?? [])].includes(name));
  if (unknown !== undefined)
    return `There is no argument ${JSON.stringify(unknown.slice(0, 100))}. There is: ${names.join(", ") || "none"}.`;
  const { idempotency_key: key = null, ...rest } = given;
  if (once && key !== null && !(typeof key === "string" && keyForm.test(key)))
    return "idempotency_key must be 1 to 255 ASCII characters without spaces.";
  const asked = new Map(Object.entries(rest));
  let filled = path;
  for (const name of namesIn(path)) {
    const value = asked.get(name);
    asked.delete(name);
    if (!isSegment(value)) return `${name} must be ${properties[name]?.["description"]}.`;
    filled = filled.replace(`:${name}`, () => encodeURIComponent(value));
  }
  // Values other than texts and numbers are left to the call, which says what they should be.
  const texts = [...asked].map(([name, value]): [string, string] => [
    name,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  const search = query === undefined ? "" : `?${new URLSearchParams(texts)}`;
  return {
    method,
    given,
    path: `${filled}${search}`,
    key: key as string | null,
    body: body === undefined ? null : Object.fromEntries(asked),
  };
}
