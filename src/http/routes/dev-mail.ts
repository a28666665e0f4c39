import { instant } from "../../lib/instant.ts";
import { devMailPage } from "../../pages/dev-mail-page.tsx";
import type { CaughtMail } from "../deps.ts";
import { htmlPage, wantsHtml } from "../html.ts";

/** The mails that development has caught, newest first: a page for a person, JSON for a script. */
export function devMailResponse(request: Request, mails: readonly CaughtMail[]): Response {
  if (wantsHtml(request)) {
    const shown = mails.map((mail) => ({ ...mail, to: mail.to.join(", ") }));
    return htmlPage(devMailPage({ mails: shown }), { inlineStyles: true });
  }
  const data = mails.map(({ id, receivedAt, from, to, subject, text, html }) => ({
    id,
    received_at: instant(receivedAt),
    from,
    to: to.join(", "),
    subject,
    text,
    html,
  }));
  return Response.json({ data });
}
