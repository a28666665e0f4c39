import type { customers as english } from "../en/customers.ts";
import type { TextsOf } from "../texts.ts";

/** Customers. */
export const customers: TextsOf<typeof english> = {
  customersLine: "Alle, denen Sie eine Rechnung gestellt haben.",
  customersCaption: "Kunden, zuletzt berechnete zuerst",
  searchCustomers: "Kunden suchen",
  searchCustomersPlaceholder: "Name oder E-Mail\u00a0…",
  kindEverybody: "Alle",
  kindOwing: "Offen",
  columnLastInvoice: "Letzte Rechnung",
  columnPaidUsdc: "Bezahlt (USDC)",
  openAmount: "Offen: {amount}",
  noCustomers: "Ihre Kunden erscheinen hier von selbst",
  noCustomersText:
    "Wem Sie eine Rechnung senden, der steht hier: mit allem, was bezahlt und was noch offen ist. Sie müssen nichts pflegen.",
  noCustomerFound: "Niemand gefunden für „{query}“",
  noCustomerFoundText: "Sie können nach Name oder E-Mail-Adresse suchen, jeweils vom Anfang an.",
  nobodyOwes: "Niemand schuldet Ihnen etwas",
  nobodyOwesText: "Alle Rechnungen sind bezahlt oder storniert.",
  showEverybody: "Alle anzeigen",
  customerOpen: "Offen",
  customerPaid: "Bisher bezahlt",

  partyDetails: "Steuer und Anschrift",
  partyDetailsText:
    "Was das Gesetz auf einer Rechnung an ein Unternehmen verlangt. Neue Rechnungen verwenden diese Angaben; bestehende behalten ihre.",
  partyDetailsCustomer: "Neue Rechnungen an diesen Kunden verwenden diese Angaben; bestehende behalten ihre.",
  partyInstead:
    "Steht hier eine Straße oder ein Ort, erscheint diese Anschrift auf der Rechnung anstelle der anderen.",
  partyStreet: "Straße und Hausnummer",
  partyAddition: "Zusatz",
  partyPostalCode: "Postleitzahl",
  partyCity: "Ort",
  partyRegion: "Bundesland oder Provinz",
  partyCountry: "Land",
  partyNoCountry: "Keine Angabe",
  partyElectronic: "Adresse für E-Rechnungen",
  partyElectronicHint: "Schema und Kennung, etwa {example}",
  partyParity: "1 USDC zählt als 1 USD",
  partyParityText: "Für Rechnungen in USD. Dort wird es vermerkt.",
  partyForBusiness: "Für ein Unternehmen",
  partyForBusinessText: "Anschrift in Teilen, Steuernummern, Lieferung, Bestellung",
  partyDeliveryFrom: "Geliefert am oder ab",
  partyDeliveryTo: "Bis, bei einem Zeitraum",
  didSaveCustomer: "Gespeichert. Neue Rechnungen an diesen Kunden verwenden diese Angaben.",
  deedCustomerSave: "Angaben eines Kunden geändert",
  faultVatId:
    "Geben Sie die USt-IdNr. mit dem Land am Anfang ein, etwa {example}, und prüfen Sie sie Ziffer für Ziffer.",
  faultTaxId:
    "Diese Nummer hat nicht die Form, die in diesem Land üblich ist. Prüfen Sie sie Ziffer für Ziffer.",
  faultPhone: "Geben Sie eine Telefonnummer ein, etwa {example}.",
  faultElectronic: "Geben Sie das Schema, einen Doppelpunkt und die Kennung ein, etwa {example}.",
  faultTerms: "Es ist Platz für 500 Zeichen.",
  faultDelivery: "Geben Sie einen Tag ein oder den ersten und den letzten Tag eines Zeitraums.",
  partyEmailFirst: "Geben Sie auch Ihre E-Mail-Adresse ein: Unter ihr werden diese Angaben gespeichert.",
};
