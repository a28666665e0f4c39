import type { eInvoice as english } from "../en/e-invoice.ts";
import type { TextsOf } from "../texts.ts";

export const eInvoice: TextsOf<typeof english> = {
  eInvoice: "E-Rechnung",
  eInvoiceFacturX: "PDF mit Daten (ZUGFeRD, Factur-X)",
  eInvoiceUbl: "Datei für Peppol (UBL)",
  eInvoiceCii: "Nur die Daten (CII)",
  eInvoiceLacks: "Für eine E-Rechnung fehlt dieser Rechnung:",
  eInvoicePeppolLacks: "Peppol verlangt außerdem:",
  gapCurrency: "Eine Währung wie EUR oder USD; für USDC gibt es keinen Code",
  gapTax: "Ein Steuersatz oder eine Steuerart in jeder Zeile",
  gapSellerCountry: "Ihr Land",
  gapBuyerCountry: "Das Land des Kunden",
  gapSellerTaxId: "Ihre USt-IdNr. oder Steuernummer",
  gapSellerVatId: "Ihre USt-IdNr., bei einer Ausfuhr",
  gapSellerRegistration: "Ihre Registernummer oder Steuernummer",
  gapBuyerVatId: "USt-IdNr. oder Registernummer des Kunden, bei umgekehrter Steuerschuld",
  gapVatIdCountry: "Eine USt-IdNr., die mit ihrem Land beginnt",
  gapElectronicAddress: "Die elektronische Adresse beider Seiten, Ihre und die des Kunden",
  gapAddressScheme: "Eine elektronische Adresse, die mit einem Schema von Peppol beginnt, etwa 9930:",
  gapBuyerReference: "Die Referenz oder Bestellnummer des Kunden",
  gapVatCurrency: "Die Währung Ihres Landes, in der das Gesetz die Steuer sehen will",
};
