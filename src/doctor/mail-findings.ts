import { collect, type Finding } from "../domain/finding.ts";
import { counted } from "../lib/text/english.ts";
import { instant } from "../lib/time.ts";
import type { Certificate } from "../mail/smtp/connection.ts";
import type { Db } from "../store/database.ts";
import * as MailFailures from "../store/reports/mail-failures.ts";
import { namedMax } from "./finding.ts";
import { namesOf } from "./replay.ts";

/** Older ones need no warning: an invoice that was not mailed is a draft in the list. */
const namedForMs = 7 * 86_400_000;

/**
 * Certificates are usually renewed with a third of their time left: with less than this left, renewal has been failing
 * for a while.
 */
const renewedBefore = 1 / 6;
const renewedBeforeMsMax = 14 * 86_400_000;

/**
 * Warns that the mail server's certificate expires soon. Till hands no mail to a server with an expired certificate.
 */
export function certificateWarnings(certificate: Certificate | null, now: number): Finding[] {
  if (certificate === null) return [];
  const { from, to } = certificate;
  if (to - now > Math.min(renewedBeforeMsMax, (to - from) * renewedBefore)) return [];
  const { findings, warning } = collect("certificate");
  warning(
    `the mail server's certificate ends at ${instant(to)}`,
    "renew it, or tell whoever runs the mail server: afterwards no mail goes out",
  );
  return findings;
}

/**
 * Warns of the last week's mails that need attention: failing and retried, given up, or with an unknown outcome. They
 * name hosts and people, so they are not public.
 */
export function mailWarnings(db: Db, now: number): Finding[] {
  const scope = { createdAfter: now - namedForMs, namedMax };
  const { findings, warning } = collect("mail");
  const warn = (code: "failing" | "failed" | "unknown", is: string, advice: string) => {
    const failures = MailFailures.find(db, code, scope);
    if (!failures) return;
    const { count, since, reason } = failures;
    const atLeast = count === MailFailures.countMax ? "at least " : "";
    const mails = `${atLeast}${counted(count, "mail")} ${is} since ${instant(since)}`;
    const message = `${mails} (${namesOf(db, failures)}): ${reason.replace(/\.$/, "")}`;
    warning(message, advice, { code, count, reason });
  };
  warn(
    "failing",
    "could not be sent",
    "Till keeps trying for two days; check TILL_SMTP_URL and the mail server",
  );
  warn(
    "failed",
    "given up",
    "correct the cause and send it again, with till send or at the desk, or give the customer its link yourself",
  );
  warn(
    "unknown",
    "may or may not have arrived",
    "ask the customer or look at the mail server, then use till send or the desk: Till does not repeat them by itself",
  );
  return findings;
}
