import type { Db } from "../database.ts";
import * as EventStore from "../tables/outbox/event.ts";
import * as MailStore from "../tables/outbox/mail.ts";

/** Whether anybody may have seen an invoice: it was or may have been mailed, or its page was opened. */
export const isIssued = (
  db: Db,
  { sentAt, deposit: { index } }: { sentAt: number | null; deposit: { index: number } },
): boolean =>
  sentAt !== null || MailStore.mayArrive(db, index) || EventStore.count(db, index, "invoice.opened") > 0;
