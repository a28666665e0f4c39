import type { Scope } from "../../domain/party/api-key.ts";
import { CodeBlock } from "../../pages/code-block.tsx";

export type DocsField = { name: string; wants: string; required: boolean };

export type DocsOperation = {
  method: string;
  path: string;
  summary: string;
  /** Scope that a key must have; `open` if none is needed. */
  scope: Scope | "open";
  /** The names in braces in the path. */
  params: readonly DocsField[];
  /** Fields to send; empty if there are none. */
  request: readonly DocsField[];
  query: readonly DocsField[];
  status: number;
  /** Fields of the response; empty if it is not JSON. */
  answer: readonly DocsField[];
  /** Error codes by status. */
  errors: readonly { status: number; codes: readonly string[] }[];
  examples: {
    /** A shell command, with its title. */
    requests: readonly { title: string; command: string }[];
    /** Null if it is not JSON. */
    answer: object | null;
  };
};

/** Returns the fragment of a call's address on the page: `post-api-invoices`. */
export function anchorOf({ method, path }: Pick<DocsOperation, "method" | "path">): string {
  return `${method}${path}`
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, "-")
    .replace(/-$/, "");
}

export const errorAnchor = (code: string) => `error-${code}`;

/** One call: its fields on one side, examples on the other. */
export function Operation({ operation }: { operation: DocsOperation }) {
  const { method, path, summary, scope, params, request, query, status, answer, errors, examples } =
    operation;
  const id = anchorOf(operation);
  return (
    <section class="card entry" id={id} aria-labelledby={`${id}-title`}>
      <div class="entry-text">
        <h3 id={`${id}-title`}>{summary}</h3>
        <p class="call">
          <Method method={method} /> <code>{path}</code>
          {scope !== "open" && <span class="needs-key">key: {scope}</span>}
        </p>
        <Fields title="Path" fields={params} />
        <Fields title="Query" fields={query} />
        <Fields title="Request" fields={request} marksRequired isOpen />
        <Fields title={`Answer ${status}`} fields={answer} />
        <Errors errors={errors} />
      </div>
      <div class="entry-code">
        {examples.requests.map(({ title, command }, at) =>
          at === 0 ? (
            <CodeBlock id={`${id}-request`} title={title} code={command} />
          ) : (
            <details>
              <summary>{title}</summary>
              <CodeBlock id={`${id}-request-${at}`} title={title} code={command} />
            </details>
          ),
        )}
        {examples.answer !== null && (
          <CodeBlock
            id={`${id}-answer`}
            title={`Answer ${status}`}
            code={JSON.stringify(examples.answer, null, 2)}
            language="json"
          />
        )}
      </div>
    </section>
  );
}

export function Method({ method }: { method: string }) {
  return <span class={method === "get" ? "method" : "method method-post"}>{method.toUpperCase()}</span>;
}

type FieldsProps = {
  title: string;
  fields: readonly DocsField[];
  marksRequired?: boolean;
  isOpen?: boolean;
};

/** Renders nothing if there are no fields. */
export function Fields({ title, fields, marksRequired = false, isOpen = false }: FieldsProps) {
  if (fields.length === 0) return null;
  return (
    <details open={isOpen}>
      <summary>
        {title} <span class="count">{fields.length}</span>
      </summary>
      <dl class="fields">
        {fields.map(({ name, wants, required }) => (
          <div>
            <dt>
              <code>{name}</code>
              {marksRequired && required && <span class="required">required</span>}
            </dt>
            <dd>{wants}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Errors({ errors }: { errors: DocsOperation["errors"] }) {
  if (errors.length === 0) return null;
  return (
    <details>
      <summary>
        Errors <span class="count">{errors.flatMap(({ codes }) => codes).length}</span>
      </summary>
      <dl class="fields fields-errors">
        {errors.map(({ status, codes }) => (
          <div>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>
              {codes.map((code) => (
                <a href={`#${errorAnchor(code)}`}>
                  <code>{code}</code>
                </a>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
