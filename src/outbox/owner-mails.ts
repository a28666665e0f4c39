import { hostName } from "../domain/brand.ts";
import * as Retry from "../domain/event/retry.ts";
import { messageOf } from "../lib/error.ts";
import { world } from "../lib/world.ts";
import { changeMessage, toldMessage } from "../mail/messages/change-message.tsx";
import { refundMessage } from "../mail/messages/refund-message.tsx";
import type { Written } from "../mail/smtp/message.ts";
import type { MailOutcome } from "../mail/smtp/outcome.ts";
import { createTransport, type Transport } from "../mail/smtp/transport.ts";
import { receivableAt } from "../store/reports/receivable.ts";
import { placeOf } from "../store/secrets.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import * as ToldChangeStore from "../store/tables/desk/told-change.ts";
import * as RefundStore from "../store/tables/invoicing/refund.ts";
import * as OwnerMailStore from "../store/tables/outbox/owner-mail.ts";
import * as WalletChangeStore from "../store/tables/settle/wallet-change.ts";
import { isOutage, logOutcome } from "./mail-recorder.ts";
import type { MailDeps } from "./mails/owner.ts";

const dueMax = 20;

/** A mail server that was replaced may be gone: other mails wait for it no longer than this. */
const beforeTimeoutMs = 10_000;

/**
 * Sends the mails about changes requested at the desk, or refunds that wait, to owners. One that may have been sent
 * when Till stopped is sent again: a warning twice is better than none.
 */
export async function sendOwnerMails(
  deps: MailDeps,
  send: (message: Parameters<Transport["send"]>[0]) => Promise<MailOutcome>,
  signal: AbortSignal,
): Promise<void> {
  const { db, now, log } = deps;
  /** Outcomes of servers that accepted no mail, the current one being null: each is waited for once. */
  const silent = new Map<string | null, MailOutcome>();
  for (const mail of OwnerMailStore.listDue(db, now(), dueMax)) {
    if (signal.aborted) return;
    const attempts = mail.attempts + 1;
    const plan = { attempt: attempts, now: now(), random: world.random() };
    const again = Retry.nextAttemptAt(Retry.ownerMailScheduleMs, plan);
    // Before the attempt: if its outcome cannot be stored, the owner does not get the mail again every few seconds.
    OwnerMailStore.setTried(db, { ...mail, attempts, nextAttemptAt: again });
    const outcome = await attempt(mail);
    // Nobody needs a warning of something that was stopped.
    if (outcome === null) {
      OwnerMailStore.setTried(db, { ...mail, nextAttemptAt: null });
      continue;
    }
    const isOver = outcome.kind !== "rejected" || outcome.permanent;
    const nextAttemptAt = isOver ? null : again;
    const reason = outcome.kind === "sent" ? null : outcome.reason;
    OwnerMailStore.setTried(db, { id: mail.id, attempts, nextAttemptAt, reason });
    logOutcome(log, outcome, nextAttemptAt, { mail: mail.id, kind: "owner" });
  }

  /** The mail's current text; null if there is nothing left to stop. */
  async function written({ aboutId }: OwnerMailStore.OwnerMail): Promise<Written | null> {
    const refund = RefundStore.byId(db, aboutId);
    if (refund !== null) {
      const url = `${deps.baseUrl}/desk/refunds/${refund.id}`;
      const about = receivableAt(db, refund.depositIndex);
      return refund.state === "approved" ? refundMessage(deps, { refund, about, kind: "waits", url }) : null;
    }
    const shop = deps.brand.name ?? PreferenceStore.profile(db).name ?? hostName(deps.brand);
    const notedChange = ToldChangeStore.byId(db, aboutId);
    if (notedChange !== null)
      return toldMessage(deps, { change: notedChange, shop, url: `${deps.baseUrl}/desk/settings/audit` });
    const change = WalletChangeStore.byId(db, aboutId);
    if (change === null || change.stoppedAt !== null) return null;
    const token = (await deps.vault()).open(change.token, placeOf.walletChange(change.id));
    const url = `${deps.baseUrl}/desk/stop/${token}`;
    return changeMessage(deps, { waiting: change, shop, url });
  }

  async function attempt(mail: OwnerMailStore.OwnerMail) {
    const { id, to, serverBefore } = mail;
    try {
      const message = await written(mail);
      if (message === null) return null;
      const messageId = `${id}@${new URL(deps.baseUrl).hostname}`;
      const whole = { ...message, to, replyTo: null, fromName: null, messageId };
      const known = silent.get(serverBefore);
      if (known !== undefined) return known;
      const outcome = serverBefore === null ? await send(whole) : await sendBefore(serverBefore, whole);
      if (isOutage(outcome)) silent.set(serverBefore, outcome);
      return outcome;
    } catch (thrown) {
      log.error("mail.broken", "sending a mail went wrong inside Till", {
        reason: messageOf(thrown),
        mail: id,
      });
      return {
        kind: "rejected",
        permanent: false,
        reason: "Till could not send it; its log says why",
      } as const;
    }
  }

  /** Sends a mail by the mail server that a change replaced. */
  async function sendBefore(id: string, message: Parameters<Transport["send"]>[0]): Promise<MailOutcome> {
    const { smtpUrl, mailFrom } = ToldChangeStore.byId(db, id) ?? {};
    if (!smtpUrl || !mailFrom) throw new Error(`No mail server was replaced by ${id}`);
    const opened = (await deps.vault()).open(smtpUrl, placeOf.setting("SMTP_URL"));
    const transport = createTransport({ smtpUrl: opened, from: mailFrom });
    const outcome = await transport.send(message, { timeoutMs: beforeTimeoutMs });
    transport.close();
    return outcome;
  }
}
