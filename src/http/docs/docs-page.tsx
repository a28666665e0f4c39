import docsStyles from "../../../assets/styles/docs.css" with { type: "text" };
import toolStyles from "../../../assets/styles/tool.css" with { type: "text" };
import { CodeBlock } from "../../pages/code-block.tsx";
import { layout, type Page } from "../../pages/layout.tsx";
import { scripts } from "../../pages/scripts.ts";
import {
  anchorOf,
  type DocsField,
  type DocsOperation,
  errorAnchor,
  Fields,
  Method,
  Operation,
} from "./docs-operation.tsx";

type DocsGroup = { name: string; operations: readonly DocsOperation[] };

type DocsWebhook = { name: string; summary: string; fields: readonly DocsField[]; body: string };

type DocsPageProps = {
  /** Without a trailing slash. */
  baseUrl: string;
  /** Maximum size of a body, in KiB. */
  bodyKiBMax: number;
  groups: readonly DocsGroup[];
  webhooks: {
    events: readonly DocsWebhook[];
    headers: readonly { name: string; wants: string; example: string }[];
    rules: readonly string[];
    /** Code that verifies a delivery. */
    sample: string;
  };
  errors: readonly { code: string; meaning: string; body: { status: number } }[];
};

const script = scripts["copy-page"];

/** The API documentation for people; programs read /openapi.json. */
export function docsPage({ baseUrl, bodyKiBMax, groups, webhooks, errors }: DocsPageProps): Page {
  const body = (
    <div class="page docs">
      <Contents groups={groups} />
      <main>
        <header class="tool-head">
          <p class="soft">
            <a href="/">Till</a> · API
          </p>
          <h1>API</h1>
          <p class="lead">
            Create USDC invoices and payment links, and hear when they are paid. For programs:{" "}
            <a href="/openapi.json">openapi.json</a>.
          </p>
        </header>
        <Basics baseUrl={baseUrl} bodyKiBMax={bodyKiBMax} />
        {groups.map(({ name, operations }) => (
          <>
            <h2 id={slugOf(name)}>{name}</h2>
            {operations.map((operation) => (
              <Operation operation={operation} />
            ))}
          </>
        ))}
        <Webhooks webhooks={webhooks} />
        <Errors errors={errors} />
      </main>
      <p class="visually-hidden" id="announcement" role="status" aria-live="polite" />
    </div>
  );
  return layout({ title: "API · Till", styles: [toolStyles, docsStyles], body, script });
}

/** `Payment links` → `payment-links` */
const slugOf = (name: string) => name.toLowerCase().replaceAll(" ", "-");

function Contents({ groups }: { groups: readonly DocsGroup[] }) {
  return (
    <nav class="contents" aria-label="Contents">
      <ul>
        <li>
          <a href="#basics">Basics</a>
        </li>
        {groups.map(({ name, operations }) => (
          <li>
            <a href={`#${slugOf(name)}`}>{name}</a>
            <ul>
              {operations.map((operation) => (
                <li>
                  <a href={`#${anchorOf(operation)}`}>
                    <Method method={operation.method} /> <span>{operation.summary}</span>
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
        <li>
          <a href="#webhooks">Webhooks</a>
        </li>
        <li>
          <a href="#errors">Errors</a>
        </li>
      </ul>
    </nav>
  );
}

function Basics({ baseUrl, bodyKiBMax }: Pick<DocsPageProps, "baseUrl" | "bodyKiBMax">) {
  return (
    <>
      <h2 id="basics">Basics</h2>
      <dl class="card basics">
        <div>
          <dt>Requests</dt>
          <dd>
            JSON with <code>Content-Type: application/json</code> to <code>{baseUrl}</code>, at most{" "}
            {bodyKiBMax} KiB. <code>null</code> is the same as leaving an optional field out.
          </dd>
        </div>
        <div>
          <dt>Keys</dt>
          <dd>
            Calls marked <span class="needs-key">key: shop</span> need{" "}
            <code>Authorization: Bearer till_…</code> with a key of that scope, on a public Till, and
            everywhere once there is a key. <code>till key create</code> makes one.
          </dd>
        </div>
        <div>
          <dt>Values</dt>
          <dd>
            Amounts are strings of USDC with two decimals, <code>"1500.00"</code>. Days are{" "}
            <code>YYYY-MM-DD</code>, times are ISO 8601 in UTC.
          </dd>
        </div>
        <div>
          <dt>Customers</dt>
          <dd>
            Answers call the one who pays <code>vendor_…</code>. Requests may say <code>customer_…</code>{" "}
            instead.
          </dd>
        </div>
        <div>
          <dt>Repeats</dt>
          <dd>
            Send an <code>Idempotency-Key</code> where a call takes one. If no answer came, send the same
            request again: for a day you get the first answer, and nothing is made twice.
          </dd>
        </div>
        <div>
          <dt>Lists</dt>
          <dd>
            The newest comes first. While <code>has_more</code> is true, ask again with{" "}
            <code>starting_after</code> the last entry.
          </dd>
        </div>
      </dl>
    </>
  );
}

function Webhooks({ webhooks }: Pick<DocsPageProps, "webhooks">) {
  const { events, headers, rules, sample } = webhooks;
  const described = headers.map(({ name, wants }) => ({ name, wants, required: true }));
  const example = headers.map(({ name, example }) => `${name}: ${example}`).join("\n");
  return (
    <>
      <h2 id="webhooks">Webhooks</h2>
      <section class="card entry" aria-labelledby="webhook-delivery">
        <div class="entry-text">
          <h3 id="webhook-delivery">What Till sends to your webhook_url</h3>
          <p>
            A POST with a JSON body, signed with the <code>webhook_secret</code> that came with the invoice or
            link, once.
          </p>
          <ul class="rules">
            {rules.map((rule) => (
              <li>{rule}</li>
            ))}
          </ul>
          <Fields title="Headers" fields={described} isOpen />
        </div>
        <div class="entry-code">
          <CodeBlock id="webhook-headers" title="Headers" code={example} />
          <CodeBlock id="webhook-verify" title="Verify, in JavaScript" code={sample} />
        </div>
      </section>
      {events.map(({ name, summary, fields, body }) => (
        <section class="card entry" id={name.replace(".", "-")} aria-labelledby={`${name}-title`}>
          <div class="entry-text">
            <h3 id={`${name}-title`}>
              <code>{name}</code>
            </h3>
            <p>{`${summary}.`}</p>
            <Fields title="Body" fields={fields} isOpen />
          </div>
          <div class="entry-code">
            <CodeBlock id={`${name}-body`} title="Body, byte for byte" code={body} language="json" />
          </div>
        </section>
      ))}
    </>
  );
}

function Errors({ errors }: Pick<DocsPageProps, "errors">) {
  return (
    <>
      <h2 id="errors">Errors</h2>
      <p class="lead">
        An error is a problem document (RFC 9457, <code>application/problem+json</code>). Decide by{" "}
        <code>code</code>; <code>detail</code> is for people and may change.
      </p>
      <div class="card errors">
        {errors.map(({ code, meaning, body }) => (
          <details id={errorAnchor(code)}>
            <summary>
              <span class="error-status">{body.status}</span> <code>{code}</code>{" "}
              <span class="error-meaning">{meaning}</span>
            </summary>
            <CodeBlock
              id={`${errorAnchor(code)}-body`}
              title="Answer"
              code={JSON.stringify(body, null, 2)}
              language="json"
            />
          </details>
        ))}
      </div>
    </>
  );
}
