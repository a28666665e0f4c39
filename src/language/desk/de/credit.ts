import type { credit as english } from "../en/credit.ts";
import type { TextsOf } from "../texts.ts";

export const credit: TextsOf<typeof english> = {
  creditNote: "Rechnungskorrektur",
  creditNotes: "Rechnungskorrekturen",
  creditNoteNumberLabel: "Korrekturnummer",
  ofInvoice: "Zur Rechnung",
  creditSubject: "Rechnungskorrektur {number} von {merchant}",
  creditHeading: "Rechnungskorrektur {number}",
  creditSentence: "{name} hat Ihnen diesen Betrag gutgeschrieben.",
  creditedAmount: "Gutgeschrieben",
  creditStillDue: "Von Rechnung {number} sind noch {amount} zu zahlen.",
  creditNothingDue: "Von Rechnung {number} ist nichts mehr zu zahlen.",
  creditReturn: "Davon waren {amount} schon bezahlt: {merchant} schuldet sie Ihnen.",
  creditInvoice: "Gutschreiben",
  creditInvoiceHeading: "Rechnung {number} gutschreiben",
  creditExplained:
    "Eine Rechnungskorrektur nimmt eine Rechnung ganz oder zum Teil zurück. Sie hat eine eigene Nummer und ändert sich nie.",
  creditByLines: "Positionen und wie viel davon",
  creditByAmounts: "Oder Beträge mit ihrer Steuer",
  creditAllLeft: "Alles, was übrig ist: {amount}",
  creditAmountLeft: "höchstens {amount}",
  creditCheck: "Summe ansehen",
  creditMake: "Rechnungskorrektur erstellen",
  creditMailIt: "Dem Kunden mailen",
  creditThenDue: "Der Kunde hat dann noch {amount} zu zahlen.",
  creditThenNothing: "Der Kunde hat dann nichts mehr zu zahlen.",
  creditToReturn: "Davon sind {amount} schon bezahlt. Sie zahlen das dem Kunden selbst zurück.",
  searchCreditNotes: "Rechnungskorrekturen suchen",
  searchCreditNotesHint: "Kunde, Nummer, Betrag\u00a0…",
  noCreditNoteFound:
    "Sie können nach Kunde, E-Mail-Adresse, Referenz, Betrag oder der Nummer der Korrektur oder ihrer Rechnung suchen, jeweils vom Anfang an.",
  showAllCreditNotes: "Alle Rechnungskorrekturen anzeigen",
  creditNotesNone: "Noch keine Rechnungskorrekturen. Sie erstellen eine auf der Seite einer Rechnung.",
  creditThenVoid: "Niemand hat etwas bezahlt, also ist die Rechnung dann storniert.",
  faultCreditNone: "Sagen Sie, was Sie gutschreiben möchten.",
  faultCreditLines:
    "Vorher wurden Beträge gutgeschrieben: Von diesem Steuersatz ist weniger übrig, als diese Positionen ergeben. Schreiben Sie stattdessen einen Betrag gut.",
  creditInFlight:
    "Eine Zahlung ist unterwegs. Warten Sie, bis sie bestätigt ist, und schreiben Sie dann gut.",
  creditNothingLeft: "Von dieser Rechnung ist nichts mehr gutzuschreiben.",
  creditChanged: "Inzwischen hat sich etwas geändert. Sehen Sie sich die Summe noch einmal an.",
  toldCredited: "**Rechnungskorrektur {number}**: {amount}",
  didCredit: "Die Rechnungskorrektur ist erstellt.",
  didSendCredit: "Die Rechnungskorrektur wurde gemailt.",
  deedInvoiceCredit: "Rechnungskorrektur erstellt",
  deedCreditSend: "Rechnungskorrektur gemailt",
};
