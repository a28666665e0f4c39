import { Html } from "@elysiajs/html";
import toolStyles from "../../assets/styles/tool.css" with { type: "text" };
import { readerOf } from "./language/reader.ts";
import { layout, type Page } from "./layout.tsx";
import { attr } from "./text.ts";

export type DevMailPageProps = { mails: readonly DevMail[] };

export type DevMail = {
  id: string;
  /** Unix time in milliseconds. */
  receivedAt: number;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
};

/** The mails that development has caught; `mails` has the newest first. */
export function devMailPage({ mails }: DevMailPageProps): Page {
  const body = (
    <main class="page page-tool">
      <header class="tool-head">
        <p class="soft">
          <a href="/">Till</a> · Development
        </p>
        <h1>Caught mail</h1>
        <p class="lead">
          <span safe>{countOf(mails.length)}</span> <a href="/dev/mail">Look again</a>
        </p>
      </header>
      {mails.length === 0 ? (
        <div class="card message">
          <h2>No mail has been sent</h2>
          <p>
            When an invoice is created or sent, the mail to its vendor appears here instead of in an inbox.
            Create one with the command on <a href="/">the start page</a>.
          </p>
        </div>
      ) : (
        mails.map((mail) => <Mail mail={mail} />)
      )}
    </main>
  );
  return layout({ title: "Caught mail · Till", styles: [toolStyles], body: String(body) });
}

function countOf(mails: number): string {
  if (mails === 0) return "Nothing yet.";
  if (mails === 1) return "1 mail. It has not left this machine.";
  return `${mails} mails. None of them has left this machine.`;
}

/**
 * The HTML is in a frame of its own without scripts and without this page's origin. Its links open in a new tab, which
 * is a whole one: in a sandboxed tab the invoice page could not run its script.
 */
function Mail({ mail }: { mail: DevMail }) {
  const instant = new Date(mail.receivedAt).toISOString();
  return (
    <article class="card mail">
      <h2>
        <bdi safe>{mail.subject}</bdi>
      </h2>
      <dl class="mail-head">
        <div>
          <dt>From</dt>
          <dd safe>{mail.from}</dd>
        </div>
        <div>
          <dt>To</dt>
          <dd safe>{mail.to}</dd>
        </div>
        <div>
          <dt>At</dt>
          <dd>
            <time datetime={instant} safe>
              {readerOf("en").minute(instant)}
            </time>
          </dd>
        </div>
      </dl>
      {mail.html === "" ? null : (
        <iframe
          title={attr(`Mail: ${mail.subject}`)}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcdoc={attr(`<base target="_blank">${mail.html}`)}
          loading="lazy"
        />
      )}
      <details open={mail.html === ""}>
        <summary>Plain text</summary>
        <pre>
          <code safe>{mail.text}</code>
        </pre>
      </details>
    </article>
  );
}
