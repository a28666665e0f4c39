import type { TradeTexts } from "./en.ts";

export const trade: TradeTexts = {
  vatId: "NIF-IVA",
  taxId: "Identificación fiscal",
  registration: "Registro mercantil",
  contactPerson: "Contacto",
  phone: "Teléfono",
  paymentTerms: "Condiciones de pago",
  deliveryDate: "Fecha de entrega",
  deliveryPeriod: "Periodo de prestación",
  buyerReference: "Referencia del comprador",
  purchaseOrder: "N.º de pedido",
  taxOn: "IVA del {rate}\u00a0% sobre {amount}",
  taxIncluded: "Incluye IVA del {rate}\u00a0% sobre {amount}",
  taxZero: "IVA del 0\u00a0% sobre {amount}",
  taxExempt: "Exento de IVA: {amount}",
  taxReverse: "Inversión del sujeto pasivo: {amount}",
  taxExport: "Exportación exenta: {amount}",
  taxOutside: "No sujeto a IVA: {amount}",
  lineDiscount: "menos {discount}",
  percentage: "{percent}\u00a0%",
  taxShort: "IVA {rate}\u00a0%",
};
