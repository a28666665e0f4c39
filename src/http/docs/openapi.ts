import type { TSchema } from "@sinclair/typebox";
import { keyForm } from "../../invoicing/once.ts";
import * as Answer from "../fields/answer-schemas.ts";
import { Health } from "../fields/health-schema.ts";
import type { Route } from "../route/route.ts";
import { routes } from "../routes.ts";
import { type Examples, examplesAt } from "./examples.ts";
import { type Components, createComponents, pascal } from "./openapi-schema.ts";
import { problemsOf, readyPath, statusesOf } from "./problem-examples.ts";
import { openApiWebhooks, verifySample, webhookRules } from "./webhook-docs.ts";
import { clientSample, PaymentRequired, paymentHeaders, type paymentInfo } from "./x402-docs.ts";

/** A call of the API, with `{…}` in its path for parameters. */
export type Operation = Omit<Route, "status"> & { status: 200 | 201 };

const inMarkdown = (code: string) => `\`\`\`js\n${code}\n\`\`\``;

/** The API's sections in the order of /docs, with their paths. */
export const groups = [
  {
    name: "Invoices",
    text: "Invoices, those that repeat, and credit notes, and what is saved of those who bill and those who pay.",
    prefixes: [
      "/api/invoices",
      "/api/recurring",
      "/api/credit-notes",
      "/api/originals",
      "/api/customers",
      "/api/merchants",
    ],
  },
  {
    name: "Payment links",
    text: "Links for one payment or for many, with a checkout page.",
    prefixes: ["/api/links", "/api/reusable-links", "/api/payments"],
  },
  {
    name: "Money",
    text: "What is at deposit addresses and in wallets, how it moved, refunds, and files for bookkeepers.",
    prefixes: ["/api/balance", "/api/settlements", "/api/owed", "/api/refunds", "/api/exports"],
  },
  {
    name: "x402",
    text: `How programs pay, with the official client:\n\n${inMarkdown(clientSample)}`,
    prefixes: ["/x402"],
  },
  {
    name: "Events",
    text: "What happened, where it is told, and webhooks again.",
    prefixes: ["/api/webhook-endpoints", "/api/events"],
  },
  { name: "API keys", text: "Who may call this API.", prefixes: ["/api/keys"] },
  { name: "Health", text: "For supervisors and load balancers.", prefixes: ["/health"] },
] as const;

/** Returns the name of a path's section. */
export function groupOf(path: string): string | undefined {
  return groups.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)))?.name;
}

/** All documented calls. */
export const operations: readonly Operation[] = routes
  .filter(({ path }) => groupOf(path) !== undefined)
  .map((row) => ({ ...row, path: row.path.replaceAll(/:(\w+)/g, "{$1}"), status: row.status ?? 200 }));

/** Describes a path's parameter. */
export function nameMeaning({ path, scope, names }: Pick<Operation, "path" | "scope" | "names">): string {
  if (path.startsWith("/api/keys")) return "the number of the API key";
  if (path.startsWith("/api/events")) return "the id of the event";
  if (path.startsWith("/api/recurring")) return "the id of the series";
  if (path.startsWith("/api/refunds")) return "the id of the refund";
  if (path.startsWith("/api/originals")) return "the SHA-256 of the document, in hex";
  if (path.startsWith("/api/webhook-endpoints")) return "the id of the endpoint";
  const byNumber = `its number${scope !== "open" ? "" : ", for which a public Till asks for a key"}`;
  if (path.startsWith("/api/credit-notes")) return `the id of the credit note, or ${byNumber}`;
  if (path.startsWith("/api/exports")) return `one of ${names?.join(", ")}`;
  if (path.endsWith("{email}")) return "the mail address, in any spelling";
  if (path === "/x402/{slug}") return "the slug of the payment link or of the invoice";
  if (path.startsWith("/x402")) return "the id of the invoice";
  if (!path.startsWith("/api/invoices")) return "the slug of the payment link";
  return `the id of the invoice, or ${byNumber}`;
}

/** The API's description in OpenAPI 3.1. `paying` describes how paid calls are paid; null if they cannot be. */
export function openApiDocument(
  baseUrl: string,
  version: string,
  paying: ReturnType<typeof paymentInfo> | null = null,
): object {
  const components = createComponents();
  const examples = examplesAt(baseUrl);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { method, path } = operation;
    const paid = operation.isPaid && paying !== null && { "x-payment-info": paying };
    paths[path] = { ...paths[path], [method]: { ...describe(components, examples, operation), ...paid } };
  }
  shareParameters(Object.values(paths).flatMap(Object.values), components);
  const webhooks = openApiWebhooks(baseUrl, components);
  const text = `${webhookRules.join(" ")}\n\n${inMarkdown(verifySample)}`;
  return {
    openapi: "3.1.0",
    info: {
      title: "Till",
      version,
      description: "USDC invoices and payment links on Base.",
      contact: { name: "Till", url: baseUrl },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    security: [{ key: [] }],
    tags: [...groups, { name: "Webhooks", text }].map(({ name, text }) => ({ name, description: text })),
    paths,
    webhooks,
    components: {
      ...components.all,
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key, till_…, and what it has to allow" },
        payment: { type: "http", scheme: "payment", description: "A credential of MPP (paymentauth.org)" },
      },
    },
  };
}

/** `GET /api/invoices/{id}` */
export const nameOf = ({ method, path }: Pick<Operation, "method" | "path">) =>
  `${method.toUpperCase()} ${path}`;

const verbs = { get: "get", post: "create", put: "save", patch: "change", delete: "delete" } as const;
const singular = (word: string) => word.replace(/(?<!u)s$/, "");

