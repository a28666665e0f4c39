/** Files for whoever keeps the books. */
export const books = {
  settingsBooks: "Bookkeeping",
  settingsBooksText: "Files for whoever keeps your books",
  booksTake: "Download",
  booksTakeText:
    "Choose the days, then a file. Without days it holds everything. Each opens in a spreadsheet.",
  booksInvoices: "Invoices",
  booksItems: "Line items",
  booksTaxes: "Tax of each invoice",
  booksTaxSums: "Tax sums",
  booksPayments: "Payments",
  booksSettlements: "Settlements",
  booksFees: "Network fees",
  booksValue:
    "Each payment says what it was worth in {currency}, by whom and when. What nobody knew stays empty.",
  booksNoValue:
    "Set TILL_BOOKKEEPING_CURRENCY to EUR or USD, and each payment says what it was worth when it came.",
  booksXero: "Xero",
  booksXeroText:
    "Sales invoices in the columns of Xero’s template, with credit notes as rows below zero: choose tax exclusive there, and check what became of the first credit note. Write what your books call the account and each tax, exactly as Xero shows it. Void invoices that no credit note took back are left out, and those in USDC unless 1 USDC counts as 1 USD for you.",
  booksAccount: "Account of sales",
  booksNoTax: "Without tax",
  booksFile: "Download for Xero",
  didSaveBooks: "Saved.",
  booksCodeFault: "Write what Xero calls it.",
} as const;
