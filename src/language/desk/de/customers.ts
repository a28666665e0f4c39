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
  columnOwes: "Offen",
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
  customerInvoices: "Rechnungen",
  invoiceForThem: "Neue Rechnung",
  writeTo: "E-Mail schreiben",
};
