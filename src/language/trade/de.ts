import type { TradeTexts } from "./en.ts";

export const trade: TradeTexts = {
  vatId: "USt-IdNr.",
  taxId: "Steuernummer",
  registration: "Registernummer",
  contactPerson: "Kontakt",
  phone: "Telefon",
  paymentTerms: "Zahlungsbedingungen",
  deliveryDate: "Leistungsdatum",
  deliveryPeriod: "Leistungszeitraum",
  buyerReference: "Referenz des Käufers",
  purchaseOrder: "Bestellnummer",
  taxOn: "USt. {rate}\u00a0% auf {amount}",
  taxIncluded: "Enthält USt. {rate}\u00a0% auf {amount}",
  taxZero: "USt. 0\u00a0% auf {amount}",
  taxExempt: "Steuerfrei: {amount}",
  taxReverse: "Steuerschuldnerschaft des Leistungsempfängers: {amount}",
  taxExport: "Steuerfreie Ausfuhr: {amount}",
  taxOutside: "Nicht steuerbar: {amount}",
  lineDiscount: "abzüglich {discount}",
  percentage: "{percent}\u00a0%",
  taxShort: "USt. {rate}\u00a0%",
};