/** A call's name in programs, derived from its row: `createInvoice`, `listInvoices`, `voidInvoice`, `getInvoicePdf`. */
export function operationIdOf({ method, path, gives, isPaid }: Operation): string {
  const parts = path.split("/").filter((part) => /^\w/.test(part) && part !== "api");
  const last = parts.at(-1) ?? "";
  const isList = typeof gives !== "string" && gives["properties"]?.data?.type === "array";
  // `…/void` names the action; `…/comments` and `…/credit-notes`, the thing created.
  const isDone = method === "post" && !isPaid && parts.length > 1 && singular(last) === last;
  let verb: string | undefined = verbs[method];
  if (isPaid) verb = "pay";
  else if (isDone) verb = parts.pop();
  else if (isList) verb = "list";
  const nouns = parts.map((part, at) => (isList && at === parts.length - 1 ? part : singular(part)));
  return `${verb}${pascal(nouns.join(" "))}${isPaid && method === "post" ? "ByPost" : ""}`;
}

/** The header that makes a call repeatable if no response came. */
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

type All = ReturnType<typeof examplesAt>;

function describe(components: Components, all: All, operation: Operation): object {
  const { path, names, summary, scope, keyShowsMore, isPaid, once, body, query, status, gives } = operation;
  const { schema, content, shared } = components;
  const { params, query: queryExample, requests = {} }: Examples = all.calls[nameOf(operation)] ?? {};
  const operationId = operationIdOf(operation);
  // One example is shown for each kind of response.
  const alike = operations.find((other) => other.gives === gives && all.calls[nameOf(other)]?.answer);
  const answer = { value: all.calls[nameOf(alike ?? operation)]?.answer };
  const header = (parameter: { name: string }) =>
    shared("parameters", pascal(parameter.name.toLowerCase()), parameter);
  const contentOf = (given: Route["gives"]) =>
    typeof given === "string"
      ? { [given]: { schema: { type: "string", ...(given !== "text/csv" && { format: "binary" }) } } }
      : content("application/json", schema(given), operationIdOf(alike ?? operation), { answer });
  const bodies = Object.entries(requests).map(([summary, value]) => {
    return [summary.toLowerCase().replaceAll(/\W+/g, "-"), { summary, value }] as const;
  });
  const json = (body: TSchema) =>
    content("application/json", schema(body, true), operationId, Object.fromEntries(bodies));
  const failures = statusesOf(operation).map((status) => {
    return [status, failure(components, all, status, operation)] as const;
  });
  return {
    operationId,
    tags: [groupOf(path)],
    summary,
    description:
      scope !== "open"
        ? `Needs an API key that allows \`${scope}\`.`
        : `Needs no API key${keyShowsMore ? "; with one it shows more" : ""}.`,
    ...(scope === "open" && { security: [{}, isPaid ? { payment: [] } : { key: [] }] }),
    "x-scope": scope,
    parameters: [
      ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
        name,
        in: "path",
        required: true,
        schema: { type: "string", ...(name === "email" && { format: name }), ...(names && { enum: names }) },
        description: nameMeaning(operation),
        example: params?.[name],
      })),
      ...Object.entries(query?.properties ?? {}).map(([name, found]) => ({
        name,
        in: "query",
        ...(query?.required?.includes(name) && { required: true }),
        schema: schema(found),
        // A query is text, whatever type programs are told.
        example:
          found["openapi"]?.type === undefined
            ? queryExample?.[name]
            : JSON.parse(queryExample?.[name] ?? ""),
      })),
      ...(once ? [header(idempotencyKey)] : []),
      ...(isPaid ? paymentHeaders.map(header) : []),
    ],
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      [status]: {
        description: status === 201 ? "Made" : "Done",
        content: Object.assign({}, contentOf(gives), ...(operation.alsoGives ?? []).map(contentOf)),
      },
      ...Object.fromEntries(failures),
    },
  };
}

type Parameter = { name?: string };

/** Defines parameters of several calls once, and references them. */
function shareParameters(calls: readonly { parameters: Parameter[] }[], { shared }: Components): void {
  const all = calls.flatMap(({ parameters }) => parameters).map((parameter) => JSON.stringify(parameter));
  const isRepeated = (parameter: Parameter) =>
    all.filter((text) => text === JSON.stringify(parameter)).length > 1;
  for (const call of calls)
    call.parameters = call.parameters.map((parameter) =>
      parameter.name !== undefined && isRepeated(parameter)
        ? shared("parameters", pascal(parameter.name), parameter)
        : parameter,
    );
}

function failure({ schema, content, shared }: Components, all: All, status: number, operation: Operation) {
  if (status === 402) {
    const headers = {
      "PAYMENT-REQUIRED": {
        description: "the same in version 2 of x402",
        schema: { type: "string", contentEncoding: "base64" },
      },
      "WWW-Authenticate": { description: "the same by MPP: Payment …", schema: { type: "string" } },
    };
    const answer = { value: all.paymentRequired };
    const body = content("application/json", schema(PaymentRequired), "payment-required", { answer });
    const description = "Nothing is paid yet: this is due";
    return shared("responses", "PaymentRequired", { description, headers, content: body });
  }
  if (operation.path === readyPath && status === 503) {
    const body = content("application/json", schema(Health), "not-ready", {
      answer: { value: all.notReady },
    });
    return shared("responses", "NotReady", { description: "Not ready", content: body });
  }
  const problems = problemsOf(status, operation);
  const examples = problems.map(({ code, meaning, body }) => [code, { summary: meaning, value: body }]);
  const [only = "", second] = problems.map(({ code }) => pascal(code));
  return shared("responses", second === undefined ? only : `Problem${status}`, {
    description: problems.map(({ meaning }) => meaning).join(" "),
    content: content(
      "application/problem+json",
      schema(Answer.Problem),
      "problem",
      Object.fromEntries(examples),
    ),
  });
}
