import * as Calendar from "../../../domain/calendar.ts";
import { type Profile, plainProfile } from "../../../domain/party/profile.ts";
import type { Db } from "../../database.ts";

/** The merchant's account and tax types in their books. */
export type BooksCodes = { account: string; taxTypes: Readonly<Record<string, string>> };

/**
 * DATEV's names for the merchant and accounts. `transit` may be empty; `month` is the first month of their fiscal year,
 * 1 to 12.
 */
export const datevNames = ["consultant", "client", "usdc", "debtor", "transit", "month"] as const;
export type DatevCodes = Record<(typeof datevNames)[number], string> & {
  taxes: Readonly<Record<string, string>>;
};

export const decimalMarks = ["point", "comma", "swiss"] as const;
/**
 * The decimal format of the merchant's spreadsheet. Columns are separated by semicolons, except for `point`; `swiss`
 * uses a point.
 */
export type DecimalMark = (typeof decimalMarks)[number];

type Spreadsheet = { decimals: DecimalMark };

/** Choices made at the desk, as JSON by name. */
type Preferences = {
  profile: Profile;
  xero: BooksCodes;
  datev: DatevCodes;
  spreadsheet: Spreadsheet;
  wallet: { isChosen: boolean };
  books: { closedThrough: string | null };
};

function read<N extends keyof Preferences>(db: Db, name: N): Partial<Preferences[N]> | null {
  const row = db.query<{ value: string }, [string]>("SELECT value FROM preference WHERE name = ?").get(name);
  return row && JSON.parse(row.value);
}

function write<N extends keyof Preferences>(db: Db, name: N, value: Preferences[N], now: number): void {
  db.query(
    `INSERT INTO preference (name, value, changed_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at`,
  ).run(name, JSON.stringify(value), now);
}

/** The defaults of new invoices and links; `plainProfile` until somebody saves one. */
export const profile = (db: Db): Profile => ({ ...plainProfile, ...read(db, "profile") });

export const setProfile = (db: Db, profile: Profile, now: number): void => write(db, "profile", profile, now);

/** Returns whether somebody has chosen where the money of new invoices goes. */
export const isWalletChosen = (db: Db): boolean => read(db, "wallet")?.isChosen === true;

export const setWalletChosen = (db: Db, now: number): void => write(db, "wallet", { isChosen: true }, now);

/** For Xero's file; empty until somebody saves them. */
export const xeroCodes = (db: Db): BooksCodes => ({ account: "", taxTypes: {}, ...read(db, "xero") });

export const setXeroCodes = (db: Db, codes: BooksCodes, now: number): void => write(db, "xero", codes, now);

/** For DATEV's file; empty until somebody saves them. */
export const datevCodes = (db: Db): DatevCodes => ({
  consultant: "",
  client: "",
  usdc: "",
  debtor: "",
  transit: "",
  month: "1",
  taxes: {},
  ...read(db, "datev"),
});

export const setDatevCodes = (db: Db, codes: DatevCodes, now: number): void => write(db, "datev", codes, now);

/** Null until somebody saves it. */
export const spreadsheet = (db: Db): Partial<Spreadsheet> | null => read(db, "spreadsheet");

export const setSpreadsheet = (db: Db, spreadsheet: Spreadsheet, now: number): void =>
  write(db, "spreadsheet", spreadsheet, now);

/**
 * The last day of the closed books, `YYYY-MM-DD`: nothing is dated that day or before any more. Null if none are
 * closed.
 */
export const closedThrough = (db: Db): string | null => read(db, "books")?.closedThrough ?? null;

/** The same as it was at a time (Unix ms); null also if somebody has closed or opened days since. */
export const closedThroughAt = (db: Db, at: number): string | null => {
  const sql = "SELECT 1 FROM preference WHERE name = 'books' AND changed_at <= ?";
  return db.query(sql).get(at) === null ? null : closedThrough(db);
};

export const setClosedThrough = (db: Db, closedThrough: string | null, now: number): void =>
  write(db, "books", { closedThrough }, now);

/** Returns whether the books of a day are closed. */
export function isClosed(db: Db, day: string): boolean {
  const closed = closedThrough(db);
  return closed !== null && day <= closed;
}

/** A day of the merchant's, or the first open day if its books are closed, as after the clock was set back. */
export const openDay = (db: Db, day: string): string => firstOpenDay(closedThrough(db), day);

/** The day, or the first one after `closed`, the last day of the closed books; `closed` null: none are closed. */
export const firstOpenDay = (closed: string | null, day: string): string =>
  closed === null || day > closed ? day : Calendar.dayOf(Calendar.dayNumber(closed) + 1);
