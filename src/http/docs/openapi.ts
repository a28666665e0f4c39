import { keyForm } from "../../invoicing/once.ts";
import * as Answer from "../fields/answer-schemas.ts";
import { Health } from "../fields/health-schema.ts";
import type { Route } from "../route.ts";
import { routes } from "../routes.ts";
import { type Examples, examplesAt } from "./examples.ts";
import { plain, plainRequest } from "./openapi-schema.ts";
import { problemsOf, readyPath, statusesOf } from "./problem-examples.ts";
import { openApiWebhooks } from "./webhook-docs.ts";
import { clientSample, paymentHeaders, requiredAnswer } from "./x402-docs.ts";

/** A call of the API, with `{…}` in its path for what varies. */
export type Operation = Omit<Route, "status"> & { status: 200 | 201 };

/** The API's parts in the order of /docs, with their paths. */
export const groups = [
  { name: "Invoices", prefixes: ["/api/invoices", "/api/credit-notes", "/api/customers", "/api/merchants"] },
  { name: "Payment links", prefixes: ["/api/links", "/api/reusable-links", "/api/payments"] },
  { name: "x402", prefixes: ["/x402"] },
  { name: "Events", prefixes: ["/api/webhook-endpoints", "/api/events"] },
  { name: "API keys", prefixes: ["/api/keys"] },
  { name: "Health", prefixes: ["/health"] },
] as const;

/** The name of a path's part. */
export function groupOf(path: string): string | undefined {
  return groups.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)))?.name;
}

/** Every call that is described. */
export const operations: readonly Operation[] = routes
  .filter(({ path }) => groupOf(path) !== undefined)
  .map((row) => ({ ...row, path: row.path.replaceAll(/:(\w+)/g, "{$1}"), status: row.status ?? 200 }));

/** What a path's parameter stands for. */
export function nameMeaning({ path, scope }: Pick<Operation, "path" | "scope">): string {
  if (path.startsWith("/api/keys")) return "the number of the API key";
  if (path.startsWith("/api/events")) return "the id of the event";
  if (path.startsWith("/api/webhook-endpoints")) return "the id of the endpoint";
  const byNumber = `its number${scope !== "open" ? "" : ", for which a public Till asks for a key"}`;
  if (path.startsWith("/api/credit-notes")) return `the id of the credit note, or ${byNumber}`;
  if (path.endsWith("{email}")) return "the mail address, in any spelling";
  if (path === "/x402/{slug}") return "the slug of the payment link or of the invoice";
  if (path.startsWith("/x402")) return "the id of the invoice";
  if (!path.startsWith("/api/invoices")) return "the slug of the payment link";
  return `the id of the invoice, or ${byNumber}`;
}

/** The description of the API as OpenAPI 3.1. */
export function openApiDocument(baseUrl: string, version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  const { calls } = examplesAt(baseUrl);
  for (const operation of operations) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method]: describe(baseUrl, operation, calls[nameOf(operation)]) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Till", version, description: "USDC invoices and payment links on Base." },
    servers: [{ url: baseUrl }],
    tags: [...groups, { name: "Webhooks" }].map(({ name }) => ({ name })),
    paths,
    webhooks: openApiWebhooks(baseUrl),
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key, till_…" } },
    },
  };
}

/** `GET /api/invoices/{id}` */
export const nameOf = ({ method, path }: Pick<Operation, "method" | "path">) =>
  `${method.toUpperCase()} ${path}`;

/** The header that makes a call repeatable when no answer came. */
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  schema: {
    type: "string",
    pattern: keyForm.source,
    description: "for a day the first answer is given again, and nothing is made or mailed twice",
  },
  example: "order-1042",
};

function describe(baseUrl: string, operation: Operation, examples: Examples | undefined): object {
  const { path, summary, scope, isPaid, once, body, query, status, gives } = operation;
  const answer =
    typeof gives === "string"
      ? { [gives]: { schema: { type: "string", format: "binary" } } }
      : { "application/json": { schema: plain(gives), example: examples?.answer } };
  return {
    tags: [groupOf(path)],
    summary,
    ...(scope !== "open" ? { security: [{ key: [scope] }] } : {}),
    ...(isPaid ? { description: `\`\`\`js\n${clientSample}\n\`\`\`` } : {}),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
        name,
        in: "path",
        required: true,
        schema: { type: "string" },
        description: nameMeaning(operation),
        example: examples?.params?.[name],
      })),
      ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
        name,
        in: "query",
        schema: plain(schema),
        example: examples?.query?.[name],
      })),
      ...(once ? [idempotencyKey] : []),
      ...(isPaid ? paymentHeaders : []),
    ],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: plainRequest(body),
                examples: named(Object.entries(examples?.requests ?? {})),
              },
            },
          },
        }
      : {}),
    responses: {
      [status]: { description: summary, content: answer },
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [status, failure(baseUrl, status, operation)]),
      ),
    },
  };
}

function failure(baseUrl: string, status: number, operation: Operation): object {
  if (status === 402) return requiredAnswer(baseUrl, plain);
  if (operation.path === readyPath && status === 503) {
    const content = { schema: plain(Health), example: examplesAt(baseUrl).notReady };
    return { description: "Not ready", content: { "application/json": content } };
  }
  const problems = problemsOf(status, operation);
  const content = {
    schema: plain(Answer.Problem),
    examples: Object.fromEntries(
      problems.map(({ code, meaning, body }) => [code, { summary: meaning, value: body }]),
    ),
  };
  return {
    description: problems.map(({ meaning }) => meaning).join(" "),
    content: { "application/problem+json": content },
  };
}

/** Examples under names that OpenAPI allows: `Smallest request` → `smallest-request`. */
function named(examples: readonly (readonly [summary: string, value: object])[]): object {
  return Object.fromEntries(
    examples.map(([summary, value]) => [summary.toLowerCase().replaceAll(" ", "-"), { summary, value }]),
  );
}
