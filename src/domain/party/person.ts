import { fault } from "../../lib/text/text.ts";
import type { LanguageCode } from "../language.ts";

/** Roles at the desk. An owner may do everything. */
export type Role = "owner" | "staff" | "accountant";

export const roles: readonly Role[] = ["owner", "staff", "accountant"];

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/**
 * The purposes of the desk's pages and forms:
 *
 * - `read`: to look at invoices, links and money;
 * - `issue`: to make, send and remind, and to write notes;
 * - `export`: to take lists away, and to close days of the books;
 * - `close`: to void, and to say that something was paid in another way;
 * - `manage`: people, keys, webhooks and settings;
 * - `move`: to settle and to withdraw.
 */
export type Duty = "read" | "issue" | "export" | "close" | "manage" | "move";

const duties: Readonly<Record<Role, readonly Duty[]>> = {
  owner: ["read", "issue", "export", "close", "manage", "move"],
  staff: ["read", "issue"],
  accountant: ["read", "export"],
};

export const may = (role: Role, duty: Duty): boolean => duties[role].includes(duty);

export type Person = {
  id: number;
  /** The desk's language; null to follow the browser. */
  language: LanguageCode | null;
  name: string;
  role: Role;
  /** Unix time in milliseconds. */
  createdAt: number;
  removedAt: number | null;
};

const nameLengthMax = 60;

/** Limits the text before normalising it, which takes quadratic time: anybody who signs in can send any text. */
const typedLengthMax = 10 * nameLengthMax;

/** Shown as nothing, such as a zero-width space. What reverses the text around it is refused instead. */
const unseen = /(?![\u202a-\u202e\u2066-\u2069])\p{Default_Ignorable_Code_Point}/gu;

/** Normalises a name; null if it is invalid. Two spellings that look the same are one name. */
export function parseName(text: string): string | null {
  if (text.length > typedLengthMax) return null;
  const name = text.normalize("NFKC").replace(unseen, "").replace(/\s+/g, " ").trim();
  return name.length > nameLengthMax || fault(name, { lineBreaks: false }) !== null ? null : name;
}
