import type { home as english } from "../en/home.ts";
import type { TextsOf } from "../texts.ts";

/** Home. */
export const home: TextsOf<typeof english> = {
  newLink: "Neuer Link",
  newInvoice: "Neue Rechnung",
  greetMorning: "Guten Morgen, {name}",
  greetDay: "Guten Tag, {name}",
  greetEvening: "Guten Abend, {name}",
  greetNobody: "Start",

  receivedIn: "Eingegangen im {month}",
  receivedToday: "Heute",
  chartSays: "Eingegangen pro Tag, {from} bis {to}. Am meisten am {day}: {amount} USDC.",
  chartEmpty: "Von {from} bis {to} ist nichts eingegangen.",
  chartAsTable: "Zahlen als Tabelle",
  chartDay: "Tag",
  dayAndAmount: "{day}: {amount}\u00a0USDC",

  openTitle: "Offen",
  openNone: "Nichts offen",
  openCounted: "Rechnungen: {count}",
  openSays: "Rechnungen: {count}. Nächste fällig am {day}",
  overdueTitle: "Überfällig",
  overdueNone: "Nichts überfällig",
  overdueSays: "Rechnungen: {count}. Älteste fällig am {day}",

  needsAttention: "Hier sind Sie gefragt",

  newestPayments: "Neueste Zahlungen",
  paymentFrom: "Von",
  paymentState: "Status",
  paymentWhen: "Wann",
  allInvoices: "Alle Rechnungen",
  paymentLink: "Zahlungslink",
  counterPayment: "Kasse",
  stateConfirming: "Wird bestätigt, {count} von {needed}",
  stateFinalising: "Noch nicht endgültig",
  stateConfirmed: "Bestätigt",

  welcome: "Willkommen, {name}",
  welcomeNobody: "Willkommen",
  firstSteps: "Ein paar Schritte bis zu Ihrer ersten Zahlung.",
  stepDone: "Erledigt",
  stepProfile: "Stellen Sie sich vor",
  stepProfileText: "Name, Anschrift und E-Mail stehen ab jetzt auf jeder Rechnung.",
  stepProfileDo: "Angaben ausfüllen",
  stepInvoice: "Erstellen Sie Ihre erste Rechnung",
  stepInvoiceText:
    "Senden Sie sie an sich selbst, zahlen Sie 1,00 USDC und sehen Sie zu, wie das Geld ankommt.",
  stepWords: "Notieren Sie die Wiederherstellungswörter",
  stepWordsText: "Mit ihnen bekommen Sie Ihre Wallet zurück, falls dieser Rechner ausfällt.",
  stepWordsDo: "So geht’s",
  paymentsTitle: "Zahlungen",
  paymentsNone: "Zahlungen erscheinen hier nach wenigen Sekunden, ganz ohne Neuladen.",

  didSignIn: "Sie sind angemeldet.",
};
