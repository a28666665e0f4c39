import type { invoiceForm as english } from "../en/invoice-form.ts";
import type { TextsOf } from "../texts.ts";

/** A new invoice. */
export const invoiceForm: TextsOf<typeof english> = {
  savedAsDraft: "Als Entwurf gespeichert: {time}",
  dropDraft: "Entwurf verwerfen",
  customerAddress: "Anschrift des Kunden",
  whatFor: "Positionen",
  linePrice: "Preis",
  pricesIn: "Preise in",
  rateOfUsdc: "Preis von 1 USDC",
  rateHint: "Für EUR und USD leer lassen: Der aktuelle Kurs wird abgefragt. Andere Währungen brauchen einen.",
  faultCurrency: "Wählen Sie eine Währung aus der Liste.",
  faultRate:
    "Geben Sie ein, was 1 USDC kostet: eine Zahl über 0, etwa 0,86. Die Rechnung muss 0,01 bis 1.000.000.000,00 USDC ergeben.",
  noRate:
    "Gerade ist kein aktueller Kurs zu bekommen. Geben Sie selbst einen ein, oder versuchen Sie es in einer Minute noch einmal.",
  lineTotal: "USDC",
  ofLine: "{field}, Position {number}",
  removeLine: "Position {number} entfernen",
  addLine: "Position hinzufügen",
  allLines: "Mehr Positionen kann eine Rechnung nicht haben.",
  paidInto: "Zahlung an",
  tillsWalletText: "Till verwahrt das Geld, Sie zahlen es aus, wann Sie wollen",
  ownWallet: "Eigene Wallet",
  ownWalletText: "Direkt an Ihre eigene Adresse im Netzwerk Base",
  billedByNobody: "Von wem ist die Rechnung? Einmal ausfüllen genügt.",
  shopEmailHint: "Antworten von Kunden kommen hier an.",
  sendInvoice: "Rechnung senden",
  makeInvoice: "Rechnung erstellen",
  makeWithoutSending: "Erstellen ohne Senden",
  saveDraft: "Entwurf speichern",
  whatCustomerSees: "Das sieht Ihr Kunde",
  exampleQr: "Beispiel für den QR-Code",
  noLineYet: "Ihre Positionen erscheinen hier.",
  dueOnPreview: "Fällig am {day}",

  faultCustomerName: "Geben Sie den Namen des Kunden ein, höchstens 200 Zeichen.",
  faultCustomerEmail: "Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@shop.example.",
  faultCustomerAddress: "Eine Anschrift hat höchstens 500 Zeichen.",
  faultDue: "Wählen Sie, bis wann zu zahlen ist: heute oder später.",
  faultReference: "Eine Referenz ist eine Zeile mit höchstens 100 Zeichen.",
  faultNotes: "Es ist Platz für 2.000 Zeichen.",
  faultShopName: "Geben Sie Ihren Namen so ein, wie er auf der Rechnung stehen soll.",
  faultShopEmail: "Geben Sie Ihre vollständige E-Mail-Adresse ein.",
  faultShopAddress: "Geben Sie Ihre Anschrift so ein, wie sie auf der Rechnung stehen soll.",
  faultWallet:
    "Diese Adresse kann nicht verwendet werden: Sie ist nicht so geschrieben, wie eine Wallet sie schreibt, oder niemand könnte bewegen, was dort ankommt. Kopieren Sie sie noch einmal aus Ihrer Wallet.",
  ownWalletUnknown:
    "In diese Wallet wurde noch nie gezahlt. Ein Inhaber muss sie zuerst in den Einstellungen eintragen.",
  faultDescription: "Beschreiben Sie diese Position, höchstens 500 Zeichen.",
  faultQuantity: "Geben Sie eine Menge über 0 ein, zum Beispiel 1 oder {example}.",
  faultPrice: "Geben Sie einen Betrag wie {example} ein, ohne Tausendertrennzeichen.",
  faultLines: "Die Positionen müssen zusammen mehr als {least} und höchstens {most} USDC ergeben.",
  faultOther: "Feld {field}: {why}",
  sentBefore:
    "Dieses Formular wurde schon gesendet, und die Rechnung wurde erstellt. Sehen Sie in der Liste nach. Wenn Sie noch eine möchten, senden Sie es noch einmal.",
  notMade: "Die Rechnung wurde nicht erstellt. Warten Sie eine Minute, dann senden Sie sie noch einmal.",

  lineUnit: "Einheit",
  lineDiscountField: "Rabatt (10\u00a0% oder 5,00)",
  taxRate: "Steuer %",
  taxKind: "Art der Steuer",
  taxReason: "Grund der Befreiung",
  taxKindOfRate: "Nach dem Satz",
  taxKindStandard: "Steuerpflichtig",
  taxKindZero: "Nullsatz",
  taxKindExempt: "Steuerfrei",
  taxKindReverse: "Steuerschuld beim Kunden",
  taxKindExport: "Ausfuhr",
  taxKindOutside: "Nicht steuerbar",
  addTerms: "Rabatt oder Steuer hinzufügen",
  wholeDiscount: "Rabatt auf die ganze Rechnung (10\u00a0% oder 5,00)",
  pricesIncludeTax: "Preise enthalten die Steuer",
  faultUnit: "Eine Einheit hat höchstens 20 Zeichen.",
  faultDiscount:
    "Geben Sie einen Prozentsatz wie 10\u00a0% ein oder einen Betrag, der nicht höher ist als der Betrag, von dem er abgezogen wird.",
  faultTaxRate: "Geben Sie einen Prozentsatz von 0 bis 100 ein. Ohne Steuer: 0 eingeben oder leer lassen.",
  faultTaxKind:
    "Wählen Sie eine Art, die für alle Positionen gilt: Eine Rechnung kann Steuerbares und nicht Steuerbares nicht mischen.",
  faultTaxReason: "Geben Sie kurz an, warum keine Steuer anfällt, für alle Positionen dieser Art gleich.",
  faultIncludesTax: "Preise können nur dann Steuer enthalten, wenn die Positionen eine haben.",

  didSendInvoice: "Die Rechnung ist erstellt und unterwegs zu Ihrem Kunden.",
  didMakeInvoice:
    "Die Rechnung ist erstellt. Ihr Kunde hat noch keine E-Mail erhalten: Senden Sie sie oder geben Sie den Link selbst weiter.",
  didMakeUnmailed:
    "Die Rechnung ist erstellt, aber die E-Mail wurde nicht versendet. Den Grund finden Sie unten.",
};
