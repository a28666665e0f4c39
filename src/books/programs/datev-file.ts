import type { DatevCodes } from "../../store/tables/desk/preference.ts";
import type { Cell } from "../columns.ts";
import type { Sheet } from "../table.ts";

/** DATEV's format "Buchungsstapel", version 13 (developer.datev.de, 2026): header, columns and encoding. */

const numbered = (count: number, ...names: string[]) =>
  Array.from({ length: count }, (_, i) => names.map((name) => `${name} ${i + 1}`)).flat();

const listed = (text: string) => text.split(";").map((name) => name.trim());

/** In order. Text columns, which are quoted, are marked with a quotation mark at the end. */
const marked = [
  ...listed(`Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen";WKZ Umsatz";Kurs;Basis-Umsatz;WKZ Basis-Umsatz";Konto;
    Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel";Belegdatum;Belegfeld 1";Belegfeld 2";Skonto;Buchungstext";Postensperre;
    Diverse Adressnummer";Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink"`),
  ...numbered(8, "Beleginfo - Art", "Beleginfo - Inhalt").map((name) => `${name}"`),
  ...listed(`KOST1 - Kostenstelle";KOST2 - Kostenstelle";Kost-Menge;EU-Land u. UStID (Bestimmung)";
    EU-Steuersatz (Bestimmung);Abw. Versteuerungsart";Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;
    BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung`),
  ...numbered(20, "Zusatzinformation - Art", "Zusatzinformation- Inhalt").map((name) => `${name}"`),
  ...listed(`Stück;Gewicht;Zahlweise;Forderungsart";Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;Auftragsnummer";
    Buchungstyp";USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen)";Sachverhalt L+L (Anzahlungen);
    EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz";Buchungs GUID";KOST-Datum;SEPA-Mandatsreferenz";
    Skontosperre;Gesellschaftername";Beteiligtennummer;Identifikationsnummer";Zeichnernummer";Postensperre bis;
    Bezeichnung SoBil-Sachverhalt";Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;
    Fälligkeit;Generalumkehr (GU)";Steuersatz;Land";Abrechnungsreferenz";BVV-Position;EU-Land u. UStID (Ursprung)";
    EU-Steuersatz (Ursprung);Abw. Skontokonto`),
];

export const columns: readonly string[] = marked.map((name) => name.replace('"', ""));
const texts = new Set(marked.filter((name) => name.endsWith('"')).map((name) => name.slice(0, -1)));

/** Windows-1252 bytes by character. */
const bytes = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(byte)),
    byte,
  ]),
);

const encode = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => bytes.get(character) ?? bytes.get("?") ?? 0);

/**
 * Converts text to the file's characters: drops unsupported accents and replaces other characters by a question mark.
 */
export const latin = (text: string): string =>
  [...text.normalize("NFC").replace(/\p{Cc}+/gu, " ")]
    .flatMap((character) => (bytes.has(character) ? character : plainer(character)))
    .join("");

/** Letters whose stroke is not an accent in Unicode. */
const stroked: Readonly<Record<string, string>> = { ł: "l", Ł: "L", đ: "d", Đ: "D" };

const plainer = (character: string) =>
  [...(stroked[character] ?? character.normalize("NFKD"))]
    .filter((part) => !/\p{M}/u.test(part))
    .map((part) => (bytes.has(part) ? part : "?"));

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const compact = (day: string) => day.replaceAll("-", "");

/** The first day of the merchant's fiscal year that contains a day. */
export function yearStart(day: string, { month }: Pick<DatevCodes, "month">): string {
  const year = Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < Number(month) ? 1 : 0);
  return `${year}-${month.padStart(2, "0")}-01`;
}

/** Returns whether the days are in one fiscal year, as bookings do not state the year. */
export const isOneYear = ({ from, to }: { from: string; to: string }, codes: DatevCodes): boolean =>
  from <= to && yearStart(from, codes) === yearStart(to, codes);

/** A file of the days, whose bookings the tax adviser may still change. `codes` must be complete. */
export function datevSheet(days: { from: string; to: string }, codes: DatevCodes, now: number): Sheet {
  const created = new Date(now).toISOString().replaceAll(/\D/g, "");
  const { from, to } = days;
  const header = [
    ...['"EXTF"', "700", "21", '"Buchungsstapel"', "13", created, "", '""', '""', '""'],
    ...[codes.consultant, codes.client, compact(yearStart(from, codes)), String(codes.usdc.length)],
    ...[compact(from), compact(to), quoted(`Till ${from} ${to}`), '""', "1", "0", "0", '"EUR"'],
    ...["", '""', "", "", '""', "", "", '""', '"Till"'],
  ];
  const field = (column: string, value: Cell | undefined) =>
    texts.has(column) ? quoted(String(value ?? "")) : String(value ?? "");
  return {
    head: `${header.join(";")}\r\n${columns.join(";")}\r\n`,
    row: (values) => `${columns.map((column) => field(column, values[column])).join(";")}\r\n`,
    encode,
    type: "text/csv; charset=windows-1252",
  };
}

/** `2026-01-31` → `3101`, and `31012026` with its year. */
export const dayMonth = (day: string): string => `${day.slice(8)}${day.slice(5, 7)}`;
export const dayMonthYear = (day: string): string => `${dayMonth(day)}${day.slice(0, 4)}`;
