/** Every text of the mails. `{name}` is filled in. To add a language, translate this file and name it in `words.ts`. */
export const en = {
  invoiceSubject: "Invoice {number} from {merchant}: {sum}",
  sumPaid: "{amount} USDC, paid",
  sumDue: "{amount} USDC, due {day}",
  sumWasDue: "{amount} USDC, was due {day}",
  restDue: "{amount} USDC still to pay, due {day}",
  restWasDue: "{amount} USDC still to pay, was due {day}",

  invoice: "Invoice",
  invoiceNumber: "Invoice {number}",
  /** After the merchant's name. */
  hasSent: "has sent an invoice to {vendor}.",
  amountDue: "Amount due",
  stillToPay: "Still to pay",
  overdue: "Overdue",
  paid: "Paid",
  hasArrived: "{received} of {total} USDC has arrived",
  due: "Due {day}",
  wasDue: "Was due {day}",
  viewAndPay: "View and pay invoice",
  view: "View invoice",
  downloadPdf: "Download the PDF",
  pdfAttached: "It is also attached.",
  noteFrom: "Note from {merchant}",
  nothingLeft: "Nothing is left to pay.",
  onlyOn: "Pay in USDC on the Base network only.",
  howToPay: "The page shows the address and a QR code. You need no account.",
  checkLink: "Check that the link starts with",
  noAddress:
    "{brand} never writes a payment address in an email: take it from that page only, whatever an email says.",
  noAddressWithPdf:
    "{brand} never writes a payment address in the text of an email. Before you pay to the one in the attached PDF, compare it with that page.",
  orOpen: "Or open this link:",
  sentBy: "Sent by {brand} on behalf of {merchant}. Replies go to {replyTo}.",

  /** After an amount, in a subject. */
  andMore: ", {excess} more than asked",
  receiptSubject: "Receipt for invoice {number} from {merchant}: {received} USDC paid{more}",
  receiptPreview: "Received in full{more}",
  receiptHeading: "Receipt for invoice {number}",
  receiptSentence: "{name} has received your payment in full. Thank you.",
  noticeSubject: "Paid: invoice {number} to {vendor}, {received} USDC{more}",
  noticePreview: "{received} USDC has arrived{more}",
  noticeHeading: "Invoice {number} is paid",
  noticeSentence: "{name} has paid in full.",
  tooMuch: "{total} USDC was due, so {excess} USDC too much has arrived.",
  askMerchant: "Please ask {merchant} about the difference.",
  ownAffair: "The difference is between you and your customer: {brand} sends nothing back.",
  from: "From",
  to: "To",
  network: "Network",
  transaction: "Transaction",
  smallerPayments: "Smaller payments that are not listed: {count}",
} as const;

export type MailKey = keyof typeof en;
export type MailMessages = Readonly<Record<MailKey, string>>;
