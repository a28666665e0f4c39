import type { OpenIdConfig } from "../config/openid-config.ts";
import { type Person, parseName, type Role, roles } from "../domain/party/person.ts";
import type { SignedIn } from "../lib/net/openid.ts";
import { world } from "../lib/world.ts";
import { type Db, transact } from "../store/database.ts";
import { noteChange } from "../store/reports/owners.ts";
import * as AccountStore from "../store/tables/desk/account.ts";
import * as AuditStore from "../store/tables/desk/audit.ts";
import * as EntryLinkStore from "../store/tables/desk/entry-link.ts";
import * as PersonStore from "../store/tables/desk/person.ts";
import * as SessionStore from "../store/tables/desk/session.ts";
import { changeRole } from "./people.ts";
import { beginSession } from "./sessions.ts";

/** Why an account does not let anybody in. `noOwner`: the first at a desk must be an owner. */
export type AccountRefusal = "noRole" | "removed" | "noOwner";

type Provider = Pick<OpenIdConfig, "name" | "roles">;

/**
 * Lets in whoever has an account elsewhere, with the role that it has now. The first time makes a person of it: only
 * issuer and subject say who somebody is, as names and mail addresses can be chosen. Returns the session's token.
 */
export function enterByAccount(
  db: Db,
  account: SignedIn,
  { provider, device, now }: { provider: Provider; device: string; now: number },
): { token: string } | { refused: AccountRefusal } {
  return transact(db, () => {
    const role = roles.find((each) => provider.roles[each].some((value) => account.values.includes(value)));
    const known = AccountStore.personOf(db, account);
    if (known !== null && known.removedAt !== null) return { refused: "removed" as const };
    if (role === undefined) {
      if (known !== null) {
        SessionStore.removeOf(db, known.id);
        EntryLinkStore.removeUnusedBy(db, known.id);
      }
      return { refused: "noRole" as const };
    }
    if (role !== "owner" && PersonStore.countOwners(db) === 0) return { refused: "noOwner" as const };
    const entry = { at: now, personName: provider.name, personId: null };
    if (known !== null && known.role !== role && changeRole(db, known.id, role, provider.name, now) === null)
      AuditStore.note(db, { ...entry, action: "person.role", subject: known.name });
    const person = known ?? join(db, account, { role, by: provider.name, now });
    if (known === null) AuditStore.note(db, { ...entry, action: "person.join", subject: person.name });
    const { token, sessionId } = beginSession(db, { personId: person.id, device, now });
    const begun = { at: now, personId: person.id, personName: person.name, subject: device, sessionId };
    AuditStore.note(db, { ...begun, action: "session.begin" });
    return { token };
  });
}

const handleBytes = 32;

function join(
  db: Db,
  account: SignedIn,
  { role, by, now }: { role: Role; by: string; now: number },
): Pick<Person, "id" | "name"> {
  const name = freeName(db, account.names);
  const isFirst = PersonStore.countOwners(db) === 0;
  const handle = world.randomBytes(handleBytes).toString("base64url");
  const id = PersonStore.insert(db, { name, role, handle, passwordHash: null, createdAt: now });
  AccountStore.insert(db, account, id);
  // As when the first owner comes by a link.
  if (isFirst) EntryLinkStore.removeUnusedOf(db, null);
  else if (role === "owner") noteChange(db, { kind: "owner", subject: name }, by, now);
  return { id, name };
}

/** In UTF-16 units, as the longest name is counted: room for a number. */
const baseLengthMax = 50;

/** The best name that is one, with a number when somebody at the desk has it already. */
function freeName(db: Db, names: readonly string[]): string {
  const name = names.map(parseName).find((parsed) => parsed !== null) ?? "?";
  const isFree = (each: string) => PersonStore.byName(db, each) === null;
  if (isFree(name)) return name;
  // Half a character at its end is none.
  const base = name.slice(0, baseLengthMax).replace(/[\uD800-\uDBFF]$/, "");
  let number = 2;
  while (!isFree(`${base} ${number}`)) number += 1;
  return `${base} ${number}`;
}
