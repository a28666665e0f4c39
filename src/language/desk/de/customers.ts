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
    "Was das Gesetz auf einer Rechnung an ein Unternehmen verlangt. Jede neue Rechnung übernimmt es; bestehende behalten, was sie haben.",
  partyDetailsCustomer:
    "Jede neue Rechnung an diesen Kunden übernimmt es; bestehende behalten, was sie haben.",
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
  partyParityText: "Auf Rechnungen in USD, und sie sagen es.",
  partyForBusiness: "Für ein Unternehmen",
  partyForBusinessText: "Anschrift in Teilen, Steuernummern, Lieferung, Bestellung",
  partyDeliveryFrom: "Geliefert am oder ab",
  partyDeliveryTo: "Bis, bei einem Zeitraum",
  didSaveCustomer: "Gespeichert. Neue Rechnungen an diesen Kunden übernehmen es.",
  deedCustomerSave: "Hat die Angaben eines Kunden geändert",
  faultParty: "Schreiben Sie eine Zeile mit höchstens {max} Zeichen.",
  faultVatId:
    "Schreiben Sie die USt-IdNr. mit dem Land am Anfang, etwa {example}, und vergleichen Sie sie Ziffer für Ziffer.",
  faultTaxId: "So schreibt das Land diese Nummer nicht. Vergleichen Sie sie Ziffer für Ziffer.",
  faultPhone: "Schreiben Sie eine Telefonnummer, etwa {example}.",
  faultElectronic: "Schreiben Sie das Schema, einen Doppelpunkt und die Kennung, etwa {example}.",
  faultTerms: "Es ist Platz für 500 Zeichen.",
  faultDelivery: "Schreiben Sie einen Tag, oder den ersten und den letzten Tag eines Zeitraums.",
  partyEmailFirst: "Schreiben Sie auch Ihre Mailadresse: Darunter werden diese Angaben gespeichert.",
};
