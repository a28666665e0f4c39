import type { TObject, TSchema, TUnion } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Page } from "../../pages/layout.tsx";
import { bodyBytesMax } from "../access/guard.ts";
import { htmlPage } from "../answer/html.ts";
import type { HttpDeps } from "../route/deps.ts";
import { anchorOf, type DocsField, type DocsOperation } from "./docs-operation.tsx";
import { docsPage } from "./docs-page.tsx";
import { type Examples, examplesAt } from "./examples.ts";
import {
  groupOf,
  groups,
  nameMeaning,
  nameOf,
  type Operation,
  openApiDocument,
  operations,
} from "./openapi.ts";
import { describeSchema } from "./openapi-schema.ts";
import { problemExamples, problemsOf, statusesOf } from "./problem-examples.ts";
import { samplesOf } from "./samples.ts";
import { verifySample, webhookDocsAt, webhookHeaders, webhookRules } from "./webhook-docs.ts";
import { clientSample, paymentInfo } from "./x402-docs.ts";

/** The API's description for programs and for people, each rendered on first request. */
export function docsRoutes({ baseUrl, version, config }: HttpDeps) {
  let document: ReturnType<typeof openApiDocument> | undefined;
  let page: Page | undefined;
  return new Elysia()
    .get("/openapi.json", () => {
      document ??= openApiDocument(
        baseUrl,
        version,
        config.relay.mode === "off" ? null : paymentInfo(config),
      );
      return document;
    })
    .get("/docs", () => {
      page ??= docsPageAt(baseUrl);
      return htmlPage(page);
    })
    .get(
      "/llms.txt",
      () => new Response(llmsText(baseUrl), { headers: { "content-type": "text/markdown; charset=utf-8" } }),
    );
}

/** Returns what a language model should know before it calls Till, in the format of llmstxt.org: described links. */
export function llmsText(baseUrl: string): string {
  const lists = groups.map(({ name }) => {
    const calls = operations.filter(({ path }) => groupOf(path) === name);
    const lines = calls.map(
      (call) =>
        `- [${call.method.toUpperCase()} ${call.path}](${baseUrl}/docs#${anchorOf(call)}): ${call.summary}\n`,
    );
    return `## ${name}\n\n${lines.join("")}`;
  });
  return `# Till

> Invoices and payment links in USDC on Base, at ${baseUrl}. A key goes into \`Authorization: Bearer till_…\`. Amounts are
> decimals as strings. What has an \`Idempotency-Key\` is done once, however often it is sent. Errors are RFC 9457 problems
> with a \`code\`, and \`errors\` names every field that is wrong. ${baseUrl}/mcp has the main calls as tools of agents.

## Read first

- [The API as OpenAPI 3.1](${baseUrl}/openapi.json): every call, field and error, for programs
- [The API for people](${baseUrl}/docs): the same with examples, webhooks and payment by x402 and MPP

${lists.join("\n")}`;
}

/** Returns the page of a Till at `baseUrl`; constant while it runs. */
export function docsPageAt(baseUrl: string): Page {
  const { calls } = examplesAt(baseUrl);
  const described = groups.map(({ name }) => ({
    name,
    operations: operations
      .filter(({ path }) => groupOf(path) === name)
      .map((operation) => describe(baseUrl, operation, calls[nameOf(operation)])),
  }));
  const webhooks = {
    events: webhookDocsAt(baseUrl).map(({ name, summary, body, example }) => {
      return { name, summary, fields: fieldsOf(body), body: example };
    }),
    headers: webhookHeaders,
    rules: webhookRules,
    sample: verifySample,
  };
  return docsPage({
    baseUrl,
    bodyKiBMax: bodyBytesMax / 1024,
    groups: described,
    webhooks,
    errors: problemExamples,
  });
}

