/**
 * Every text of the pages that people pay on. `{name}` is filled in, `**…**` is bold, `[…]` is a link. To add a
 * language, translate this file and name it in `languages.ts`.
 */
export const en = {
  awaitingPayment: "Awaiting payment",
  overdue: "Overdue",
  paymentSeen: "Payment seen",
  partlyPaid: "Partly paid",
  paid: "Paid",
  paidInExcess: "Paid in excess",
  paymentProblem: "Payment problem",

  sayOpen: "Awaiting payment of {remaining} USDC.",
  sayPending: "A payment of {pending} USDC has been seen and is being confirmed.",
  sayPartial: "{received} of {total} USDC has been received. {remaining} USDC is still to pay.",
  sayPaid: "Paid. {received} USDC has been received.",
  sayExcess: "Paid. {received} USDC has been received, {excess} USDC more than asked.",
  sayError: "Something went wrong with this payment on the network. Do not pay again.",

  amountDue: "Amount due",
  stillToPay: "Still to pay",
  onItsWay: "Payment on its way",
  dueOn: "Due on {day}",
  wasDueOn: "Was due on {day}",
  receivedSoFar: "Received so far",
  receivedOf: "{received} of {total} USDC received",

  confirmations: "Confirmations",
  confirmationsOne: "{count} of {needed} confirmation",
  confirmationsOther: "{count} of {needed} confirmations",
  notFinalYet: "Not final yet",
  beingConfirmed: "Being confirmed by the network",
  waitingForFinal: "Seen. Waiting for the network to make it final",
  confirmingAll:
    "Your payment has been seen on the network. There is nothing more to do: this page shows it as paid as soon as it is confirmed.",
  confirmingPart:
    "Your payment has been seen on the network. As soon as it is confirmed, this page shows what is left of the {remaining} USDC.",
  delayed:
    "**Payments show up late at the moment.** The connection to the network is slow. Nothing is lost: a payment you have made shows up here when the connection is back.",

  paidAndMore: "Paid, and more than asked",
  receivedInFull: "Received in full. Nothing more to do.",
  differenceOfInvoice:
    "{total} USDC was due, so **{excess} USDC** too much has arrived. Please [contact the merchant] about the difference.",
  differenceOfLink:
    "{total} USDC was due, so **{excess} USDC** too much has arrived. Please contact the shop about the difference.",
  returnToShop: "Return to shop",
  usedUp:
    "This link has been paid. Please do not pay it again: another payment needs a new link from the shop.",
  somethingWrong: "Something went wrong",
  failed:
    "There is a problem with this payment on the network. **Do not pay again.** If it stays like this, please contact the shop.",
  failedWait: "This page shows the payment as soon as it is confirmed.",
  failedSeenAgain: "{pending} USDC has been seen again and is being confirmed.",

  howToPay: "How to pay",
  testNetwork: "**Test network.** Pay with test USDC only. Do not send real money.",
  whereFrom: "Where will you pay from?",
  wallet: "Wallet",
  scan: "Scan",
  exchange: "Exchange or other wallet",
  noWallet: "No wallet in this browser? Scan the code with your phone.",
  walletHint:
    "Your wallet app opens with the address, the amount and the network filled in: compare them with those below.",
  qrOfPayment: "QR code of this payment, for a wallet app",
  qrOfAddress: "QR code of the deposit address",
  scanHint:
    "Scan with a wallet app. It fills in the address, the amount and the network: compare them with those below.",
  openWallet: "Open in wallet app",
  exchangeNetwork: "Send or withdraw **USDC**, and choose **{network}** as the network.",
  exchangeAddress: "Scan the code, or paste the deposit address below.",
  exchangeAmount:
    "Exactly {amount} USDC has to arrive. If your exchange takes its fee out of the withdrawal, add the fee.",
  amount: "Amount",
  depositAddress: "Deposit address",
  onlyNetwork: "**USDC on {network} only.** Anything else sent to this address may be lost.",

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
  smallerPayments: "Smaller payments that are not listed: {count}",
  confirmed: "Confirmed",
  transactionInExplorer: "Transaction {hash} in the explorer",

  invoiceNumber: "Invoice {number}",
  invoiceFrom: "Invoice {number} from {merchant}",
  invoiceDetails: "Invoice details",
  from: "From",
  to: "To",
  issued: "Issued",
  due: "Due",
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
    "This page keeps itself up to date. You need no account to pay, and nobody will ask you for a password or a recovery phrase.",
  language: "Language",
  connectionLost: "Connection lost, trying again…",
  connectedAgain: "Connected again.",
  hostedBy: "Hosted by {brand}",
  openYourLink: "To pay an invoice, open the link that you were sent.",

  payWith: "Pay with {wallet}",
  confirmInWallet: "Please confirm the payment in {wallet}.",
  sent: "Sent. It appears here as soon as the network has it.",
  noAccount: "The wallet offers no account to pay from.",
  unknownNetwork: "The wallet does not know {network}. Add it there (chain ID {chainId}) and try again.",
  otherNetwork: "The wallet is on another network. Switch it to {network} and try again.",
  tooLittle: "This account holds less USDC on {network} than is to be paid.",
  declined: "Declined in the wallet. Nothing was sent.",
  unauthorized: "The wallet does not let this page see an account. Allow it there and try again.",
  requestPending: "The wallet already has an open request. Please open the wallet and finish it there.",
  walletFailed:
    "The wallet could not send the payment. Check in the wallet that nothing was sent before you try again.",
  noFee:
    "The wallet could not send the payment: this account has no ETH on {network} for the fee. Check in the wallet that nothing was sent before you try again.",
  reverted:
    "The network did not carry out this payment. Nothing was paid. Please check your account in the wallet before you try again.",

  invoiceNotFound: "Invoice not found",
  invoiceNotFoundText:
    "There is no invoice at this address. Check that the link is complete, or ask the sender for a new one.",
  linkNotFound: "Payment link not found",
  linkNotFoundText:
    "There is no payment link at this address. Check that the link is complete, or ask the shop for a new one.",
  pageNotFound: "Page not found",
  pageNotFoundText: "There is nothing at this address.",
  tooManyRequests: "Too many requests",
  tooManyRequestsText: "Please come back in {seconds} s.",
  requestFailed: "Something went wrong",
  requestFailedText: "Please try again in a minute.",
} as const;

export type MessageKey = keyof typeof en;
export type Messages = Readonly<Record<MessageKey, string>>;
