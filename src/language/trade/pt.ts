import type { TradeTexts } from "./en.ts";

export const trade: TradeTexts = {
  vatId: "Nº de IVA",
  taxId: "Identificação fiscal",
  registration: "Registro da empresa",
  contactPerson: "Contato",
  phone: "Telefone",
  paymentTerms: "Condições de pagamento",
  deliveryDate: "Data de entrega",
  deliveryPeriod: "Período de prestação",
  buyerReference: "Referência do comprador",
  purchaseOrder: "Pedido de compra",
  taxOn: "Imposto de {rate}% sobre {amount}",
  taxIncluded: "Inclui imposto de {rate}% sobre {amount}",
  taxZero: "Imposto de 0% sobre {amount}",
  taxExempt: "Isento de imposto: {amount}",
  taxReverse: "Imposto devido pelo adquirente: {amount}",
  taxExport: "Exportação, sem imposto: {amount}",
  taxOutside: "Não sujeito a imposto: {amount}",
  lineDiscount: "menos {discount}",
  percentage: "{percent}%",
  taxShort: "imposto {rate}%",
};
