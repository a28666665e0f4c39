import type { TextsOf } from "../texts.ts";

/** Credit notes: at the desk, and in the words that customers read. Written as those in `../../texts/en.ts`. */
export const credit = {
  creditNote: "Credit note",
  creditNotes: "Credit notes",
  creditNoteNumberLabel: "Credit note number",
  ofInvoice: "For invoice",
  creditSubject: "Credit note {number} from {merchant}: {amount}",
  creditHeading: "Credit note {number}",
  creditSentence: "{name} has credited you this amount.",
  creditedAmount: "Credited",
  creditStillDue: "{amount} is left to pay on invoice {number}.",
  creditNothingDue: "Nothing is left to pay on invoice {number}.",
  creditReturn:
    "You had already paid {amount} of the credited amount, which {merchant} owes you. Please agree on how it is returned.",
  creditLowers: "This lowers what is to be paid on invoice {number}. Nothing is to be returned.",
  creditAttached: "The credit note is attached to this email as a PDF.",
  creditIssueDate: "Issue date",
  creditInvoice: "Credit",
  creditInvoiceHeading: "Credit invoice {number}",
  creditExplained:
    "A credit note takes back all or part of an invoice. It has its own number and never changes.",
  creditByLines: "Some lines, in whole or in part",
  creditByAmounts: "Amounts, with their tax",
  creditAllLeft: "All that is left: {amount}",
  creditAmountLeft: "at most {amount}",
  creditCheck: "See the sum",
  creditMake: "Make credit note",
  creditMailIt: "Mail it to the customer",
  creditThenDue: "The customer then has {amount} left to pay.",
  creditThenNothing: "The customer then has nothing left to pay.",
  creditToReturn: "{amount} of it was paid already. You return it to the customer yourself.",
  searchCreditNotes: "Search credit notes",
  searchCreditNotesHint: "Customer, number, amount…",
  noCreditNoteFound:
    "Search by the beginning of a customer’s name, mail address, reference or amount, or of the number of the note or its invoice.",
  showAllCreditNotes: "Show all credit notes",
  creditNotesNone: "No credit notes yet. You make one on the page of an invoice.",
  noCreditNoteOfDays: "No credit note was issued on these days.",
  creditThenVoid: "Nobody has paid anything, so the invoice is then void.",
  faultCreditNone: "Say what you want to credit.",
  faultCreditLines:
    "Amounts were credited before, so less is left at this tax rate than these lines come to. Credit an amount instead.",
  creditInFlight: "A payment is on its way. Wait until it is confirmed, then credit.",
  creditNothingLeft: "Nothing is left to credit on this invoice.",
  creditChanged: "Something has changed in the meantime. Check the sum again.",
  toldCredited: "**Credit note {number}**: {amount}",
  didCredit: "The credit note is made.",
  didSendCredit: "The credit note was mailed.",
  deedInvoiceCredit: "Made a credit note",
  deedCreditSend: "Sent a credit note",
} as const;

export type CreditTexts = TextsOf<typeof credit>;
