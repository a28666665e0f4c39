import { Html } from "@elysiajs/html";
import docsStyles from "../../assets/styles/docs.css" with { type: "text" };
import toolStyles from "../../assets/styles/tool.css" with { type: "text" };
import { layout, type Page } from "./layout.tsx";
import { attr } from "./text.ts";

export type DocsField = { name: string; wants: string; required: boolean };

export type DocsOperation = {
  method: string;
  path: string;
  summary: string;
  needsKey: boolean;
  /** What to send; empty when there is nothing. */
  request: readonly DocsField[];
  /** Query parameters. */
  query: readonly DocsField[];
  status: number;
  /** What comes back; empty when it is not JSON. */
  answer: readonly DocsField[];
};

export type DocsPageProps = { baseUrl: string; operations: readonly DocsOperation[] };

/** The description of the API for a person; the one for a program is /openapi.json. */
export function docsPage({ baseUrl, operations }: DocsPageProps): Page {
  const body = (
    <main class="page page-tool">
      <header class="tool-head">
        <p class="crumbs">
          <a href="/">Till</a> · API
        </p>
        <h1>API</h1>
        <p class="lead">
          JSON in, JSON out, at <code safe>{baseUrl}</code>. Errors are problem documents (RFC 9457). For
          programs: <a href="/openapi.json">openapi.json</a>.
        </p>
        <p class="lead">
          Calls marked “key” need <code>Authorization: Bearer till_…</code> once there is a key. A POST with
          an <code>Idempotency-Key</code> can be repeated safely for a day.
        </p>
      </header>
      {operations.map((operation) => (
        <Operation operation={operation} />
      ))}
    </main>
  );
  return layout({ title: "API · Till", styles: [toolStyles, docsStyles], body: String(body) });
}

function Operation({ operation }: { operation: DocsOperation }) {
  const { method, path, summary, needsKey, request, query, status, answer } = operation;
  const id = `${method}${path}`.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return (
    <section class="card operation" id={attr(id)} aria-labelledby={attr(`${id}-title`)}>
      <h2 id={attr(`${id}-title`)}>
        <span class={method === "post" ? "method method-post" : "method"} safe>
          {method.toUpperCase()}
        </span>{" "}
        <code safe>{path}</code> {needsKey ? <span class="needs-key">key</span> : null}
      </h2>
      <p safe>{summary}</p>
      {query.length > 0 ? <Fields title="Query" fields={query} /> : null}
      {request.length > 0 ? <Fields title="Request" fields={request} marksOptional /> : null}
      {answer.length > 0 ? <Fields title={`Answer ${status}`} fields={answer} /> : null}
    </section>
  );
}

type FieldsProps = { title: string; fields: readonly DocsField[]; marksOptional?: boolean };

function Fields({ title, fields, marksOptional = false }: FieldsProps) {
  return (
    <details open={marksOptional}>
      <summary safe>{title}</summary>
      <dl class="fields">
        {fields.map(({ name, wants, required }) => (
          <>
            <dt>
              <code safe>{name}</code>
            </dt>
            <dd safe>{`${wants}${marksOptional && !required ? " (optional)" : ""}`}</dd>
          </>
        ))}
      </dl>
    </details>
  );
}
