import messageStyles from "../../../assets/styles/message.css" with { type: "text" };
import toolStyles from "../../../assets/styles/tool.css" with { type: "text" };
import type { MailCopy } from "../../http/route/deps.ts";
import { speak } from "../../language/locale.ts";
import { instant } from "../../lib/time.ts";
import { Icon } from "../../pages/icons.tsx";
import { layout, type Page } from "../../pages/layout.tsx";
import { webHref } from "../../pages/text.ts";

/** A caught mail, as shown on the page and in JSON. */
type ShownMail = ReturnType<typeof shownMail>;

export function shownMail(
  { id, receivedAt, from, to, subject, text, html, attachments }: MailCopy,
  baseUrl: string,
) {
  return {
    id,
    from,
    to: to.join(", "),
    subject,
    text,
    html,
    received_at: instant(receivedAt),
    attachments: attachments.map(({ name, mediaType, bytes }, position) => ({
      name,
      media_type: mediaType,
      size_bytes: bytes.byteLength,
      url: `${baseUrl}/dev/mail/${id}/attachments/${position}`,
    })),
  };
}

/** The mails caught in development, newest first; the newest is open. */
export function devMailPage({ mails }: { mails: readonly ShownMail[] }): Page {
  const body = (
    <main class="page page-tool">
      <header class="tool-head">
        <p class="soft">
          <a href="/">Till</a> · Development
        </p>
        <h1>Caught mail</h1>
        <p class="lead">
          <span>{countOf(mails.length)}</span> <a href="/dev/mail">Look again</a>
        </p>
      </header>
      {mails.length === 0 ? (
        <div class="card message">
          <h2>No mail has been sent</h2>
          <p>
            When an invoice is created or sent, the mail to its customer appears here instead of in an inbox.
            Create one with the command on <a href="/">the start page</a>.
          </p>
        </div>
      ) : (
        mails.map((mail, at) => <Mail mail={mail} isOpen={at === 0} />)
      )}
    </main>
  );
  return layout({ title: "Caught mail · Till", styles: [messageStyles, toolStyles], body });
}

function countOf(mails: number): string {
  if (mails === 0) return "Nothing yet.";
  if (mails === 1) return "1 mail. It has not left this machine.";
  return `${mails} mails. None of them has left this machine.`;
}

function Mail({ mail, isOpen }: { mail: ShownMail; isOpen: boolean }) {
  const { subject, from, to, received_at: at, html, text, attachments } = mail;
  return (
    <details class="card mail" open={isOpen}>
      <summary>
        <h2>
          <bdi>{subject}</bdi>
        </h2>
        <p class="soft">
          to <bdi>{to}</bdi> · <time datetime={at}>{speak("en").minute(at)}</time>
          {attachments.length > 0 && <span>{` · ${attachments.length} attached`}</span>}
        </p>
      </summary>
      <div class="mail-body">
        <p class="soft">
          from <bdi>{from}</bdi>
        </p>
        {attachments.length > 0 && <Attachments attachments={attachments} />}
        {html !== "" && <HtmlForm subject={subject} html={html} />}
        <details open={html === ""}>
          <summary>Plain text</summary>
          <pre>
            <code>{text}</code>
          </pre>
        </details>
      </div>
    </details>
  );
}

function Attachments({ attachments }: Pick<ShownMail, "attachments">) {
  return (
    <ul class="attachments" aria-label="Attachments">
      {attachments.map(({ name, media_type: type, size_bytes: bytes, url }) => (
        <li>
          <a href={webHref(url) ?? ""} target="_blank" rel="noopener">
            <Icon name="download" />
            <span>
              <bdi>{name || "without a name"}</bdi>
              <span class="soft">{`${type}, ${sizeOf(bytes)}`}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}

/**
 * Shows the HTML in a separate frame without scripts and without this page's origin. Its links open in a new,
 * unsandboxed tab: in a sandboxed one the invoice page could not run its script.
 */
function HtmlForm({ subject, html }: { subject: string; html: string }) {
  return (
    <iframe
      title={`Mail: ${subject}`}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcdoc={`<base target="_blank">${html}`}
      loading="lazy"
    />
  );
}
