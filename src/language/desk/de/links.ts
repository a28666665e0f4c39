import type { links as english } from "../en/links.ts";
import type { TextsOf } from "../texts.ts";

/** Payment links. */
export const links: TextsOf<typeof english> = {
  linkOpen: "Offen",
  linkSeen: "Unterwegs",
  linkPartly: "Teilweise bezahlt",
  linkPaid: "Bezahlt",
  linkOverpaid: "Überzahlt",
  linkMarked: "Anderweitig bezahlt",
  linkProblem: "Problem mit der Zahlung",
  linkVoid: "Storniert",
  linkEnded: "Beendet",

  linksShow: "Anzeigen",
  linksAll: "Alle",
  linksOpen: "Offen",
  linksPaid: "Bezahlt",
  linksEnded: "Beendet",
  linksCounter: "Kasse",
  linksMany: "{count}+",
  linksCaption: "Zahlungslinks, neueste zuerst",
  linksSearch: "Links suchen",
  linksSearchHint: "Beschreibung, Referenz, Adresse, Transaktion",
  linksLink: "Link",
  linksState: "Status",
  linksMade: "Erstellt",
  linksPrice: "Preis",
  linksReceived: "Eingegangen (USDC)",
  linksNothingYet: "noch nichts",
  linksNone: "Mit einem Link kassieren",
  linksNoneText:
    "Senden Sie ihn in einer Nachricht, drucken Sie ihn als QR-Code oder setzen Sie ihn auf Ihre Website. Wer ihn öffnet, zahlt in USDC, einmal oder immer wieder, und Sie sehen es hier.",
  linksNothingHere: "Keine solchen Links",
  linksNothingHereText: "Es gibt Links, aber keine wie diese.",
  linksNothingFound: "Nichts gefunden",
  linksNothingFoundText:
    "Die Suche findet Wörter aus Beschreibung oder Referenz, eine ganze Adresse, den Anfang einer Transaktion und das Ende eines Links.",
  linksShowAll: "Alle Links anzeigen",

  linkOnce: "Einmalig",
  linkAgain: "Mehrfach",
  linkOncePart: "Eine Zahlung eines Links",
  linkUntil: "{kind}, Ende: {day}",
  linkPaidTimes: "{kind} · Bezahlt: {count}",
  linkFrom: "{min} bis {max}",
};
