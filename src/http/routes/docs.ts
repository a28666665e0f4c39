import type { TObject, TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type DocsField, docsPage } from "../../pages/docs-page.tsx";
import type { HttpDeps } from "../deps.ts";
import { htmlPage } from "../html.ts";
import { openApiDocument, operations } from "../openapi.ts";
import { describeSchema } from "../openapi-schema.ts";

/** The description of the API, for programs and for people. */
export function docsRoutes({ baseUrl, version }: HttpDeps) {
  const document = openApiDocument(baseUrl, version);
  return new Elysia()
    .get("/openapi.json", () => document)
    .get("/docs", () => {
      const described = operations.map(({ method, path, summary, needsKey, request, query, success }) => ({
        method,
        path,
        summary,
        needsKey,
        request: fieldsOf(request),
        query: fieldsOf(query),
        status: success.status,
        answer: typeof success.body === "string" ? [] : fieldsOf(success.body),
      }));
      return htmlPage(docsPage({ baseUrl, operations: described }));
    });
}

/** The fields of an object, those of objects in lists under it: `line_items[].quantity`. */
function fieldsOf(schema: TSchema | undefined, prefix = ""): DocsField[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<TObject>;
  return Object.entries(properties).flatMap(([name, found]) => {
    const field = { name: `${prefix}${name}`, wants: wantsOf(found), required: required.includes(name) };
    return found["type"] === "array" ? [field, ...fieldsOf(found["items"], `${prefix}${name}[].`)] : [field];
  });
}

function wantsOf(schema: TSchema): string {
  const choices: readonly TSchema[] = schema["anyOf"] ?? [];
  const values = choices.flatMap((choice) =>
    choice["const"] === undefined ? [] : [String(choice["const"])],
  );
  const [first] = choices;
  if (first && values.length === 0) return `${wantsOf(first)}, or null`;
  const wants = String(describeSchema(schema) ?? (schema["type"] === "array" ? "a list" : schema["type"]));
  return values.every((value) => wants.includes(value)) ? wants : `${wants}: ${values.join(", ")}`;
}
