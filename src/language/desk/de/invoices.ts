import type { invoices as english } from "../en/invoices.ts";
import type { TextsOf } from "../texts.ts";

/** Invoices: the list and one of them. */
export const invoices: TextsOf<typeof english> = {
  invoicesCaption: "Rechnungen, neueste zuerst",
  searchInvoices: "Rechnungen suchen",
  searchPlaceholder: "Kunde, Nummer, Betrag, Adresse\u00a0…",
  kindAll: "Alle",
  kindOpen: "Offen",
  kindOverdue: "Überfällig",
  kindPaid: "Bezahlt",
  kindVoid: "Storniert",
  kindDrafts: "Entwürfe",
  anyDate: "Beliebiges Datum",
  sinceDay: "Ab {from}",
  untilDay: "Bis {to}",
  betweenDays: "{from} bis {to}",
  thisMonth: "Dieser Monat",
  lastMonth: "Letzter Monat",
  thisYear: "Dieses Jahr",
  fromDay: "Von",
  toDay: "Bis",
  downloadCsv: "CSV",
  downloadCsvOfShown: "Angezeigte Liste als CSV herunterladen",
  columnDue: "Fällig",
  stateNotSent: "Nicht gesendet",
  leftToPay: "noch {amount}",
  paidTooMuch: "{amount} zu viel",
  sumInAll: "{count} insgesamt, {sum} USDC",
  sumHere: "{sum} USDC auf dieser Seite",
  foundMany: "Durchsucht werden nur die neuesten {count} Treffer.",
  toNewest: "Neueste",
  toOlder: "Ältere",

  noInvoices: "Ihre erste Rechnung dauert eine Minute",
  noInvoicesText:
    "Schreiben Sie, was Sie für wen getan haben. Ihr Kunde bekommt eine E-Mail mit einer Zahlungsseite, und Sie sehen hier, wann das Geld da ist.",
  orLink: "Oder ein Zahlungslink",
  nothingFound: "Nichts gefunden für „{query}“",
  nothingFoundText:
    "Sie können nach Kunde, E-Mail-Adresse, Nummer, Referenz oder Betrag suchen, jeweils vom Anfang an, oder nach einer ganzen Einzahlungsadresse oder Transaktion.",
  nothingOfKind: "Keine vorhanden",
  nothingOfKindText: "Zu dieser Auswahl gibt es keine Rechnung.",
  showAllInvoices: "Alle Rechnungen anzeigen",
  noDrafts: "Keine Entwürfe",
  noDraftsText:
    "Hier wartet jede Rechnung, die Sie vorab speichern. Sie hat noch keine Nummer, und niemand hat sie gesehen.",
  draftsCaption: "Entwürfe",
  columnChanged: "Geändert",
  unnamedDraft: "Noch ohne Kunden",
  didSaveDraft: "Der Entwurf ist gespeichert.",
  didDropDraft: "Der Entwurf ist verworfen.",
};
