/**
 * Every text that customers read on pages, in mails and in the PDF. `{name}` is filled in, `**…**` is bold, `[…]` is a
 * link. To add a language, translate this file and name it in `languages.ts` and `locale.ts`. No text counts a noun or
 * lets a verb follow an amount: write "label: {count}". Only `confirmationsOne` and `confirmationsOther` differ by
 * number, by that of `needed`; a language with more forms (Polish, Arabic) writes those two as a label as well.
 */
export const en = {
  awaitingPayment: "Awaiting payment",
  overdue: "Overdue",
  paymentSeen: "Payment detected",
  partlyPaid: "Partially paid",
  paid: "Paid",
  paidInExcess: "Overpaid",
  paymentProblem: "Payment problem",
  expired: "Expired",

  sayOpen: "Awaiting payment of {remaining} USDC.",
  sayPending: "A payment of {pending} USDC has been detected and is being confirmed.",
  sayPartial: "{received} of {total} USDC received. {remaining} USDC remaining.",
  sayPaid: "Paid. {received} USDC received.",
  sayExcess: "Paid. {received} USDC received, {excess} USDC more than the amount due.",
  sayError: "Something went wrong with this payment on the network. Do not pay again.",
  sayExpired:
    "This payment link has expired. Please do not send money to it. For a new link, contact the shop.",

  amountDue: "Amount due",
  stillToPay: "Remaining balance",
  onItsWay: "Payment on its way",
  dueOn: "Due {day}",
  wasDueOn: "Was due {day}",
  receivedSoFar: "Received so far",
  receivedOf: "{received} of {total} USDC received",

  confirmations: "Confirmations",
  confirmationsOne: "{count} of {needed} confirmation",
  confirmationsOther: "{count} of {needed} confirmations",
  notFinalYet: "Not final yet",
  beingConfirmed: "Being confirmed by the network",
  waitingForFinal: "Detected. Waiting for the network to finalise it",
  confirmingAll:
    "Your payment has been detected on the network. You don't need to do anything else: this page will show it as paid once it is confirmed.",
  confirmingPart:
    "Your payment has been detected on the network. Once it is confirmed, this page will show how much of the {remaining} USDC is still due.",
  delayed:
    "**Payments are taking longer than usual to appear.** The connection to the network is slow. No money is lost: your payment will appear here once the connection recovers.",

  paidAndMore: "Overpaid",
  receivedInFull: "Received in full. Nothing more to do.",
  differenceOfInvoice:
    "The amount due was {total} USDC, so you overpaid by **{excess} USDC**. Please [contact the merchant] about a refund.",
  differenceOfLink:
    "The amount due was {total} USDC, so you overpaid by **{excess} USDC**. Please contact the shop about a refund.",
  returnToShop: "Return to shop",
  usedUp:
    "This payment is complete. Please don't pay again. For another payment, ask the shop for a new link.",
  receiptByEmail: "Email me a receipt",
  receiptGoesTo: "Receipt by email to {email}",
  receiptSentTo: "The receipt was sent to {email}.",
  yourEmail: "Your email address",
  receiptWhen: "The receipt is sent once, as soon as the payment is complete. The shop can see this address.",
  emailInvalid: "Please check the email address.",
  changeEmail: "Change the address",
  backToPayment: "Back to the payment",
  somethingWrong: "Something went wrong",
  failed:
    "There is a problem with this payment on the network. **Do not pay again.** If this message does not go away, please contact the shop.",
  failedWait: "This page will show the payment once it is confirmed.",
  failedSeenAgain: "{pending} USDC has been detected again and is being confirmed.",

  howToPay: "How to pay",
  testNetwork: "**Test network.** Pay with test USDC only. Do not send real money.",
  testNetworkName: "{network}, test network",
  whereFrom: "How would you like to pay?",
  wallet: "Wallet",
  scan: "Scan",
  exchange: "Exchange or other wallet",
  noWallet: "No wallet in this browser? Scan the code with your phone.",
  walletHint:
    "Your wallet app opens with the address, the amount and the network filled in. Check that they match the details below.",
  qrOfPayment: "QR code of this payment, for a wallet app",
  qrOfAddress: "QR code of the deposit address",
  scanHint:
    "Scan with a wallet app. It fills in the address, the amount and the network. Check that they match the details below.",
  openWallet: "Open in wallet app",
  exchangeNetwork: "Withdraw or send **USDC** and select the **{network}** network.",
  exchangeAddress: "Scan the code, or paste the deposit address below.",
  exchangeAmount:
    "Exactly {amount} USDC must arrive. If your exchange deducts its fee from the withdrawal, withdraw that much more.",
  amount: "Amount",
  depositAddress: "Deposit address",
  onlyNetwork: "**Send only USDC on the {network} network.** Anything else sent to this address may be lost.",

  copy: "Copy",
  copied: "Copied",
  notCopied: "Not copied",
  copyAmount: "Copy the amount",
  amountCopied: "Copied the amount",
  amountNotCopied: "The amount could not be copied. Please select it and copy it by hand.",
  copyAddress: "Copy the deposit address",
  addressCopied: "Copied the deposit address",
  addressNotCopied: "The deposit address could not be copied. Please select it and copy it by hand.",

  payment: "Payment",
  payments: "Payments",
  smallerPayments: "Smaller payments not shown:\u00a0{count}",
  confirmed: "Confirmed",
  transactionInExplorer: "Transaction {hash} in the explorer",

  invoiceNumber: "Invoice {number}",
  invoiceFrom: "Invoice {number} from {merchant}",
  invoiceDetails: "Invoice details",
  billedBy: "Billed by",
  billedTo: "Billed to",
  issueDate: "Issue date",
  dueDate: "Due date",
  reference: "Reference",
  description: "Description",
  amountInUsdc: "Amount (USDC)",
  total: "Total",
  notes: "Notes",
  downloadPdf: "Download PDF",
  contactMerchant: "Contact the merchant",
  payTo: "Pay",
  receipt: "Receipt",
  transaction: "Transaction",

  footnote:
    "This page updates automatically. You don't need an account to pay. Never enter a password or recovery phrase here.",
  language: "Language",
  connectionLost: "Connection lost. Reconnecting…",
  connectedAgain: "Reconnected.",
  hostedBy: "Hosted by {brand}",
  openYourLink: "To pay an invoice, open the link you received.",

  payWith: "Pay with {wallet}",
  confirmInWallet: "Please confirm the payment in {wallet}.",
  sent: "Sent. It will appear here once the network has picked it up.",
  noAccount: "This wallet has no account to pay from.",
  unknownNetwork: "{network} is not set up in your wallet. Add it (chain ID {chainId}) and try again.",
  otherNetwork: "The wallet is on another network. Switch it to {network} and try again.",
  tooLittle: "This account does not have enough USDC on {network}.",
  declined: "Declined in the wallet. Nothing was sent.",
  unauthorized:
    "Your wallet did not share an account with this page. Allow access in the wallet and try again.",
  requestPending: "A request is already waiting in your wallet. Approve or reject it there.",
  walletFailed:
    "The wallet could not send the payment. Check in the wallet that nothing was sent before you try again.",
  noFee:
    "The wallet could not send the payment: this account has no ETH on {network} for the fee. Check in the wallet that nothing was sent before you try again.",
  reverted:
    "The transaction failed on the network. No USDC was sent, but the network fee may have been charged. Check your account in the wallet before you try again.",

  invoiceNotFound: "Invoice not found",
  invoiceNotFoundText:
    "There is no invoice at this link. Check that the link is complete, or ask the sender for a new one.",
  linkNotFound: "Payment link not found",
  linkNotFoundText:
    "This payment link does not exist. Check that the link is complete, or ask the shop for a new one.",
  pageNotFound: "Page not found",
  pageNotFoundText: "This page does not exist.",
  tooManyRequests: "Too many requests",
  tooManyRequestsText: "Please try again in {seconds} s.",
  somethingWrongText: "Please try again in a minute.",

  payWithUsdc: "Pay with USDC",
  formMissing: "The payment form did not load.",
  openPayment: "Open the payment page",
  slugMissing: "Payment link missing.",

  invoiceSubject: "Invoice {number} from {merchant}: {sum}",
  sumPaid: "{amount} USDC, paid",
  sumDue: "{amount} USDC, due {day}",
  sumWasDue: "{amount} USDC, was due {day}",
  restDue: "{amount} USDC remaining, due {day}",
  restWasDue: "{amount} USDC remaining, was due {day}",
  invoice: "Invoice",
  hasSent: "sent {vendor} an invoice.",
  merchantHasSent: "{merchant} sent {vendor} an invoice.",
  reminderSubject: "Reminder: invoice {number} from {merchant}, {sum}",
  reminderSentence: "A friendly reminder for {vendor}: this invoice is still open.",
  alreadyPaid: "If you have just paid, you can ignore this email.",
  partSubject: "Partial payment received: invoice {number} from {merchant}, {sum}",
  partSentence: "Part of the amount due from {vendor} has been received. Thank you.",
  amountOverdue: "Amount overdue",
  amountPaid: "Amount paid",
  viewAndPayInvoice: "View and pay invoice",
  viewInvoice: "View invoice",
  pdfAttached: "The PDF is also attached to this email.",
  noteFrom: "Note from {merchant}",
  nothingLeft: "There is nothing left to pay.",
  onlyOn: "Pay in USDC on the {network} network only.",
  pageShows: "The page shows the address and a QR code. You don't need an account.",
  checkLink: "Check that the link starts with:",
  noAddress:
    "{brand} never puts a deposit address in an email. Use only the one shown on that page, whatever an email says.",
  noAddressWithPdf:
    "{brand} never puts a deposit address in the text of an email. Before you pay to the address in the attached PDF, check that it matches the one on that page.",
  orOpen: "Or open this link:",
  sentBy: "Sent by {brand} on behalf of {merchant}. Replies go to {replyTo}.",
  sentFor: "Sent by {brand} on behalf of {merchant}.",
  noticeSentBy: "Sent by {brand}. Replies go to your customer, {replyTo}.",
  noticeSentOnlyBy: "Sent by {brand}.",
  andMore: ", {excess} USDC more than the amount due",
  receiptSubject: "Receipt for invoice {number} from {merchant}: {received} USDC paid{more}",
  linkReceiptSubject: "Receipt from {merchant}: {received} USDC paid{more}",
  receiptPreview: "Received in full{more}",
  receiptSentence: "{name} has received your payment in full. Thank you.",
  noticePaid: "Paid",
  unexpectedPayment: "Unexpected payment",
  unexpectedNote:
    "Nothing was due any more: you had voided it or marked it as paid. Please settle this with your customer directly. {brand} does not send refunds.",
  invoiceTo: "invoice {number} to {vendor}",
  linkNamed: "Payment link {slug}",
  noticePreview: "{received} USDC received{more}",
  noticeSentence: "{name} has paid in full.",
  tooMuch: "The amount due was {total} USDC, so this is an overpayment of {excess} USDC.",
  askMerchant: "Please contact {merchant} about a refund.",
  ownAffair: "Please settle the difference with your customer directly. {brand} does not send refunds.",
  network: "Network",

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
} as const;

export type TextKey = keyof typeof en;
export type Texts = Readonly<Record<TextKey, string>>;
