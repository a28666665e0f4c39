/** Texts of the customers' PDFs, and of mails about them. */
export const pdfs = {
  invoiceNumberLabel: "Invoice number",
  quantity: "Quantity",
  unitPrice: "Unit price",
  payAmount: "Pay {amount} USDC",
  scanOrSend: "Scan the code with a wallet app, or send USDC to the deposit address.",
  onlyUsdc: "Only USDC on the {network} network",
  payOnline: "Pay online and track your payment",
  paidInFull: "Paid in full",
  seeOnline: "View the payment online",
  pageOfCount: "Page {page} of {count}",

  receivedFrom: "Received from",
  datePaid: "Date paid",
  amountReceived: "Amount received",
  overpayment: "Overpayment",
  toBeReturned: "To be returned",
  sentFrom: "From",
  recordedOn: "Recorded by the merchant on {day} as paid outside the network.",
  proofAttached:
    "The proof is attached to this file: till verify-receipt checks it on the network, without the merchant’s server.",
  receiptAttached: "The receipt is attached to this email as a PDF.",
  downloadReceipt: "Download receipt",
} as const;
