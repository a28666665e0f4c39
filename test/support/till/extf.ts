/**
 * Reads a DATEV file as strictly as its description says (developer.datev.de, "Header" and "Buchungsstapel", header version
 * 700, format version 13): bytes, line ends, quotes, and the expression of each field. Knows nothing of how Till writes it.
 */

const head =
  "Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre;Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink;Beleginfo - Art 1;Beleginfo - Inhalt 1;Beleginfo - Art 2;Beleginfo - Inhalt 2;Beleginfo - Art 3;Beleginfo - Inhalt 3;Beleginfo - Art 4;Beleginfo - Inhalt 4;Beleginfo - Art 5;Beleginfo - Inhalt 5;Beleginfo - Art 6;Beleginfo - Inhalt 6;Beleginfo - Art 7;Beleginfo - Inhalt 7;Beleginfo - Art 8;Beleginfo - Inhalt 8;KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung);EU-Steuersatz (Bestimmung);Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung;Zusatzinformation - Art 1;Zusatzinformation- Inhalt 1;Zusatzinformation - Art 2;Zusatzinformation- Inhalt 2;Zusatzinformation - Art 3;Zusatzinformation- Inhalt 3;Zusatzinformation - Art 4;Zusatzinformation- Inhalt 4;Zusatzinformation - Art 5;Zusatzinformation- Inhalt 5;Zusatzinformation - Art 6;Zusatzinformation- Inhalt 6;Zusatzinformation - Art 7;Zusatzinformation- Inhalt 7;Zusatzinformation - Art 8;Zusatzinformation- Inhalt 8;Zusatzinformation - Art 9;Zusatzinformation- Inhalt 9;Zusatzinformation - Art 10;Zusatzinformation- Inhalt 10;Zusatzinformation - Art 11;Zusatzinformation- Inhalt 11;Zusatzinformation - Art 12;Zusatzinformation- Inhalt 12;Zusatzinformation - Art 13;Zusatzinformation- Inhalt 13;Zusatzinformation - Art 14;Zusatzinformation- Inhalt 14;Zusatzinformation - Art 15;Zusatzinformation- Inhalt 15;Zusatzinformation - Art 16;Zusatzinformation- Inhalt 16;Zusatzinformation - Art 17;Zusatzinformation- Inhalt 17;Zusatzinformation - Art 18;Zusatzinformation- Inhalt 18;Zusatzinformation - Art 19;Zusatzinformation- Inhalt 19;Zusatzinformation - Art 20;Zusatzinformation- Inhalt 20;Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername;Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis;Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU);Steuersatz;Land;Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto";

/** The fields of texts, from 1: in quotes, also when they are empty. */
const texts = new Set([
  ...[2, 3, 6, 9, 11, 12, 14, 16, 20, 37, 38, 40, 42, 91, 95, 96, 98, 102, 103, 105, 107, 109, 110, 112, 118],
  ...[120, 121, 123],
  ...Array.from({ length: 16 }, (_, i) => 21 + i),
  ...Array.from({ length: 40 }, (_, i) => 48 + i),
]);

const date = /^20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const nothing = /^$/;
const emptyText = /^""$/;

const headerForms = [
  ...[/^"EXTF"$/, /^700$/, /^21$/, /^"Buchungsstapel"$/, /^13$/],
  ...[/^20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d\d{3}$/, nothing],
  ...[/^"\w{0,2}"$/, /^"\w{0,25}"$/, emptyText, /^(?!1000$)[1-9]\d{3,6}$/, /^[1-9]\d{0,4}$/, date, /^[4-8]$/],
  ...[date, date, /^"[\w./ -]{0,30}"$/, /^"(?:[A-Z]{2}){0,2}"$/, /^[12]$/, /^(?:0|30|40|50|64)$/, /^[01]$/],
  ...[/^"[A-Z]{3}"$/, nothing, emptyText, nothing, nothing, /^"(?:\d{2}){0,2}"$/, nothing, nothing],
  ...[emptyText, /^".{0,16}"$/],
];

