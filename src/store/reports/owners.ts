import { newId } from "../../lib/crypto.ts";
import type { Db } from "../database.ts";
import * as PersonStore from "../tables/desk/person.ts";
import * as PreferenceStore from "../tables/desk/preference.ts";
import * as ToldChangeStore from "../tables/desk/told-change.ts";
import * as ApiKeyStore from "../tables/installation/api-key.ts";
import * as RefundStore from "../tables/invoicing/refund.ts";
import * as OwnerMailStore from "../tables/outbox/owner-mail.ts";
import * as WalletChangeStore from "../tables/settle/wallet-change.ts";

/** So long after a change of who is told everything that waits does, and who was told before is told as well. */
export const unsureMs = 72 * 3_600_000;

/** More than that are somebody's who wants to hide the first in a crowd. */
const before = { emails: 20, servers: 3 } as const;

/** Of what waits, so much is told again. */
const waitingMax = 20;

/** Whom Till tells: the owners who gave an address, and the shop. */
export const ownersOf = (db: Db): string[] => [
  ...new Set(
    [PreferenceStore.profile(db).email, ...PersonStore.listOwnerMails(db)].filter((to) => to !== null),
  ),
];

/**
 * Has mails tell the owners of something, within its transaction: those there are and those there were until lately, by the
 * mail server there is and by those there were. `also`: others who are told.
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
 * Notes a change of who is told, or of where new money goes, within its transaction: what waits, waits three days from
 * now on, and the owners are told of both. The changed thing is stored by then.
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
  // A mail of theirs may still be about to go out, to somebody or by a server that is the thief's now.
  const refunds = RefundStore.listIn(db, "approved").filter(({ readyAt }) => (readyAt ?? 0) > now);
  const waiting = [...WalletChangeStore.listWaiting(db, now), ...refunds];
  for (const { id } of waiting.slice(0, waitingMax)) tellOwners(db, id, now);
}
