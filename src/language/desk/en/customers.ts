import type { TextsOf } from "../texts.ts";

/** Customers, and the details of sellers and buyers that are businesses. */
export const customers = {
  customersLine: "Everybody you have billed.",
  customersCaption: "Customers, most recently billed first",
  searchCustomers: "Search customers",
  searchCustomersPlaceholder: "Name or email…",
  kindEverybody: "Everybody",
  kindOwing: "Owing",
  columnLastInvoice: "Last invoice",
  columnPaidUsdc: "Paid (USDC)",
  openAmount: "Open: {amount}",
  noCustomers: "Your customers appear by themselves",
  noCustomersText:
    "Everybody you invoice is listed here, with what they paid and what they still owe. The list keeps itself up to date.",
  noCustomerFound: "Nobody found for “{query}”",
  noCustomerFoundText: "Search by the beginning of a name or a mail address.",
  nobodyOwes: "Nobody owes you anything",
  nobodyOwesText: "Every invoice is paid or void.",
  showEverybody: "Show everybody",
  customerOpen: "Open",
  customerPaid: "Paid so far",

  // Details of sellers and buyers that are businesses.
  partyDetails: "Tax and address details",
  partyDetailsText:
    "What the law requires on an invoice to a business. New invoices use these details; existing ones keep theirs.",
  partyDetailsCustomer: "New invoices to them use these details; existing ones keep theirs.",
  partyInstead: "If you enter a street or a city here, the invoice shows this address instead of the other.",
  partyStreet: "Street and number",
  partyAddition: "Second line",
  partyPostalCode: "Postal code",
  partyCity: "City",
  partyRegion: "State or province",
  partyCountry: "Country",
  partyNoCountry: "Not given",
  partyElectronic: "Address for e-invoices",
  partyElectronicHint: "Scheme and id, such as {example}",
  partyParity: "1 USDC counts as 1 USD",
  partyParityText: "For invoices in USD, which say so.",
  partyForBusiness: "For a business",
  partyForBusinessText: "Their address in parts, tax ids, delivery, order",
  partyDeliveryFrom: "Delivered on, or from",
  partyDeliveryTo: "Until, for a period",
  didSaveCustomer: "Saved. New invoices to them will use this.",
  deedCustomerSave: "Changed the details of a customer",
  faultVatId: "Start the VAT ID with its country, such as {example}, and check it digit by digit.",
  faultTaxId: "This is not how that country writes this number. Check it digit by digit.",
  faultPhone: "Enter a phone number such as {example}.",
  faultElectronic: "Enter the scheme, a colon and the ID, such as {example}.",
  faultTerms: "Use up to 500 characters.",
  faultDelivery: "Enter one day, or the first and last day of a period.",
  partyEmailFirst: "Enter your mail address too: these details are saved under it.",
} as const;

export type CustomersTexts = TextsOf<typeof customers>;
