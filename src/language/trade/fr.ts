import type { TradeTexts } from "./en.ts";

export const trade: TradeTexts = {
  vatId: "N° de TVA",
  taxId: "Identifiant fiscal",
  registration: "Immatriculation",
  contactPerson: "Contact",
  phone: "Téléphone",
  paymentTerms: "Conditions de paiement",
  deliveryDate: "Date de livraison",
  deliveryPeriod: "Période de prestation",
  buyerReference: "Référence de l’acheteur",
  purchaseOrder: "Bon de commande",
  taxOn: "TVA {rate}\u00a0% sur {amount}",
  taxIncluded: "Dont TVA {rate}\u00a0% sur {amount}",
  taxZero: "TVA 0\u00a0% sur {amount}",
  taxExempt: "Exonéré de TVA\u00a0: {amount}",
  taxReverse: "Autoliquidation\u00a0: {amount}",
  taxExport: "Exportation exonérée\u00a0: {amount}",
  taxOutside: "Hors champ de la TVA\u00a0: {amount}",
  lineDiscount: "remise {discount}",
  percentage: "{percent}\u00a0%",
  taxShort: "TVA {rate}\u00a0%",
};
