import type { books as english } from "../en/books.ts";
import type { TextsOf } from "../texts.ts";

/** Files for whoever keeps the books. */
export const books: TextsOf<typeof english> = {
  settingsBooks: "Buchhaltung",
  settingsBooksText: "Dateien für alle, die Ihre Bücher führen",
  booksTake: "Herunterladen",
  booksTakeText:
    "Wählen Sie den Zeitraum, dann eine Datei. Ohne Zeitraum enthält sie alles. Jede lässt sich in einer Tabellenkalkulation öffnen.",
  booksInvoices: "Rechnungen",
  booksItems: "Positionen",
  booksTaxes: "Steuer je Rechnung",
  booksTaxSums: "Steuersummen",
  booksPayments: "Zahlungen",
  booksSettlements: "Auszahlungen in Ihre Wallet",
  booksFees: "Netzwerkgebühren",
  booksValue:
    "Bei jeder Zahlung steht, was sie in {currency} wert war, nach wessen Angabe und wann. Was niemand wusste, bleibt leer.",
  booksNoValue:
    "Setzen Sie TILL_BOOKKEEPING_CURRENCY auf EUR oder USD, dann steht bei jeder Zahlung, was sie beim Eingang wert war.",
  booksXero: "Xero",
  booksXeroText:
    "Ausgangsrechnungen in den Spalten der Vorlage von Xero, Rechnungskorrekturen als Zeilen unter null: Wählen Sie dort „ohne Steuer“, und prüfen Sie, was aus der ersten Rechnungskorrektur geworden ist. Schreiben Sie, wie Ihre Bücher das Konto und jede Steuer nennen, genau wie Xero es zeigt. Stornierte Rechnungen ohne Rechnungskorrektur fehlen, ebenso die in USDC, sofern 1 USDC bei Ihnen nicht als 1 USD gilt.",
  booksAccount: "Erlöskonto",
  booksNoTax: "Ohne Steuer",
  booksFile: "Für Xero herunterladen",
  didSaveBooks: "Gespeichert.",
  booksCodeFault: "Schreiben Sie, wie Xero es nennt.",
};