function describe(baseUrl: string, operation: Operation, examples: Examples | undefined): DocsOperation {
  const { method, path, summary, scope, body, query, status, gives } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const wants = nameMeaning(operation);
  return {
    method,
    path,
    summary,
    scope,
    params: names.map((name) => ({ name, wants, required: true })),
    request: fieldsOf(body),
    query: fieldsOf(query),
    status,
    answer: typeof gives === "string" ? [] : fieldsOf(gives),
    errors: statusesOf(operation)
      .map((status) => ({ status, codes: problemsOf(status, operation).map(({ code }) => code) }))
      .filter(({ codes }) => codes.length > 0),
    examples: { requests: commandsOf(baseUrl, operation, examples), answer: examples?.answer ?? null },
  };
}

/** Returns the call as shell commands: in single quotes, which no example contains. */
function commandsOf(
  baseUrl: string,
  { method, path, scope, isPaid, gives }: Operation,
  examples: Examples | undefined,
) {
  const { params = {}, query = {}, requests = {} } = examples ?? {};
  const file =
    typeof gives === "string" ? ({ "text/csv": "table.csv" }[gives as string] ?? "invoice.pdf") : null;
  const search = file === null ? "" : new URLSearchParams(query).toString();
  const url = `${baseUrl}${path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? "")}${search && `?${search}`}`;
  const command = (body: object | null) =>
    [
      `curl${method === (body === null ? "get" : "post") ? "" : ` -X ${method.toUpperCase()}`} '${url.replaceAll("'", "%27")}'`,
      ...(scope !== "open" ? [`-H "Authorization: Bearer $TILL_API_KEY"`] : []),
      ...(file === null ? [] : [`-o ${file}`]),
      ...(body === null
        ? []
        : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`]),
    ].join(" \\\n  ");
  const bodies = Object.entries(requests);
  const isMain = mainCalls.includes(`${method} ${path}`);
  const of = { method, path, params, query, body: bodies[0]?.[1] ?? null, needsKey: scope !== "open" };
  const others = isMain ? samplesOf(baseUrl, of).map(({ title, code }) => ({ title, command: code })) : [];
  const paying = isPaid ? [{ title: "Pay, in JavaScript", command: clientSample }] : [];
  if (bodies.length === 0) return [{ title: "Request", command: command(null) }, ...paying, ...others];
  return [...bodies.map(([title, body]) => ({ title, command: command(body) })), ...others];
}

/** The calls that most programs make, which are shown in other languages too. */
export const mainCalls: readonly string[] = [
  "post /api/invoices",
  "get /api/invoices",
  "get /api/invoices/{id}",
  "post /api/invoices/{id}/void",
  "post /api/links",
  "get /api/payments/status/{slug}",
];

/** Lists an object's fields, followed by those of objects in its lists: `line_items[].quantity`. */
function fieldsOf(schema: TSchema | undefined, prefix = ""): DocsField[] {
  const { properties = {}, required = [], allOf = [] } = plainObject(schema);
  // If a field has two names, the first stands for both.
  const either = allOf.flatMap(({ anyOf }: TSchema) => anyOf[0].required);
  return Object.entries(properties).flatMap(([name, schema]) => {
    const isRequired = required.includes(name) || either.includes(name);
    const field = { name: `${prefix}${name}`, wants: wantsOf(schema), required: isRequired };
    return schema["type"] === "array"
      ? [field, ...fieldsOf(schema["items"], `${prefix}${name}[].`)]
      : [field];
  });
}

/** For a call with several possible responses: the first's fields, then those only others have. */
function plainObject(schema: TSchema | undefined): Partial<TObject> {
  const [first, ...others] = ((schema as Partial<TUnion<TObject[]>>)?.anyOf ?? []) as Partial<TObject>[];
  if (!first) return (schema ?? {}) as Partial<TObject>;
  const required = first.required?.filter((name) => others.every((other) => other.required?.includes(name)));
  const properties = Object.assign({}, first.properties, ...others.map((other) => other.properties));
  return { ...first, properties: { ...properties, ...first.properties }, ...(required && { required }) };
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