const kinds: Record<number, RegExp> = {
  1: /^(?!0{1,10},00$)\d{1,10},\d{2}$/,
  2: /^"[SH]"$/,
  3: /^"(?:[A-Z]{3})?"$/,
  4: /^(?:[1-9]\d{0,3},\d{2,6})?$/,
  5: /^(?:\d{1,10},\d{2})?$/,
  6: /^"(?:[A-Z]{3})?"$/,
  7: /^\d{4,9}$/,
  8: /^\d{4,9}$/,
  9: /^"(?:\d{4})?"$/,
  10: /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])$/,
  11: /^"[\w$%/-]{0,36}"$/,
  14: /^"(?:[^"\p{Cc}]|""){0,60}"$/u,
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [
      [21 + 2 * i, /^".{0,20}"$/],
      [22 + 2 * i, /^".{0,210}"$/],
    ]).flat(),
  ),
  40: /^"(?:[A-Z]{2}\w{2,13})?"$/,
  114: /^[01]$/,
  117: /^(?:(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])20\d{2})?$/,
};

/** Fields between semicolons, as they are written. */
function fieldsOf(line: string): string[] {
  const fields = line.match(/(?:"(?:[^"]|"")*"|[^";]*)(?:;|$)/g) ?? [];
  if (fields.join("") !== line) throw new Error(`not fields: ${line}`);
  // The expression matches once more, nothing, at the end.
  const whole = line.endsWith(";") ? fields : fields.slice(0, -1);
  return whole.map((field) => field.replace(/;$/, ""));
}

const unquoted = (field: string) =>
  field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;

function check(fields: readonly string[], forms: (number: number) => RegExp, where: string) {
  for (const [index, field] of fields.entries())
    if (!forms(index + 1).test(field)) throw new Error(`${where}, field ${index + 1}: ${field}`);
}

/** The header by its places from 1, and the bookings by their filled columns. Throws where a file is not as described. */
export function readExtf(bytes: Uint8Array): { header: string[]; bookings: Record<string, string>[] } {
  const text = new TextDecoder("windows-1252").decode(bytes);
  if (!text.endsWith("\r\n") || /(?<!\r)\n|\r(?!\n)/.test(text)) throw new Error("lines do not end in CRLF");
  const [headerLine = "", names = "", ...lines] = text.slice(0, -2).split("\r\n");
  const header = fieldsOf(headerLine);
  if (header.length !== 31) throw new Error(`a header of ${header.length} fields`);
  check(header, (number) => headerForms[number - 1] ?? nothing, "header");
  if (names !== head) throw new Error("other columns");
  const columns = names.split(";");
  const [, , , , , , , , , , , , yearStart = "", accountLength = "", from = "", to = ""] = header;
  if (!(yearStart <= from && from <= to && Number(to) < Number(yearStart) + 10_000))
    throw new Error("days of more than a year");
  const bookings = lines.map((line, row) => {
    const where = `line ${row + 3}`;
    const fields = fieldsOf(line);
    if (fields.length !== 125) throw new Error(`${where}: ${fields.length} fields`);
    check(fields, (number) => kinds[number] ?? (texts.has(number) ? emptyText : nothing), where);
    const booking = Object.fromEntries(
      fields
        .map((field, index) => [columns[index] ?? "", unquoted(field)])
        .filter(([, value]) => value !== ""),
    );
    checkTogether(booking, { accountLength: Number(accountLength), from, to }, where);
    return booking;
  });
  return { header: header.map(unquoted), bookings };
}

function checkTogether(
  booking: Record<string, string>,
  { accountLength, from, to }: { accountLength: number; from: string; to: string },
  where: string,
) {
  const foreign = ["Kurs", "Basis-Umsatz", "WKZ Basis-Umsatz"].map((name) => booking[name] !== undefined);
  const currency = booking["WKZ Umsatz"];
  if (foreign.some((is) => is !== (currency !== undefined))) throw new Error(`${where}: half of a currency`);
  for (const name of ["Konto", "Gegenkonto (ohne BU-Schlüssel)"]) {
    const length = booking[name]?.length ?? 0;
    if (length !== accountLength && length !== accountLength + 1) throw new Error(`${where}: ${name}`);
  }
  const day = booking["Belegdatum"] ?? "";
  const years = [from.slice(0, 4), to.slice(0, 4)].map((year) => year + day.slice(2) + day.slice(0, 2));
  if (!years.some((date) => from <= date && date <= to))
    throw new Error(`${where}: ${day} is not in the days`);
}
