/** Texts of who sells to whom and on what terms, and of the tax. */
export const trade = {
  vatId: "VAT ID",
  taxId: "Tax ID",
  registration: "Company no.",
  contactPerson: "Contact",
  phone: "Phone",
  paymentTerms: "Payment terms",
  deliveryDate: "Delivery date",
  deliveryPeriod: "Delivery period",
  buyerReference: "Buyer reference",
  purchaseOrder: "Purchase order",
  taxColumn: "Tax",
  taxOn: "Tax {rate}% on {amount}",
  taxIncluded: "Includes tax {rate}% on {amount}",
  taxZero: "Tax 0% on {amount}",
  taxExempt: "Exempt from tax: {amount}",
  taxReverse: "Reverse charge, the customer owes the tax: {amount}",
  taxExport: "Export, not taxed: {amount}",
  taxOutside: "Not subject to tax: {amount}",
  lineDiscount: "less {discount}",
  percentage: "{percent}%",
  taxShort: "tax {rate}%",
} as const;

export type TradeTexts = Readonly<Record<keyof typeof trade, string>>;
