import { newId } from "../../lib/crypto.ts";
import type { Db } from "../database.ts";
import * as PersonStore from "../tables/desk/person.ts";
import * as PreferenceStore from "../tables/desk/preference.ts";
import * as ToldChangeStore from "../tables/desk/told-change.ts";
import * as ApiKeyStore from "../tables/installation/api-key.ts";
import * as RefundStore from "../tables/invoicing/refund.ts";
import * as OwnerMailStore from "../tables/outbox/owner-mail.ts";
import * as WalletChangeStore from "../tables/settle/wallet-change.ts";

/** How long after a change of recipients everything that waits is held, and the former recipients are still told. */
export const unsureMs = 72 * 3_600_000;

/** More than that are an attempt to hide the first ones in a crowd. */
const before = { emails: 20, servers: 3 } as const;

/** Maximum number of waiting changes and refunds that are reported again. */
const waitingMax = 20;

/** Recipients of Till's notices: owners with a mail address, and the shop. */
export const ownersOf = (db: Db): string[] => [
  ...new Set(
    [PreferenceStore.profile(db).email, ...PersonStore.listOwnerMails(db)].filter((to) => to !== null),
  ),
];

/**
 * Queues mails that tell the owners of something, within its transaction: current owners and recent ones, by the
 * current mail server and recent ones. `also`: further recipients.
 */
export function tellOwners(db: Db, aboutId: string, now: number, also: readonly string[] = []): void {
  const since = now - unsureMs;
  const all = new Set([...also, ...ownersOf(db), ...ToldChangeStore.emailsBefore(db, since, before.emails)]);
  const servers = ToldChangeStore.serversBefore(db, since, before.servers).map(({ id }) => id);
  for (const server of [null, ...servers])
    for (const to of all) OwnerMailStore.insert(db, aboutId, to, server, now);
}

type Noted = Pick<ToldChangeStore.ToldChange, "kind" | "subject"> &
  Partial<Pick<ToldChangeStore.ToldChange, "email" | "smtpUrl" | "mailFrom">>;

/**
 * Records a change of recipients, or of where new money goes, within its transaction: everything that waits then waits
 * at least three days from now, and the owners are told of both. The change itself must be stored already.
 */
export function noteChange(db: Db, noted: Noted, by: string, now: number): void {
  const id = newId("told");
  const none = { email: null, smtpUrl: null, mailFrom: null };
  ToldChangeStore.insert(db, { ...none, ...noted, id, createdAt: now, createdBy: by });
  tellOwners(db, id, now);
  const until = now + unsureMs;
  WalletChangeStore.putOff(db, now, until);
  RefundStore.putOff(db, now, until);
  ApiKeyStore.putOff(db, now, until);
  if (!noted.email && !noted.smtpUrl) return;
  // A mail about them may still be due, and go to the thief or through the thief's server.
  const refunds = RefundStore.listIn(db, "approved").filter(({ readyAt }) => (readyAt ?? 0) > now);
  const waiting = [...WalletChangeStore.listWaiting(db, now), ...refunds];
  for (const { id } of waiting.slice(0, waitingMax)) tellOwners(db, id, now);
}
