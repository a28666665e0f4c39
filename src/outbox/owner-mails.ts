import { hostName } from "../domain/brand.ts";
import * as Retry from "../domain/event/retry.ts";
import { messageOf } from "../lib/error.ts";
import { changeMessage } from "../mail/messages/change-message.tsx";
import type { MailOutcome } from "../mail/smtp/outcome.ts";
import type { Transport } from "../mail/smtp/transport.ts";
import { placeOf } from "../store/secrets.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import * as OwnerMailStore from "../store/tables/outbox/owner-mail.ts";
import * as WalletChangeStore from "../store/tables/settle/wallet-change.ts";
import type { MailDeps } from "./mails/owner.ts";

const dueMax = 20;

/**
 * Sends the mails that tell owners what was asked for at the desk. One that may have arrived when Till stopped goes out
 * again: a warning twice is better than none.
 */
export async function sendOwnerMails(
  deps: MailDeps,
  send: (message: Parameters<Transport["send"]>[0]) => Promise<MailOutcome>,
  signal: AbortSignal,
): Promise<void> {
  const { db, now, log } = deps;
  for (const mail of OwnerMailStore.listDue(db, now(), dueMax)) {
    if (signal.aborted) return;
    const change = WalletChangeStore.byId(db, mail.changeId);
    const attempts = mail.attempts + 1;
    // Nobody has to be warned of what was stopped.
    if (change === null || change.stoppedAt !== null) {
      OwnerMailStore.setTried(db, { ...mail, nextAttemptAt: null });
      continue;
    }
    const outcome = await attempt(change, mail);
    const isOver = outcome.kind !== "rejected" || outcome.permanent;
    const again = Retry.nextAttemptAt(Retry.mailScheduleMs, {
      ...{ attempt: attempts, now: now(), random: Math.random() },
    });
    const reason = outcome.kind === "sent" ? null : outcome.reason;
    OwnerMailStore.setTried(db, { id: mail.id, attempts, nextAttemptAt: isOver ? null : again, reason });
    const fields = { mail: mail.id, kind: "owner" };
    if (reason === null) log.info("mail.sent", "a mail was sent", fields);
    else log.warn("mail.failed", "a mail could not be sent", { ...fields, reason });
  }

  async function attempt(change: WalletChangeStore.WalletChange, { id, to }: OwnerMailStore.OwnerMail) {
    try {
      const token = (await deps.vault()).open(change.token, placeOf.walletChange(change.id));
      const url = `${deps.baseUrl}/desk/stop/${token}`;
      const shop = deps.brand.name ?? PreferenceStore.profile(db).name ?? hostName(deps.brand);
      const written = changeMessage(deps, { asked: change, shop, url });
      const messageId = `${id}@${new URL(deps.baseUrl).hostname}`;
      return await send({ ...written, to, replyTo: null, fromName: null, messageId });
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
}
