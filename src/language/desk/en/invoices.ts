import type { TextsOf } from "../texts.ts";

/** Invoices: the list and one of them. */
export const invoices = {
  invoicesCaption: "Invoices, newest first",
  searchInvoices: "Search invoices",
  searchPlaceholder: "Customer, number, amount, address…",
  kindAll: "All",
  kindOpen: "Open",
  kindOverdue: "Overdue",
  kindPaid: "Paid",
  kindVoid: "Void",
  kindDrafts: "Drafts",
  anyDate: "Any date",
  sinceDay: "Since {from}",
  untilDay: "Until {to}",
  betweenDays: "{from} to {to}",
  thisMonth: "This month",
  lastMonth: "Last month",
  thisYear: "This year",
  fromDay: "From",
  toDay: "To",
  downloadCsv: "CSV",
  downloadCsvOfShown: "Download what is shown as CSV",
  columnDue: "Due",
  stateNotSent: "Not sent",
  leftToPay: "{amount} left",
  paidTooMuch: "{amount} too much",
  sumInAll: "{count} in all, {sum} USDC",
  sumHere: "{sum} USDC on this page",
  foundMany: "This search covers only the newest {count} matches.",
  toNewest: "Newest",
  toOlder: "Older",

  noInvoices: "Your first invoice takes a minute",
  noInvoicesText:
    "Write what you did and for whom. Your customer gets a mail with a page to pay on, and you see here when the money is there.",
  orLink: "Or a payment link",
  nothingFound: "Nothing found for “{query}”",
  nothingFoundText:
    "Search by the beginning of a customer’s name, mail address, number, reference or amount, or by a whole deposit address or transaction.",
  nothingOfKind: "None of these",
  nothingOfKindText: "No invoice matches what you chose above.",
  showAllInvoices: "Show all invoices",
  noDrafts: "No drafts",
  noDraftsText:
    "An invoice that you save before it is ready waits here. It has no number yet, and nobody has seen it.",
  draftsCaption: "Drafts",
  columnChanged: "Changed",
  unnamedDraft: "No customer yet",
  didSaveDraft: "The draft is saved.",
  didDropDraft: "The draft is discarded.",
} as const;

export type InvoicesTexts = TextsOf<typeof invoices>;
