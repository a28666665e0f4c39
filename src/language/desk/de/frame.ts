import type { frame as english } from "../en/frame.ts";
import type { TextsOf } from "../texts.ts";

/** What stands around every page of the desk. */
export const frame: TextsOf<typeof english> = {
  desk: "Verwaltung",
  skipToContent: "Zum Inhalt springen",
  navHome: "Start",
  navInvoices: "Rechnungen",
  navLinks: "Links",
  navCounter: "Kasse",
  navMoney: "Geld",
  navCustomers: "Kunden",
  navSettings: "Einstellungen",
  navMore: "Mehr",
  openCount: "Offen: {count}",
  search: "Suchen",
  signOut: "Abmelden",
  roleOwner: "Inhaber",
  roleStaff: "Team",
  roleAccountant: "Buchhaltung",
  development: "Entwicklung: nur Testgeld",

  watchCurrent: "{network}: alles aktuell",
  watchLate: "Zahlungen werden verzögert angezeigt",
  watchStarting: "Wird gestartet",

  refused: "Nicht erlaubt",
  refusedRole: "Ihre Rolle erlaubt das nicht. Wenden Sie sich an einen Inhaber.",
  refusedForeign: "Dieses Formular kam nicht von dieser Verwaltung. Es wurde nichts geändert.",
  refusedStale:
    "Diese Seite war zu lange geöffnet. Es wurde nichts geändert: Gehen Sie zurück, laden Sie sie neu und versuchen Sie es noch einmal.",
  backToHome: "Zur Startseite",
  deskNotFound: "Nicht gefunden",
  deskNotFoundText: "Diese Seite gibt es nicht. Vielleicht ist der Link falsch geschrieben.",

  undo: "Rückgängig",
  optional: "(optional)",
  faultsOne: "Eine Angabe ist zu korrigieren",
  faultsMany: "Zu korrigierende Angaben: {count}",
  copyIt: "Kopieren",
  isCopied: "Kopiert",
  isNotCopied: "Nicht kopiert",
  nextPage: "Weiter",
  pages: "Seiten",
  today: "Heute",
  yesterday: "Gestern",
  todayAt: "Heute, {time}",
  yesterdayAt: "Gestern, {time}",
};
