import { counted } from "../lib/text/english.ts";
import { instant } from "../lib/time.ts";
import type { Certificate } from "../mail/smtp/connection.ts";
import type { Db } from "../store/database.ts";
import * as MailFailures from "../store/reports/mail-failures.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";

import type { Finding } from "./finding.ts";
import { ownerName } from "./replay.ts";

/** Afterwards nobody needs to know: drafts are in the list of invoices. */
const namedForMs = 7 * 86_400_000;
const invoicesNamedMax = 5;

/** Who renews a certificate does so with a third of its time to go, and has failed for a while by then. */
const renewedBefore = 1 / 6;
const renewedBeforeMsMax = 14 * 86_400_000;

/** That the mail server's certificate ends soon. Till hands no mail to a server whose certificate has ended. */
export function certificateWarnings(certificate: Certificate | null, now: number): Finding[] {
  if (certificate === null) return [];
  const { from, to } = certificate;
  if (to - now > Math.min(renewedBeforeMsMax, (to - from) * renewedBefore)) return [];
  return [
    {
      check: "mail",
      level: "warning",
      message: `the mail server's certificate ends at ${instant(to)}`,
      advice: "renew it, or tell whoever runs the mail server: afterwards no mail goes out",
    },
  ];
}

/**
 * The last week's mails that somebody has to look at: failing and retried, given up, or with an unknown outcome. They
 * name hosts and people, so they are not public.
 */
export function mailWarnings(db: Db, now: number): Finding[] {
  const scope = { createdAfter: now - namedForMs, namedMax: invoicesNamedMax };
  const describe = (
    which: Parameters<typeof MailFailures.find>[1],
    is: string,
    advice: string,
  ): Finding[] => {
    const failures = MailFailures.find(db, which, scope);
    if (!failures) return [];
    const { count, since, reason, deposits, hasMore } = failures;
    const atLeast = count === MailFailures.countMax ? "at least " : "";
    const mails = `${atLeast}${counted(count, "mail")} ${is} since ${instant(since)}`;
    const whose = `${deposits.map((index) => ownerName(DepositStore.nameOf(db, index), index)).join(", ")}${hasMore ? ", …" : ""}`;
    const message = `${mails} (${whose}): ${reason.replace(/\.$/, "")}`;
    return [{ check: "mail", level: "warning", message, advice }];
  };
  return [
    ...describe(
      "failing",
      "could not be sent",
      "Till keeps trying for two days; check TILL_SMTP_URL and the mail server",
    ),
    ...describe(
      "failed",
      "given up",
      "correct the cause and send it again, with till send or at the desk, or give the customer its link yourself",
    ),
    ...describe(
      "unknown",
      "may or may not have arrived",
      "ask the customer or look at the mail server, then use till send or the desk: Till does not repeat them by itself",
    ),
  ];
}
