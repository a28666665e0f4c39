import type { eInvoice as english } from "../en/e-invoice.ts";
import type { TextsOf } from "../texts.ts";

export const eInvoice: TextsOf<typeof english> = {
  eInvoice: "Facture électronique",
  eInvoiceFacturX: "PDF avec données (ZUGFeRD, Factur-X)",
  eInvoiceUbl: "Fichier pour Peppol (UBL)",
  eInvoiceCii: "Données seules (CII)",
  eInvoiceLacks: "Il manque à cette facture pour être électronique\u00a0:",
  eInvoicePeppolLacks: "Peppol demande aussi\u00a0:",
  gapCurrency: "Une devise comme EUR ou USD\u00a0; USDC n’a pas de code",
  gapTax: "Un taux ou un type de taxe sur chaque ligne",
  gapSellerCountry: "Votre pays",
  gapBuyerCountry: "Le pays du client",
  gapSellerTaxId: "Votre numéro de TVA ou numéro fiscal",
  gapSellerVatId: "Votre numéro de TVA, pour une exportation",
  gapSellerRegistration: "Votre immatriculation ou numéro fiscal",
  gapBuyerVatId: "Le numéro de TVA ou l’immatriculation du client, en autoliquidation",
  gapVatIdCountry: "Un numéro de TVA qui commence par son pays",
  gapElectronicAddress: "L’adresse électronique des deux, la vôtre et celle du client",
  gapAddressScheme: "Une adresse électronique qui commence par un schéma de Peppol, comme 9930:",
  gapBuyerReference: "La référence ou le numéro de commande du client",
  gapVatCurrency: "La devise de votre pays, dans laquelle la loi veut voir la taxe",
};
