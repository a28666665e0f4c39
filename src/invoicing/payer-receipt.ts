import * as Closing from "../domain/closing.ts";
import * as Event from "../domain/event/event.ts";
import type { Db } from "../store/database.ts";
import { stored } from "../store/group-commit.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";

/**
 * Records where a link's payer wants the receipt, replacing an earlier address. If the link is paid, the receipt is
 * written at once. `sent`: it went out before, or may have, and goes nowhere else. `unknown`: no such link that money
 * could pay. Throws a StorageFailed.
 */
export function noteReceiptAddress(
  db: Db,
  { slug, email, now: createdAt }: { slug: string; email: string; now: number },
): Promise<"noted" | "sent" | "unknown"> {
  return stored(db, () => {
    const link = LinkStore.bySlug(db, slug);
    if (!link || Event.closedAt(link) !== null) return "unknown";
    const depositIndex = link.deposit.index;
    if (MailStore.mayHaveGone(db, depositIndex, "receipt")) return "sent";
    LinkStore.setPayerEmail(db, link.id, email);
    MailStore.removeUnsent(db, depositIndex, "receipt");
    if (Closing.isPaidByMoney({ ...link, ...link.deposit }))
      MailStore.insertOnce(db, { depositIndex, kind: "receipt", createdAt });
    return "noted";
  });
}
