import type { TextsOf } from "../texts.ts";

/** Home, and what needs somebody: what it is, what it means, and the words of the button beside it. */
export const home = {
  newLink: "New link",
  greetMorning: "Good morning, {name}",
  greetDay: "Good afternoon, {name}",
  greetEvening: "Good evening, {name}",

  receivedIn: "Received in {month}",
  chartSays: "Received per day, {from} to {to}. Most on {day}: {amount} USDC.",
  chartEmpty: "Nothing received from {from} to {to}.",
  chartAsTable: "The figures as a table",
  chartDay: "Day",
  dayAndAmount: "{day}: {amount} USDC",

  openNone: "Nothing is owed",
  openCounted: "Invoices: {count}",
  openSays: "Invoices: {count}. Next due {day}",
  overdueTitle: "Overdue",
  overdueNone: "Nobody is late",
  overdueSays: "Invoices: {count}. Oldest due {day}",

  needsAttention: "Needs your attention",

  newestPayments: "Newest payments",
  paymentFrom: "From",
  allInvoices: "All invoices",
  paymentLink: "Payment link",
  stateConfirming: "Confirming, {count} of {needed}",
  stateFinalising: "Waiting to be final",

  welcome: "Welcome, {name}",
  welcomeNobody: "Welcome",
  firstSteps: "A few steps to your first payment.",
  stepDone: "Done",
  stepProfile: "Say who you are",
  stepProfileText: "Name, address and email: they appear on every invoice from now on.",
  stepProfileDo: "Fill in your details",
  stepInvoice: "Make your first invoice",
  stepInvoiceText: "Send it to yourself, pay 1.00 USDC, and watch it arrive.",
  stepWords: "Write down the recovery words",
  stepWordsText: "They bring your wallet back, should this machine break.",
  stepWordsDo: "Show how",
  paymentsNone: "When somebody pays you, it shows here within seconds. No need to reload.",

  storageBad: "Nothing can be stored",
  storageBadText:
    "The database or its disk has a problem. Payments are safe on the chain and will show up once it works again.",
  checkRuns: "The database is being checked",
  checkRunsText:
    "This happens after every start. You can look at everything; changes have to wait until it is done.",
  chainLateText:
    "The chain cannot be read right now. Nothing is lost: payments will show up as soon as a node answers.",
  gasEmpty: "The gas account is empty",
  gasEmptyText: "Nothing can be settled or withdrawn until it has a little ETH on {network}.",
  gasLow: "The gas account is nearly empty",
  gasLowText: "Enough for settlements: about {count}. Send it a little ETH on {network}.",
  moneyStuck: "Money that cannot be moved",
  moneyStuckText: "Deposits: {count}. The money is there, and Till keeps trying. See why.",
  wordsMissing: "The recovery words are not written down",
  wordsMissingText: "Without them, a broken machine takes the wallet with it.",
  paymentOdd: "A payment needs checking",
  paymentOddText: "The nodes do not agree, or money is not where the books say. Look before you ship.",
  mailMissing: "No mail server is set up",
  mailMissingText: "Invoices and reminders wait for two days, then Till gives up. Links work without it.",
  mailFails: "Mails are not going out",
  mailsWait: "Waiting mails: {count}. Till keeps trying for two days. The mail server: {reason}",
  mailsGivenUp: "Mails given up: {count}. The mail server: {reason}",
  mailsUnknown: "Mails that may or may not have arrived: {count}. The mail server: {reason}",
  webhookFails: "Webhooks are failing",
  webhookFailsText: "In the last week: {count}. Till keeps trying; those it gave up on can be sent again.",
  invoicesOverdue: "Overdue invoices: {count}",
  invoicesOverdueText: "{amount} USDC, the oldest since {day}.",

  showHealth: "Show health",
  showGasAddress: "Show address",
  showStuck: "Show why",
  showWords: "How to do it",
  setUpMail: "Set it up",
  showMails: "Show mails",
  showWebhooks: "Show webhooks",
} as const;

export type HomeTexts = TextsOf<typeof home>;
